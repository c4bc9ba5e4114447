import { isPlainObject, type JsonObject } from '../base/json/json';
import { tryParseJson } from '../base/json/tryParseJson';
import { lastTwoNames, memberKey, snakeCase } from './fieldNames';
import { isNameOf, mayMean, namesOf, says } from './meanings';
import { wordKey } from './scale';
import { findSeverityLevel, severityScale } from './severity';
import { isClosedStatus, isKnownStatus, parseStatus } from './status';

/*
 * Which findings are closed: passed, fixed, accepted, suppressed, ... A file may say so in several columns, and a
 * finding is closed if any of them does.
 */

/**
 * How the values of a column say so. `status`: by words. `outcome`: by those for what passed, is not affected or
 * ignored, where others are of a fix. `check`: what a check found, of which `MANUAL` says that somebody has to look: it
 * has neither passed nor failed, as in Prowler. `severity`: by words that say that there is no problem. `ifTrue`:
 * `false_positive`. `ifFalse`: `active`. `ifDated`: `withdrawn`. `proposal`: of one to accept a finding. `kind`: of a
 * result of SARIF (2.1.0, section 3.27.9). `auditLine`: of a line that Yarn writes. `confidence`: that it is none, as in
 * ZAP. `baseline`: what changed since another run (3.27.24). `suppressions`: a list that is not empty, such as the
 * `appliedIgnoreRules` of Grype. `feedback`: a list of what was told to the service, of which something was accepted.
 */
export const closingForms = [
  'status',
  'outcome',
  'check',
  'severity',
  'ifTrue',
  'ifFalse',
  'ifDated',
  'proposal',
  'kind',
  'auditLine',
  'confidence',
  'baseline',
  'suppressions',
  'feedback',
] as const;

export type ClosingForm = (typeof closingForms)[number];

/** A column with its sampled values. */
export interface ClosingCandidate {
  readonly name: string;
  /** The values of the sampled rows, without those of rows that have none. */
  readonly texts: readonly string[];
}

/** The most names in the path of a column with a yes or no about the finding. */
const maxDistance = 3;

const yes: ReadonlySet<string> = new Set(['true', 'yes', '1', 'ja', 'wahr', 'y']);
const no: ReadonlySet<string> = new Set(['false', 'no', '0', 'nein', 'falsch', 'n', '']);

const resultKinds: ReadonlySet<string> = new Set(
  ['pass', 'open', 'informational', 'notApplicable', 'review', 'fail'].map(word),
);
/** Kinds of results that need no attention. `open` and `review` have not been decided. */
const closedKinds: ReadonlySet<string> = new Set(
  ['pass', 'informational', 'notApplicable'].map(word),
);
/** What a line of `yarn audit --json` (Yarn 1) is if it is a finding; others tell of the work, or count. */
const auditFinding = word('auditAdvisory');
const auditSummary = word('auditSummary');
const baselineStates: ReadonlySet<string> = new Set(['new', 'unchanged', 'updated', 'absent']);

/** Another column of the file; without texts, its name alone says what it means. */
type NamedColumn = Pick<ClosingCandidate, 'name'> & Partial<ClosingCandidate>;

/**
 * How a column says which findings are closed; `undefined` if it does not. One that no sampled row has is told by
 * its name alone.
 * @param columns all of the file.
 */
