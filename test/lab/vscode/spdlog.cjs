// Stands in for VS Code's native logger, which needs a compiler: the same words in the same files, each written at once.
const fs = require("node:fs");
const path = require("node:path");

const levels = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
  #file;
  #level = 2;
  #raw = false;

  constructor(_type, _name, file) {
    this.#file = file;
  }

  trace(text) {
    this.#write(0, text);
  }
  debug(text) {
    this.#write(1, text);
  }
  info(text) {
    this.#write(2, text);
  }
  warn(text) {
    this.#write(3, text);
  }
  error(text) {
    this.#write(4, text);
  }
  critical(text) {
    this.#write(5, text);
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  /** VS Code has one pattern only: time, level, words. */
  setPattern() {
    this.#raw = false;
  }
  clearFormatters() {
    this.#raw = true;
  }
  flush() {}
  drop() {}

  #write(level, text) {
    if (level < this.#level) return;
    const line = this.#raw ? text : `${now()} [${levels[level]}] ${text}\n`;
    try {
      fs.appendFileSync(this.#file, line);
    } catch {
      // A log that cannot be written is no reason to end what is logged.
    }
  }
}

function now() {
  const at = new Date();
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 23).replace("T", " ");
}

async function create(type, name, file) {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger(type, name, file);
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.createRotatingLogger = (name, file) => create("rotating", name, file);
exports.createAsyncRotatingLogger = (name, file) =>
  create("rotating_async", name, file);
