import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import type { Disposable } from '../../../base/events/disposable';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import { type CveListFile, type ListedCves, maxListedCves, type ReadCves } from '../../../engine';
import { makeFolders } from '../../../files/files';
import { formatDay, formatNumber } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { localPath } from '../../../workbench/storedFiles';
import { type CveLists, listEnding } from '../cveLists';
import type { TableEditor } from './tableEditor';

const { t } = vscode.l10n;

/** Marks the rows of all tables by lists of CVEs that a user chooses, or no longer. */
export class CveTables implements Disposable {
  private watching: Promise<void> | undefined;
  private watcher: vscode.FileSystemWatcher | undefined;
  private isDisposed = false;

  constructor(private readonly lists: CveLists) {}

  /** The lists. From the first time on, those of other windows are heard of. Never rejects. */
  async read(): Promise<readonly CveListFile[]> {
    this.watching ??= this.watch();
    await this.watching;
    return this.lists.read();
  }

  /** Reads a file as a list, and keeps that. @throws UserError if it is none */
  async mark(editor: TableEditor, uri: vscode.Uri): ReturnType<CveLists['add']> {
    const name = path.basename(uri.path);
    const title = t('Reading "{0}"\u2026', plainText(name, 100));
    const counts = () => ({ done: 0, total: undefined, text: '' });
    const read = await withProgressNotification(title, counts, (signal) =>
      editor.withTable(uri, (document) =>
        document.forProgram((table) => table.call('readCves', {}, { signal })),
      ),
    );
    return this.lists.add({ name, at: await readTime(uri) }, accept(name, read));
  }

  /** Says what a list marks. */
  tell({ name, cves, known, undo }: Awaited<ReturnType<CveLists['add']>>): void {
    const shown = plainText(name, 100);
    const text =
      known === 0
        ? cves === 1
          ? t('What is likely exploited is counted by the EPSS of 1 CVE in "{0}".', shown)
          : t(
              'What is likely exploited is counted by the EPSS of {0} CVEs in "{1}".',
              formatNumber(cves),
              shown,
            )
        : known === 1
          ? t('1 CVE of "{0}" counts as exploited in all tables.', shown)
          : t('{0} CVEs of "{1}" count as exploited in all tables.', formatNumber(known), shown);
    showInformation(text, [{ title: t('Undo'), run: undo }]);
  }

  /** Lets a user take a list back. @returns how many lists were */
  async chooseToUnmark(): Promise<number | undefined> {
    const lists = await this.lists.read();
    if (lists.length === 0) {
      showInformation(t('No list marks CVEs yet. Choose one with Mark CVEs From a List.'));
      return 0;
    }
    const name = await pickOne(
      lists.map((list) => ({
        label: list.name,
        description: describeList(list),
        value: list.name,
      })),
      {
        title: t('Unmark CVEs of a List'),
        placeHolder: t('Which list should no longer count?'),
      },
    );
    return name === undefined ? undefined : this.unmark(name);
  }

  /** Takes back the list with a name, or all. @returns how many there were */
  async unmark(name?: string): Promise<number> {
    const names = name === undefined ? (await this.lists.read()).map((each) => each.name) : [name];
    let removed = 0;
    for (const each of names) {
      removed += (await this.lists.remove(each)) ? 1 : 0;
    }
    return removed;
  }

  dispose(): void {
    this.isDisposed = true;
    this.watcher?.dispose();
  }

  /** Never rejects: without a folder there are no lists. */
  private async watch(): Promise<void> {
    const { folder } = this.lists;
    // A folder that comes later is found by polling, and the files that it has by then are not told of.
    await makeFolders(folder).catch(() => undefined);
    if (this.isDisposed) {
      return;
    }
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), `*${listEnding}`);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    this.watcher = watcher;
    const refresh = () => {
      this.lists.refresh().catch(() => undefined);
    };
    watcher.onDidChange(refresh);
    watcher.onDidCreate(refresh);
    watcher.onDidDelete(refresh);
  }
}

/** @throws UserError for what is no list of exploited CVEs */
function accept(name: string, read: ReadCves): ListedCves {
  if (!('refused' in read)) {
    return read;
  }
  const texts = {
    noCves: t(
      '"{0}" has no column with CVEs. Choose a list with them, such as the catalogue of CISA or the EPSS of FIRST.',
      name,
    ),
    noMarks: t(
      'Nothing is marked: "{0}" says of none of its CVEs that it is exploited, and has no EPSS. Choose another list, or write true in a column kev.',
      name,
    ),
    tooMany: t(
      '"{0}" has more than {1} CVEs. Choose a list of those that are exploited.',
      name,
      formatNumber(maxListedCves),
    ),
    severities: t(
      '"{0}" says how severe its vulnerabilities are, not which are exploited. Choose a list of exploited ones, or add a column kev with true or false.',
      name,
    ),
  };
  throw new UserError(texts[read.refused], 'badRequest');
}

function describeList({ cves, known, at }: CveListFile): string {
  const day = formatDay(at);
  return known === 0
    ? cves === 1
      ? t('EPSS of 1 CVE, of {0}', day)
      : t('EPSS of {0} CVEs, of {1}', formatNumber(cves), day)
    : known === 1
      ? t('1 exploited, of {0}', day)
      : t('{0} exploited, of {1}', formatNumber(known), day);
}

/** When a file was written; now if that is not known. */
async function readTime(uri: vscode.Uri): Promise<number> {
  const file = localPath(uri);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  return Math.floor(found?.mtimeMs ?? systemClock.now());
}
