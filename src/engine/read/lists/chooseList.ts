import { emptyList, type ListFinder, type ListPath } from './listPaths';
import type { Place } from './places';
import { findRatings, haveSeverities, isOsv, type RatingsPath } from './ratings';
import { noEvidence, severityColumn, severityNumbers } from './severityEvidence';
import { snakeCase } from '../../../vocabulary/fieldNames';
import { type DocumentFormat, isListOf } from '../../../vocabulary/formats';
import { type Meaning, says } from '../../../vocabulary/meanings';

/* Which list of a document has its findings. */

/** Names of lists of what is searched, of what happened during the search, or of the columns of another list. */
const catalogName = /(^|_)(rules|notifications|columns|headers|fields)$/;

/** Names of lists that say what happened during the search, if there are also findings beside them. */
const logName = /(^|_)(errors|warnings|logs?|messages)$/;

interface RatedList {
  readonly list: ListPath;
  readonly evidence: number;
  readonly kind: 'findings' | 'other' | 'details' | 'catalog';
}

/** Sorts lists: first the one whose elements are most likely findings. */
export function sortLists(lists: readonly ListPath[], finder: ListFinder): ListPath[] {
  const keys = rateAll(lists, finder);
  return [...keys.keys()]
    .toSorted((one, other) => compare(keys.get(other)!, keys.get(one)!))
    .map(({ list }) => list);
}

/** Lists, and what makes each come before others. */
function rateAll(
  lists: readonly ListPath[],
  finder: ListFinder,
): ReadonlyMap<RatedList, readonly number[]> {
  const outer = new Set(lists.map((list) => list.outer));
  const rated = lists.map((list) => rate(list, finder, { hasInner: outer.has(list) }));
  return new Map(rated.map((each) => [each, sortKey(each, rated)]));
}

/** @param hasInner whether a list is in the elements of this one. */
function rate(
  list: ListPath,
  finder: ListFinder,
  { hasInner }: { readonly hasInner: boolean },
): RatedList {
  const name = ownName(list);
  // The findings are in the lists by severity, if there are such.
  const steps = hasInner ? list.steps.slice(0, -1) : list.steps;
  const isBySeverity = steps.some((step) => step.kind === 'member' && step.isSeverity);
  // The ratings of a film are none of findings.
  const isOther = says('ratings', name) && !haveSeverities(finder)(list.place);
  const evidence =
    isBySeverity || ratingsIn(list, finder).length > 0
      ? severityColumn
      : list.hasCells || isOther
        ? noEvidence
        : finder.evidenceOf(list.place);
  const isLog =
    logName.test(name) &&
    list.beside.some((each) => isArrayOfFindings(each) || (name === 'errors' && isWarnings(each)));
  const kind = says('findingDetails', name)
    ? 'details'
    : isLog || catalogName.test(name) || isNamed(list, 'closedFindings')
      ? 'catalog'
      : says('findings', name)
        ? 'findings'
        : 'other';
  return { list, evidence, kind };
}

/**
 * The arrays in the elements of a list that have their severities, such as `ratings` of a vulnerability; none
 * if the elements have severities themselves.
 */
export function ratingsIn(
  { place, hasCells }: ListPath,
  finder: ListFinder,
  isRating = haveSeverities(finder),
): readonly RatingsPath[] {
  const isRated = hasCells || finder.evidenceOf(place) === severityColumn;
  return isRated ? [] : findRatings(place, isRating);
}

function isArrayOfFindings({ name, arrays }: Place): boolean {
  return arrays > 0 && says('findings', name);
}

/** Tools that find warnings have errors of their own. */
function isWarnings({ name, arrays }: Place): boolean {
  return arrays > 0 && name === 'warnings';
}

/** Names that say only that there is a list. */
const listName = /^(list|items|nodes|edges|data|entries|values|rows|elements|records)$/;

/** The name of the member that has a list, or of one around it that says more; empty for the top one. */
function ownName({ steps }: ListPath): string {
  const names = steps.flatMap((step) => (step.kind === 'named' ? [snakeCase(step.name)] : []));
  return names.findLast((name) => !listName.test(name)) ?? names.at(-1) ?? '';
}

/**
 * The lists whose rows are shown, one after the other, unless others are chosen: all with findings; none if the
 * document is one record.
 * @param sorted by `sortLists`
 */
