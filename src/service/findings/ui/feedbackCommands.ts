import * as vscode from 'vscode';
import {
  type Companies,
  feedbackPath,
  type FeedbackType,
  feedbackTypes,
  maxFeedbackIds,
} from '../../../api/services/companies';
import { systemClock } from '../../../base/events/clock';
import type { JsonObject } from '../../../base/json/json';
import { isDomainName } from '../../../base/text/hostNames';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import { viewIds } from '../../../contributions';
import type { Decision } from '../../../known/decision';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatDay, formatNumber } from '../../../workbench/format';
import { confirm, showInformation } from '../../../workbench/messages';
import { inView } from '../../../workbench/views';
import type { FindingRow, FindingsList } from '../findingsList';
import { chosenList } from './chosenList';
import { findDecision, FindingNode } from './findingItems';
import type { FindingsFeature } from './findingsFeature';

const { t } = vscode.l10n;

/** The most requests that a dialog names one by one. */
const maxNamed = 8;

/** The most characters of a comment that are shown in a dialog, and sent. */
const maxComment = 1_000;

/** A request with feedback, and what was decided about its findings. */
interface FeedbackRequest {
  readonly company: string;
  readonly issueType: string;
  readonly type: FeedbackType;
  readonly comment: string | undefined;
  readonly decisions: readonly Decision[];
}

type Chosen = readonly (readonly [FindingsList, FindingRow])[];

export function feedbackCommands(deps: FindingsFeature) {
  return {
    'scorecard.sendFeedback': (call) => sendFeedback(deps, call),
  } satisfies Commands;
}

/** Tells the service what was decided about findings, after the user has seen the requests. */
async function sendFeedback(
  deps: FindingsFeature,
  call: CommandCall,
): Promise<{ sent: number } | undefined> {
  const { companies } = deps.session.requireSignedIn().api;
  if (!companies) {
    throw new UserError(t('This service takes no feedback about findings.'), 'badRequest');
  }
  const chosen = await chosenFindings(deps, call);
  if (!chosen) {
    return dismissed;
  }
  const { requests, left } = createRequests(deps, chosen);
  if (requests.length === 0) {
    if (call.by === 'api') {
      throw new UserError(describeNone(left), 'badRequest');
    }
    showInformation(describeNone(left));
    return { sent: 0 };
  }
  const count = requests.reduce((sum, { decisions }) => sum + decisions.length, 0);
  const question =
    count === 1
      ? t('Send feedback about 1 finding to the service?')
      : t('Send feedback about {0} findings to the service?', formatNumber(count));
  const others = chosen.length - count;
  const detail = [describeRequests(requests), ...(others > 0 ? [describeOthers(others)] : [])];
  if (!(await confirm(question, detail.join('\n\n'), t('Send')))) {
    return dismissed;
  }
  await inView(viewIds.findings, () => sendAll(deps, companies, requests));
  showInformation(
    count === 1
      ? t('Sent feedback about 1 finding.')
      : t('Sent feedback about {0} findings.', formatNumber(count)),
  );
  return { sent: count };
}

/** The selected findings, or the loaded ones of a list. */
async function chosenFindings(
  deps: FindingsFeature,
  call: CommandCall,
): Promise<Chosen | undefined> {
  const nodes = (call.nodes ?? [call.node]).filter((node) => node instanceof FindingNode);
  if (nodes.length > 0) {
    return nodes.map(({ list, row }) => [list, row] as const);
  }
  const list = await chosenList(deps, call, t('Send Feedback to the Service'));
  // A filter of the list hides rows from the user.
  return list?.rows.filter((row) => list.filter.shows(row)).map((row) => [list, row] as const);
}

/**
 * Requests for what is known: one for each company, issue type, reason and comment, and for 100 findings; and what is
 * known, and not told.
 */
function createRequests(
  deps: FindingsFeature,
  chosen: Chosen,
): { readonly requests: readonly FeedbackRequest[]; readonly left: readonly Decision[] } {
  const alike = new Map<string, FeedbackRequest & { readonly decisions: Decision[] }>();
  const left: Decision[] = [];
  for (const [list, { entry }] of chosen) {
    const decision = findDecision(deps.known, entry);
    if (!decision) {
      continue;
    }
    const { reason } = decision;
    const comment = decision.comment?.slice(0, maxComment);
    if (reason === 'acceptedRisk' || decision.toldAt !== undefined) {
      left.push(decision);
      continue;
    }
    const type = feedbackTypes[reason];
    const company = nameCompany(deps, list, entry);
    const kind = { company, issueType: list.issueType, type, comment };
    const key = JSON.stringify(kind);
    const decisions = alike.get(key)?.decisions ?? [];
    alike.set(key, { ...kind, decisions });
    decisions.push(decision);
  }
  const requests = [...alike.values()].flatMap(({ decisions, ...kind }) =>
    Array.from({ length: Math.ceil(decisions.length / maxFeedbackIds) }, (_, at) => ({
      ...kind,
      decisions: decisions.slice(at * maxFeedbackIds, (at + 1) * maxFeedbackIds),
    })),
  );
  return { requests, left };
}

/** Why findings that were chosen are in no request. */
function describeOthers(count: number): string {
  return count === 1
    ? t('1 chosen finding is left out: it is not known, an accepted risk, or was sent before.')
    : t(
        '{0} chosen findings are left out: they are not known, accepted risks, or were sent before.',
        formatNumber(count),
      );
}

/** As the reference names a company; where its domain is not known, by the ID of its scorecard. */
function nameCompany(
  { counts }: FindingsFeature,
  { scorecardId }: FindingsList,
  { parent_domain: parent }: JsonObject,
): string {
  const named = typeof parent === 'string' && isDomainName(parent) ? parent : scorecardId;
  return counts.companies.of(scorecardId)?.domain ?? named;
}

function describeNone(left: readonly Decision[]): string {
  const [first] = left;
  if (!first) {
    return t('None of these findings is known: mark them as known first.');
  }
  return first.toldAt === undefined
    ? t('The service takes no feedback about accepted risks.')
    : t('The service was told on {0}.', formatDay(Date.parse(first.toldAt)));
}

function describeRequests(requests: readonly FeedbackRequest[]): string {
  const lines = requests
    .slice(0, maxNamed)
    .map(({ company, issueType, type, comment, decisions }) => {
      const count = decisions.length;
      const findings =
        count === 1
          ? t('{0} finding', formatNumber(count))
          : t('{0} findings', formatNumber(count));
      const said = comment === undefined ? '' : `: ${plainText(comment, maxComment)}`;
      return `POST ${feedbackPath(company, issueType)}\n${findings}, ${type}${said}`;
    });
  const more = requests.length - maxNamed;
  const rest =
    more === 1 ? t('and 1 more request') : t('and {0} more requests', formatNumber(more));
  return [...lines, ...(more > 0 ? [rest] : [])].join('\n\n');
}

/**
 * What was sent is written down after each request, so that it is not sent again.
 * @throws UserError before anything is sent if it cannot be written down
 */
async function sendAll(
  { knownIssues }: FindingsFeature,
  companies: Companies,
  requests: readonly FeedbackRequest[],
): Promise<void> {
  await knownIssues.noteTold([], '');
  for (const { company, issueType, type, comment, decisions } of requests) {
    await companies.sendFeedback(company, {
      issueType,
      issueIds: decisions.map(({ id }) => id),
      type,
      ...(comment !== undefined && { comment }),
    });
    await knownIssues.noteTold(decisions, new Date(systemClock.now()).toISOString());
  }
}
