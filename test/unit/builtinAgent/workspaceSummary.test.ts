import assert from "node:assert/strict";
import {
  manifestKind,
  readManifest,
} from "../../../src/builtinAgent/manifest.ts";
import {
  readmeLead,
  summarise,
} from "../../../src/builtinAgent/workspaceSummary.ts";

describe("built-in agent: the workspace in a screenful", () => {
  it("tells what there is, most first", () => {
    const text = summarise({
      name: "shop",
      walked: {
        files: [
          "README.md",
          "constructor",
          "package.json",
          "src/a.ts",
          "src/b.ts",
          "src/c.css",
          "test/a.ts",
        ],
        folders: 2,
        stopped: "count",
      },
      manifests: [
        {
          file: "package.json",
          what: "npm package",
          name: "shop",
          version: "1.0.0",
          description: "Sells *things*",
          scripts: [
            { run: "npm run test", does: "mocha" },
            { run: "make all", does: "" },
          ],
        },
      ],
      readme: { file: "README.md", text: "# Shop\n\nA shop.\n" },
      branch: "main",
      others: ["/other"],
    });
    assert.equal(
      text,
      [
        "`shop` has 7 files in 2 folders, on branch `main`.",
        "- `package.json`: npm package `shop 1.0.0`: Sells \\*things\\*",
        "**Languages:** TypeScript (3), CSS (1), JSON (1), Markdown (1)",
        "**Folders**",
        "- `src/` 3 files\n- `test/` 1 file\n- at the top: `README.md`, `constructor`, `package.json`",
        "**Scripts in `package.json`**",
        "- `npm run test` runs `mocha`\n- `make all`",
        "**`README.md` begins**",
        "> A shop.",
        "This chat may also use `/other`.",
        "There are more files than I count.",
      ].join("\n\n"),
    );
  });

  it("has little to say of an empty folder", () => {
    const empty = { files: [], folders: 0 };
    assert.equal(
      summarise({ name: "x", walked: empty, manifests: [], others: [] }),
      "`x` has no files.",
    );
  });

  const leads: readonly (readonly [string, string])[] = [
    ["", ""],
    ["# Title only\n", ""],
    ["Title\n=====\n\nWords.", "Title"],
    [
      "# T\n\n[![b](x)](y) ![i](z)\n\nFirst.\nSecond.\n\nThird.",
      "First.\nSecond.",
    ],
    ["<p align=center><img src=x></p>\n\nWords.", "Words."],
    ["```sh\nnpm i\n```\nWords.", "Words."],
    ["long ".repeat(200), `${"long ".repeat(99)}long…`],
  ];
  for (const [text, lead] of leads)
    it(`lead of ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(readmeLead(text), lead);
    });

  const manifests: readonly (readonly [
    string,
    string,
    readonly string[],
    object,
  ])[] = [
    [
      "package.json",
      '{"name":"a","scripts":{"b":"c","d":1}}',
      ["yarn.lock"],
      {
        what: "npm package",
        name: "a",
        scripts: [{ run: "yarn run b", does: "c" }],
      },
    ],
    [
      "package.json",
      "{",
      [],
      { what: "npm package (not valid JSON)", scripts: [] },
    ],
    ["package.json", "[]", [], { what: "npm package", scripts: [] }],
    [
      "Cargo.toml",
      '[package]\nname = "crate"\nversion = "0.1.0"\n',
      [],
      { what: "Rust crate", name: "crate", version: "0.1.0", scripts: [] },
    ],
    [
      "go.mod",
      "module example.com/x\n",
      [],
      { what: "Go module", name: "example.com/x", scripts: [] },
    ],
    [
      "Makefile",
      "all: a\n\tcc a\nVAR := x\nclean:\n\trm -f a\n",
      [],
      {
        what: "Makefile",
        scripts: [
          { run: "make all", does: "cc a" },
          { run: "make clean", does: "rm -f a" },
        ],
      },
    ],
    ["app.csproj", "", [], { what: ".NET project", scripts: [] }],
  ];
  for (const [file, text, others, expected] of manifests)
    it(`${file}: ${JSON.stringify(text)}`, () => {
      const what = manifestKind(file);
      assert.ok(what !== undefined);
      assert.deepEqual(readManifest(file, what, text, others), {
        file,
        ...expected,
      });
    });

  it("knows no other file for one that describes a project", () => {
    for (const file of ["constructor", "a.ts", "package.jsonx"])
      assert.equal(manifestKind(file), undefined);
  });
});
