import * as fs from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import type { BrowserContext, BrowserContextOptions, Disposable, Page } from 'playwright-core';
import * as vscode from 'vscode';
import { noCriteria } from '../../../src/webview/state/criteria';
import type { KnownFinding } from '../../../src/engine';
import type { HostMessage, PageMessage, TableTab } from '../../../src/protocol/tableProtocol';
import type { FileAbout } from '../../../src/summary/fileAbout';
import type { RecordLinks } from '../../../src/summary/shownRecord';
import type { PageState } from '../../../src/webview/state/pageState';
import { FileKinds } from '../../../src/viewer/table/fileKinds';
import { identifyMarked } from '../../../src/viewer/table/knownFindings';
import { FileChoices } from '../../../src/viewer/table/ui/fileChoices';
import { TableDocument } from '../../../src/viewer/table/ui/tableDocument';
import { localizedNames } from '../../../src/workbench/webviewPage';
import { noRatings, noTableActions } from '../../integration/viewer/table/tableActions';
import type { KnownRatings } from '../../../src/viewer/table/ui/tableActions';
import { tableFolder } from '../../helpers/tableFiles';
import { Cleanup } from '../../host/cleanup';
import { bundle } from '../../host/paths';
import { sharedHost } from '../../host/sharedHost';
import { waitLimitMs } from '../../run/hangLimit';
import { drawAgain, drawNothing } from '../../host/workbench/animations';
import { TableDriver } from './tableDriver';
import { TableLine } from './tableLine';
import { linesOf, recordOf } from './tableRows';
import { themes, type Theme, type ThemeName } from './themes';

export interface TableOptions {
  /** How many rows the usual file has. Default 1000. */
  readonly rows?: number;
  /** The path of another file. */
  readonly file?: string;
  /** What is held back from the beginning, see {@link TableLine}. */
  readonly holdBack?: readonly (PageMessage | HostMessage)['type'][];
  readonly theme?: ThemeName;
  readonly context?: BrowserContextOptions;
  /** The tab that it opens with. Default the table. */
  readonly tab?: TableTab;
  /** What a report says of itself. */
  readonly about?: FileAbout;
  /** The names of scorecards by their UUIDs. Default none. */
  readonly scorecards?: Readonly<Record<string, string>>;
  /** How the companies of scorecards are rated. Default: none is. */
  readonly ratings?: KnownRatings;
  /** The names of columns in the order that a user gave them. Default that of the usual file. */
  readonly columns?: readonly string[];
  /** What else the page has kept. */
  readonly kept?: Partial<PageState>;
  /** Where a record leads in the workspace. Default: no folder is open. */
  readonly links?: (record: number) => RecordLinks;
  /** The findings that are known. */
  readonly known?: readonly KnownFinding[];
  /** How columns were arranged before. Default: nothing is remembered. */
  readonly kinds?: FileKinds;
  /** What the browser says it runs on, such as `MacIntel`. */
  readonly platform?: string;
}

/** Opens files as Report Tables in a browser. */
export interface TablePages {
  /** Opens the page as the host has written it, with that host and its engine in this process. */
  open(options?: TableOptions): Promise<TableDriver>;
  /** Other findings are known in the last table that was opened, as after Undo. */
  setKnown(known: readonly KnownFinding[]): Promise<void>;
  /** Writes a file; returns its path. */
  write(name: string, content: string | Buffer): string;
}

const usualContext: BrowserContextOptions = {
  viewport: { width: 1200, height: 700 },
  timezoneId: 'Europe/Berlin',
};

interface Opened {
  readonly driver: TableDriver;
  /** What was added to its page. */
  readonly added: readonly Disposable[];
  /** A context of its own, which is closed with it. */
  readonly ownContext: BrowserContext | undefined;
  readonly document: TableDocument;
  readonly known: { current: readonly KnownFinding[] };
  readonly panel: ReturnType<TableLine['panel']>;
}

/**
 * Gives the tests of a suite the page as it is shipped, on loopback, under its own policy. Every table is
 * loaded anew, in a tab of the browser that another one has left: to open a tab takes longer than most of
 * the tests.
 */
