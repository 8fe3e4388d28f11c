// Mocha's own output, and the counts beside it for the closing line of `npm test`.
const { appendFileSync } = require("node:fs");
const Mocha = require("mocha");

module.exports = class CountingReporter extends (
  Mocha.reporters[process.env.TURNLINE_REPORTER ?? "Dot"]
) {
  constructor(runner, options) {
    super(runner, options);
    let failed = 0;
    runner.on("fail", () => failed++);
    runner.once("end", () => {
      const file = process.env.TURNLINE_COUNTS;
      if (file)
        appendFileSync(
          file,
          JSON.stringify({ passed: runner.stats.passes, failed }) + "\n",
        );
    });
  }
};
