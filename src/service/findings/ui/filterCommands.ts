import * as vscode from 'vscode';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { viewIds } from '../../../contributions';
import type { FindingsList } from '../findingsList';
import { ListFilter } from '../../lists/listFilter';
import { hasField, TextFilter } from '../../lists/textFilter';
import { namesOf } from '../../../vocabulary/meanings';
import { plainText } from '../../../base/text/plainText';
import { defined } from '../../../base/defined';
import { UserError } from '../../../base/userError';
import { faultMessages } from '../../../vocabulary/filterFaults';
import { localize } from '../../../workbench/describe';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { shownCounts } from './findingItems';
import { showInformation } from '../../../workbench/messages';
import { inView } from '../../../workbench/views';
import { pickList, withList } from './chosenList';
import { isInScope, readScope } from './pickScorecard';
import type { FindingsFeature } from './findingsFeature';
import { loadAll } from './loadAllCommands';
import type { ArgumentOf, FilterResult, ListArgument } from '../../../commands';

const { t } = vscode.l10n;

/** Delay between the last keystroke and filtering, in milliseconds. */
const typingMs = 150;

export function filterCommands(deps: FindingsFeature) {
  type Act = (
    list: FindingsList,
    text: string | undefined,
    call: CommandCall<ListArgument>,
  ) => Promise<FilterResult | undefined>;
  const withText =
    (title: string, act: Act) => (call: CommandCall<ArgumentOf<'scorecard.filterFindings'>>) => {
      const { text } = call.args;
      return withList(deps, title, (list) => act(list, text, call))(call);
    };
  return {
    'scorecard.filterFindings': withText(t('Filter Findings'), (list, text) =>
      filter(deps, list, text),
    ),
    'scorecard.clearFilter': (call) => clearFilter(deps, call),
    'scorecard.loadAllAndFilter': withText(t('Load All and Filter'), (list, text, call) =>
      loadAllAndFilter(deps, list, text, call),
    ),
  } satisfies Commands;
}

/**
 * Filters a list by a text or, without one, by what a user types.
 * @throws UserError if a sign of the text has no number or date behind it.
 */
async function filter(
  deps: FindingsFeature,
  list: FindingsList,
  text: string | undefined,
): Promise<FilterResult | undefined> {
  if (text === undefined) {
    await loadSome(list);
    await deps.view.expand(list);
    return (await typeFilter(list, deps.names)) ? filterResult(list) : dismissed;
  }
  if (new TextFilter(text).hasFault) {
    throw new UserError(localize(faultMessages.noNumber), 'badRequest');
  }
  list.filter.set(text);
  if (list.isFiltered) {
    await loadSome(list);
  }
  // Another call may set another text meanwhile; this result is about this one.
  const filter = new ListFilter();
  filter.set(text);
  return filterResult(list, filter);
}

async function filterResult(list: FindingsList, filter = list.filter): Promise<FilterResult> {
  const { length: shown } = await filter.searchAll(() => list.rows);
  const { loaded, total } = list.result;
  return { shown, loaded, ...defined({ total }) };
}

/** Loads the first page if no page is loaded: the filter needs rows. */
async function loadSome(list: FindingsList): Promise<void> {
  if (!list.isLoaded) {
    await inView(viewIds.findings, () => list.loadFirst());
  }
}

/**
 * Asks for a text, and filters while it is typed.
 * @returns whether the text was accepted; if not, the previous filter is restored.
 */
