/** What people call the key that goes with Enter on this machine. */
const isMac = /Mac|iPhone|iPad/u.test(navigator.platform);

export const commandEnter = isMac ? "Cmd+Enter" : "Ctrl+Enter";