export function defaultLists(
  sorted: readonly ListPath[],
  finder: ListFinder,
  top: Place,
): readonly ListPath[] {
  const results = sarifResults(sorted, finder, top);
  if (results) {
    return [results];
  }
  const format = finder.formatOf(top);
  if (format && (hasRows(format, sorted) || isClean(format, sorted, finder))) {
    return formatLists(format, sorted, finder);
  }
  const best = bestList(sorted, finder, top);
  const hasFindings = best !== undefined && findingsIn(best, finder).hasFindings;
  const hasOthers = sorted.length > 0;
  const empty = hasFindings || format ? undefined : noFindings(finder, top, { hasOthers });
  if (empty) {
    return [empty];
  }
  return best ? [best, ...findOtherFindings(best, sorted, finder)] : [];
}

/**
 * Whether a document of a known format without rows in its lists has no findings: one of them is there, or no other
 * list is named by findings.
 */
function isClean(format: DocumentFormat, lists: readonly ListPath[], finder: ListFinder): boolean {
  const hasOwn = finder.plain.some(({ name, rows }) => rows === 0 && isListOf(format, name));
  const hasOthers = lists.some((list) => findingsIn(list, finder).isNamed);
  return format.listsOthers !== true && (hasOwn || !hasOthers);
}

/** Whether a document of a known format has a list of it with rows. */
function hasRows(format: DocumentFormat, lists: readonly ListPath[]): boolean {
  return lists.some(({ name, rows }) => rows > 0 && isListOf(format, name));
}

/** A list that a document of its format may have, but does not: then nothing was found. */
export function findEmptyList(name: string, finder: ListFinder, top: Place): ListPath | undefined {
  const format = finder.formatOf(top);
  const none = format ? undefined : noFindings(finder, top, { hasOthers: false });
  const isOwn = format ? isListOf(format, name) : none !== undefined && isOrIsIn(name, none.name);
  return isOwn ? emptyList(name) : undefined;
}

/** Whether a list is another one, or in the elements of that; a map may be empty as an array is. */
function isOrIsIn(name: string, outer: string): boolean {
  const path = outer.replace(/\[\]$/, '');
  return name === path || (name.startsWith(path) && /^(\[\]|\{\})/.test(name.slice(path.length)));
}

/**
 * The list of findings of a document that says that nothing was found; `undefined` if it does not.
 * @param hasOthers whether the document has other lists with rows.
 */
function noFindings(
  finder: ListFinder,
  top: Place,
  { hasOthers }: { readonly hasOthers: boolean },
): ListPath | undefined {
  const isFinding = top.objects > 0 && finder.evidenceOf(top) === severityColumn;
  const isOnlyOf = (list: ListPath) => says('onlyFindings', ownName(list));
  const mayBeOf = (list: ListPath) => list.steps.length === 2 && says('findings', ownName(list));
  const empty = [
    ...finder.plain.filter((list) => list.rows === 0 && (isOnlyOf(list) || mayBeOf(list))),
    // Null and an empty object say less than an empty array does.
    ...finder
      .emptyMembers(top)
      .map(emptyList)
      .filter((list) => isOnlyOf(list) || (!hasOthers && mayBeOf(list))),
  ];
  return isFinding || finder.saysError(top)
    ? undefined
    : empty.find((list) => !isNamed(list, 'closedFindings'));
}

/**
 * The lists whose rows are findings as well as those of the best list. If that has the name of findings, they have,
 * too; or else they are beside it, and like it. Other lists repeat or sum up what these have.
 */
function findOtherFindings(
  best: ListPath,
  sorted: readonly ListPath[],
  finder: ListFinder,
): readonly ListPath[] {
  const rated = [...rateAll(sorted, finder)].filter(([, [rank]]) => rank === rankOfFindings);
  const areNamed = (list: ListPath) => isNamedByFindings(list) || says('checks', ownName(list));
  const belong = (list: ListPath) =>
    areNamed(list) === areNamed(best) &&
    (areNamed(best) || (areBeside(best, list) && finder.areAlike([best.place, list.place])));
  const found: ListPath[] = [];
  const lists = rated.map(([{ list }]) => list);
  for (const list of lists.includes(best) ? sorted.filter((each) => lists.includes(each)) : []) {
    const isApart = [best, ...found].every(
      (each) => each !== list && !isIn(each, list) && !isIn(list, each),
    );
    const isRepeated = () => [best, ...found].some((each) => repeats(list, each, finder));
    if (isApart && belong(list) && !says('repeatedFindings', ownName(list)) && !isRepeated()) {
      found.push(list);
    }
  }
  return found;
}

