import { findDecided, findWrapped, isListOf } from '../../../vocabulary/formats';
import { findingsIn, ratingsIn, sarifResultsName } from './chooseList';
import type { ListFinder, ListPath } from './listPaths';
import type { ListStep } from './listSteps';
import { haveScores, isOsv, osvRatings } from './ratings';
import type { ExtraPath, RowExtras } from './listPlan';
import type { Place } from './places';
import { defined } from '../../../base/defined';
import type { ProductStatusOf } from './productStatus';

/** Where rows say in arrays what a finding is about: in SARIF and in CycloneDX. */
const assetPaths = [
  ['locations', '[]', 'physicalLocation', 'artifactLocation'],
  ['affects', '[]'],
];
/** Where rows say why somebody has decided to leave them out: in Snyk, in Grype, and in ESLint and gosec. */
const reasonPaths = [
  ['filtered', 'ignored', '[]'],
  ['filtered', 'patches', '[]'],
  ['appliedIgnoreRules', '[]'],
  ['suppressions', '[]'],
];
/** Where a record of JSON:API has its severity, which is too deep for a column of its own. */
const severityPath = ['relationships', 'severity', 'data', 'attributes'];

/** A document in which lists were found. */
interface SurveyedDocument {
  readonly finder: ListFinder;
  readonly top: Place;
}

/** What the rows of a list need that is not in their own members; `undefined` if that is nothing. */
export function findRowExtras(
  list: ListPath,
  { finder, top }: SurveyedDocument,
): RowExtras | undefined {
  const format = finder.formatOf(top);
  if (format?.checked && isListOf(format, list.name)) {
    return { paths: [], checked: format.checked };
  }
  const decided = format && findDecided(format, list.name);
  const wrapped = format && findWrapped(format, list.name);
  if (wrapped && decided !== undefined && pathTo(list.place, [wrapped.member])) {
    return { paths: [], wrapped: { ...wrapped, decided } };
  }
  const isSarif = list.name === sarifResultsName && finder.isSarif(top);
  const worded = ratingsIn(list, finder);
  const { hasFindings: areOfFindings } = findingsIn(list, finder);
  const scored = haveScores(finder, { areOfFindings });
  const found = worded.length > 0 ? worded : ratingsIn(list, finder, scored);
  // OSV has a word beside its vectors of CVSS, but not always.
  const ratings = isOsv(list.place) ? [[osvRatings]] : found;
  const hasStatus = hasMember(list.place, 'product_status', ({ objects }) => objects > 0);
  const productStatus = hasStatus ? statusOf(top, finder) : undefined;
  const isOfFormat = format !== undefined && isListOf(format, list.name);
  const scale = isOfFormat ? format.scale : undefined;
  const places = (isOfFormat ? format.places : undefined) ?? [];
  const reasons = format && !isSarif ? [...reasonPaths, ...places] : [];
  const find = (paths: readonly (readonly string[])[]) =>
    paths.flatMap((names) => pathTo(list.place, names) ?? []);
  if (ratings.length === 0 && !isSarif && !productStatus) {
    const inner = find([severityPath, ...reasons]);
    const isNeeded = inner.length > 0 || decided !== undefined || scale !== undefined;
    return isNeeded ? { paths: inner, ...defined({ decided, scale }) } : undefined;
  }
  const paths = find([...assetPaths, ...reasons]);
  if (!isSarif) {
    return {
      paths,
      ...(ratings.length > 0 && { ratings }),
      ...defined({ productStatus, decided, scale }),
    };
  }
  const has = (...names: readonly string[]) => pathTo(list.place, names) !== undefined;
  const results = finder.plainMembersOf(list.place);
  const sarif = {
    haveSuppressed: has('suppressions', '[]'),
    haveLogicalPlaces: has('locations', '[]', 'logicalLocations', '[]'),
    haveRuleIds: results.some((members) => members.has('ruleId') || members.has('rule.id')),
  };
  return { paths, sarif };
}

/** What the product status of a document of CSAF says; its category tells (section 3.2.1.3). */
function statusOf(top: Place, finder: ListFinder): ProductStatusOf {
  // It may come after all vulnerabilities, and where the document is an array, in each of its objects.
  const document = (top.element ?? top).members.find(({ name }) => name === 'document');
  const [members] = document ? finder.plainMembersOf(document) : [];
  return members?.get('category') === 'csaf_vex' ? 'vex' : 'advisory';
}

function hasMember({ members }: Place, name: string, fits: (member: Place) => boolean): boolean {
  return members.some((member) => member.name === name && fits(member));
}

/** @param names of members, and brackets for the elements of an array */
function pathTo(place: Place, names: readonly string[]): ExtraPath | undefined {
  const steps: ListStep[] = [];
  let at: Place | undefined = place;
  for (const name of names) {
    const inner: Place | undefined =
      name === '[]' ? at.element : at.members.find((member) => member.name === name);
    if (!inner) {
      return undefined;
    }
    at = inner;
    const { written } = at;
    steps.push(name === '[]' ? { kind: 'element' } : { kind: 'named', name, written });
  }
  return at.objects > 0 ? { steps, place: at } : undefined;
}
