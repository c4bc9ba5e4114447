import * as vscode from 'vscode';
import { CancelledError } from '../../../base/cancelledError';
import { RateLimitedError } from '../../../api/http/errors';
import { plainText } from '../../../base/text/plainText';
import { viewIds } from '../../../contributions';
import { exportFormats, type SecretMode } from '../../../base/exportFormats';
import type { Exporter, ExportResult } from '../exporter';
import type { ExportTarget } from '../../../files/wholeFile';
import { findListMembers } from '../../findings/listMembers';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import { findListFacts } from '../../findings/ui/listFacts';
import { completeListPages, type Findings } from '../../findings/findings';
import type { FindingRow, FindingsList } from '../../findings/findingsList';
import type { Scorecards } from '../../findings/scorecards';
import { hasSecrets } from '../../../vocabulary/secretFields';
import type { ShownNames } from '../../../vocabulary/shownNames';
import type { Session } from '../../account/session';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { withExportProgress } from '../../../workbench/saving/saveProgress';
import {
  checkTarget,
  offerOtherFolder,
  openExported,
  pickFormat,
  pickSecretValues,
  pickTarget,
} from '../../../workbench/saving/savePrompts';
import { describeResult } from './exportTexts';
import { toTargetError } from '../../../workbench/saving/saveErrors';
import { describeServiceError } from '../../account/ui/describeApiError';
import type { FindingsView } from '../../findings/ui/findingsView';
import { formatNumber } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { loadedAgo } from '../../lists/ui/listTree';
import { pickOne } from '../../../workbench/pick';
import { revealFile } from '../../../workbench/saving/revealFile';
import { inView } from '../../../workbench/views';
import { refreshAction } from '../../findings/ui/refreshAction';
import { chosenList } from '../../findings/ui/chosenList';
import type { ArgumentOf } from '../../../commands';

const { t } = vscode.l10n;

interface ExportDeps extends Pick<FindingsFeature, 'counts' | 'reported'> {
  session: Session;
  scorecards: Scorecards;
  findings: Findings;
  view: FindingsView;
  names: ShownNames;
  exporter: Exporter;
}

/** The findings to export. */
interface Scope {
  /** Some that are loaded. Absent: all of the service. */
  readonly rows?: readonly FindingRow[];
  /** Whether they are those that a filter shows. */
  readonly filtered?: boolean;
}

export function exportCommands(deps: ExportDeps) {
  return { 'scorecard.exportFindings': (call) => exportFindings(deps, call) } satisfies Commands;
}

async function exportFindings(
  deps: ExportDeps,
  call: CommandCall<ArgumentOf<'scorecard.exportFindings'>>,
): Promise<{ path: string; count: number } | undefined> {
  deps.session.requireSignedIn();
  // Check every argument of a program before asking for the rest.
  const targetFile = await checkTarget(call.args.path);
  const formatArg = call.args.format;
  const secretsArg = call.args.secretValues;
  const list = await chosenList(deps, call, t('Export Findings'));
  const name = list && listName(deps, list);
  const title = name === undefined ? '' : t('Export {0}', name);
  const scope = list && (await chosenScope(list, call, title));
  const format = scope && (formatArg ?? (await pickFormat(title, exportFormats)));
  const secretValues =
    format && (secretsArg ?? (await chosenSecretValues(list, scope, call, title)));
  if (!list || !scope || !format || !secretValues || name === undefined) {
    return dismissed;
  }
  const fileName = scope.filtered ? t('{0} - filtered', name) : name;
  const target =
    targetFile === undefined ? await pickTarget(fileName, format) : { ...targetFile, format };
  if (!target) {
    return dismissed;
  }
  const chosen = { list, scope, secretValues, target, name: fileName };
  const result = call.by === 'user' ? await runForUser(deps, chosen) : await run(deps, chosen);
  return { path: target.path, count: result.count };
}

interface ExportChoice {
  list: FindingsList;
  scope: Scope;
  secretValues: SecretMode;
  target: ExportTarget;
  name: string;
}

/** The result of an export, and when its findings were loaded if no request was sent for them. */
type Exported = ExportResult & { readonly loadedAt?: number };

function run(deps: ExportDeps, chosen: ExportChoice): Promise<Exported> {
  return exportChosen(deps, chosen).catch((error: unknown) => {
    throw toTargetError(error, chosen.target.path);
  });
}

