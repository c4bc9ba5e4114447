import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { systemClock } from '../../../base/events/clock';
import type { Logger } from '../../../base/logger';
import { type CveListFile, type KnownFinding, openTable, type TableHandle } from '../../../engine';
import { contentOfFile } from '../../../files/fileContent';
import { removeFolder } from '../../../files/files';
import { localProcesses } from '../../../files/processes';
import { TempCopies } from '../../../files/tempCopies';
import { unpack } from '../../../files/unpack';
import { type Decision, reasonTexts } from '../../../known/decision';
import { readKnownFile } from '../../../known/knownFile';
import { nameReport } from '../../../service/reports/reportName';
import { ReportStore } from '../../../service/reports/reportStore';
import { madeAt, type StoredReport } from '../../../service/reports/storedReport';
import { CveLists } from '../../../viewer/table/cveLists';
import { FileStates } from '../../../viewer/table/fileStates';
import { knownFindings } from '../../../viewer/table/knownFindings';
import { findTableFile, namesFile } from '../answers/findTableFile';
import { AgentError } from './agentError';
import { OpenTables, type UsedTable } from './openTables';
import { findReadableFile, type ServerFolders } from './serverArguments';

/** A larger file with known issues is not read: each has some hundred bytes. */
const maxKnownBytes = 256 * 1024 ** 2;

/** What an agent asks about: a file, and how it is called. */
export interface AskedFile {
  /** Absolute, without links. */
  readonly file: string;
  readonly title: string;
  /** When the report was downloaded: `madeAt` of storedReport.ts; absent for a file of the workspace. */
  readonly madeAt?: number;
}

/** What is known besides a file: it changes what its answers are. */
interface Known {
  readonly findings: readonly KnownFinding[];
  readonly lists: readonly CveListFile[];
}

/** The files of this machine that the server reads. */
export class AgentFiles {
  private readonly tables = new OpenTables();
  private readonly copies: TempCopies;
  readonly store: ReportStore;
  /** What files of users contained when they were opened. */
  readonly states: FileStates;
  private readonly cves: CveLists;
  private known: { readonly stamp: string; readonly decisions: readonly Decision[] } | undefined;

  /** @param script the bundle of the engine's threads. */
  constructor(
    private readonly folders: ServerFolders,
    readonly script: string,
    readonly log: Logger,
  ) {
    const { storage } = folders;
    this.copies = new TempCopies(path.join(storage, 'tables', 'unpacked'), localProcesses);
    this.store = new ReportStore(path.join(storage, 'reports'), log);
    this.cves = new CveLists(path.join(storage, 'cves'));
    this.states = new FileStates({
      folder: path.join(storage, 'states'),
      knownFindings: async () => (await this.readKnown()).findings,
      log,
    });
  }

  /** The reports, the newest first. */
  reports(): StoredReport[] {
    return this.store.readReports().sort((one, other) => madeAt(other) - madeAt(one));
  }

  /** The file that an agent names: a report, or a file of the workspace. @throws UserError, AgentError if there is none */
  async find(name: string): Promise<AskedFile> {
    if (namesFile(name)) {
      const { real } = await findTableFile(this.folders.workspace, name);
      return { file: real, title: path.basename(real) };
    }
    const report = this.store.readReports().find(({ id }) => id === name);
    if (!report) {
      throw new AgentError(
        `There is no report with the ID ${JSON.stringify(name)}. Call scorecard_list for the reports there are, or give the path of a findings file of the workspace.`,
      );
    }
    const file =
      report.path === undefined ? undefined : await findReadableFile(this.folders, report.path);
    if (file === undefined) {
      throw new AgentError(
        report.path === undefined
          ? 'This report is not downloaded. Choose one whose state is ready.'
          : 'The file of this report is missing, or in a folder that this server does not read. Copy the MCP configuration again in Scorecard Explorer.',
      );
    }
    return { file, title: nameReport(report, String), madeAt: madeAt(report) };
  }