function typeFilter(list: FindingsList, names: ShownNames): Promise<boolean> {
  const before = list.filter.text;
  const input = vscode.window.createInputBox();
  const examples = findExamples(list);
  const updatePrompt = () => {
    const counts = list.isFiltered ? `${shownCounts(list)}. ` : '';
    input.prompt =
      counts +
      t(
        'All words must match, in any field. Use {0} for a phrase, {1} for one field, {2} to leave out a word, {3} or {4} to compare.',
        `"${t('two words')}"`,
        ...examples,
      );
    input.validationMessage = new TextFilter(input.value).hasFault
      ? localize(faultMessages.noNumber)
      : describeNoField(list, input.value);
  };
  input.title = t('Filter Findings: {0}', names.title(list.issueType));
  input.placeholder = t('Filter loaded findings');
  input.value = before;
  // The input stays open while the user looks at the rows; Escape closes it.
  input.ignoreFocusOut = true;
  updatePrompt();
  let typing: NodeJS.Timeout | undefined;
  const follow = () => {
    clearTimeout(typing);
    list.filter.set(input.value);
    updatePrompt();
  };
  const listeners = [
    list.onDidChange(updatePrompt),
    input.onDidChangeValue(() => {
      clearTimeout(typing);
      typing = setTimeout(follow, typingMs);
    }),
  ];
  return new Promise<boolean>((resolve) => {
    input.onDidAccept(() => {
      follow();
      if (!new TextFilter(input.value).hasFault) {
        resolve(true);
        input.hide();
      }
    });
    input.onDidHide(() => {
      clearTimeout(typing);
      resolve(false);
      vscode.Disposable.from(...listeners, input).dispose();
    });
    input.show();
  }).then((isAccepted) => {
    if (!isAccepted) {
      list.filter.set(before);
    }
    return isAccepted;
  });
}

/** Shows all rows again: of the list that a call names, or else of a filtered one; a program clears all in its scope. */
async function clearFilter(
  deps: FindingsFeature,
  call: CommandCall,
): Promise<FilterResult | undefined> {
  const { session, findings } = deps;
  session.requireSignedIn();
  const scope = readScope(call);
  const { scorecardId, issueType } = scope;
  const filtered = findings.filtered().filter((list) => isInScope(list, scope));
  const isNamed = scorecardId !== undefined && issueType !== undefined;
  if (!isNamed && call.by === 'api') {
    filtered.forEach((list) => {
      list.filter.set('');
    });
    return undefined;
  }
  if (!isNamed && filtered.length === 0) {
    showInformation(t('No list is filtered.'));
    return dismissed;
  }
  const list = isNamed
    ? findings.listOf(scorecardId, issueType)
    : filtered.length === 1
      ? filtered[0]
      : await pickList(filtered, deps, t('Clear Filter'));
  list?.filter.set('');
  return list && filterResult(list);
}

/** Loads all findings of a list, so that the filter searches every row. */
async function loadAllAndFilter(
  deps: FindingsFeature,
  list: FindingsList,
  text: string | undefined,
  call: CommandCall<ListArgument>,
): Promise<FilterResult | undefined> {
  await inView(viewIds.findings, () => list.loadFirstOfAll());
  const mustAsk = text === undefined && !list.isFiltered && call.by === 'user';
  const filtered = await filter(deps, list, mustAsk ? undefined : (text ?? list.filter.text));
  const loaded = filtered && (await loadAll(deps, call, list));
  return loaded && filterResult(list);
}

/** For one field, to leave out a word, and to compare, with fields that the findings of a list have. */
function findExamples(list: FindingsList): readonly string[] {
  const fields = Object.entries(list.rows[0]?.entry ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && /^\w{1,40}$/.test(name) ? [{ name, value }] : [],
  );
  const first = (pattern: RegExp) => fields.find(({ value }) => pattern.test(value));
  const [usual = ''] = namesOf('status');
  const word = first(/^[a-z]{3,20}$/) ?? { name: usual, value: 'active' };
  const date = first(/^\d{4}-\d\d-\d\d/);
  return [
    `${word.name}:${word.value}`,
    '!resolved',
    `${word.name}:=${word.value}`,
    date ? `${date.name}:>${date.value.slice(0, isoDay)}` : `${word.name}:!=${word.value}`,
  ];
}

/** The length of `2026-01-01`. */
const isoDay = 10;

/** Among more findings, each key would take longer than a user notices. */
const maxLookedAt = 1_000;

/** Says that no finding has a field of the filter, so that none can match. */
function describeNoField(
  list: FindingsList,
  text: string,
): vscode.InputBoxValidationMessage | undefined {
  const { rows } = list;
  if (rows.length === 0 || rows.length > maxLookedAt) {
    return undefined;
  }
  const missing = new TextFilter(text).fields.find(
    (field) => !rows.some(({ entry }) => hasField(entry, field)),
  );
  return missing === undefined
    ? undefined
    : {
        message: t('No loaded finding has a field "{0}".', plainText(missing, 60)),
        severity: vscode.InputBoxValidationSeverity.Info,
      };
}
