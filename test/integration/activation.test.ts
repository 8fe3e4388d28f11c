import assert from "node:assert/strict";
import * as vscode from "vscode";

const id = "turnline.turnline";

describe("Turnline in a real extension host", () => {
  it("activates", async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is installed`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
