import "./host/language.ts";
import { createHash, randomUUID } from "node:crypto";
import path from "node:path";
import type * as vscode from "vscode";
import { filesReadBy } from "./agent/quirks.ts";
import { createAgentPort } from "./agent/agentPort.ts";
import { signInCommand } from "./agent/signInCommand.ts";
import { createTerminals } from "./agent/terminals.ts";
import { compile } from "./core/compile/compile.ts";
import { Engine } from "./core/engine.ts";
import { bringThreads } from "./history/bringThreads.ts";
import { eraseRecords } from "./history/erase.ts";
import { eraseAll, eraseWorkspace } from "./history/eraseAll.ts";
import { FolderIndex } from "./history/folderIndex.ts";
import { openRecord } from "./history/openRecord.ts";
import { rescueFolders } from "./history/rescueFolders.ts";
import type { SqliteStore } from "./history/sqliteStore.ts";
import { stableFolder } from "./history/stableFolder.ts";
import { exportLines, importLines } from "./history/transferFile.ts";
import { WriterLock } from "./history/writerLock.ts";
import { AgentCatalog } from "./host/agentCatalog.ts";
import { AgentLoan } from "./host/agentLoan.ts";
import { allCommands, type CommandTools } from "./host/allCommands.ts";
import { createApi } from "./host/api.ts";
import type { TurnlineApi } from "./host/apiTypes.ts";
import { CapabilityMemory } from "./host/capabilityMemory.ts";
import { ChatSurfaces } from "./host/chatSurfaces.ts";
import { ChatView } from "./host/chatView.ts";
import { Setup } from "./host/checkSetup.ts";
import { systemClock } from "./host/clock.ts";
import { registerCommands } from "./host/commands.ts";
import { compactPorts } from "./host/compactCommands.ts";
import { compactWhenLarge } from "./host/compactWhenLarge.ts";
import { keepContextKeys } from "./host/contextKeys.ts";
import { currentThread } from "./host/currentThread.ts";
import { Desk } from "./host/desk.ts";
import { Drafts, forgetKept } from "./host/drafts.ts";
import { createFiles } from "./host/files.ts";
import { EditorWatch } from "./host/fragments/readEditor.ts";
import { createFragments } from "./host/fragments/createFragments.ts";
import { extensionVersion } from "./host/extensionVersion.ts";
import { Home } from "./host/home.ts";
import { offerProblemFixes } from "./host/problemFixes.ts";
import { provideInspector } from "./host/inspector.ts";
import { keepHouse } from "./host/keepHouse.ts";
import { createLog } from "./host/log.ts";
import { noteFolders } from "./host/noteFolders.ts";
import { keepNotifying } from "./host/notifications.ts";
import { offerThreads } from "./host/offerThreads.ts";
import { OptionMemory } from "./host/optionMemory.ts";
import { Outcomes } from "./host/outcomes.ts";
import { Prompts } from "./host/preview.ts";
import { ReadyAgents } from "./host/readyAgents.ts";
import { Secrets } from "./host/secrets.ts";
import type { Services } from "./host/services.ts";
import { onSettingsChanged, readSettings } from "./host/settings.ts";
import type { NotResent } from "./host/savings.ts";
import { keepStatusBar } from "./host/statusBar.ts";
import { ThreadBook } from "./host/threadBook.ts";
import { threadDefaults } from "./host/threadDefaults.ts";
import { timelineDeeds } from "./host/timelineDeeds.ts";
import { TimelineSurfaces } from "./host/timelineSurfaces.ts";
import { TimelineView } from "./host/timelineView.ts";
import { Trace } from "./host/trace.ts";
import { isTrusted, resumeWhenTrusted } from "./host/trust.ts";
import { UndoneMemory } from "./host/undoneMemory.ts";
import { createUserName } from "./host/userName.ts";
import { isWindowAlive } from "./host/windowAlive.ts";
import { workspaceFolders } from "./host/workspaceFolders.ts";
import { KnownSecrets } from "./util/redact.ts";

