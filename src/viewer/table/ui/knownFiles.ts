import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/events/disposable';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import { pathsOf, removeAllPossible } from '../../../files/files';
import { countsIn, type Decision, findingKey, isOfService } from '../../../known/decision';
import { readKnownFile } from '../../../known/knownFile';
import type { KnownIssues } from '../../../known/knownIssues';
import { formatNumber } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { showTable } from '../../../workbench/views';

const { t } = vscode.l10n;

const fileName = 'known-issues.sarif';
/** A file of the workspace that is chosen in a dialog. */
const newFile = '';
/** The most files of the workspace that are offered by their names. */
const maxFound = 20;
/** Of the state of a workspace: the path of the file that its user has chosen. */
const chosenKey = 'knownIssuesFile';

/**
 * Where known issues are kept: a file of the user, or one of the workspace that a team shares. That counts only where
 * the user chose it, never because a repository has one, and never in a workspace that is not trusted.
 */
export class KnownFiles implements Disposable {
  private watcher: { readonly of: string; readonly disposable: vscode.Disposable } | undefined;
  private readonly listeners: vscode.Disposable[] = [];
  private isChoosing = false;

  /**
   * @param state of the workspace.
   * @param folder of the user's own file.
   * @param known gets told when the file changes, or is another one.
   */
  constructor(
    private readonly state: vscode.Memento,
    private readonly folder: string,
    private readonly known: () => KnownIssues,
  ) {
    this.listeners.push(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.changed();
      }),
    );
  }

  /** The file that counts. */
  get file(): string {
    const chosen = this.state.get<unknown>(chosenKey);
    const file = typeof chosen === 'string' && vscode.workspace.isTrusted ? chosen : this.ownFile;
    this.watch(file);
    return file;
  }

  /** In which workspace decisions count that could mean another finding elsewhere; `undefined` in a shared file. */
  get workspace(): string | undefined {
    return this.file === this.ownFile ? this.ownWorkspace : undefined;
  }

  private get ownWorkspace(): string {
    return vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '';
  }

  /** Whether it is one of the workspace, and was written since it was chosen. */
  get isChosen(): boolean {
    return !this.isChoosing && this.file !== this.ownFile;
  }

  private get ownFile(): string {
    return path.join(this.folder, fileName);
  }

  /** Asks where known issues of this workspace are kept. */
  async choose(): Promise<{ file: string } | undefined> {
    const title = t('Keep Known Issues in');
    const there = await vscode.workspace.findFiles(
      '**/*known*.sarif',
      '**/node_modules/**',
      maxFound,
    );
    const detail = t('A team can commit it. It counts in this workspace only.');
    const where = await pickOne(
      [
        ...there.filter(isOnDisk).map(({ fsPath }) => ({
          label: vscode.workspace.asRelativePath(fsPath),
          detail,
          value: fsPath,
        })),
        { label: t('A File of the Workspace\u2026'), detail, value: newFile },
        {
          label: t('My Own File'),
          detail: t(
            'On this machine. What names a file of a workspace counts in that workspace only.',
          ),
          value: this.ownFile,
        },
      ],
      { title, placeHolder: this.file },
    );
    const file = where === newFile ? await this.pickFile(title) : where;
    if (file === undefined) {
      return undefined;
    }
    if (file !== this.ownFile && !vscode.workspace.isTrusted) {
      throw new UserError(
        t('A file of a workspace that is not trusted does not count. Trust the workspace first.'),
        'config',
      );
    }
    const copied = file === this.file ? [] : await this.askToCopy(file);
    if (!copied) {
      return undefined;
    }
    this.isChoosing = true;
    try {
      await this.state.update(chosenKey, file === this.ownFile ? undefined : file);
      this.changed();
      const isNew =
        file !== this.ownFile && (await stat(file).catch(() => undefined)) === undefined;
      if (copied.length > 0 || isNew) {
        // From then on it is there: a file that is missing was removed.
        await this.known().mark(copied);
      }
    } finally {
      this.isChoosing = false;
    }
    return { file };
  }

  /** Shows the file as a table. */
  async show(): Promise<void> {
    const { decisions } = await this.known().read();
    if (decisions.length === 0) {
      showInformation(
        t('No finding is known yet. Mark one in a table: in its menu, or with the key K.'),
      );
      return;
    }
    await showTable(vscode.Uri.file(this.file));
  }

  /** Removes the user's own file. @returns the paths that are left */
  async removeOwn(): Promise<string[]> {
    const left = await removeAllPossible(this.ownFile);
    this.changed();
    return pathsOf(left);
  }

  dispose(): void {
    this.watcher?.disposable.dispose();
    vscode.Disposable.from(...this.listeners).dispose();
  }

  private async pickFile(title: string): Promise<string | undefined> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const picked = await vscode.window.showSaveDialog({
      title,
      saveLabel: t('Keep Here'),
      filters: { SARIF: ['sarif', 'json'] },
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, fileName) }),
    });
    if (picked && !(isOnDisk(picked) && vscode.workspace.getWorkspaceFolder(picked))) {
      throw new UserError(
        t('"{0}" is in no folder of this workspace. Choose a file in one.', picked.fsPath),
        'badRequest',
      );
    }
    return picked?.fsPath;
  }

  /**
   * Asks whether the decisions so far go into another file, as far as it has none about the same findings: they may be
   * wanted there, or be nobody else's business.
   * @returns those that are wanted; `undefined` if the user stays with the file of now
   */
  private async askToCopy(file: string): Promise<readonly Decision[] | undefined> {
    const here = this.workspace;
    const target = file === this.ownFile ? this.ownWorkspace : undefined;
    const { decisions } = await this.known().read();
    const there = readKnownFile(await readFile(file, 'utf8').catch(() => '')).decisions;
    const decided = new Set(there.map(findingKey));
    const missing = decisions
      .filter((decision) => countsIn(decision, here ?? ''))
      .map(({ workspace: _, ...decision }) =>
        target === undefined || isOfService(decision)
          ? decision
          : // Elsewhere the same path is another file.
            { ...decision, workspace: target },
      )
      .filter((decision) => !decided.has(findingKey(decision)));
    if (missing.length === 0) {
      return [];
    }
    const [copy, leave] = [t('Copy'), t('Do Not Copy')];
    const isOwn = file === this.ownFile;
    const name = isOwn ? t('your own file') : plainText(path.basename(file), 60);
    const others = t('Those that are not copied do not count while the file is chosen.');
    const answer = await vscode.window.showWarningMessage(
      missing.length === 1
        ? t('Copy 1 known issue into {0}?', name)
        : t('Copy {0} known issues into {1}?', formatNumber(missing.length), name),
      {
        modal: true,
        detail: isOwn
          ? others
          : `${t('Whoever can read the file reads them, with your comments.')} ${others}`,
      },
      copy,
      leave,
    );
    return answer === undefined ? undefined : answer === copy ? missing : [];
  }

  private changed(): void {
    this.known().refresh();
  }

  private watch(file: string): void {
    if (this.watcher?.of === file) {
      return;
    }
    this.watcher?.disposable.dispose();
    const pattern = new vscode.RelativePattern(
      vscode.Uri.file(path.dirname(file)),
      path.basename(file).replace(/[*?{}[\]]/g, '[$&]'),
    );
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const changed = () => {
      this.changed();
    };
    watcher.onDidChange(changed);
    watcher.onDidCreate(changed);
    watcher.onDidDelete(changed);
    this.watcher = { of: file, disposable: watcher };
  }
}

/** Whether a file is one of a disk, which a lock and a watcher work on. */
function isOnDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file';
}