export function findClosingForm(
  { name, texts }: ClosingCandidate,
  columns: readonly NamedColumn[],
): ClosingForm | undefined {
  const words = new Set(texts.map(word));
  const areAll = (known: (text: string) => boolean) => [...words].every(known);
  const areBoolean = () => areAll((text) => yes.has(text) || no.has(text));
  if (says('otherStatus', name)) {
    return undefined;
  }
  // What is further away is another finding in an object around the row.
  const isNear = name.split('.').length <= maxDistance;
  if (mayMean('withdrawn', name) && areAll(isDateOrNothing)) {
    return isNear ? 'ifDated' : undefined;
  }
  if (mayMean('closedSince', name) && areAll(isDateOrNothing)) {
    // A finding that is open again may still say when it was resolved; and what is around it is resolved, too.
    const others = columns.filter((each) => each.name !== name);
    return name.includes('.') || others.some(saysWhetherOpen) ? undefined : 'ifDated';
  }
  if (mayMean('closedIf', name)) {
    return isNear && areBoolean() ? 'ifTrue' : undefined;
  }
  if (mayMean('openIf', name)) {
    const has = (isIt: (column: string) => boolean) => columns.some((each) => isIt(each.name));
    // A payload alone may be what any finding has.
    const isOfAttack =
      memberKey(name) === 'active' &&
      (has((each) => isNameOf('attack', each)) ||
        (has((each) => memberKey(each) === 'payload') && has((each) => isNameOf('url', each))));
    return isNear && !isOfAttack && areBoolean() ? 'ifFalse' : undefined;
  }
  if (mayMean('proposal', name)) {
    return 'proposal';
  }
  if (mayMean('confidence', name)) {
    return 'confidence';
  }
  if (isNameOf('suppressions', name)) {
    // A request to suppress a result of SARIF may be rejected: those that are suppressed have a status.
    const areLists = texts.every((text) => text.startsWith('['));
    return areLists && !areResultsOfSarif(columns) ? 'suppressions' : undefined;
  }
  if (isNameOf('feedback', name)) {
    return texts.every((text) => text === '' || text.startsWith('[')) ? 'feedback' : undefined;
  }
  if (memberKey(name) === 'kind') {
    return words.size > 0 && areAll((text) => resultKinds.has(text)) ? 'kind' : undefined;
  }
  if (memberKey(name) === 'type' && (words.has(auditFinding) || words.has(auditSummary))) {
    return 'auditLine';
  }
  if (memberKey(name) === 'baseline_state') {
    return areAll((text) => baselineStates.has(text)) ? 'baseline' : undefined;
  }
  const saysClosed = isStatus(name, texts) || (mayMean('outcome', name) && areOutcomes(texts));
  if (!saysClosed || says('fix', lastTwoNames(name))) {
    return undefined;
  }
  // Lists of one file may share the name: in Trivy, vulnerabilities and misconfigurations have a status.
  const isOutcome = (text: string) => fixStatus.test(text) || ofCheckOrRule.test(text);
  const areMostly = (isIt: (text: string) => boolean) =>
    texts.filter(isIt).length * 2 >= texts.length;
  const isOfFix =
    (isBesideFixVersion(name, columns) && areMostly(isOutcome)) ||
    (areFixedInVersions(texts, columns) && areMostly((text) => fixInVersion.test(text)));
  return isOfFix ? 'outcome' : areOfCheck(texts) ? 'check' : 'status';
}

/** Whether values are mostly what checks found: elsewhere, `Manual` may say how something was found. */
function areOfCheck(texts: readonly string[]): boolean {
  const ofCheck =
    /^(|pass(ed)?|fail(ed)?|manual|info|warn(ing)?|error|muted|skip(ped)?|not[ _-]?(available|applicable|checked))$/i;
  const hasResult = texts.some((text) => /^(pass|fail)(ed)?$/i.test(text.trim()));
  return hasResult && texts.filter((text) => ofCheck.test(text.trim())).length * 2 > texts.length;
}

/** More different values are no outcomes. */
const maxOutcomes = 20;

/**
 * Whether the values of a column are what came of checks, such as `PASS`, `FAIL` and `WARN`, or of a search for
 * vulnerabilities, such as `not_affected`.
 */
function areOutcomes(texts: readonly string[]): boolean {
  const words = [...new Set(texts)];
  const isOutcome = (text: string) => isKnownStatus(text) || isOtherOutcome(text);
  if (words.length > maxOutcomes || !words.every(isOutcome)) {
    return false;
  }
  const reasons = new Set(words.map((text) => parseStatus(text)?.reason));
  // The answer of a service says that it succeeded, too.
  return (reasons.has('passed') && texts.length > 1) || reasons.has('rejected');
}

/** Whether a value of a column says that the finding is closed. */
export function isClosing(form: ClosingForm, text: string): boolean {
  switch (form) {
    case 'status':
      return isClosedStatus(text);
    case 'outcome':
      return (
        parseStatus(text)?.reason === 'passed' ||
        /^(not[ _]affected|ignored)$/i.test(text) ||
        /^exception$/i.test(text) ||
        // Words of a fix say that there is one; others mean what they say everywhere.
        (isClosedStatus(text) && !ofFix.test(text))
      );
    case 'check':
      return isClosedStatus(text) || word(text) === 'manual';
    case 'severity':
      return isPassed(text);
    case 'ifTrue':
      return yes.has(word(text));
    case 'ifFalse':
      return text !== '' && no.has(word(text));
    case 'ifDated':
      return isDate.test(text) || yes.has(word(text));
    case 'proposal':
      return /^(accepted|approved)$/i.test(text.trim());
    case 'kind':
      return closedKinds.has(word(text));
    case 'auditLine':
      return text !== '' && word(text) !== auditFinding;
    case 'confidence':
      return isFalsePositive(text);
    case 'baseline':
      return word(text) === 'absent';
    case 'suppressions':
      return /^\[\s*[^\s\]]/.test(text);
    case 'feedback':
      return acceptedFeedback(tryParseJson(text)).length > 0;
  }
}

