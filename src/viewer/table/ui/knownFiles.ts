import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/events/disposable';
import { UserError } from '../../../base/userError';
import { pathsOf, removeAllPossible } from '../../../files/files';
import { countsIn, isOfService } from '../../../known/decision';
import type { KnownIssues } from '../../../known/knownIssues';
import { confirm, showInformation } from '../../../workbench/messages';
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
    return this.file === this.ownFile
      ? (vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '')
      : undefined;
  }

  private get ownFile(): string {
    return path.join(this.folder, fileName);
  }

  /** Asks where known issues of this workspace are kept. */
  async choose(): Promise<{ file: string } | undefined> {
    const title = t('Keep Known Issues in');
    const there = await vscode.workspace.findFiles(
      `**/${fileName}`,
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
          detail: t('On this machine, for all workspaces.'),
          value: this.ownFile,
        },
      ],
      { title, placeHolder: this.file },
    );
    const file = where === newFile ? await this.pickFile(title) : where;
    if (file === undefined) {
      return undefined;
    }
    const { workspace } = this;
    const { decisions } = await this.known().read();
    const own = decisions.filter((decision) => countsIn(decision, workspace ?? ''));
    await this.state.update(chosenKey, file === this.ownFile ? undefined : file);
    this.changed();
    await this.offerToCopy(own);
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

  /** A file that is new has no decisions: those so far may be wanted there, or be nobody else's business. */
  private async offerToCopy(
    decisions: Awaited<ReturnType<KnownIssues['read']>>['decisions'],
  ): Promise<void> {
    const { decisions: there } = await this.known().read();
    if (
      decisions.length > 0 &&
      there.length === 0 &&
      (await confirm(
        t('Copy the known issues so far into this file?'),
        t('Whoever can read the file reads them, with your comments.'),
        t('Copy'),
      ))
    ) {
      const { workspace } = this;
      await this.known().mark(
        decisions.map(({ workspace: _, ...decision }) =>
          workspace === undefined || isOfService(decision)
            ? decision
            : // Elsewhere the same path is another file.
              { ...decision, workspace },
        ),
      );
    }
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