/** Whether a list has the same findings as another one, of which one is sorted by what has them. */
function repeats(list: ListPath, other: ListPath, finder: ListFinder): boolean {
  const isSorted = (list.outer === undefined) !== (other.outer === undefined);
  const isSameName = ownName(list) === ownName(other);
  return (
    isSorted && isSameName && list.rows === other.rows && finder.areSame(list.place, other.place)
  );
}

/** Whether a member that leads to a list has a name with a meaning. */
function isNamed({ steps }: ListPath, meaning: Meaning): boolean {
  return steps.some((step) => step.kind === 'named' && says(meaning, snakeCase(step.name)));
}

/** Whether two lists are members of the same objects. */
function areBeside(one: ListPath, other: ListPath): boolean {
  return one.beside.length > 0 && one.beside === other.beside;
}

/**
 * The list that most likely has the findings, or else what a document is about; `undefined` if that is one record.
 */
function bestList(
  sorted: readonly ListPath[],
  finder: ListFinder,
  top: Place,
): ListPath | undefined {
  if (isOsv(top)) {
    return undefined;
  }
  const [best] = sorted;
  const isFinding = top.objects > 0 && finder.evidenceOf(top) === severityColumn;
  const rated = best && rate(best, finder, { hasInner: false });
  // Nothing was found, or findings are only texts. Other such lists do not say more than the document.
  const [plain] = finder.plain
    .filter((list) => {
      const isEmpty = list.rows === 0 && says('onlyFindings', ownName(list));
      const isNear = list.steps.length === 2 || (isEmpty && list.outer === undefined);
      const isMember = isNear && !isFinding;
      return (
        list.steps.length === 1 || (isMember && (isNamedByFindings(list) || isNamedAsList(list)))
      );
    })
    .toSorted(
      (one, other) =>
        Number(isNamedByFindings(other)) - Number(isNamedByFindings(one)) || other.rows - one.rows,
    );
  const isCatalog = rated?.kind === 'catalog' && plain && isNamedByFindings(plain);
  if (!best || best.isMetadata || isCatalog) {
    return plain;
  }
  const last = best.steps.at(-1);
  if (last?.kind === 'member' && last.isSeverity && finder.haveNoTotal(best.place)) {
    return emptyList(best.name);
  }
  const isOther = rated && rated.evidence < severityColumn && rated.kind !== 'findings';
  return isFinding && isOther && best.rows < fewRows ? undefined : best;
}

/** The lists of findings of a document whose format is known: one without rows if nothing was found. */
function formatLists(
  format: DocumentFormat,
  sorted: readonly ListPath[],
  finder: ListFinder,
): readonly ListPath[] {
  const isOwn = ({ name }: ListPath) => isListOf(format, name);
  const placeOf = ({ name }: ListPath) =>
    format.lists.findIndex((each) => isListOf({ lists: [each] }, name));
  const found = sorted
    .filter((list) => list.rows > 0 && isOwn(list))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  const [first = ''] = format.lists;
  return found.length > 0 ? found : [finder.plain.find(isOwn) ?? emptyList(first)];
}

/** The results of a SARIF file, even if it has none: its runs, rules and taxa are not what it was written for. */
function sarifResults(
  sorted: readonly ListPath[],
  finder: ListFinder,
  top: Place,
): ListPath | undefined {
  const areResults = ({ name }: ListPath) => name === sarifResultsName;
  if (!finder.isSarif(top)) {
    return undefined;
  }
  const isEmpty = finder.plain.some(({ name, rows }) => name === 'runs[]' && rows === 0);
  return (
    sorted.find(areResults) ??
    finder.plain.find((list) => areResults(list) && list.rows === 0) ??
    (finder.hasDriver(top) || isEmpty ? emptyList(sarifResultsName) : undefined)
  );
}

