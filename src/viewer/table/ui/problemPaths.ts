import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { localize } from '../../../workbench/describe';
import { hasWorkspace } from '../../../workbench/workspaceFiles';
import { findPatternFault, matchPaths, readPatterns } from '../pathPatterns';

const { t } = vscode.l10n;

/** Of the state of a workspace: the patterns. A setting of a workspace could hide findings from who opens it. */
const stateKey = 'excludedProblemPaths';

/** The paths of a workspace whose findings are not listed in Problems, as its user chose. */
export class ProblemPaths {
  /** @param state of the workspace. */
  constructor(private readonly state: vscode.Memento) {}

  get patterns(): readonly string[] {
    const stored = this.state.get<unknown>(stateKey);
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  }

  /** Returns whether a file of the workspace is left out. */
  matcher(): (file: vscode.Uri) => boolean {
    const matches = matchPaths(this.patterns);
    return (file) => matches(vscode.workspace.asRelativePath(file, false));
  }

  /** Keeps these in place of those before. @throws UserError if they are no patterns, or there is no workspace */
  async set(patterns: readonly string[]): Promise<void> {
    const fault = findPatternFault(patterns);
    if (fault) {
      throw new UserError(localize(fault), 'badRequest');
    }
    if (!hasWorkspace()) {
      throw new UserError(
        t('Paths are those of a workspace. Open a folder, then try again.'),
        'badRequest',
      );
    }
    await this.state.update(stateKey, patterns.length > 0 ? patterns : undefined);
  }

  /** Asks for the patterns; `undefined` if the question is dismissed. */
  async ask(): Promise<readonly string[] | undefined> {
    const typed = await vscode.window.showInputBox({
      title: t('Exclude Paths From Problems'),
      prompt: t('Paths in this workspace, with commas between them. Leave it empty to list all.'),
      placeHolder: '**/node_modules/**, tests/',
      value: this.patterns.join(', '),
      validateInput: (text) => {
        const fault = findPatternFault(readPatterns(text));
        return fault && localize(fault);
      },
    });
    return typed === undefined ? undefined : readPatterns(typed);
  }
}
