import * as vscode from 'vscode';
import type { Filter } from '../../../engine';
import type { CodeLocation } from '../../../vocabulary/codeLocation';
import { plainText } from '../../../base/text/plainText';
import type { ProblemLevel } from '../../../vocabulary/findingProblem';
import { formatNumber } from '../../../workbench/format';
import { type WorkspaceFile, WorkspaceFiles } from '../../../workbench/workspaceFiles';
import type { ProblemsState } from '../../../protocol/tableProtocol';
import { locatedFindings, type LocatedFinding } from '../locatedFindings';
import { withRows } from '../writeTable';
import type { ProblemPaths } from './problemPaths';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { problemTexts } from '../problemTexts';
import type { TableDocument } from './tableDocument';

const { t } = vscode.l10n;

const severities: Readonly<Record<ProblemLevel, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Which findings of a table are listed. */
interface ListedRows {
  /** Which rows the table showed; absent if all. */
  readonly filter?: Filter;
  /** Whether those in excluded paths are listed, too. */
  readonly withExcluded?: boolean;
}

interface ShownProblems {
  readonly document: TableDocument;
  readonly abort: AbortController;
  readonly collection: vscode.DiagnosticCollection;
  readonly rows: ListedRows;
  state: ProblemsState;
}

/** Lists findings of open tables in VS Code's Problems view. */
export class TableProblems implements vscode.Disposable {
  /** By the address of the table. */
  private readonly shown = new Map<string, ShownProblems>();

  constructor(
    private readonly names: ShownNames,
    private readonly paths: Pick<ProblemPaths, 'matcher'>,
  ) {}

  isShown(table: vscode.Uri): boolean {
    return this.shown.has(table.toString());
  }

  stateOf(table: vscode.Uri): ProblemsState {
    return this.shown.get(table.toString())?.state ?? { on: false };
  }

  /** Lists the findings of a table again, if they are listed, as its file or the excluded paths may be others. */
  async showAgain(table: vscode.Uri): Promise<void> {
    const own = this.shown.get(table.toString());
    await (own && this.show(own.document, own.rows));
  }

  async showAllAgain(): Promise<void> {
    const tables = Array.from(this.shown.values(), ({ document }) => document.uri);
    await Promise.all(tables.map((uri) => this.showAgain(uri)));
  }

  /** Lists the findings in excluded paths, too, or no longer. */
  async toggleExcluded({ uri }: TableDocument): Promise<void> {
    const own = this.shown.get(uri.toString());
    if (own) {
      const { rows } = own;
      await this.show(own.document, { ...rows, withExcluded: rows.withExcluded !== true });
    }
  }

  /**
   * Lists the findings of a table that have a file in the workspace, in place of those listed before. If
   * there are none, nothing stays on, unless some are in excluded paths, which can be listed.
   * @throws the error for a program
   */
  async show(document: TableDocument, rows: ListedRows = {}): Promise<ProblemsState> {
    const { uri } = document;
    const key = uri.toString();
    const before = this.shown.get(key);
    before?.abort.abort();
    const abort = new AbortController();
    const collection = before?.collection ?? vscode.languages.createDiagnosticCollection();
    const own: ShownProblems = { document, abort, collection, rows, state: { on: true } };
    const isCurrent = () => this.shown.get(key) === own;
    this.shown.set(key, own);
    document.send({ type: 'problems', on: true });
    try {
      const title = t('Listing findings in Problems\u2026');
      const { findings, state } = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title },
        () => this.find(document, rows, abort.signal),
      );
      if (isCurrent()) {
        own.state = state;
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

  private find(document: TableDocument, { filter, withExcluded }: ListedRows, signal: AbortSignal) {
    const isExcluded = this.paths.matcher();
    let matched = 0;
    const found = new WorkspaceFiles(document.uri);
    const files = {
      get hasLooksLeft() {
        return found.hasLooksLeft;
      },
      find: (locations: readonly CodeLocation[]) => found.find(locations),
      isExcluded: ({ uri }: WorkspaceFile) => {
        const isOne = isExcluded(uri);
        matched += isOne ? 1 : 0;
        return isOne && withExcluded !== true;
      },
    };
    return document.forProgram(async (table) => {
      const { findings, hasMore } = await locatedFindings(table, files, signal, filter);
      const rows =
        filter && (await withRows(table, { filter }, (view) => Promise.resolve(view.rows)));
      const state: ProblemsState = {
        on: findings.length > 0 || matched > 0,
        listed: findings.length,
        hasMore,
        ...(rows !== undefined && { filtered: { rows, of: table.info.rows } }),
        ...(matched > 0 && { excluded: matched }),
        ...(matched > 0 && withExcluded === true && { areExcludedListed: true as const }),
      };
      return { findings, state };
    });
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
