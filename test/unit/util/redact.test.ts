import assert from "node:assert/strict";
import {
  KnownSecrets,
  redacted,
  redactedText,
} from "../../../src/util/redact.ts";

describe("what is left out of logs and traces", () => {
  const secret = "s3cr3t-value-123456";
  const cases: readonly (readonly [what: string, value: unknown])[] = [
    ["a key by its name", { ANTHROPIC_API_KEY: secret }],
    ["a key deep inside", { params: { env: [{ x: { apiKey: secret } }] } }],
    [
      "a variable as a pair",
      { env: [{ name: "OPENAI_API_KEY", value: secret }] },
    ],
    [
      "a header as a pair",
      { headers: [{ name: "Authorization", value: secret }] },
    ],
    ["a header by its name", { headers: { authorization: secret } }],
    ["a list of them", { cookies: [secret, secret] }],
    ["a password", { password: secret }],
    ["a key by its looks", { text: "use sk-ant-s3cr3t-value-123456 here" }],
    ["an argument after its name", { args: ["--token", secret] }],
    ["a key given as an argument", { args: ["-v", "--api-key", secret] }],
    ["a GitLab token", { text: "glpat-s3cr3t-value-123456" }],
    ["an npm token", { text: "npm_s3cr3t0value0123456" }],
    [
      "a JSON Web Token",
      { text: "eyJhbGciOiJIUzI1NiJ9.eyJzIjoiczNjcjN0In0.s3cr3t-signature" },
    ],
    ["a bearer in a text", { text: `Bearer ${secret}` }],
    ["in an address", { url: `https://mcp.example/sse?token=${secret}&x=1` }],
    ["in one argument", { args: ["-y", "srv", `--api-key=${secret}`] }],
    [
      "a personal access token as a pair",
      { env: [{ name: "GITHUB_PAT", value: secret }] },
    ],
    [
      "the password of an address",
      { env: [{ name: "DATABASE_URL", value: `postgres://u:${secret}@h/db` }] },
    ],
  ];
  for (const [what, value] of cases)
    it(what, () => {
      const said = redacted(value);
      assert.doesNotMatch(said, /s3cr3t/);
      assert.match(said, /\[redacted\]/);
      JSON.parse(said);
    });

  it("leaves everything else as it is", () => {
    const value = {
      usage: { inputTokens: 12, output_tokens: "7", maxTokens: 100 },
      env: [{ name: "PATH", value: "/usr/bin" }],
      text: "skate and Basic English",
      url: "http://127.0.0.1:3000/@vite/client?pattern=spatial",
    };
    assert.equal(redacted(value), JSON.stringify(value));
  });

  for (const line of [
    `OPENAI_API_KEY=${secret}`,
    `{"token": "${secret}"}`,
    `Authorization: Bearer ${secret}`,
    "sk-proj-s3cr3t-value-123456",
    `run --token ${secret} --verbose`,
    `["--api-key","${secret}"]`,
    `GITHUB_PAT=${secret}`,
    `postgres://user:${secret}@host/db`,
  ])
    it(`in a line: ${line.slice(0, 16)}`, () => {
      assert.doesNotMatch(redactedText(line), /s3cr3t/);
    });

  it("a secret that is known by its value, wherever it stands and however it is quoted", () => {
    const known = new KnownSecrets();
    known.add('pa"ss\\word');
    known.addFrom({ MY_TOKEN: "plain-value", PATH: "/usr/bin" });
    const line = JSON.stringify({ said: 'it is pa"ss\\word, plain-value' });
    assert.equal(known.hide(line), '{"said":"it is [redacted], [redacted]"}');
    assert.equal(
      known.hide('pa"ss\\word in /usr/bin'),
      "[redacted] in /usr/bin",
    );
  });

  it("what is too short to be told from a word is no secret", () => {
    const known = new KnownSecrets();
    known.add("test");
    assert.equal(known.hide("a test"), "a test");
  });
});