/** Names the files that have the results of SARIF instead (SARIF 2.1.0, section 3.15). */
export const sarifResultFilesName = 'runs[].externalPropertyFileReferences.results[]';

export const sarifResultsName = 'runs[].results[]';

/** What the name of a list and its elements tell about findings. */
export interface ListFindings {
  /** Whether the elements are findings. */
  readonly hasFindings: boolean;
  /** Whether they are findings with a severity. */
  readonly hasSeverities: boolean;
  /** Whether the list has the name of findings, too: its keys name packages or rules, and no secrets. */
  readonly isNamed: boolean;
}

export function findingsIn(list: ListPath, finder: ListFinder): ListFindings {
  const { evidence, kind } = rate(list, finder, { hasInner: false });
  const isNamed = kind === 'findings' && evidence === severityColumn;
  const hasSeverities = isNamed || (kind === 'other' && evidence === severityColumn);
  return { hasFindings: hasSeverities || kind === 'findings', hasSeverities, isNamed };
}

/** A finding may have a list of a few things, such as references. */
const fewRows = 20;

function isNamedByFindings(list: ListPath): boolean {
  return says('findings', ownName(list));
}

function isNamedAsList(list: ListPath): boolean {
  return listName.test(ownName(list));
}

/** The first number of the sort key of a list that has findings. */
const rankOfFindings = 3;

/** What makes a list come before others: the first difference decides. */
function sortKey(one: RatedList, all: readonly RatedList[]): readonly number[] {
  const { list, kind } = one;
  const hasSeverities = one.evidence === severityColumn;
  if (list.isMetadata) {
    return [0];
  }
  if (hasSeverities && kind !== 'catalog' && !isReplaced(one, all)) {
    return [rankOfFindings, list.rows, list.name.endsWith('[]') ? likelihood(list) : 0];
  }
  const isInTop = list.outer?.name === '[]';
  const isClear = !isInTop || says('onlyFindings', ownName(list));
  if (
    !hasSeverities &&
    (kind === 'findings' ? isClear : one.evidence === severityNumbers && kind === 'other')
  ) {
    return [2, -depthOf(list), list.rows];
  }
  return [1, -depthOf(list), kind === 'other' ? 1 : 0, list.hasCells ? 0 : 1, list.rows];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at]! - (other[at] ?? 0);
}

/** How many lists are around a list. */
function depthOf({ outer }: ListPath): number {
  return outer ? depthOf(outer) + 1 : 0;
}

/** Whether findings are rather in a list around this one, or in one of its elements. */
function isReplaced(one: RatedList, all: readonly RatedList[]): boolean {
  const around = all.filter(({ list }) => isIn(one.list, list));
  if (one.kind === 'details') {
    const nearest = around.find(({ list }) => list === one.list.outer);
    const ratesEach = nearest && says('ratings', ownName(one.list)) && covers(one, nearest);
    return nearest !== undefined && (nearest.evidence === severityColumn || ratesEach !== true);
  }
  const hasSeverities = ({ evidence }: RatedList) => evidence === severityColumn;
  const mayReplace = (inner: RatedList) => hasSeverities(inner) && inner.kind !== 'details';
  return (
    around.some((outer) => hasSeverities(outer) && !replaces(one, outer)) ||
    all.some((inner) => mayReplace(inner) && isIn(inner.list, one.list) && replaces(inner, one))
  );
}

function isIn(inner: ListPath, outer: ListPath): boolean {
  for (let each = inner.outer; each; each = each.outer) {
    if (each === outer) {
      return true;
    }
  }
  return false;
}

/** Whether an inner list is that of the findings, although the one around it has severities, too. */
function replaces(inner: RatedList, outer: RatedList): boolean {
  const isMoreLikely = likelihood(inner.list) > likelihood(outer.list);
  return isMoreLikely && outer.list.name !== '[]' && covers(inner, outer);
}

/** How likely a list has findings, by its name. */
function likelihood(list: ListPath): number {
  const name = ownName(list);
  return says('onlyFindings', name) ? 2 : says('findings', name) ? 1 : 0;
}

/** Whether each element of the outer list has elements of the inner one. */
function covers(inner: RatedList, outer: RatedList): boolean {
  return inner.list.holder.fullArrays >= outer.list.rows;
}