  /** Works with a file as a table. @throws TableError, UserError, and as `work` does */
  async withTable<T>(
    { file }: AskedFile,
    list: string | undefined,
    work: (table: TableHandle) => Promise<T>,
  ): Promise<T> {
    const { size, mtimeMs } = await stat(file);
    const known = await this.readKnown();
    const key = JSON.stringify([file, size, mtimeMs, list, hash(known)]);
    return this.tables.use(key, () => this.open(file, list, known), work);
  }

  /** Works with a temporary file as a table, which is closed after that. @throws as `withTable` does */
  async withOwnTable<T>(file: string, work: (table: TableHandle) => Promise<T>): Promise<T> {
    const table = await openTable(this.script, file, { cacheFolder: this.copies.ownFolder });
    try {
      return await work(table);
    } finally {
      await table.close();
    }
  }

  /** Works with a file as it can be compared: unpacked. @throws as `unpack` and `work` do */
  async withUnpacked<T>({ file }: AskedFile, work: (path: string) => Promise<T>): Promise<T> {
    const { path: unpacked, release } = await this.unpack(file);
    try {
      return await work(unpacked);
    } finally {
      await release();
    }
  }

  /** Works in a folder that exists as long. */
  async inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.copies.make();
    try {
      return await work(folder);
    } finally {
      await removeFolder(folder).catch(() => undefined);
    }
  }

  /** The findings that are known, and the lists of CVEs that mark rows. */
  async readKnown(): Promise<Known> {
    const decisions = (await this.readDecisions()).filter((each) => this.counts(each));
    return {
      findings: knownFindings(decisions, systemClock.now(), describeDecision),
      lists: await this.cves.read(),
    };
  }

  /** Closes what is open, and removes the temporary files. */
  async close(): Promise<void> {
    await this.tables.close();
    this.copies.removeOwn();
  }

  private async open(
    file: string,
    list: string | undefined,
    { findings, lists }: Known,
  ): Promise<UsedTable> {
    const { path: unpacked, release } = await this.unpack(file);
    try {
      const cacheFolder = this.copies.ownFolder;
      const table = await openTable(this.script, unpacked, { cacheFolder, list });
      if (findings.length > 0) {
        await table.call('setKnown', { known: findings });
      }
      if (lists.length > 0) {
        await table.call('setCveLists', { lists });
      }
      return { table, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** A file that can be read: itself, or the only one in an archive. */
  private async unpack(file: string): Promise<{ path: string; release: () => Promise<void> }> {
    await this.copies.sweep();
    // What is wrong with a file is said when it is read.
    if ((await contentOfFile(file).catch(() => undefined)) !== 'zip') {
      return { path: file, release: () => Promise.resolve() };
    }
    const folder = await this.copies.make();
    const release = () => removeFolder(folder).catch(() => undefined);
    try {
      return { path: await unpack(file, 'zip', folder), release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** The decisions of the user or the team; none if the file cannot be read. */
  private async readDecisions(): Promise<readonly Decision[]> {
    const file = await findReadableFile(this.folders, this.folders.known);
    if (file === undefined) {
      return [];
    }
    const { size, mtimeMs } = await stat(file);
    const stamp = `${size} ${mtimeMs}`;
    if (this.known?.stamp !== stamp) {
      const text = size > maxKnownBytes ? '' : await readFile(file, 'utf8');
      this.known = { stamp, decisions: text === '' ? [] : readKnownFile(text).decisions };
    }
    return this.known.decisions;
  }

  /** Whether a decision counts here: one for a workspace only counts in that. */
  private counts({ workspace }: Decision): boolean {
    const [first] = this.folders.workspace;
    return workspace === undefined || (first !== undefined && isUriOf(workspace, first.fsPath));
  }
}

/** Whether a URI, as VS Code writes it, is that of a folder. */
function isUriOf(uri: string, folder: string): boolean {
  try {
    const written = decodeURIComponent(new URL(uri).pathname).replace(/^\/(?=[a-z]:)/i, '');
    // The folder is without links, unlike the URI of a window.
    return path.relative(realpathSync(written), folder) === '';
  } catch {
    return false;
  }
}

function describeDecision({ reason, until }: Decision): string {
  return until === undefined
    ? String(reasonTexts[reason])
    : `${String(reasonTexts[reason])} until ${until}`;
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
