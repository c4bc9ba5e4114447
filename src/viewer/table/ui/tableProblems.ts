import * as vscode from 'vscode';
import { plainText } from '../../../base/text/plainText';
import type { ProblemLevel } from '../../../vocabulary/findingProblem';
import { formatNumber } from '../../../workbench/format';
import { type WorkspaceFile, WorkspaceFiles } from '../../../workbench/workspaceFiles';
import type { ProblemsState } from '../../../protocol/tableProtocol';
import { locatedFindings, type LocatedFinding } from '../locatedFindings';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { problemTexts } from '../problemTexts';
import type { TableDocument } from './tableDocument';

const { t } = vscode.l10n;

const severities: Readonly<Record<ProblemLevel, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

interface ShownProblems {
  readonly abort: AbortController;
  readonly collection: vscode.DiagnosticCollection;
}

/** Lists findings of open tables in VS Code's Problems view. */
export class TableProblems implements vscode.Disposable {
  /** By the address of the table. */
  private readonly shown = new Map<string, ShownProblems>();

  constructor(private readonly names: ShownNames) {}

  isShown(table: vscode.Uri): boolean {
    return this.shown.has(table.toString());
  }

  /**
   * Lists the findings of a table that have a file in the workspace, in place of those listed before. If
   * there are none, nothing stays on.
   * @throws the error for a program
   */
  async show(document: TableDocument): Promise<ProblemsState> {
    const { uri } = document;
    const key = uri.toString();
    const before = this.shown.get(key);
    before?.abort.abort();
    const abort = new AbortController();
    const collection = before?.collection ?? vscode.languages.createDiagnosticCollection();
    const own: ShownProblems = { abort, collection };
    const isCurrent = () => this.shown.get(key) === own;
    this.shown.set(key, own);
    document.send({ type: 'problems', on: true });
    try {
      const title = t('Listing findings in Problems\u2026');
      const { findings, hasMore } = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title },
        () =>
          document.forProgram((table) =>
            locatedFindings(table, new WorkspaceFiles(uri), abort.signal),
          ),
      );
      const state = { on: findings.length > 0, listed: findings.length, hasMore };
      if (isCurrent()) {
        collection.clear();
        collection.set(createDiagnostics(findings, document.name, this.names));
        if (!state.on) {
          this.remove(uri);
        }
        document.send({ type: 'problems', ...state });
      }
      return state;
    } catch (error) {
      if (!isCurrent()) {
        // It was turned off, or is listed again.
        return { on: false };
      }
      this.remove(uri);
      document.send({ type: 'problems', on: false });
      throw error;
    }
  }

  /** Lists the findings of a table no longer. */
  remove(table: vscode.Uri): void {
    const own = this.shown.get(table.toString());
    this.shown.delete(table.toString());
    own?.abort.abort();
    own?.collection.dispose();
  }

  dispose(): void {
    for (const { abort, collection } of this.shown.values()) {
      abort.abort();
      collection.dispose();
    }
  }
}

/** @param source the name of their table. */
function createDiagnostics(
  findings: readonly LocatedFinding<WorkspaceFile>[],
  source: string,
  names: ShownNames,
): [vscode.Uri, vscode.Diagnostic[]][] {
  // Several entries for one file are added together.
  return findings.map((finding) => [finding.file.uri, [createDiagnostic(finding, source, names)]]);
}

function createDiagnostic(
  { file, record, problem, related }: LocatedFinding<WorkspaceFile>,
  source: string,
  names: ShownNames,
): vscode.Diagnostic {
  const untitled = t('Finding in row {0}', formatNumber(record + 1));
  const severity = names.formatSeverity(problem.severity ?? '');
  const { message, code } = problemTexts({ ...problem, severity }, untitled);
  const diagnostic = new vscode.Diagnostic(createRange(file), message, severities[problem.level]);
  diagnostic.source = plainText(source, 60);
  if (code !== undefined) {
    diagnostic.code = code;
  }
  if (related.length > 0) {
    diagnostic.relatedInformation = related.map(({ text, file: other }) => {
      const place = new vscode.Location(other.uri, createRange(other));
      return new vscode.DiagnosticRelatedInformation(place, plainText(text));
    });
  }
  return diagnostic;
}

/** Without a column the whole line; with one, VS Code marks the word there. */
function createRange({ line = 1, column }: WorkspaceFile): vscode.Range {
  const start = (column ?? 1) - 1;
  // As VS Code writes the end of a line, so that it leaves out the indentation.
  return new vscode.Range(
    line - 1,
    start,
    line - 1,
    column === undefined ? Number.MAX_VALUE : start,
  );
}
