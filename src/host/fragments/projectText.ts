/** What was found in a folder. */
export interface FolderFiles {
  /** By how many files they have, most first. */
  readonly languages: readonly string[];
  /** Relative to the folder, with slashes. */
  readonly packages: readonly string[];
  readonly guides: readonly Guide[];
}

/** A file with instructions for agents. */
export interface Guide {
  readonly name: string;
  /** Names of other guides it stands for: the same file, or drawn in by it. */
  readonly covers: readonly string[];
}

export interface ProjectFacts {
  readonly folder: string;
  /** Other folders of the workspace. */
  readonly others: readonly string[];
  /** False when no folder is open, and the agent was given an empty one. */
  readonly open: boolean;
  readonly files: FolderFiles;
  /** Paths of guides in other folders: an agent reads by itself only those where it works. */
  readonly otherGuides?: readonly string[];
  /** Names of guides the agent reads by itself. */
  readonly readsItself: readonly string[];
}

export const guideNames = ["AGENTS.md", "CLAUDE.md"] as const;

/** A few lines on where the agent is; only what was found. */
export function projectText(facts: ProjectFacts): string {
  const { folder, others, files, readsItself } = facts;
  const known = new Set([
    ...readsItself,
    ...files.guides.flatMap(({ name, covers }) =>
      readsItself.includes(name) ? covers : [],
    ),
  ]);
  const own = withoutCopies(files.guides).filter((name) => !known.has(name));
  const guides = [...own, ...(facts.otherGuides ?? [])];
  return [
    facts.open
      ? `Workspace folder: ${folder}`
      : `No folder is open in VS Code; ${folder} is an empty one to work in.`,
    ...(others.length > 0 ? [`Other folders: ${others.join(", ")}`] : []),
    ...(files.languages.length > 0
      ? [`Languages: ${files.languages.join(", ")}`]
      : []),
    ...(files.packages.length > 0
      ? [`Package files: ${files.packages.join(", ")}`]
      : []),
    ...(guides.length > 0
      ? [
          `Instructions for agents are in ${guides.join(" and ")}: read before you begin.`,
        ]
      : []),
  ].join("\n");
}

/** Each once, under the name that stands for the others. */
export function withoutCopies(guides: readonly Guide[]): readonly string[] {
  return guides
    .filter(
      ({ name }, n) =>
        !guides.some(
          (other, m) =>
            other.covers.includes(name) &&
            // Two names of one file cover each other: the first stays.
            (m < n || !guides[n]?.covers.includes(other.name)),
        ),
    )
    .map(({ name }) => name);
}
