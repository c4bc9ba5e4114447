import { createScale } from './scale';

/** Why a problem needs no attention any more, or never did. */
export type ClosedReason =
  | 'fixed'
  | 'closed'
  | 'passed'
  | 'departed'
  | 'decayed'
  | 'accepted'
  | 'rejected';

/** What the status of a problem says. */
export interface Status {
  readonly isOpen: boolean;
  /** Why it is not open. */
  readonly reason?: ClosedReason;
}

/** The words of many tools in English and German, without what joins their parts; those that need attention first. */
const statuses: readonly (readonly [ClosedReason | 'open', string])[] = [
  [
    'open',
    'open active new reopened revived resurfaced present unresolved confirmed triaged inprogress inreview toreview ' +
      'todo toverify needstriage intriage notfixed notmitigated unmitigated offen aktiv neu ouvert abierto aperto aberto ' +
      'fail failed failing failure noncompliant notcompliant unhealthy exploitable affected ' +
      'knownaffected underinvestigation vulnerable detected notified recurrent nichtbestanden',
  ],
  [
    'fixed',
    'resolved fixed mitigated remediated resolvedwithpedigree solved patched firstfixed fixedconfirmed fixedunconfirmed validfix ' +
      'remediationcomplete remediationcompleted upgraded threatresolved behoben gelöst résolu résolue corrigé resuelto corregido risolto corretto resolvido',
  ],
  [
    'closed',
    'closed done inactive archived archivedbyuser absent withdrawn obsolete superseded retired nolongerdetected ' +
      'nolongerreported nolongerpresent notdetected gone removed libraryremoved decommissioned cancelled canceled abandoned dropped ' +
      'closedcomplete closedincomplete closedskipped skip skipped notrun notselected geschlossen erledigt inaktiv archiviert zurückgezogen fermé fermée cerrado chiuso fechado',
  ],
  [
    'passed',
    'pass passed passing success successful ok safe reviewedsafe compliant healthy nofinding bestanden erfüllt',
  ],
  ['departed', 'departed'],
  ['decayed', 'decayed'],
  [
    'accepted',
    'accepted riskaccepted acceptedrisk riskacceptance acceptrisk acceptablerisk tolerated tolerable ' +
      'tolerablerisk snoozed compensatingcontrol compensatingcontrols exceptiongranted exceptionapproved approvedexception wontfix willnotfix wontdo waived waiver ' +
      'exempt exempted exemption exception excepted akzeptiert risikoakzeptiert akzeptiertesrisiko',
  ],
  [
    'rejected',
    'rejected dismissed suppressed suppress ignored ignore muted silenced excluded falsepositive fp notaffected knownnotaffected ' +
      'notapplicable intentional n/a notexploitable notvulnerable notvuln invulnerable unaffected benign benignpositive informative spam noise ' +
      'bydesign mitigatebydesign workingasdesigned workingasintended intended componentnotpresent ' +
      'vulnerablecodenotpresent notvalid irrelevant notanissue notafinding notabug notaproblem ' +
      'invalid allowlisted whitelisted usedintests testdata duplicate outofscope notreproducible cannotreproduce ' +
      'ignoriert verworfen ' +
      'abgelehnt falschpositiv stummgeschaltet nichtbetroffen nichtausnutzbar',
  ],
];

const byWord: ReadonlyMap<string, Status> = new Map(
  statuses.flatMap(([reason, words]) => {
    const status: Status = reason === 'open' ? { isOpen: true } : { isOpen: false, reason };
    return words.split(' ').map((word) => [word, status] as const);
  }),
);

/** What a status says, such as `Resolved`, `wont_fix` or `falsePositive`; `undefined` if the word is unknown. */
export function parseStatus(text: string): Status | undefined {
  if (!text.includes(',')) {
    return findStatus(text);
  }
  // Of several words, as in `Present, AcceptedRisk`, one that closes the problem decides.
  const known = text.split(',').flatMap((part) => findStatus(part.trim()) ?? []);
  return known.find(({ isOpen }) => !isOpen) ?? known[0];
}

/** A longer text is no status, and would be searched for one for long. */
const longestStatus = 200;

function findStatus(text: string): Status | undefined {
  if (text.length > longestStatus) {
    return undefined;
  }
  const word = statusWord(text);
  const status = byWord.get(word) ?? byWord.get(withoutHow(word));
  return status && text.includes('/') && saysBoth(text) ? undefined : status;
}

/** Whether a text has a status that is open and one that is not, as `Pass/Fail` in a form that nobody has filled in. */
function saysBoth(text: string): boolean {
  const known = text.split('/').flatMap((part) => byWord.get(statusWord(part)) ?? []);
  return known.some(({ isOpen }) => isOpen) && known.some(({ isOpen }) => !isOpen);
}

/** Whatever was decided until a day is decided anew when it is over: then the problem needs attention. */
function withoutHow(word: string): string {
  const [, year = '', month = '', day = ''] = /until\D*(\d{4})(\d\d)?(\d\d)?$/.exec(word) ?? [];
  const end = year === '' ? Infinity : Date.UTC(+year, +(month || 12) - 1, +(day || 31), 24);
  return end < Date.now() ? '' : word.replace(howOrByWhom, '');
}

/**
 * How long, or who or what has decided, as in `Auto-Resolved`, `Verified Fixed`, `Suppressed by user`, `Closed as fixed`,
 * `Fixed in 1.2.3` and `Ignored until 2027`.
 */
const howOrByWhom =
  /^(auto(matically)?|verified|manually|marked(as)?|confirmed)(?=.)|(?<=.)((as|by|until).+|permanently)$|(?<=^(fixed|resolved|patched))in(v|version|release)?\d+(\.\d+)*((?!of)[a-z]{1,5}\d*)?$/;

/** Whether a status says that a problem is not open. */
export function isClosedStatus(text: string): boolean {
  return parseStatus(text)?.isOpen === false;
}

export function isKnownStatus(text: string): boolean {
  return parseStatus(text) !== undefined;
}

/** The words that say no more than that a problem is open, as the status of most does. */
const onlyOpen: ReadonlySet<string> = new Set(['open', 'active', 'offen', 'aktiv']);

/** Whether a status says no more than that a problem is open. */
export function saysOnlyOpen(text: string): boolean {
  return onlyOpen.has(statusWord(text));
}

/**
 * A status without what says more about it, as in `Closed - Fixed` and `Closed/Fixed`, without what joins its words, and
 * without signs around it.
 */
function statusWord(text: string): string {
  const [word = ''] = text
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|\P{ASCII}(?<![\p{L}\p{N}])$/gu, '')
    .replace(/^verified - /, '')
    .split(/(?<! ) +[-\u2013:(] *|: |(?<=\w{3})\//);
  return word.replace(/[\s_'\u2019-]+/g, '');
}

/** The statuses of the service, those that need attention first. Words of other tools have no order. */
export const statusScale = createScale(['active', 'resolved', 'departed', 'decayed'], {
  worstFirst: true,
});
