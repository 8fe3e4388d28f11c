import assert from "node:assert/strict";
import { excludeGlob } from "../../../src/host/excludeGlob.ts";

describe("what is left out of the project's files", () => {
  it("is what the settings leave out, whatever else they say", () => {
    assert.equal(
      excludeGlob(
        [
          { "**/.git": true, "**/*.js": { when: "$(basename).ts" } },
          { "**/node_modules": true, "**/docs": false },
          undefined,
        ],
        [],
      ),
      "{**/.git,**/.git/**,**/node_modules,**/node_modules/**}",
    );
  });

  it("and what git ignores, but for names that would read as patterns", () => {
    assert.equal(
      excludeGlob([], ["out/", "a/b.log", "odd{,}/", "what?.txt"]),
      "{out,out/**,a/b.log,a/b.log/**}",
    );
  });
});
