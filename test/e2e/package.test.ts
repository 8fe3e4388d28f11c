import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { inflateRawSync } from "node:zlib";

const root = path.resolve(import.meta.dirname, "..", "..");

/** All that is needed at run time, and what a marketplace shows. */
const files: readonly string[] = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/changelog.md",
  "extension/dist/builtinAgent.cjs",
  "extension/dist/extension.cjs",
  "extension/dist/historyWorker.cjs",
  "extension/dist/webview/chat.css",
  "extension/dist/webview/chat.js",
  "extension/dist/webview/timeline.css",
  "extension/dist/webview/timeline.js",
  "extension/l10n/bundle.l10n.json",
  "extension/media/agents/claude-code/package-lock.json",
  "extension/media/agents/claude-code/package.json",
  "extension/media/agents/codex/package-lock.json",
  "extension/media/agents/codex/package.json",
  "extension/media/icon.png",
  "extension/media/turnline.svg",
  "extension/media/walkthrough/agents.svg",
  "extension/media/walkthrough/open.svg",
  "extension/media/walkthrough/queue.svg",
  "extension/package.json",
  "extension/package.nls.json",
  "extension/readme.md",
];

describe("the package", () => {
  const packed = new Map(
    entries(readFileSync(path.join(root, "dist", "turnline.vsix"))),
  );

  it("holds exactly what is needed: no source, no source map, nothing else", () => {
    assert.deepEqual([...packed.keys()].sort(), files);
  });

  it("names no source map in what it holds", () => {
    for (const [name, read] of packed)
      if (/\.(cjs|js|css)$/.test(name))
        assert.doesNotMatch(read().toString(), /sourceMappingURL=/, name);
  });
});

/** The files of a zip file, as its central directory lists them. */
function* entries(zip: Buffer): Generator<[string, () => Buffer]> {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  assert.ok(end >= 0, "not a zip file");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size, length, local] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ];
    yield [
      zip.toString("utf8", at + 46, at + 46 + length),
      () => {
        const start =
          local +
          30 +
          zip.readUInt16LE(local + 26) +
          zip.readUInt16LE(local + 28);
        const data = zip.subarray(start, start + size);
        return method === 0 ? data : inflateRawSync(data);
      },
    ];
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}
