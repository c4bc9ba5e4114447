import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../base/events/clock';
import { CancelledError } from '../../../base/cancelledError';
import { plainText } from '../../../base/text/plainText';
import type { Event } from '../../../base/events/emitter';
import type { Logger } from '../../../base/logger';
import { UserError } from '../../../base/userError';
import type { ArgumentOf } from '../../../commands';
import { type Filter, keyOfText, type KnownFinding, type TableHandle } from '../../../engine';
import {
  countsIn,
  dayAfter,
  type DecidableFinding,
  type Decision,
  findingKey,
  parseEnd,
  shownMoment,
  reasonTexts,
} from '../../../known/decision';
import type { KnownIssues } from '../../../known/knownIssues';
import { openFilters } from '../../../summary/openFindings';
import { areFindings } from '../../../vocabulary/findingColumns';
import { type KnownReason, knownReasons } from '../../../vocabulary/knownReasons';
import { isNameOf } from '../../../vocabulary/meanings';
import { localize } from '../../../workbench/describe';
import { describeDecision } from '../../../workbench/describeDecision';
import { describeForLog } from '../../../workbench/describeForLog';
import { formatDay, formatNumber } from '../../../workbench/format';
import { showInformation, showWarning } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { localPath } from '../../../workbench/storedFiles';
import {
  decide,
  identifyMarked,
  knownFindings,
  type MarkedRows,
  type ListedDecision,
  listDecisions,
} from '../knownFindings';
import type { Decided, LastDecision } from '../lastDecision';
import { type StatedDecisions, StatedDocuments, type StatedFinding } from '../statedDecisions';
import type { TableDocument } from './tableDocument';
import { checkScope } from '../tableScope';

const { t } = vscode.l10n;

/** How a program names findings. */
type NamedFindings = Pick<ArgumentOf<'scorecard.unmarkKnown'>, 'filter' | 'ids'>;

/** Marks rows of tables as known, and tells tables which findings are. */
export class KnownTables {
  /** Fires when other findings may be known. */
  readonly onChange: Event<void>;
  private warned: string | undefined;
  private readonly documents = new StatedDocuments();

  constructor(
    private readonly known: KnownIssues,
    /** The workspace in which decisions count that are kept for all of them; `undefined` if all of a file count. */
    private readonly workspace: () => string | undefined,
    private readonly log: Pick<Logger, 'warn'>,
    /** What was decided last in this workspace, to be repeated. */
    private readonly last: LastDecision,
  ) {
    this.onChange = known.onChange;
  }

  get file(): string {
    return this.known.file;
  }

  /** The findings that are known, or were. Never rejects: a file that cannot be read is said once. */
  async findings(): Promise<readonly KnownFinding[]> {
    try {
      const { decisions, faults } = await this.known.read();
      const [fault] = faults;
      if (fault?.line === 0) {
        const name = path.basename(this.file);
        this.warn(
          t(
            '{0} is missing or empty: no known issue counts. Restore it, or choose another file.',
            name,
          ),
          {
            title: t('Choose File\u2026'),
            run: () => vscode.commands.executeCommand('scorecard.keepKnownIssuesIn'),
          },
        );
      } else if (fault) {
        this.warn(
          t(
            '{0}, line {1}: {2} Known issues that count: {3}.',
            path.basename(this.file),
            formatNumber(fault.line),
            localize(fault.reason),
            formatNumber(decisions.length),
          ),
        );
      } else {
        // What was repaired may break again.
        this.warned = undefined;
      }
      return knownFindings(this.own(decisions), systemClock.now(), describeDecision);
    } catch (error) {
      this.log.warn(`Known issues could not be read: ${describeForLog(error)}`);
      this.warn(
        t(
          'The known issues in {0} could not be read: none counts. Look whether you may read the file, then reload the table.',
          this.file,
        ),
      );
      return [];
    }
  }

  /**
   * Marks rows of an open table: a user says why.
   * @param table that has the rows. @throws CancelledError if another content of the file is open now
   */
  async markShown(document: TableDocument, rows: MarkedRows, table: TableHandle): Promise<void> {
    const found = await this.identify(document, rows, table);
    const file = fileBeside(document);
    const stated = file === undefined ? [] : await this.documents.find(file, found);
    await this.markFindings(found, stated);
  }