export function useTablePages(): TablePages {
  const cleanup = new Cleanup();
  const folder = tableFolder();
  const idle: Page[] = [];
  let usual: BrowserContext | undefined;
  let origin = '';
  const open: Opened[] = [];
  const usualFiles = new Map<number, string>();
  const usualFile = (rows: number): string => {
    const file = usualFiles.get(rows) ?? folder.write('rows.ndjson', linesOf(rows));
    usualFiles.set(rows, file);
    return file;
  };

  before(async () => {
    const server = http.createServer((request, response) => {
      const opened = open[Number(request.url?.slice(1))];
      serve(request.url ?? '', opened?.panel.webview.html ?? '', response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.add(server, (listening) => {
      listening.close();
      listening.closeAllConnections();
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    usual = cleanup.add(await newContext(usualContext), (context) => context.close());
  });

  /** Leaves a tab as a new one, for the next table. */
  async function leave({ driver: { page }, added }: Opened): Promise<void> {
    page.removeAllListeners('pageerror').removeAllListeners('console');
    await page.goto(`${origin}/left`);
    await Promise.all(added.map((each) => each.dispose()));
    await page.evaluate(() => {
      sessionStorage.clear();
    });
    await page.mouse.move(-1, -1);
    idle.push(page);
  }

  afterEach(async function () {
    for (const [at, opened] of open.entries()) {
      const { driver, document, ownContext } = opened;
      if (this.currentTest?.state === 'failed') {
        const name = this.currentTest.fullTitle().replace(/[^a-z0-9]+/gi, '-');
        const picture = path.join(bundle('ui-failures'), `${name}-${at}.png`);
        await drawAgain(driver.page);
        await driver.page.screenshot({ path: picture });
        console.log(`      Picture: ${picture}`);
      }
      driver.line.close();
      document.dispose();
      if (ownContext) {
        await ownContext.close();
      } else {
        await leave(opened);
      }
    }
    const complaints = open.flatMap(({ driver }) => driver.complaints);
    open.length = 0;
    // A page that throws, or breaks its policy, is wrong whatever it shows.
    if (complaints.length > 0) {
      throw new Error(complaints.join('\n'));
    }
  });

  after(() => cleanup.run());

  return {
    write: (name, content) => folder.write(name, content),
    async setKnown(known) {
      const last = open.at(-1);
      if (last) {
        last.known.current = known;
        await last.document.refreshKnown();
      }
    },
    async open({ rows = 1000, file, holdBack = [], theme = 'dark', ...options } = {}) {
      const { context: given, platform, tab = 'table' } = options;
      if (!usual) {
        throw new Error('Use this inside a test: nothing is started before.');
      }
      const ownContext = given && (await newContext({ ...usualContext, ...given }));
      const page = await (ownContext?.newPage() ?? idle.pop() ?? usual.newPage());
      const columns = options.columns ?? (file === undefined ? usualColumns : []);
      const state = stateWith(columns, tab);
      const kept = columns.length > 0 || options.kept ? { ...state, ...options.kept } : undefined;
      const added = [
        await drawNothing(page),
        await page.addInitScript(standInForVsCode, { ...themes[theme], kept }),
      ];
      if (platform !== undefined) {
        const pretend = (told: string) => {
          Object.defineProperty(navigator, 'platform', { value: told });
        };
        added.push(await page.addInitScript(pretend, platform));
      }
      const line = new TableLine(page, origin);
      const driver = new TableDriver(page, line);
      const known = { current: options.known ?? [] };
      const document = documentOf(file ?? usualFile(rows), folder.path, driver.complaints, {
        firstTab: tab,
        ...(options.about && { about: options.about }),
        scorecards: options.scorecards ?? {},
        ratings: options.ratings ?? noRatings,
        ...(options.links && { links: options.links }),
        known,
        kinds: options.kinds ?? forgetful(),
      });
      const panel = line.panel();
      line.holdBack(...holdBack);
      added.push(await line.open());
      open.push({ driver, document, known, panel, added, ownContext });
      document.show(panel as unknown as vscode.WebviewPanel);
      await page.goto(`${origin}/${open.length - 1}`);
      await (tab === 'table' ? driver.grid : page.getByRole('tabpanel')).waitFor();
      return driver;
    },
  };
}

export async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const { browser } = await sharedHost();
  const context = await browser.newContext(options);
  context.setDefaultTimeout(waitLimitMs);
  return context;
}

function forgetful(): FileKinds {
  return new FileKinds({ get: () => undefined, update: () => Promise.resolve() });
}

/** The columns of the usual file, in its order. */
export const usualColumns: readonly string[] = Object.keys(recordOf(1));

/** What a page keeps after columns were moved, and nothing else was done. */
function stateWith(columns: readonly string[], tab: TableTab): PageState {
  const active = { row: 0, column: 0 };
  return {
    bytes: 0,
    top: 0,
    left: 0,
    selection: { active, anchor: active, kind: 'cells' },
    columns: columns.map((name) => ({ id: `/${name}` })),
    find: '',
    criteria: noCriteria,
    filterRow: true,
    record: false,
    recordShare: 36,
    tab,
    overviewColumns: [],
    countsAll: false,
  };
}

function documentOf(
  file: string,
  cacheFolder: string,
  complaints: string[],
  {
    firstTab,
    about,
    scorecards,
    ratings,
    links,
    kinds,
    known,
  }: {
    readonly firstTab: TableTab;
    readonly links?: TableOptions['links'];
    readonly known: Opened['known'];
    readonly about?: FileAbout;
    readonly scorecards: Readonly<Record<string, string>>;
    readonly kinds: FileKinds;
    readonly ratings: KnownRatings;
  },
): TableDocument {
  const choices = new FileChoices();
  const document: TableDocument = new TableDocument(vscode.Uri.file(file), {
    firstTab,
    kinds,
    choices,
    bundles: vscode.Uri.file(bundle('extension/dist')),
    cacheFolder,
    fileOf: (uri) =>
      Promise.resolve({
        path: file,
        isMasked: false,
        list: choices.of(uri).list,
        ...(about && { about }),
        release: () => Promise.resolve(),
      }),
    scorecardNames: () => scorecards,
    ratings,
    names: localizedNames(),
    meaningOf: () => Promise.resolve(undefined),
    log: (message) => {
      // A message of the page is invalid, or its call failed.
      if (/^(Invalid message|A call|An action)/.test(message)) {
        complaints.push(message);
      }
    },
    actions: noTableActions,
    showChanges: () => Promise.resolve(),
    findChanges: () => Promise.resolve(undefined),
    writeSql: () => Promise.reject(new Error('There is no clipboard.')),
    hasWorkspace: () => links !== undefined,
    linksOf: (_, record) => Promise.resolve(links?.(record) ?? {}),
    problems: () => ({ on: false }),
    toggleExcluded: () => Promise.resolve(),
    knownFile: () => '/known-issues.sarif',
    knownFindings: () => Promise.resolve(known.current),
    cveLists: () => Promise.resolve([]),
    recount: () => Promise.resolve(undefined),
    // As the host does, but for its questions and its file.
    findStated: () => Promise.resolve([]),
    markStated: () => Promise.resolve(),
    markKnown: async (rows, { on }) => {
      const found = (await document.forProgram((table) => identifyMarked(table, rows))) ?? [];
      const ids = new Set(found.map(({ id }) => id));
      const others = known.current.filter(({ id }) => !ids.has(id));
      const decided = { reason: 'notOurs', label: 'Not ours' };
      known.current = [...others, ...(on ? found.map((one) => ({ ...one, ...decided })) : [])];
      await document.refreshKnown();
    },
    exportShown: () => Promise.resolve(),
    saveSummary: () => Promise.resolve(),
    onOpened: () => undefined,
    onKnown: () => undefined,
    onReloaded: () => undefined,
    onClosed: () => undefined,
  });
  return document;
}

/** Runs in the page: what VS Code gives every webview. */
export function standInForVsCode({
  bodyClass,
  variables,
  kept,
}: Theme & { readonly kept: unknown }): void {
  const storage = 'vscode-state';
  const scope = window as unknown as {
    sendToHost: (text: string) => void;
    acquireVsCodeApi: () => unknown;
  };
  scope.acquireVsCodeApi = () => {
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(name, value);
    }
    document.body.className = bodyClass;
    const usual = new CSSStyleSheet();
    usual.replaceSync(`@layer vscode-default {
    html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
    body { overscroll-behavior-x: none; background-color: transparent;
      color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family);
      font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size);
      margin: 0; padding: 0 20px; }
    a:focus, input:focus, select:focus, textarea:focus {
      outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
    kbd { padding: 3px; border-radius: 3px; border: 1px solid; vertical-align: middle; }
  }`);
    document.adoptedStyleSheets.push(usual);
    return {
      postMessage: (message: unknown) => {
        scope.sendToHost(JSON.stringify(message));
      },
      getState: () => (JSON.parse(sessionStorage.getItem(storage) ?? 'null') as unknown) ?? kept,
      setState: (state: unknown) => {
        sessionStorage.setItem(storage, JSON.stringify(state));
      },
    };
  };
}

function serve(url: string, html: string, response: http.ServerResponse): void {
  const files: Partial<Record<string, string>> = {
    '/table.js': 'text/javascript',
    '/table.css': 'text/css',
  };
  const type = files[url];
  response.setHeader('content-type', type ?? 'text/html');
  response.end(type ? fs.readFileSync(bundle(`extension/dist${url}`)) : html);
}
