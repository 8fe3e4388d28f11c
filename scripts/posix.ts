/** What test files use that Windows does not have: stopped processes, shells, file modes, links and limits of POSIX. */
export const posixWords =
  /do:stop\b|do:child|asNobody|withoutRoom|mkfifo|symlinkSync|chmodSync|\/run /u;

/** Those files, and those about the death of a process by a signal, which Windows tells in no such words. */
export const posixOnly: readonly string[] = [
  "test/contract/agent.test.ts",
  "test/contract/agentFeatures.test.ts",
  "test/contract/builtinAgentActions.test.ts",
  "test/contract/builtinAgentRequests.test.ts",
  "test/contract/builtinAgentSessions.test.ts",
  "test/contract/storeFull.test.ts",
  "test/contract/storeOpening.test.ts",
  "test/contract/storeStrays.test.ts",
  "test/contract/wholePath.test.ts",
  "test/crash/kill.test.ts",
  "test/crash/torn.test.ts",
];