  /** What documents beside the file of an open table state about those of its findings that count as open. */
  async findStated(
    document: TableDocument,
    table: TableHandle,
  ): Promise<readonly StatedDecisions[]> {
    const file = fileBeside(document);
    const names = file === undefined ? [] : await this.documents.readNames(file);
    const { columns } = table.info;
    const isNamed = ({ name }: (typeof columns)[number]) =>
      isNameOf('vulnerability', name) || isNameOf('rule', name);
    const named = columns.filter(isNamed);
    if (file === undefined || names.length === 0 || named.length === 0 || !areFindings(columns)) {
      return [];
    }
    const keys = names.map(keyOfText);
    const areNamed = named.map(({ id: column }): Filter => ({ op: 'in', column, keys }));
    const { closed } = await table.call('readOverview', { now: 0, scope: 'open' });
    const filter: Filter = {
      op: 'and',
      of: [{ op: 'or', of: areNamed }, ...openFilters(closed)],
    };
    return this.documents.find(file, await this.identify(document, { query: { filter } }, table));
  }

  /** Marks what a document beside the file states about its open findings. @throws as `markShown` */
  async markStated(document: TableDocument, name: string, table: TableHandle): Promise<void> {
    const stated = await this.findStated(document, table);
    const { decisions = [] } = stated.find((each) => each.name === name) ?? {};
    if (decisions.length > 0) {
      await this.mark(decisions, t('as {0} says', name));
    }
  }

  /** Marks findings: a user says why. @param stated what documents say about them, to be chosen. */
  async markFindings(
    found: readonly DecidableFinding[],
    stated: readonly StatedDecisions[] = [],
  ): Promise<void> {
    if (found.length === 0) {
      return;
    }
    const why = await this.askWhy(found, stated);
    if (why && 'decisions' in why) {
      await this.mark(why.decisions, t('as {0} says', why.name));
    } else if (why) {
      const decisions = found.map((row) => decide(row, why));
      await this.mark(decisions, describeDecision(why));
      this.last.keep(why);
    }
  }

  /** Marks the rows of a table that a program names. */
  async markNamed(
    document: TableDocument,
    { reason, until, comment, ...args }: ArgumentOf<'scorecard.markKnown'>,
  ): Promise<{ marked: number; file: string }> {
    if (reason === undefined) {
      throw new UserError(t('Enter a reason: {0}.', knownReasons.join(', ')), 'badRequest');
    }
    if (until !== undefined && isNaN(parseEnd(until))) {
      throw new UserError(
        t('"{0}" is no date. Enter one such as 2027-06-30.', until),
        'badRequest',
      );
    }
    const found = await this.identifyNamed(document, args);
    const decided = {
      reason,
      ...(until !== undefined && { until }),
      ...(comment !== undefined && { comment }),
    };
    await this.known.mark(found.map((row) => decide(row, decided)));
    return { marked: found.length, file: this.file };
  }

  /** The rows are no longer known. @throws as `markShown` */
  async unmarkShown(document: TableDocument, rows: MarkedRows, table: TableHandle): Promise<void> {
    await this.unmarkFindings(await this.identify(document, rows, table));
  }

  /** @returns how many were known */
  async unmarkFindings(found: readonly DecidableFinding[]): Promise<number> {
    const removed = await this.unmark(found);
    return this.tellRemoved(removed, () => this.known.restore(removed));
  }

  /** Removes decisions, but no others about the same findings. @returns how many there were */
  async removeDecisions(decisions: readonly Decision[]): Promise<number> {
    const removed = await this.known.remove(decisions);
    return this.tellRemoved(removed, () => this.known.restore(removed));
  }

  private tellRemoved(removed: readonly Decision[], undo: () => Promise<unknown>): number {
    if (removed.length === 0) {
      showInformation(t('None of these findings is known.'));
      return 0;
    }
    showInformation(
      removed.length === 1
        ? t('1 finding is no longer known.')
        : t('{0} findings are no longer known.', formatNumber(removed.length)),
      [{ title: t('Undo'), run: undo }],
    );
    return removed.length;
  }

