import * as vscode from 'vscode';
import { plainText } from '../../base/text/plainText';
import type { ProblemLevel } from '../../engine/values/findingProblem';
import { formatNumber } from '../../workbench/format';
import { type WorkspaceFile, WorkspaceFiles } from '../../workbench/workspaceFiles';
import type { ProblemsState } from '../../webview/protocol';
import { locatedFindings, type LocatedFinding } from '../locatedFindings';
import { severityWords, type ShownNames } from '../../engine/values/shownWords';
import { problemTexts } from '../problemTexts';
import { shownNames } from './shownNames';
import type { TableDocument } from './tableDocument';

const { t } = vscode.l10n;

const severities: Readonly<Record<ProblemLevel, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** The problems of a table, by the address of their file. */
type ProblemsByFile = ReadonlyMap<string, readonly vscode.Diagnostic[]>;

interface ShownProblems {
  readonly abort: AbortController;
  files: ProblemsByFile;
  state: ProblemsState;
}

/** Lists findings of open tables in VS Code's Problems view. */
export class TableProblems implements vscode.Disposable {
  private collection: vscode.DiagnosticCollection | undefined;
  /** By the address of the table. */
  private readonly shown = new Map<string, ShownProblems>();

  isShown(table: vscode.Uri): boolean {
    return this.shown.has(table.toString());
  }

  /**
   * Lists the findings of a table that have a file in the workspace, in place of those listed before. If
   * there are none, nothing stays on.
   * @throws the error for a program
   */
  async show(document: TableDocument): Promise<ProblemsState> {
    const key = document.uri.toString();
    const before = this.shown.get(key);
    before?.abort.abort();
    const abort = new AbortController();
    const own: ShownProblems = { abort, files: before?.files ?? new Map(), state: { on: true } };
    this.shown.set(key, own);
    document.send({ type: 'problems', ...own.state });
    try {
      const { signal } = abort;
      const files = new WorkspaceFiles(document.uri);
      const find = files.find.bind(files);
      const mayFind = () => files.hasLooksLeft;
      const title = t('Listing findings in Problems\u2026');
      const found = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title },
        () => document.forProgram((table) => locatedFindings(table, { find, mayFind, signal })),
      );
      if (this.shown.get(key) === own) {
        const { findings, hasMore } = found;
        this.replace(own, byFile(findings, document.name));
        own.state = { on: findings.length > 0, listed: findings.length, hasMore };
        this.finish(document, own);
      }
      return own.state;
    } catch (error) {
      if (this.shown.get(key) !== own) {
        // It was turned off meanwhile.
        return { on: false };
      }
      this.hide(document);
      throw error;
    }
  }

  /** Lists the findings of a table no longer. */
  hide(document: TableDocument): ProblemsState {
    this.remove(document.uri);
    const state = { on: false };
    document.send({ type: 'problems', ...state });
    return state;
  }

  /** Lists nothing of a table that is closed. */
  remove(table: vscode.Uri): void {
    const own = this.shown.get(table.toString());
    this.shown.delete(table.toString());
    if (own) {
      own.abort.abort();
      this.replace(own, new Map());
    }
  }

  dispose(): void {
    this.collection?.dispose();
  }

  private finish(document: TableDocument, { state }: ShownProblems): void {
    if (!state.on) {
      this.shown.delete(document.uri.toString());
    }
    document.send({ type: 'problems', ...state });
  }

  /** Several tables may have findings in one file. */
  private replace(own: ShownProblems, files: ProblemsByFile): void {
    const changed = new Set([...own.files.keys(), ...files.keys()]);
    own.files = files;
    const all = [...new Set([...this.shown.values(), own])];
    this.collection ??= vscode.languages.createDiagnosticCollection('scorecard');
    this.collection.set(
      [...changed].map((file) => [
        vscode.Uri.parse(file, true),
        all.flatMap((one) => one.files.get(file) ?? []),
      ]),
    );
  }
}

function byFile(
  findings: readonly LocatedFinding<WorkspaceFile>[],
  source: string,
): ProblemsByFile {
  const files = new Map<string, vscode.Diagnostic[]>();
  const names = shownNames();
  for (const finding of findings) {
    const key = finding.file.uri.toString();
    const problems = files.get(key) ?? [];
    files.set(key, problems);
    problems.push(diagnosticOf(finding, source, names));
  }
  return files;
}

function diagnosticOf(
  { file, record, problem }: LocatedFinding<WorkspaceFile>,
  source: string,
  names: ShownNames,
): vscode.Diagnostic {
  const untitled = t('Finding in row {0}', formatNumber(record + 1));
  const severity = severityWords(problem.severity ?? '', names);
  const { message, code } = problemTexts({ ...problem, severity }, untitled);
  const diagnostic = new vscode.Diagnostic(rangeOf(file), message, severities[problem.level]);
  diagnostic.source = plainText(source, 60);
  if (code !== undefined) {
    diagnostic.code = code;
  }
  return diagnostic;
}

/** Without a column the whole line; with one, VS Code marks the word there. */
function rangeOf({ line = 1, column }: WorkspaceFile): vscode.Range {
  const start = (column ?? 1) - 1;
  // As VS Code writes the end of a line, so that it leaves out the indentation.
  return new vscode.Range(
    line - 1,
    start,
    line - 1,
    column === undefined ? Number.MAX_VALUE : start,
  );
}
