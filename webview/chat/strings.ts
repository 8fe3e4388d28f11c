import { composerWords } from "./words/composerWords.ts";
import { formWords } from "./words/formWords.ts";
import { headWords } from "./words/headWords.ts";
import { queueWords } from "./words/queueWords.ts";
import { saidWords } from "./words/saidWords.ts";
import { stepWords } from "./words/stepWords.ts";
import { turnWords } from "./words/turnWords.ts";
import { messages } from "./words/counts.ts";

/** Every word the chat shows or says. */
export const words = {
  messages,
  ...headWords,
  ...turnWords,
  ...stepWords,
  ...formWords,
  ...queueWords,
  ...composerWords,
  ...saidWords,
} as const;