  async unmarkNamed(
    document: TableDocument,
    args: ArgumentOf<'scorecard.unmarkKnown'>,
  ): Promise<{ unmarked: number; file: string }> {
    const found = await this.identifyNamed(document, args);
    return { unmarked: (await this.unmark(found)).length, file: this.file };
  }

  /** All decisions of the file, also those about files of other folders. */
  async listAll(): Promise<ListedDecision[]> {
    return listDecisions((await this.known.read()).decisions, systemClock.now());
  }

  /** The decisions that count in this window; with a table, also which of them match nothing in it, or got worse. */
  async list(document?: TableDocument): Promise<ListedDecision[]> {
    // What it shows is drawn again first, if other findings are known by now.
    await document?.refreshKnown();
    const decisions = this.own((await this.known.read()).decisions);
    const now = systemClock.now();
    const known = knownFindings(decisions, now, describeDecision);
    const summary = await document?.forProgram(async (table) => {
      const found = await table.call('setKnown', { known });
      // A comparison has only what differs.
      return table.info.columns.some(({ role }) => role === 'change') ? undefined : found;
    });
    return listDecisions(decisions, now, summary);
  }

  /** The findings that a program names, each once. */
  private async identifyNamed(
    document: TableDocument,
    args: NamedFindings,
  ): Promise<readonly DecidableFinding[]> {
    const found = new Map<string, DecidableFinding>();
    for (const rows of await namedRows(document, args)) {
      for (const finding of await this.identify(document, rows)) {
        found.set(JSON.stringify([finding.id, finding.detail]), finding);
      }
    }
    return [...found.values()];
  }

  /** @throws UserError if nothing tells the rows of the file apart */
  private identify(
    document: TableDocument,
    rows: MarkedRows,
    shown?: TableHandle,
  ): Promise<readonly StatedFinding[]> {
    return document.forProgram(async (table) => {
      if (shown && table !== shown) {
        throw new CancelledError();
      }
      if (table.info.rows > 0 && !areFindings(table.info.columns)) {
        throw new UserError(
          t('The rows of "{0}" are no findings: only findings can be marked.', document.name),
          'badRequest',
        );
      }
      const found = await identifyMarked(table, rows);
      if (!found) {
        throw new UserError(
          t(
            'Nothing tells the findings of "{0}" apart, such as an ID, or a rule and a file. They cannot be marked.',
            document.name,
          ),
          'badRequest',
        );
      }
      // Where a file is named by its path in the workspace, it is another one in the next workspace.
      const workspace = this.workspace();
      return found.map(({ record: _, isOfService, ...finding }) =>
        isOfService || workspace === undefined ? finding : { ...finding, workspace },
      );
    });
  }

  /** The decisions that count here. */
  private own(decisions: readonly Decision[]): readonly Decision[] {
    const workspace = this.workspace();
    return workspace === undefined
      ? decisions
      : decisions.filter((decision) => countsIn(decision, workspace));
  }

  private async mark(decisions: readonly Decision[], why: string): Promise<void> {
    const replaced = await this.known.mark(decisions);
    showInformation(
      decisions.length === 1
        ? t('Marked 1 finding as known: {0}.', why)
        : t('Marked {0} findings as known: {1}.', formatNumber(decisions.length), why),
      [{ title: t('Undo'), run: () => this.known.takeBack(decisions, replaced) }],
    );
  }

  /** @returns the decisions that were removed */
  private async unmark(found: readonly DecidableFinding[]): Promise<readonly Decision[]> {
    return found.length > 0 ? this.known.unmark(found) : [];
  }

