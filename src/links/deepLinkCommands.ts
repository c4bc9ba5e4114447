import * as vscode from 'vscode';
import { plainText } from '../base/text/plainText';
import { UserError } from '../base/userError';
import type { ArgumentOf } from '../commands';
import { extensionId } from '../contributions';
import { FindingNode } from '../service/findings/ui/findingItems';
import { activeUri } from '../service/findings/ui/findingDocuments';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import type { ReportLookup } from '../service/reports/ui/reportFiles';
import { ReportNode } from '../service/reports/ui/reportsView';
import { activeTable } from '../viewer/table/ui/tableCommands';
import { findIdentity } from '../vocabulary/identity';
import { writeToClipboard } from '../workbench/clipboard';
import { type CommandCall, type Commands, dismissed } from '../workbench/commandRunner';
import { confirm } from '../workbench/messages';
import { pickOne } from '../workbench/pick';
import { showTable } from '../workbench/views';
import { type DeepLink, formatDeepLink, parseDeepLink } from './deepLink';
import { findLinkedFinding, showLiveFinding } from './findingLinks';
import { shownReport } from './shownReport';
import { findTableFile } from './tools/answers/findTableFile';

const { t } = vscode.l10n;

/** What the commands about links need. */
interface DeepLinkDeps extends FindingsFeature, ReportLookup {
  readonly openReport: (argument: { readonly id: string }) => PromiseLike<unknown>;
}

/** The commands that copy links into this extension, and that follow them. */
export function deepLinkCommands(deps: DeepLinkDeps) {
  return {
    'scorecard.copyLink': async (call) => {
      const { path, query } = formatDeepLink(await linkOf(deps, call));
      const parts = { scheme: vscode.env.uriScheme, authority: extensionId, path, query };
      const link = vscode.Uri.from(parts).toString();
      await writeToClipboard(link, t('Copied the link'));
      return link;
    },
    // Also what VS Code hands on of a link that was opened elsewhere.
    'scorecard.openLink': (call) => follow(deps, parseDeepLink(linkParts(call))),
  } satisfies Commands;
}

async function linkOf(
  deps: DeepLinkDeps,
  call: CommandCall<ArgumentOf<'scorecard.copyLink'>>,
): Promise<DeepLink> {
  const { id, path } = call.args;
  if (call.node instanceof ReportNode) {
    return { kind: 'report', id: call.node.report.id };
  }
  if (id !== undefined) {
    return { kind: 'report', id };
  }
  const isFinding = call.node instanceof FindingNode || call.args.number !== undefined;
  const uri =
    path === undefined ? (call.uri ?? activeTable() ?? activeUri()) : vscode.Uri.file(path);
  return isFinding || uri?.scheme === deps.documents.scheme
    ? linkOfFinding(deps, call)
    : linkOfFile(deps, uri);
}

async function linkOfFinding(
  deps: DeepLinkDeps,
  call: CommandCall<ArgumentOf<'scorecard.copyLink'>>,
): Promise<DeepLink> {
  const { list, number, entry } = await findLinkedFinding(deps, call);
  const issueId = findIdentity(entry);
  if (issueId === undefined) {
    throw new UserError(t('This finding has no ID, so that no link can lead to it.'), 'notFound');
  }
  const { scorecardId, issueType } = list;
  return { kind: 'finding', scorecardId, issueType, issueId, number };
}

function linkOfFile(deps: DeepLinkDeps, uri: vscode.Uri | undefined): DeepLink {
  const report = uri && shownReport(deps, uri);
  if (report) {
    return { kind: 'report', id: report.id };
  }
  if (!uri || !vscode.workspace.getWorkspaceFolder(uri)) {
    throw new UserError(
      t(
        'Links lead to findings, reports, and files in the folders of this window. Open one first.',
      ),
      'badRequest',
    );
  }
  return { kind: 'file', path: vscode.workspace.asRelativePath(uri, false) };
}

/** The parts of a link that VS Code or a program passes. @throws UserError if it is none of ours */
function linkParts({ uri, args }: CommandCall<ArgumentOf<'scorecard.openLink'>>) {
  const link = uri ?? parseUri(args.link ?? '');
  const isOurs = link.authority.toLowerCase() === extensionId.toLowerCase();
  return isOurs ? { path: link.path, query: link.query } : { path: '', query: '' };
}

function parseUri(text: string): vscode.Uri {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return vscode.Uri.from({ scheme: 'none' });
  }
}

async function follow(deps: DeepLinkDeps, link: DeepLink): Promise<undefined> {
  switch (link.kind) {
    case 'finding':
      await followToFinding(deps, link);
      break;
    case 'report':
      await followToReport(deps, link.id);
      break;
    case 'file':
      await followToFile(link.path);
      break;
  }
  return dismissed;
}

/** Shows a finding. It is asked before a request is sent: anybody can make a link. */
async function followToFinding(
  deps: DeepLinkDeps,
  link: DeepLink & { readonly kind: 'finding' },
): Promise<void> {
  const { session, scorecards, findings, names } = deps;
  const { account } = session.requireSignedIn();
  const { scorecardId, issueType, issueId } = link;
  const known = scorecards.find(scorecardId);
  const isListed = known?.issueTypes.includes(issueType) === true;
  const isLoaded = isListed && findings.listOf(scorecardId, issueType).rowOf(issueId) !== undefined;
  const question = t(
    'Open the finding {0} that a link names?',
    `${plainText(issueId, 60)} (${names.title(issueType)}, ${known?.name ?? scorecardId})`,
  );
  const detail = t('Its list is requested from {0}.', account.origin);
  if (isLoaded || (await confirm(question, detail, t('Open')))) {
    await showLiveFinding(deps, link);
  }
}

/** @throws UserError if the report is not on this machine */
async function followToReport({ reports, openReport }: DeepLinkDeps, id: string): Promise<void> {
  await reports.load();
  if (!reports.listOfAllAccounts().some((report) => report.id === id)) {
    throw new UserError(
      t(
        'The link leads to a report that is not on this machine. Start a report of your own, or ask for the file.',
      ),
      'notFound',
    );
  }
  await openReport({ id });
}

/** @throws UserError if no folder has such a file, or a link of the file system leads out of it */
async function followToFile(below: string): Promise<void> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const onDisk = folders.filter(({ scheme }) => scheme === 'file');
  const all = await Promise.all(
    onDisk.map((folder) => findTableFile([folder], below).catch(() => undefined)),
  );
  const found = all.flatMap((each) => each?.folder ?? []);
  if (found.length === 0) {
    throw new UserError(
      t(
        'The link leads to the findings file "{0}", which no folder of this window has. Open the folder that has it, then open the link again.',
        plainText(below, 100),
      ),
      'notFound',
    );
  }
  const folder =
    found.length === 1
      ? found[0]
      : await pickOne(
          found.map((each) => ({ label: each.fsPath, value: each })),
          { title: t('Open Link'), placeHolder: t('Several folders have this file. Which one?') },
        );
  if (folder) {
    await showTable(vscode.Uri.joinPath(folder, below));
  }
}
