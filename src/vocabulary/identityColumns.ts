import { isIdentityName, identityRank } from './identity';
import { isNameOf, likelihoodOf, type Meaning, says } from './meanings';
import { findRoles, type SampledColumn } from './roles';

/*
 * Which columns tell findings apart: what was found, and where. Comparisons of two files propose them as a key, and
 * decisions about findings are kept by them.
 */

/** The columns that tell a finding from others, in this report of a tool and in the next one. */
export interface IdentityColumns<Column> {
  /** At least one. */
  readonly columns: readonly [Column, ...Column[]];
  /** The line of its file. It moves with each edit, so it only tells apart what is equal otherwise. */
  readonly line?: Column;
}

/** The column with what was found, and those with where. */
export interface RuleAndPlace {
  readonly rule: string;
  readonly owner?: string;
  /** A file, an asset or a list of places; an asset with its port. */
  readonly place: readonly string[];
  /** The line of the file. */
  readonly line?: string;
}

/** A column that tells fewer rows apart is no fingerprint. */
const leastShare = 0.8;

/**
 * The columns that tell findings apart; `undefined` if nothing does. What a service or a tool says itself comes first:
 * an id, a fingerprint. An id that may only number the rows of one report comes last.
 * @param columns whose values are not secret.
 * @param rows how many rows were sampled.
 */
export function findIdentityColumns<Column extends SampledColumn>(
  columns: readonly Column[],
  rows: number,
): IdentityColumns<Column> | undefined {
  const filled = columns.filter(({ texts }) => texts.length > 0);
  const named = (name: string | undefined) => filled.find((column) => column.name === name);
  const tellsApart = ({ texts }: Column) =>
    texts.length === rows && new Set(texts).size >= leastShare * rows;
  const service = filled.find(({ name }) => isIdentityName(name));
  if (service) {
    return { columns: [service] };
  }
  const found = findRuleAndPlace(filled);
  const rule = named(found?.rule);
  const fingerprint = filled.find(
    (column) => says('fingerprint', column.name) && tellsApart(column),
  );
  if (fingerprint) {
    return { columns: rule ? [rule, fingerprint] : [fingerprint] };
  }
  const where = [found?.owner, ...(found?.place ?? [])].flatMap((name) => named(name) ?? []);
  if (rule && where.length > 0) {
    const line = named(found?.line);
    return { columns: [rule, ...where], ...(line && { line }) };
  }
  const id = filled.find((column) => identityRank(column.name) === 0 && tellsApart(column));
  return id && { columns: [id] };
}

/** What was found, and where; `undefined` if no column has a rule. */
export function findRuleAndPlace(columns: readonly SampledColumn[]): RuleAndPlace | undefined {
  const named = (meaning: Meaning) => mostLikely(columns, meaning);
  const rule =
    named('vulnerability') ??
    named('rule') ??
    named('checkNumber') ??
    findRoles(columns).get('issueType')?.column.name ??
    named('ownId');
  if (rule === undefined) {
    return undefined;
  }
  const owner = named('package');
  const others = columns.filter(({ name }) => name !== owner && name !== rule);
  return { rule, ...(owner !== undefined && { owner }), ...findPlace(others) };
}

/** The columns that say together where something was found. */
function findPlace(columns: readonly SampledColumn[]): Pick<RuleAndPlace, 'place' | 'line'> {
  const own = columns.filter(({ name }) => !says('otherPlace', name) && !says('explanation', name));
  const places = own.find(({ name }) => isNameOf('places', name));
  if (places) {
    return { place: [places.name] };
  }
  const file = mostLikely(own, 'file');
  if (file !== undefined) {
    const line = mostLikely(own, 'line');
    return { place: [file], ...(line !== undefined && { line }) };
  }
  const asset = mostLikely(own, 'asset');
  const port = mostLikely(own, 'port');
  return {
    place: [asset, asset === undefined ? undefined : port].filter((name) => name !== undefined),
  };
}

function mostLikely(columns: readonly SampledColumn[], meaning: Meaning): string | undefined {
  const [best] = columns
    .flatMap(({ name }) => {
      const likelihood = likelihoodOf(meaning, name);
      return likelihood === undefined ? [] : [{ name, likelihood }];
    })
    .toSorted((one, other) => one.likelihood - other.likelihood);
  return best?.name;
}