async function exportChosen(deps: ExportDeps, chosen: ExportChoice): Promise<Exported> {
  const { list, scope, secretValues, target, name } = chosen;
  const facts = findListFacts(deps, list);
  const membersFor = (fields: ReadonlySet<string>) => findListMembers(fields, facts);
  if (scope.rows) {
    const entries = scope.rows.map(({ entry }) => entry);
    return deps.exporter.exportEntries(entries, secretValues, target, membersFor);
  }
  const { scorecardId, issueType } = list;
  const { account, api } = deps.session.requireSignedIn();
  const body = deps.scorecards.bodyOf(scorecardId, issueType);
  const { complete } = list;
  let exportedCount = 0;
  try {
    const result = await withExportProgress(t('Exporting {0}', name), (follow) =>
      deps.exporter.exportAll({
        api: complete ? completeListPages(complete) : api,
        query: { accountId: account.id, scorecardId, issueType, body, secretValues },
        target,
        membersFor,
        ...follow,
        onProgress: (progress) => {
          exportedCount = progress.count;
          follow.onProgress(progress);
        },
      }),
    );
    return complete ? { ...result, loadedAt: complete.loadedAt } : result;
  } catch (error) {
    if (error instanceof CancelledError && exportedCount > 0) {
      const outcome =
        exportedCount === 1
          ? t(
              'The export was cancelled after 1 finding. Export to the same file to resume: {0}',
              target.path,
            )
          : t(
              'The export was cancelled after {0} findings. Export to the same file to resume: {1}',
              formatNumber(exportedCount),
              target.path,
            );
      // Also for a program, because a user has cancelled it. Without a button, VS Code shows only the first line.
      showInformation(outcome, [
        {
          title: t('Resume'),
          run: async () => {
            await runForUser(deps, chosen);
          },
          describe: describeServiceError,
        },
      ]);
    }
    throw error;
  }
}

/** Exports, and shows the result, or where else to export to. */
async function runForUser(deps: ExportDeps, chosen: ExportChoice): Promise<Exported> {
  try {
    const result = await run(deps, chosen);
    showResult(deps, chosen, result);
    return result;
  } catch (error) {
    return offerOtherFolder(error, describeServiceError, () => exportAgain(deps, chosen));
  }
}

/**
 * A program gets all findings. A user chooses if more findings remain to be loaded, or if a filter hides some.
 */
async function chosenScope(
  list: FindingsList,
  call: CommandCall,
  title: string,
): Promise<Scope | undefined> {
  if (call.by === 'api') {
    return {};
  }
  if (!list.isLoaded) {
    // Loads a page: the user then sees the total, and is asked about secrets before anything is written.
    await inView(viewIds.findings, () => list.loadFirstOfAll()).catch((error: unknown) => {
      // The export itself waits for the rate limit, and masks secrets that are found later.
      if (!(error instanceof RateLimitedError)) {
        throw error;
      }
    });
  }
  const { result } = list;
  // Copies: more rows may arrive while a user chooses.
  const rows = [...list.rows];
  const shownRows = [...list.shownRows];
  const isPart = rows.length > 0 && result.hasMore;
  const hidesSome = shownRows.length > 0 && shownRows.length < rows.length;
  if (!isPart && !hidesSome) {
    return {};
  }
  const loaded = { label: t('Loaded findings ({0})', formatNumber(rows.length)), value: { rows } };
  const filtered = {
    label: t('Filtered findings ({0})', formatNumber(shownRows.length)),
    description: plainText(list.filter.text, 100),
    value: { rows: shownRows, filtered: true },
  };
  const all = {
    label:
      result.total === undefined
        ? t('All findings')
        : t('All findings ({0})', formatNumber(result.total)),
    value: {},
  };
  const choices = hidesSome ? [filtered, ...(isPart ? [loaded] : []), all] : [all, loaded];
  return pickOne<Scope>(choices, { title, placeHolder: t('Which findings?') });
}

/** Masked, unless a user chooses otherwise before anything is written. */
async function chosenSecretValues(
  list: FindingsList,
  scope: Scope,
  call: CommandCall,
  title: string,
): Promise<SecretMode | undefined> {
  // If all findings are exported, the loaded ones show whether there are secrets.
  const rows = scope.rows ?? list.rows;
  if (call.by === 'api' || !rows.some(({ entry }) => hasSecrets(entry))) {
    return 'masked';
  }
  return pickSecretValues(title, t('These findings contain secret values'));
}

/** `Halvorsen Maritime Logistics - Open port` */
function listName(
  { scorecards, names }: ExportDeps,
  { scorecardId, issueType }: FindingsList,
): string {
  const scorecard = scorecards.nameOf(scorecardId);
  return `${scorecard} - ${names.title(issueType)}`;
}

function showResult(deps: ExportDeps, chosen: ExportChoice, result: Exported): void {
  const file = chosen.target.path;
  const age = result.loadedAt === undefined ? [] : [loadedAgo(result.loadedAt)];
  showInformation([describeResult(result, file), ...age].join(' '), [
    { title: t('Open File'), run: () => openExported(file) },
    { title: t('Reveal'), run: () => revealFile(file) },
    ...(result.loadedAt === undefined
      ? []
      : [
          refreshAction(deps.findings, chosen.list, (list) =>
            exportAgain(deps, { ...chosen, list }),
          ),
        ]),
  ]);
}

/** Exports a list again; the dialog confirms before it replaces the file. */
async function exportAgain(deps: ExportDeps, chosen: ExportChoice): Promise<void> {
  const { name, target } = chosen;
  const other = await pickTarget(name, target.format, target.path);
  if (other) {
    await runForUser(deps, { ...chosen, target: other });
  }
}