/** What the service has accepted of what it was told about a finding. @param list the value of the field. */
export function acceptedFeedback(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  const all = Array.isArray(list) ? list.filter(isPlainObject) : [];
  return all.filter(({ status }) => typeof status === 'string' && isClosing('proposal', status));
}

/** Whether the service has accepted what it was told about a finding. */
export function isFeedbackAccepted(entry: JsonObject): boolean {
  return namesOf('feedback').some((name) => acceptedFeedback(entry[name]).length > 0);
}

/** Whether a value of a column of the form `baseline` says that the finding was not there in the run before. */
export function isNewSinceBaseline(text: string): boolean {
  return word(text) === 'new';
}

/** Whether the word for a severity says that a check passed, as `OK` and `secure` do. */
function isPassed(text: string): boolean {
  // The service calls what is good news positive: that stays.
  return (
    (findSeverityLevel(text) === 'positive' && wordKey(text) !== 'positive') ||
    isFalsePositive(text)
  );
}

/** Whether the word for a severity says that a finding is none, as in Burp, and `High (False Positive)` in ZAP. */
function isFalsePositive(text: string): boolean {
  return /(^|\()false[ _-]?positive\)?$/i.test(text.trim());
}

/** A date; the time that Go, .NET and Unix write where there is none is not one. */
const isDate = /^(?!1970-01-01)(19[7-9]\d|2\d{3})-\d{2}-\d{2}/;

function isDateOrNothing(text: string): boolean {
  return text === '' || /^\d{4}-\d{2}-\d{2}/.test(text);
}

/** Whether a column says of findings whether they are open, better than a date does. */
function saysWhetherOpen({ name, texts = [] }: NamedColumn): boolean {
  return (
    !says('otherStatus', name) &&
    (isStatus(name, texts) || mayMean('openIf', name) || mayMean('closedIf', name))
  );
}

/** Whether the name of a column alone gives the word for what its values close, see `closingWord`. */
export function isSaidByName(form: ClosingForm): boolean {
  const isList = form === 'suppressions' || form === 'feedback';
  return form === 'ifTrue' || form === 'ifFalse' || form === 'ifDated' || isList;
}

/** What a value that closes findings says of them, as one word or a few: of `active: false`, `inactive`. */
export function closingWord(form: ClosingForm, name: string, text: string): string {
  const own = snakeCase(name.slice(name.lastIndexOf('.') + 1)).replace(/^is_/, '');
  switch (form) {
    case 'ifTrue':
      return own.replace(/_p$/, '_positive');
    case 'ifFalse':
      return own === 'active' ? 'inactive' : own === 'open' ? 'closed' : `not_${own}`;
    case 'suppressions':
      return 'suppressed';
    case 'feedback':
      return 'with accepted feedback';
    case 'auditLine':
      return 'not a finding';
    case 'severity':
      return isFalsePositive(text)
        ? 'false positive'
        : /^(skip|ignore)/i.test(text)
          ? text.toLowerCase()
          : 'passed';
    case 'ifDated':
      return own.replace(/^date_|_(at|on|date)$/g, '');
    default:
      // `3 passed not counted` reads better than `3 PASS`.
      return parseStatus(text)?.reason === 'passed' ? 'passed' : text;
  }
}

/** Whether a column says the status of findings, by its name and its values, if any are known. */
function isStatus(name: string, texts: readonly string[]): boolean {
  return texts.length === 0
    ? isNameOf('status', name)
    : mayMean('status', name) && texts.some(isKnownStatus);
}

/**
 * Whether values are what came of checks, or statements about vulnerabilities, also where there are no severities. In
 * a log, what succeeded is as good as what failed.
 */
export function areOutcomesOfChecks(texts: readonly string[]): boolean {
  const isOfCheck = (text: string) =>
    /^(pass(ed|ing)?|compliant|(known[ _-]?)?not[ _-]?affected)$/i.test(text.trim());
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text.trim()));
  // CloudSploit says `OK`, `WARN` and `FAIL`.
  const isOfCloud = has(/^ok$/i) && has(/^fail(ed)?$/i);
  return (texts.some(isOfCheck) || isOfCloud) && areOutcomes(texts);
}

/** Whether a check neither passed nor failed. */
function isOtherOutcome(text: string): boolean {
  return (
    /^(|manual|unknown|error|n\/?a|todo|unreviewed|not[ _-]?(checked|reviewed|tested)|pass(ed)? ?\/ ?fail(ed)?)$/i.test(
      text.trim(),
    ) || severityScale.positionOf(text) !== undefined
  );
}