  /** Asks for the reason, how long it holds, and a comment. */
  private async askWhy(
    found: readonly DecidableFinding[],
    stated: readonly StatedDecisions[],
  ): Promise<Decided | StatedDecisions | undefined> {
    const last = this.last.find(systemClock.now());
    const count = found.length;
    const title = askTitle(found);
    const reason = await pickOne<KnownReason | 'last' | StatedDecisions>(
      [
        ...(last
          ? [
              {
                label: describeDecision(last),
                description: t('As last time'),
                ...(last.comment !== undefined && {
                  detail: t('Comment: {0}', plainText(last.comment, 200)),
                }),
                value: 'last' as const,
              },
            ]
          : []),
        ...knownReasons.map((value) => ({ label: localize(reasonTexts[value]), value })),
        ...stated.map((value) => ({
          label: t('As {0} Says', plainText(value.name, 100)),
          description: t('{0} of {1}', formatNumber(value.decisions.length), formatNumber(count)),
          value,
        })),
      ],
      { title, placeHolder: await this.askedWhy(found) },
    );
    if (reason === undefined || reason === 'last') {
      return reason && last;
    }
    if (typeof reason !== 'string') {
      return reason;
    }
    const until = await askUntil(title);
    if (until === undefined) {
      return undefined;
    }
    const comment = await vscode.window.showInputBox({
      title,
      prompt: t('A comment for whoever reads this later. It may be empty.'),
    });
    return comment === undefined
      ? undefined
      : {
          reason,
          ...(until !== 'forGood' && { until }),
          ...(comment.trim() !== '' && { comment: comment.trim() }),
        };
  }

  /** The question, and how many decisions it replaces. */
  private async askedWhy(found: readonly DecidableFinding[]): Promise<string> {
    const { decisions } = await this.known.read().catch(() => ({ decisions: [] }));
    const decided = new Set(this.own(decisions).map(findingKey));
    const count = found.filter((finding) => decided.has(findingKey(finding))).length;
    return count === 0 || found.length === 1
      ? t('Why does it need no attention?')
      : t(
          'Why do they need no attention? {0} of {1} are known already, which this replaces.',
          formatNumber(count),
          formatNumber(found.length),
        );
  }

  /** Says once what is wrong with the file, and what to do. */
  private warn(
    text: string,
    action = {
      title: t('Open File'),
      run: () => vscode.commands.executeCommand('vscode.open', vscode.Uri.file(this.file)),
    },
  ): void {
    if (text !== this.warned) {
      this.warned = text;
      showWarning(text, [action]);
    }
  }
}

/** The file of a table, if what is beside it may be read: in a workspace that is not trusted, no document is. */
function fileBeside({ uri }: TableDocument): string | undefined {
  return vscode.workspace.isTrusted ? localPath(uri) : undefined;
}

async function askUntil(title: string): Promise<string | undefined> {
  const now = systemClock.now();
  const choice = await pickOne(
    [
      { label: t('For good'), value: 'forGood' },
      ...[30, 90].map((days) => ({
        label: t('{0} days', days),
        description: t('until {0}', formatDay(shownMoment(dayAfter(now, days)))),
        value: dayAfter(now, days),
      })),
      { label: t('Until a Date\u2026'), value: 'date' },
    ],
    { title, placeHolder: t('For how long?') },
  );
  if (choice !== 'date') {
    return choice;
  }
  const day = await vscode.window.showInputBox({
    title,
    prompt: t('The last day, such as {0}.', dayAfter(now, 180)),
    validateInput: (text) =>
      parseEnd(text.trim()) > now
        ? undefined
        : t('Enter a day in the future, such as {0}.', dayAfter(now, 180)),
  });
  return day?.trim();
}

/** The rows that the arguments of a program name: those of a filter, and those with some ids. */
async function namedRows(
  document: TableDocument,
  { filter, ids }: NamedFindings,
): Promise<readonly MarkedRows[]> {
  if (filter === undefined && ids === undefined) {
    throw new UserError(
      t('Name the findings: by a filter of columns, or by their ids.'),
      'badRequest',
    );
  }
  const { columns } = await document.forProgram((table) => table.call('checked', {}));
  return [
    ...(filter ? [{ query: checkScope({ filter }, columns).query }] : []),
    ...(ids ? [{ query: {}, ids: new Set(ids) }] : []),
  ];
}

/** What is asked about; one finding by what and where it is, as a key may have met another row than its user meant. */
function askTitle([first, ...others]: readonly DecidableFinding[]): string {
  if (others.length > 0) {
    return t('Mark {0} Findings as Known', formatNumber(others.length + 1));
  }
  const { rule, title, place } = first ?? {};
  const names = [rule ?? title, place].flatMap((name) => name ?? []);
  return names.length === 0
    ? t('Mark 1 Finding as Known')
    : t('Mark 1 Finding as Known: {0}', plainText(names.join(', '), 80));
}
