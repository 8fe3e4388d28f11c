import assert from "node:assert/strict";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-files-"));
const secret = path.join(home, "secret.txt");

describe("files and commands an agent asks for", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": { scripted: faultAgent("Scripted") },
      "turnline.defaultAgent": "scripted",
      "files.autoSave": "off",
    },
  });
  let chat: Chat;
  const inside = (name: string): string => path.join(lab().folder, name);
  const dialog = (): Locator => lab().page.locator(".monaco-dialog-box");
  const asks = async (words: string, said: string | RegExp): Promise<void> => {
    await chat.send(words);
    const turn = chat.batches("completed").filter({ hasText: words });
    await turn.filter({ hasText: said }).last().waitFor();
  };

  before(async () => {
    writeFileSync(secret, "the secret\n");
    symlinkSync(secret, inside("innocent.txt"));
    chat = new Chat(await lab().chat());
  });

  it("reads what the editor holds, saved or not", async () => {
    const { page } = lab();
    await asks(`do:read=${inside("README.md")}`, "Corner shop");
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").fill("README.md");
    await page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "README.md" })
      .first()
      .click();
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// not saved yet\n");
    await page.locator(".tab.dirty").waitFor();
    await asks(`do:read=${inside("README.md")}`, "not saved yet");
    assert.doesNotMatch(
      readFileSync(inside("README.md"), "utf8"),
      /not saved yet/,
    );
  });

  it("writes as an edit that can be undone", async () => {
    const { page } = lab();
    await asks(`do:write=${inside("README.md")},rewritten`, "{}");
    assert.equal(readFileSync(inside("README.md"), "utf8"), "rewritten");
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+z");
    await page
      .locator(".editor-instance .view-line")
      .filter({ hasText: "not saved yet" })
      .waitFor();
    await asks(`do:write=${inside("new/made.txt")},made`, "{}");
    assert.equal(readFileSync(inside("new/made.txt"), "utf8"), "made");
  });

  const outside: readonly (readonly [what: string, named: () => string])[] = [
    ["a path outside", () => secret],
    [
      "`..` out of the folder",
      () => `${lab().folder}/src/../../../${path.basename(home)}/secret.txt`,
    ],
    ["a link that leads outside", () => inside("innocent.txt")],
  ];
  for (const [what, named] of outside)
    it(`asks before ${what} is read, and takes no for an answer`, async () => {
      await chat.send(`do:read=${named()}`);
      await dialog()
        .filter({ hasText: "outside this thread's folders" })
        .waitFor();
      await dialog().getByRole("button", { name: "Cancel" }).click();
      await (await chat.done(named())).getByText("error").first().waitFor();
      assert.doesNotMatch(
        await chat.messages("agent").last().innerText(),
        /the secret/,
      );
    });

  it("asks before it writes where git or the editor take orders from", async () => {
    const file = inside(".vscode/tasks.json");
    await chat.send(`do:write=${file},x`);
    await dialog().filter({ hasText: "run commands" }).waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await chat.status("ready").waitFor();
    assert.equal(existsSync(file), false);
  });

  it("lets one request through when it is allowed, and asks again for the next", async () => {
    for (let time = 0; time < 2; time++) {
      await chat.send(`do:read=${secret}`);
      await dialog().getByRole("button", { name: "Allow Once" }).click();
      await chat.status("ready").waitFor();
    }
    await chat.answered("the secret");
  });

  it("runs a command as a real process and shows what it printed as plain text", async () => {
    await asks(
      "do:terminal=printf+'\\033]0;title\\007\\033[31mred\\033[0m\\n'",
      "exitCode",
    );
    const said = await chat.messages("agent").last().innerText();
    assert.match(said, /red/);
    assert.doesNotMatch(said, /title|\[31m|\\u001b/);
  });

  it("shows what a command prints while it runs", async () => {
    await chat.send(
      "do:terminal=echo+first;+until+test+-e+go;+do+sleep+0.1;+done;+echo+second",
    );
    const tool = chat.part("tool-call").last();
    await tool.locator(".term", { hasText: "first" }).waitFor();
    assert.equal(await tool.getAttribute("data-status"), "in_progress");
    assert.doesNotMatch(await tool.locator(".term").innerText(), /second/);
    writeFileSync(inside("go"), "");
    await chat.answered("second");
    await chat.status("ready").waitFor();
  });

  const part = (name: string): Locator => chat.part(`elicitation-${name}`);
  const field = (type: string): Locator =>
    chat.frame.locator(
      `[data-testid="elicitation-field"][data-type="${type}"]`,
    );

  it("I31: asks with a form, keeps what was filled in while the view is hidden, and takes only what fits", async () => {
    await chat.send("do:elicit=form");
    await chat.part("elicitation").waitFor();
    await chat.status("waiting").filter({ hasText: "Needs you" }).waitFor();
    await chat.send("do:say=went+on");
    await chat.queues("do:say=went+on");
    await field("number").locator("input").fill("20");
    await part("accept").click();
    assert.deepEqual(await chat.part("field-problem").allInnerTexts(), [
      "Needs an answer.",
      "At most 9.",
    ]);
    await lab().picture("A form with problems");
    const toggle = "View: Toggle Secondary Side Bar Visibility";
    await lab().command(toggle);
    await lab().command(toggle);
    chat = new Chat(await lab().chat());
    await chat.until(
      () => field("number").locator("input").inputValue(),
      (value) => value === "20",
    );
    await field("choice").getByText("blue").click();
    await field("choices").getByText("L", { exact: true }).click();
    await field("number").locator("input").fill("4");
    await field("number").locator("input").press("Enter");
    await chat.answered(/"colour":"blue".*"count":4.*"sizes":\["L"\]/);
    await chat
      .messages("notice")
      .filter({ hasText: "Answered" })
      .filter({ hasText: "Colour: blue" })
      .waitFor();
    assert.equal(await chat.part("elicitation").count(), 0);
    await chat.answered("went on");
    await chat.status("ready").waitFor();
  });

  it("opens a page only through VS Code's own check, and takes a no", async () => {
    await chat.send("do:elicit=url");
    await chat
      .part("elicitation-url")
      .locator("b", { hasText: "example.test" })
      .waitFor();
    await part("accept").click();
    await dialog().filter({ hasText: "example.test" }).waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await chat.part("elicitation").waitFor();
    await part("decline").click();
    await chat.answered(/"action":"decline"/);
    await chat.messages("notice").filter({ hasText: "Declined" }).waitFor();
  });

  it("shows what the agent says of itself, and what it costs", async () => {
    await chat.send("do:notice do:compaction do:usage");
    const notices = chat.messages("notice");
    await notices.filter({ hasText: "Careful: Thin ice" }).waitFor();
    await notices.filter({ hasText: "shortened its memory" }).waitFor();
    await chat.until(
      async () => (await chat.part("usage").getAttribute("title")) ?? "",
      (title) => title.includes("$0.25 so far"),
    );
    await lab().picture("What the agent says of itself");
  });
});
