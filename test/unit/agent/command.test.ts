import assert from "node:assert/strict";
import { spawnCommand } from "../../../src/agent/command.ts";
import { signInCommand } from "../../../src/agent/signInCommand.ts";

const files = new Set([
  "C:\\Program Files\\nodejs\\npx.cmd",
  "C:\\Program Files\\nodejs\\npx",
  "C:\\Program Files\\nodejs\\node.exe",
  "C:\\tools\\agent.bat",
]);
const windows = {
  platform: "win32" as const,
  environment: {
    Path: "C:\\Windows;C:\\Program Files\\nodejs",
    PATHEXT: ".COM;.EXE;.BAT;.CMD",
    ComSpec: "C:\\Windows\\cmd.exe",
  },
  folder: "C:\\tools",
  isFile: (file: string) => files.has(file),
};

describe("what is spawned for a command", () => {
  it("is the command itself on POSIX, spaces and all", () => {
    const world = { ...windows, platform: "linux" as const };
    assert.deepEqual(spawnCommand("my agent", ["a b", "$HOME"], world), {
      file: "my agent",
      args: ["a b", "$HOME"],
      verbatim: false,
    });
  });

  it("is the program found on Path on Windows", () => {
    assert.deepEqual(spawnCommand("node", ["x y"], windows), {
      file: "C:\\Program Files\\nodejs\\node.exe",
      args: ["x y"],
      verbatim: false,
    });
  });

  it("is cmd.exe for a shim, its path's spaces and brackets kept from the shell", () => {
    const { file, args, verbatim } = spawnCommand("npx", ["-y"], windows);
    assert.equal(file, "C:\\Windows\\cmd.exe");
    assert.equal(verbatim, true);
    assert.deepEqual(args, [
      "/d",
      "/s",
      "/c",
      '"C:\\Program^ Files\\nodejs\\npx.cmd ^^^"-y^^^""',
    ]);
  });

  it("is found the same way for a sign-in in a terminal, its arguments as one text", () => {
    const spec = {
      ...{ id: "a", label: "A", command: "npx", args: ["agent"] },
      env: { OWN: "1" },
    };
    const login = {
      kind: "terminal",
      ...{ id: "l", name: "Log in" },
      ...{ args: ["login"], env: { MORE: "2" } },
    } as const;
    const { file, args, env } = signInCommand(spec, login, windows);
    assert.equal(file, "C:\\Windows\\cmd.exe");
    assert.equal(
      args,
      '/d /s /c "C:\\Program^ Files\\nodejs\\npx.cmd ^^^"agent^^^" ^^^"login^^^""',
    );
    assert.deepEqual(env, { OWN: "1", MORE: "2" });
    const posix = { ...windows, platform: "linux" } as const;
    assert.deepEqual(signInCommand(spec, login, posix).args, [
      "agent",
      "login",
    ]);
  });

  it("finds a batch file by a path from the folder", () => {
    const { args } = spawnCommand(".\\agent", [], windows);
    assert.equal(args.at(-1), '"C:\\tools\\agent.bat"');
  });

  it("leaves a command that is nowhere to the system to refuse", () => {
    assert.equal(spawnCommand("nowhere", [], windows).file, "nowhere");
  });

  it("no argument of a shim can start another command", () => {
    const { args } = spawnCommand("npx", ['a" & calc & "', "%PATH%"], windows);
    const line = args.at(-1) ?? "";
    assert.doesNotMatch(line, /(?<!\^)[&%|<>]/u);
  });
});