let end: (() => Promise<void>) | undefined;

/** Wiring only: makes the parts and joins them. What it returns is for other extensions. */
export async function activate(
  context: vscode.ExtensionContext,
): Promise<TurnlineApi> {
  const known = new KnownSecrets();
  const secrets = new Secrets(context, known);
  const log = createLog(known.hide);
  let settings = readSettings(log);
  const catalog = new AgentCatalog({
    builtin: context.asAbsolutePath("dist/builtinAgent.cjs"),
    storage: context.globalStorageUri.fsPath,
    settings: () => settings,
    isTrusted,
    found: () => surfaces.refresh(),
  });
  const ready = new ReadyAgents(catalog, secrets, known, () => settings);
  const trace = new Trace(known.hide);
  const folders = workspaceFolders(context);
  const storage = stableFolder(folders.storage);
  const worker = context.asAbsolutePath("dist/historyWorker.cjs");
  let sqlite: SqliteStore | undefined;
  const global = context.globalStorageUri.fsPath;
  const rescue = rescueFolders(storage, global);
  const home = await Home.open({
    ...{ folder: storage, rescue, isWindowAlive, log },
    open: async (folder, mode, events) => {
      const own = folder === storage;
      const opened = await openRecord(
        { folder, mode, worker, ...events },
        own ? rescue : [],
      );
      if (!opened.ok) return opened;
      sqlite = opened.store;
      if (own && opened.created && opened.left.length === 0)
        await forgetKept(context.workspaceState);
      return opened;
    },
    lock: (folder, events) => new WriterLock({ folder, ...events }),
  });
  const { store } = home;
  const index = new FolderIndex(global);
  const note = (): void => noteFolders({ index, storage, folders, log });
  note();
  const options = new OptionMemory(context.globalState);
  const capabilities = new CapabilityMemory(context.globalState);
  const agents = capabilities.listenTo(
    createAgentPort({
      log,
      version: extensionVersion(context),
      initializeMs: () => settings.startTimeoutMs,
      files: createFiles((agent) => catalog.label(agent), log),
      terminals: createTerminals({
        log,
        searchPath: () => catalog.searchPath(),
      }),
      chosen: options,
      trace: (...seen) => trace.write(...seen),
      hide: known.hide,
    }),
  );
  const editor = new EditorWatch();
  const fragments = createFragments({
    ...{ store, catalog, log, editor },
    settings: () => settings.context,
    roots: () => folders.roots(),
    readsItself: filesReadBy,
  });
  const engine = await Engine.start({
    ...{ store, agents, clock: systemClock, log, compile },
    sha256: (data) => createHash("sha256").update(data).digest("hex"),
    uuid: randomUUID,
    resolveAgent: (id) => ready.resolve(id),
    surroundings: async (thread, about) => ({
      ...folders.surroundings(thread),
      fragments: await fragments.of(thread, about),
      mcpServers: await ready.servers(),
    }),
    archives: (thread) => store.archives(thread),
    capabilities: (agent) => capabilities.of(agent),
    elicitations: true,
    settings: settings.dispatch,
  });
  const drafts = new Drafts(context.workspaceState);
  const outcomes = new Outcomes(engine, store, log);
  const book = new ThreadBook(
    engine,
    threadDefaults({ catalog, folders, outcomes, drafts }),
  );
  outcomes.onHeard((thread) => book.ended(thread));
  const desk = new Desk();
  const parts = {
    ...{ engine, store, book, catalog, ready, desk, log, home, options },
    drafts,
    undone: new UndoneMemory(context.workspaceState),
    hide: known.hide,
    settings: () => settings,
    userName: createUserName(
      () => settings.userName,
      (thread) =>
        (engine.snapshot(thread)?.thread ?? book.draft(thread))?.folder,
      isTrusted,
    ),
  };
  const services: Services = { ...parts, prompts: new Prompts(parts) };
  const surfaces = new ChatSurfaces(
    context.extensionUri,
    (surface) => new ChatView(surface, services),
  );
  const notResent = new Map<string, NotResent>();
  const timeline = new TimelineSurfaces(
    context.extensionUri,
    (page) =>
      new TimelineView(
        page,
        services,
        timelineDeeds(services, surfaces),
        notResent,
      ),
  );
  const loan = new AgentLoan(agents, path.join(global, "trial"));
  const setup = new Setup(services, {
    ...{ loan, secrets, trace, storage: global },
    openLink: (url) => desk.openLink(url),
    terminal: (spec, method) =>
      signInCommand(spec, method, {
        platform: process.platform,
        environment: process.env,
        folder: global,
      }),
    locked: (agent) => context.asAbsolutePath(`media/agents/${agent}`),
    changed: () => surfaces.refresh(),
  });
  const offered = createApi({
    ...services,
    folder: () => folders.forNewThread(),
    current: () => currentThread(surfaces, services),
    show: (thread) => surfaces.reveal(thread, { kind: "composer" }),
  });
  const offer = offerThreads({ engine, book, home }, () =>
    index.elsewhere(storage, folders.roots()).map((entry) => ({
      bring: () =>
        sqlite === undefined
          ? Promise.resolve({ kind: "inUse" } as const)
          : bringThreads(sqlite, entry.storage),
    })),
  );
  const eraseOwn = async (): Promise<string | null> => {
    if (home.notOurs !== null) return home.notOurs;
    await home.erase(() => eraseRecords(storage));
    eraseWorkspace(storage, global);
    index.forget(storage);
    return null;
  };
  const tools: CommandTools = {
    ...{ log, timeline, folders, setup, trace, secrets, loan },
    history: {
      exportLines: (thread) => exportLines(store, thread),
      importLines: (lines) =>
        importLines(
          store,
          lines,
          (folder) => folders.forNewThread(folder),
          catalog.defaultId(),
        ),
      eraseHere: eraseOwn,
      eraseEverywhere: async () => {
        const here = await eraseOwn();
        const { inUse } = eraseAll(index, global, [catalog.builtinHome]);
        return { here, inUse: inUse.length };
      },
    },
  };
  context.subscriptions.push(
    log,
    desk,
    editor,
    trace,
    book,
    offered,
    keepContextKeys(surfaces, services),
    keepStatusBar(services),
    outcomes,
    keepNotifying(surfaces, services, outcomes),
    surfaces.register(),
    timeline.register(),
    provideInspector(services),
    offerProblemFixes(),
    fragments.follow(engine),
    services.prompts,
    editor.onDidChange(() => services.prompts.foresee()),
    compactWhenLarge({
      ...compactPorts(services),
      ...{ engine, log, settings: () => settings },
      fragments: (thread) => fragments.of(thread),
    }),
    registerCommands(log, allCommands(surfaces, services, tools)),
    resumeWhenTrusted(engine, () => surfaces.refresh()),
    folders.onChange(() => {
      note();
      offer();
      surfaces.refresh();
    }),
    onSettingsChanged(() => {
      settings = readSettings(log);
      engine.configure(settings.dispatch);
      services.prompts.foresee();
      surfaces.refresh();
    }),
    keepHouse(
      store,
      () => settings.history,
      services.drafts,
      log,
      () => timeline.refresh(),
    ),
  );
  void secrets.learn();
  offer();
  end = () => home.dispose();
  await home.moveIn({
    windDown: () => engine.dispose(),
    takeOver: async () => {
      await engine.takeOver();
      book.lookAll();
    },
    changed: () => {
      surfaces.reopen();
      timeline.refresh();
    },
  });
  return offered.api;
}

/** Settles when every agent has ended and everything is stored. */
export async function deactivate(): Promise<void> {
  await end?.();
}
