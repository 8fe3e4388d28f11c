import add from "@vscode/codicons/src/icons/add.svg" with { type: "text" };
import archive from "@vscode/codicons/src/icons/archive.svg" with { type: "text" };
import arrowDown from "@vscode/codicons/src/icons/arrow-down.svg" with { type: "text" };
import arrowLeft from "@vscode/codicons/src/icons/arrow-left.svg" with { type: "text" };
import arrowUp from "@vscode/codicons/src/icons/arrow-up.svg" with { type: "text" };
import attach from "@vscode/codicons/src/icons/attach.svg" with { type: "text" };
import bellDot from "@vscode/codicons/src/icons/bell-dot.svg" with { type: "text" };
import caseSensitive from "@vscode/codicons/src/icons/case-sensitive.svg" with { type: "text" };
import check from "@vscode/codicons/src/icons/check.svg" with { type: "text" };
import checkAll from "@vscode/codicons/src/icons/check-all.svg" with { type: "text" };
import chevronDown from "@vscode/codicons/src/icons/chevron-down.svg" with { type: "text" };
import chevronRight from "@vscode/codicons/src/icons/chevron-right.svg" with { type: "text" };
import chip from "@vscode/codicons/src/icons/chip.svg" with { type: "text" };
import circle from "@vscode/codicons/src/icons/circle.svg" with { type: "text" };
import circleLarge from "@vscode/codicons/src/icons/circle-large.svg" with { type: "text" };
import circleSlash from "@vscode/codicons/src/icons/circle-slash.svg" with { type: "text" };
import clearAll from "@vscode/codicons/src/icons/clear-all.svg" with { type: "text" };
import close from "@vscode/codicons/src/icons/close.svg" with { type: "text" };
import comment from "@vscode/codicons/src/icons/comment.svg" with { type: "text" };
import commentDiscussion from "@vscode/codicons/src/icons/comment-discussion.svg" with { type: "text" };
import copy from "@vscode/codicons/src/icons/copy.svg" with { type: "text" };
import debugDisconnect from "@vscode/codicons/src/icons/debug-disconnect.svg" with { type: "text" };
import debugPause from "@vscode/codicons/src/icons/debug-pause.svg" with { type: "text" };
import debugStop from "@vscode/codicons/src/icons/debug-stop.svg" with { type: "text" };
import edit from "@vscode/codicons/src/icons/edit.svg" with { type: "text" };
import ellipsis from "@vscode/codicons/src/icons/ellipsis.svg" with { type: "text" };
import error from "@vscode/codicons/src/icons/error.svg" with { type: "text" };
import eye from "@vscode/codicons/src/icons/eye.svg" with { type: "text" };
import fileCode from "@vscode/codicons/src/icons/file-code.svg" with { type: "text" };
import fileMedia from "@vscode/codicons/src/icons/file-media.svg" with { type: "text" };
import folder from "@vscode/codicons/src/icons/folder.svg" with { type: "text" };
import gitCompare from "@vscode/codicons/src/icons/git-compare.svg" with { type: "text" };
import globe from "@vscode/codicons/src/icons/globe.svg" with { type: "text" };
import goToFile from "@vscode/codicons/src/icons/go-to-file.svg" with { type: "text" };
import gripper from "@vscode/codicons/src/icons/gripper.svg" with { type: "text" };
import groupByRefType from "@vscode/codicons/src/icons/group-by-ref-type.svg" with { type: "text" };
import history from "@vscode/codicons/src/icons/history.svg" with { type: "text" };
import info from "@vscode/codicons/src/icons/info.svg" with { type: "text" };
import insert from "@vscode/codicons/src/icons/insert.svg" with { type: "text" };
import loading from "@vscode/codicons/src/icons/loading.svg" with { type: "text" };
import lock from "@vscode/codicons/src/icons/lock.svg" with { type: "text" };
import merge from "@vscode/codicons/src/icons/merge.svg" with { type: "text" };
import output from "@vscode/codicons/src/icons/output.svg" with { type: "text" };
import passFilled from "@vscode/codicons/src/icons/pass-filled.svg" with { type: "text" };
import pulse from "@vscode/codicons/src/icons/pulse.svg" with { type: "text" };
import question from "@vscode/codicons/src/icons/question.svg" with { type: "text" };
import redo from "@vscode/codicons/src/icons/redo.svg" with { type: "text" };
import repoForked from "@vscode/codicons/src/icons/repo-forked.svg" with { type: "text" };
import save from "@vscode/codicons/src/icons/save.svg" with { type: "text" };
import search from "@vscode/codicons/src/icons/search.svg" with { type: "text" };
import settings from "@vscode/codicons/src/icons/settings.svg" with { type: "text" };
import shield from "@vscode/codicons/src/icons/shield.svg" with { type: "text" };
import symbolClass from "@vscode/codicons/src/icons/symbol-class.svg" with { type: "text" };
import terminal from "@vscode/codicons/src/icons/terminal.svg" with { type: "text" };
import thinking from "@vscode/codicons/src/icons/thinking.svg" with { type: "text" };
import tools from "@vscode/codicons/src/icons/tools.svg" with { type: "text" };
import trash from "@vscode/codicons/src/icons/trash.svg" with { type: "text" };
import unarchive from "@vscode/codicons/src/icons/unarchive.svg" with { type: "text" };
import ungroupByRefType from "@vscode/codicons/src/icons/ungroup-by-ref-type.svg" with { type: "text" };
import warning from "@vscode/codicons/src/icons/warning.svg" with { type: "text" };

/** The icons the chat uses, each as the text of its picture: only these are shipped. */
export const icons = {
  add,
  archive,
  "arrow-down": arrowDown,
  "arrow-left": arrowLeft,
  "arrow-up": arrowUp,
  attach,
  "bell-dot": bellDot,
  "case-sensitive": caseSensitive,
  check,
  "check-all": checkAll,
  "chevron-down": chevronDown,
  "chevron-right": chevronRight,
  chip,
  circle,
  "circle-large": circleLarge,
  "circle-slash": circleSlash,
  "clear-all": clearAll,
  close,
  comment,
  "comment-discussion": commentDiscussion,
  copy,
  "debug-disconnect": debugDisconnect,
  "debug-pause": debugPause,
  "debug-stop": debugStop,
  edit,
  ellipsis,
  error,
  eye,
  "file-code": fileCode,
  "file-media": fileMedia,
  folder,
  "git-compare": gitCompare,
  globe,
  "go-to-file": goToFile,
  gripper,
  "group-by-ref-type": groupByRefType,
  history,
  info,
  insert,
  loading,
  lock,
  merge,
  output,
  "pass-filled": passFilled,
  pulse,
  question,
  redo,
  "repo-forked": repoForked,
  save,
  search,
  settings,
  shield,
  "symbol-class": symbolClass,
  terminal,
  thinking,
  tools,
  trash,
  unarchive,
  "ungroup-by-ref-type": ungroupByRefType,
  warning,
} as const;

export type IconName = keyof typeof icons;
