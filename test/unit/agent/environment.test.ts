import assert from "node:assert/strict";
import { agentEnvironment } from "../../../src/agent/environment.ts";

describe("the environment of an agent", () => {
  const host = {
    PATH: "/bin",
    HOME: "/home/me",
    LC_TIME: "de_DE",
    XDG_RUNTIME_DIR: "/run",
    https_proxy: "http://proxy",
    ELECTRON_RUN_AS_NODE: "1",
    VSCODE_IPC_HOOK: "/x",
    NODE_OPTIONS: "--inspect",
    SECRET_TOKEN: "s",
    GOPATH: "/go",
    TURNLINE_RUN: "another run",
  };
  it("holds the everyday names, the agent's own and the nonce, and nothing of the editor", () => {
    assert.deepEqual(agentEnvironment(host, { KEY: "k", HOME: "/h" }, "n"), {
      PATH: "/bin",
      HOME: "/h",
      LC_TIME: "de_DE",
      XDG_RUNTIME_DIR: "/run",
      https_proxy: "http://proxy",
      KEY: "k",
      TURNLINE_RUN: "n",
    });
  });
  it("passes on what it is asked to", () => {
    assert.equal(agentEnvironment(host, {}, "n", ["gopath"])["GOPATH"], "/go");
  });
  it("the nonce can't be taken by an agent's settings", () => {
    const own = { TURNLINE_RUN: "mine" };
    assert.equal(agentEnvironment({}, own, "n")["TURNLINE_RUN"], "n");
  });
});
