import { isPlainObject } from '../base/json/json';
import type { KnownReason } from '../vocabulary/knownReasons';

/*
 * Statements of OpenVEX (0.0.1 to 0.2.0): that products are not affected by a vulnerability, or have its fix.
 */

type Json = Record<string, unknown>;

/** What a document states about a vulnerability. */
export interface VexStatement {
  /** Package URLs of what it is about; empty if it names none. */
  readonly purls: readonly string[];
  /** Whether it is about products that it names, but none by a package URL: nobody knows which packages these have. */
  readonly isAboutOthers?: true;
  /** Why a finding needs no attention; absent if it does. */
  readonly reason?: KnownReason;
  /** As it states that. */
  readonly why: string;
}

/** By the names of vulnerabilities, in upper case: all about each, the latest last. */
export type VexStatements = ReadonlyMap<string, readonly VexStatement[]>;

/** A finding that a statement may be about. */
interface StatedFinding {
  readonly rule?: string;
  readonly purl?: string;
}

/** The statements of a document; `undefined` if the text is no document of OpenVEX. */
export function readVexStatements(text: string): VexStatements | undefined {
  const document = parseObject(text);
  const [context = ''] = textsOf([document['@context']]);
  if (!context.startsWith('https://openvex.dev/ns')) {
    return undefined;
  }
  const timeOf = (statement: Json) => {
    const [time = ''] = textsOf([statement.timestamp, document.timestamp]);
    return Date.parse(time) || 0;
  };
  const found = new Map<string, VexStatement[]>();
  const sorted = objectsIn(document.statements)
    .map((json) => ({ json, time: timeOf(json) }))
    .sort((one, other) => one.time - other.time);
  for (const { json } of sorted) {
    const statement = parseStatement(json);
    for (const name of new Set(namesIn(json))) {
      const all = found.get(name);
      if (all) {
        all.push(statement);
      } else {
        found.set(name, [statement]);
      }
    }
  }
  return found;
}

/** The names of the vulnerability that a statement is about, in upper case. */
function namesIn({ vulnerability: named }: Json): string[] {
  const { name, '@id': id, aliases } = isPlainObject(named) ? named : { name: named };
  const names = [name, id, ...(Array.isArray(aliases) ? (aliases as unknown[]) : [])];
  return textsOf(names).map((each) => each.toUpperCase());
}

function parseStatement(statement: Json): VexStatement {
  const { status, justification, impact_statement: impact } = statement;
  const reason = reasonOf(status, justification);
  const products = objectsIn(statement.products);
  const purls = products.flatMap(purlsOf);
  return {
    purls,
    ...(products.length > 0 && purls.length === 0 && { isAboutOthers: true as const }),
    why: textsOf([status, justification, impact]).join(', ').slice(0, 1000),
    ...(reason && { reason }),
  };
}

/** The statement that is in force for a finding, if it says that this needs no attention. */
export function findStatement(
  statements: VexStatements,
  { rule, purl }: StatedFinding,
): (VexStatement & { readonly reason: KnownReason }) | undefined {
  const about = statements.get(rule?.toUpperCase() ?? '') ?? [];
  if (purl === undefined) {
    // It may be about any of the products: what was said last of each of them holds if it is the same.
    const last = [...new Map(about.map((each) => [each.purls.join('\n'), each])).values()];
    const [first] = last;
    const isCertain = last.every(
      ({ reason, isAboutOthers }) => reason === first?.reason && isAboutOthers !== true,
    );
    return isCertain ? decided(last.at(-1)) : undefined;
  }
  return decided(
    about.findLast(
      ({ purls, isAboutOthers }) =>
        (purls.length === 0 && isAboutOthers !== true) || purls.some((each) => isIn(each, purl)),
    ),
  );
}

function decided(statement: VexStatement | undefined) {
  return statement?.reason && { ...statement, reason: statement.reason };
}

function reasonOf(status: unknown, justification: unknown): KnownReason | undefined {
  if (status === 'fixed') {
    return 'fixed';
  }
  const isMitigated = justification === 'inline_mitigations_already_exist';
  return status !== 'not_affected'
    ? undefined
    : isMitigated
      ? 'compensatingControl'
      : 'falsePositive';
}

/** What a statement about a product is about: the parts of it that are named, or else all of it. */
function purlsOf(product: Json): string[] {
  const parts = objectsIn(product.subcomponents);
  const { purl } = isPlainObject(product.identifiers) ? product.identifiers : {};
  const own = textsOf([product['@id'], purl]).filter((text) => text.startsWith('pkg:'));
  return parts.length > 0 ? parts.flatMap(purlsOf) : own;
}

/** Whether a package is the one that is stated. Without a version, any is. Qualifiers are not compared. */
function isIn(stated: string, purl: string): boolean {
  const [wanted, found] = [stated, purl].map((text) => text.replace(/[?#].*$/, ''));
  return wanted === found || wanted === found?.replace(/@[^/@]*$/, '');
}

/** The objects of a list; a text stands for one with that id, as in version 0.0.1. */
function objectsIn(value: unknown): readonly Json[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((one): Json[] =>
    isPlainObject(one) ? [one] : typeof one === 'string' ? [{ '@id': one }] : [],
  );
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

function parseObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}
