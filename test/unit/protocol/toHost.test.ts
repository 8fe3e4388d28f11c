import assert from "node:assert/strict";
import * as z from "zod/mini";
import { toHost } from "../../../src/protocol/toHost.ts";

const fits = (message: unknown): boolean =>
  z.safeParse(toHost, message).success;

const submit = {
  type: "submit",
  requestId: "r1",
  thread: "t1",
  text: "hello",
  attachments: [],
  when: "next",
};

describe("What a view may say", () => {
  const save = { type: "editSave", thread: "t", id: "a", text: "", kept: [] };
  const good: readonly unknown[] = [
    { type: "ready" },
    { type: "ready", instance: "i", thread: "t" },
    submit,
    { ...submit, text: "x".repeat(2_000_000) },
    {
      ...submit,
      attachments: [
        {
          ...{ kind: "image", name: "a.png", mimeType: "image/png" },
          ...{ blob: "hash", bytes: 3 },
        },
        { kind: "file", uri: "file:///a", name: "a" },
      ],
    },
    { type: "keepBytes", name: "a", mimeType: "text/plain", data: "AAAA" },
    { type: "takeContext", part: { kind: "thread", id: "t" } },
    { type: "openOutput", thread: "t", message: "m", part: "input" },
    { type: "reorder", thread: "t", id: "a", before: null },
    { ...save, split: { offset: 1, newId: "b" } },
    { type: "page", thread: "t", to: "around", batch: "b" },
    { type: "openLink", url: "https://example.com" },
  ];
  for (const message of good)
    it(`takes ${JSON.stringify(message).slice(0, 60)}`, () => {
      assert.equal(fits(message), true);
    });

  const bad: readonly unknown[] = [
    { type: "command", command: "workbench.action.quit" },
    { type: "executeCommand", name: "x" },
    { ...submit, requestId: "" },
    { ...submit, requestId: "x".repeat(600) },
    { ...submit, when: "soon" },
    { ...submit, text: 1 },
    { ...submit, command: "rm" },
    { ...submit, attachments: [{ kind: "file", uri: "file:///a" }] },
    { type: "remove", thread: "t" },
    { ...save, split: { offset: -1, newId: "b" } },
    { ...save, split: { offset: 1.5, newId: "b" } },
    { type: "openLink", url: "x".repeat(10_000) },
    { type: "batchAction", thread: "t", batch: "b", action: "delete" },
  ];
  for (const message of bad)
    it(`I50: refuses ${JSON.stringify(message).slice(0, 60)}`, () => {
      assert.equal(fits(message), false);
    });
});