/** The words of a status that says whether a package has a fix. */
const fixStatus =
  /^(fixed|affected|not[ _]affected|will[ _]not[ _]fix|fix[ _]deferred|end[ _]of[ _]life|under[ _]investigation|unknown)$/i;

/** What came of a check, or of a rule to leave findings out, in a column with words of fixes. */
const ofCheckOrRule = /^(pass|fail|exception|ignored)$/i;

const fixedIn = /^fixed in\b/i;

/** What says of a package, not of the finding, that there is a repair, or none. */
const ofFix =
  /^(fixed|patched|resolved in|will[ _]not[ _]fix|won'?t[ _]fix|not[ _]fixed|fix[ _]deferred|end[ _]of[ _]life)\b/i;

/** The words of a tool of packages that says of some `fixed in 1.2.3`, as Twistlock does. */
const fixInVersion =
  /^(|fixed in\b.*|open|needed|deferred|(will )?not (be )?fix(ed)?|affected|unknown)$/i;

/** What no tracker says of a bug. The rows that are sampled may have no `fixed in 1.2.3`. */
const onlyOfFix = /^(needed|deferred|(will )?not (be )?fix(ed)?)$/i;

/** Those that say of a fix by their own name, as in Grype. */
const fixState =
  /^(|fixed|not[ _-]fixed|won'?t[ _-]fix|affected|available|not[ _-]available|none|unknown)$/i;

/**
 * Whether values say of what is affected whether there is a repair: then `fixed` does not mean that a finding is
 * repaired.
 */
export function areFixStates(column: ClosingCandidate, columns: readonly NamedColumn[]): boolean {
  const { name, texts } = column;
  if (!texts.some((text) => /^(fixed|affected|not[ _-]fixed|won'?t[ _-]fix)\b/i.test(text))) {
    return false;
  }
  const isState = (text: string) =>
    fixState.test(text) || fixStatus.test(text) || fixInVersion.test(text);
  return says('fix', lastTwoNames(name))
    ? texts.every(isState) && areOfPackages(columns)
    : mayMean('status', name) &&
        !texts.some((text) => ofCheckOrRule.test(text)) &&
        isStatusOfFix(column, columns);
}

/** Whether a status tells that there is a fix, as that of Trivy does: the finding is open all the same. */
export function isStatusOfFix(
  { name, texts }: ClosingCandidate,
  columns: readonly NamedColumn[],
): boolean {
  if (says('fix', lastTwoNames(name))) {
    return true;
  }
  // The words first: a file may have thousands of columns.
  const isOfFix = (text: string) => fixStatus.test(text);
  if (texts.every(isOfFix)) {
    return isBesideFixVersion(name, columns);
  }
  // In Trivy, misconfigurations may be among vulnerabilities.
  if (texts.some(isOfFix) && texts.every((text) => isOfFix(text) || ofCheckOrRule.test(text))) {
    return isBesideFixVersion(name, columns);
  }
  return texts.every((text) => fixInVersion.test(text)) && areFixedInVersions(texts, columns);
}

/**
 * Whether values such as `fixed in 1.2.3` say where a package is repaired. In the tracker of a project, which has other
 * words, too, a bug is fixed in a version.
 */
function areFixedInVersions(texts: readonly string[], columns: readonly NamedColumn[]): boolean {
  const isOfTracker = (text: string) =>
    isKnownStatus(text) && !fixStatus.test(text) && !fixedIn.test(text);
  const areOfFix = areOfPackages(columns);
  return (
    (areOfFix && texts.some((text) => onlyOfFix.test(text))) ||
    (texts.some((text) => fixedIn.test(text)) && (areOfFix || !texts.some(isOfTracker)))
  );
}

function areOfPackages(columns: readonly NamedColumn[]): boolean {
  return columns.some(({ name }) => says('ofPackage', name) || isNameOf('vulnerability', name));
}

/** Whether beside a column is the version of a package that has a fix: a tracker has that of its own project. */
function isBesideFixVersion(name: string, columns: readonly NamedColumn[]): boolean {
  const object = name.slice(0, name.lastIndexOf('.') + 1);
  const isVersion = ({ name: other }: NamedColumn) =>
    other.startsWith(object) && says('fixVersion', other.slice(object.length));
  return columns.some(isVersion) && areOfPackages(columns);
}

/** Whether rows are results of SARIF, which have their messages in an object. */
export function areResultsOfSarif(columns: readonly Pick<ClosingCandidate, 'name'>[]): boolean {
  return columns.some(({ name }) => says('messageOfSarif', name));
}

function word(text: string): string {
  return text.trim().toLowerCase();
}
