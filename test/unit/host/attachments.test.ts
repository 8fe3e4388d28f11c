import assert from "node:assert/strict";
import { keepBytes, keepInUse, kindOf } from "../../../src/host/keptBytes.ts";
import { contentOf, draftBlocks } from "../../../src/host/messageContent.ts";
import { attachmentsOf } from "../../../src/host/projectMessage.ts";
import type { NewAttachment } from "../../../src/protocol/newAttachment.ts";
import { MemoryStore } from "../../fakes/memoryStore.ts";

const bytes = (...values: readonly number[]): Uint8Array =>
  Uint8Array.from(values);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const png = bytes(0x89, 0x50, 0x4e, 0x47, 0);

describe("what can hang on a message", () => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ["image/png", png, "image"],
    ["text/plain", text("größe"), "text"],
    ["application/octet-stream", text("plain after all"), "text"],
    ["image/svg+xml", text("<svg/>"), "text"],
    ["image/heic", png, "binary"],
    ["application/pdf", bytes(0x25, 0x50, 0xff, 0xfe), "binary"],
    ["application/zip", bytes(0x50, 0x4b, 3, 0), "binary"],
  ];
  for (const [mimeType, data, kind] of cases)
    it(`${mimeType} is ${kind}`, () => {
      assert.equal(kindOf(mimeType, data), kind);
    });

  async function kept(
    store: MemoryStore,
    name: string,
    mimeType: string,
    data: Uint8Array,
  ): Promise<readonly NewAttachment[]> {
    const reply = await keepBytes(store, { name, mimeType, data });
    assert.ok(reply.kind === "attachments");
    return reply.attachments;
  }

  it("is in the preview of a draft as it would be sent, and only nothing has a stand-in", async () => {
    const store = new MemoryStore();
    const attachments = await kept(store, "a.txt", "text/plain", text("all"));
    const blocksOf = async (draft: string, hung = attachments) => {
      const content = await draftBlocks(
        { text: draft, attachments: [...hung] },
        store,
      );
      return content.ok ? content.blocks : content.detail;
    };
    const sent = await contentOf("  look\n", attachments, store);
    assert.deepEqual(await blocksOf("  look\n"), sent.ok && sent.blocks);
    const alone = await contentOf("", attachments, store);
    assert.deepEqual(await blocksOf(""), alone.ok && alone.blocks);
    assert.deepEqual(await blocksOf(" \n", []), [
      { type: "text", text: "(your next message)" },
    ]);
    const gone = { kind: "text", name: "b", mimeType: "", blob: "b", bytes: 1 };
    assert.equal(
      await blocksOf("look", [gone as NewAttachment]),
      "b is not kept any more. Remove it and add it again.",
    );
  });

  it("is kept small, and becomes what was attached when the message is sent", async () => {
    const store = new MemoryStore();
    const attachments: NewAttachment[] = [
      ...(await kept(store, "a log: 1.txt", "text/plain", text("all of it"))),
      ...(await kept(store, "shot.png", "image/png", png)),
      { kind: "file", uri: "file:///a%20b/c.ts", name: "c.ts" },
    ];
    assert.ok(JSON.stringify(attachments).length < 1_000);
    const content = await contentOf("look", attachments, store);
    assert.ok(content.ok);
    assert.deepEqual(
      content.blocks.map((block) =>
        block.type === "resource" ? block.text : block.type,
      ),
      ["text", "all of it", "image", "link"],
    );
    assert.deepEqual(
      attachmentsOf(content.blocks).map(({ name }) => name),
      ["a log: 1.txt", "shot.png", "c.ts"],
    );
  });

  it("refuses in words what is neither text nor a picture", async () => {
    const reply = await keepBytes(new MemoryStore(), {
      name: "report.pdf",
      mimeType: "application/pdf",
      data: bytes(0x25, 0x50, 0xff),
    });
    assert.ok(reply.kind === "refused");
    assert.match(reply.message, /report\.pdf was not attached/);
  });

  it("refuses a message whose attachment is gone, rather than send it without", async () => {
    const gone: NewAttachment = {
      ...{ kind: "text", name: "log.txt", mimeType: "text/plain" },
      ...{ blob: "none", bytes: 3 },
    };
    const content = await contentOf("look", [gone], new MemoryStore());
    assert.ok(!content.ok);
    assert.match(content.detail, /log\.txt is not kept any more/);
  });

  it("counts the bytes of drafts as used", async () => {
    const store = new MemoryStore();
    const [one] = await kept(store, "a.txt", "text/plain", text("a"));
    assert.ok(one !== undefined && one.kind === "text");
    await keepInUse(store, [one.blob, "unknown"]);
    assert.deepEqual([...(await store.blobs([one.blob])).keys()], [one.blob]);
    await keepInUse(store, []);
  });
});
