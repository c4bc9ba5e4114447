import { createHash } from 'node:crypto';
import { findIdentityColumns } from '../../vocabulary/identityColumns';
import { likelihoodOf, type Meaning } from '../../vocabulary/meanings';
import type { NumberScale } from '../../vocabulary/numberScales';
import { findRoles } from '../../vocabulary/roles';
import { readSeverity, type SaidSeverity } from '../../vocabulary/severity';
import { digestMark, type FindingIdentity, type IdentifiedRow } from '../data/known';
import { type ColumnSample, firstColumns } from '../read/detect/sampleColumns';
import type { RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import type { Cell } from '../data/cell';
import { CellReader, fullLength, type MaskedFile, shownLength } from '../read/rowReader';
import type { TableFile } from '../read/tableFile';
import type { YieldBudget } from '../threads/yieldBudget';
import {
  changingNames,
  formOf,
  haveRuleAndPlace,
  type IdForm,
  isPurl,
  joinParts,
  mainParts,
  mayChange,
  partsOf,
  placesText,
  stableText,
  withoutChanging,
} from './idParts';

/*
 * What tells a row apart from others, and what it is about: for decisions about findings, and for what is kept of a file.
 */

/** Longer texts identify nothing. */
export const maxIdBytes = 4096;

/** So many severities are remembered. */
const maxSeverities = 1000;

/** An object or an array without members. */
const emptyJson = /^(\{\s*\}|\[\s*\])$/;

/** The columns of a file that tell its findings apart, and those that describe one, as plain data: nodes are their numbers. */
export interface KnownColumns {
  readonly plan: IdPlan;
  readonly line: number | undefined;
  readonly severity: number | undefined;
  /** That of its numbers. */
  readonly severityScale: NumberScale | undefined;
  readonly rule: number | undefined;
  readonly title: number | undefined;
  readonly place: number | undefined;
  readonly purl: number | undefined;
  /** What a finding says, without what changes from one run to the next, such as lines. */
  readonly stable: readonly number[];
}

/** Which columns an id is made of. */
export interface IdPlan {
  /** That of the service alone; or, in this order, those with a rule, a fingerprint, where, and what is around it. */
  readonly nodes: readonly number[];
  readonly isOfService: boolean;
  /** Which part of an id each column is: the first that a row has of several of one part. */
  readonly parts: readonly number[];
  /** What of the values of each column stays in the next run. */
  readonly forms: readonly IdForm[];
}

/** By the names of the columns and the first 200 rows. */
export function findKnownColumns(file: TableFile): KnownColumns {
  const columns = firstColumns(file).filter(({ node }) => !node.secret);
  const identity = findIdentityColumns(columns);
  const { service, line } = identity;
  const roles = findRoles(columns);
  const parts = service ? [[service]] : partsOf(identity);
  const nodes = parts.flat();
  const named = (...meanings: Meaning[]) =>
    meanings.flatMap((meaning) => mostLikely(columns, meaning) ?? [])[0]?.node.number;
  const changing = new Set(changingNames(columns));
  // Other columns have what is in such objects; whether one has the object itself depends on the order of the rows.
  const isInOthers = ({ name, texts }: ColumnSample) =>
    texts.length > 0 &&
    texts.every((text) => text.startsWith('{')) &&
    columns.some((other) => other.name.startsWith(`${name}.`));
  return {
    plan: {
      nodes: nodes.map(({ node }) => node.number),
      isOfService: service !== undefined,
      parts: parts.flatMap((columnsOfPart, part) => columnsOfPart.map(() => part)),
      forms: nodes.map(formOf),
    },
    line: line?.node.number,
    severity: roles.get('severity')?.column.node.number,
    severityScale: roles.get('severity')?.scale,
    rule: roles.get('issueType')?.column.node.number ?? named('vulnerability', 'rule', 'issueType'),
    title: named('message', 'title'),
    purl: columns.find(({ texts }) => texts.length > 0 && texts.every(isPurl))?.node.number,
    place: named('file') ?? roles.get('asset')?.column.node.number ?? named('package'),
    stable: columns.flatMap((column) =>
      changing.has(column.name) || mayChange(column.name) || isInOthers(column)
        ? []
        : column.node.number,
    ),
  };
}

/** The id that a row has by these texts, one for each column of the plan; `undefined` if they say too little. */
function composeId({ isOfService, parts }: IdPlan, texts: readonly string[]): string | undefined {
  if (isOfService) {
    return texts[0] === '' ? undefined : texts[0];
  }
  const id = joinParts(
    parts,
    texts.map((text) => (text === '' ? undefined : text)),
  );
  // Also those that are empty: a package is no file of the same name.
  const length = Math.max(mainParts, id.findLastIndex((text) => text !== undefined) + 1);
  return haveRuleAndPlace(id)
    ? JSON.stringify(id.slice(0, length).map((text) => text ?? ''))
    : undefined;
}

function mostLikely(columns: readonly ColumnSample[], meaning: Meaning): ColumnSample | undefined {
  return columns
    .filter(({ name, texts }) => texts.length > 0 && likelihoodOf(meaning, name) !== undefined)
    .toSorted(
      (one, other) => likelihoodOf(meaning, one.name)! - likelihoodOf(meaning, other.name)!,
    )[0];
}

/** Identifies rows of a file, or of a range of it. Values that are masked tell nothing. */
export class RowIdentifier {
  private readonly cells: CellReader;
  private readonly slots: ReadonlyMap<number, number>;
  private readonly stable: readonly ShapeNode[];
  private readonly severity: { readonly name: string; readonly scale: NumberScale | undefined };
  /** Most rows have one of a few severities, and to read one takes as long as all else of a row. */
  private readonly levels = new Map<string, SaidSeverity | undefined>();
  /** The column whose values are places of SARIF. */
  private readonly places: number | undefined;
  /** The record that is identified. */
  private records!: RecordReader;
  private record = 0;

  constructor(
    file: MaskedFile,
    private readonly columns: KnownColumns,
  ) {
    const { plan, line, severity, severityScale, rule, title, place, purl } = columns;
    const { nodes } = file.shape;
    const described = [line, severity, rule, title, place, purl].flatMap((number) => number ?? []);
    const stable = plan.isOfService ? [] : columns.stable;
    const numbers = [...new Set([...plan.nodes, ...described, ...stable])];
    this.slots = new Map(numbers.map((number, slot) => [number, slot]));
    this.stable = stable.map((number) => nodes[number]!);
    this.severity = { name: nodes[severity ?? 0]!.name, scale: severityScale };
    this.places = plan.nodes.find((_, at) => plan.forms[at] === 'places');
    const read = numbers.map((number) => nodes[number]!);
    this.cells = new CellReader(file, read, { reveal: false, maxLength: fullLength });
  }

  /** The columns that a reader has to read. */
  get nodes(): readonly ShapeNode[] {
    return this.cells.read;
  }

  /** What tells a record of the reader's last step apart; `undefined` if nothing does. */
  identify(
    records: RecordReader,
    record: number,
  ): (FindingIdentity & { readonly severity?: SaidSeverity }) | undefined {
    if (records.invalid(record) !== undefined) {
      return undefined;
    }
    this.records = records;
    this.record = record;
    const { plan, line } = this.columns;
    const composed = composeId(
      plan,
      plan.nodes.map((number, at) => {
        const form = plan.forms[at] ?? 'whole';
        return stableText(form, form === 'places' ? this.placesOf(number) : this.text(number));
      }),
    );
    const isLong = composed !== undefined && composed.length > maxIdBytes;
    const id =
      composed === undefined || isLong ? (plan.isOfService ? '' : this.digest()) : composed;
    if (id === '') {
      return undefined;
    }
    const { severity } = this.columns;
    const level = severity === undefined ? undefined : this.readSeverity(this.text(severity));
    const written =
      this.places === undefined
        ? this.text(line)
        : (/"startLine":\s*(\d+)/.exec(this.placesOf(this.places))?.[1] ?? '');
    const detail = plan.isOfService ? '' : written === '' ? this.digest() : written;
    return {
      id,
      ...(detail !== '' && { detail }),
      ...(level && { severity: level }),
    };
  }

  /** The same, with what the record is about. @param row its number. */
  describe(records: RecordReader, record: number, row: number): IdentifiedRow | undefined {
    const identity = this.identify(records, record);
    if (!identity) {
      return undefined;
    }
    const { plan, rule, title, place, purl } = this.columns;
    const { places } = this;
    const advisories = plan.nodes.find((_, at) => plan.forms[at] === 'advisories');
    const texts = {
      rule:
        advisories === undefined
          ? this.short(rule)
          : stableText('advisories', this.text(advisories)).slice(0, shownLength),
      title: this.short(title),
      place:
        places === undefined
          ? this.short(place)
          : placesText(this.placesOf(places)).slice(0, shownLength),
      purl: this.short(purl),
    };
    const filled = Object.entries(texts).filter(([, value]) => value !== '');
    return {
      record: row,
      ...identity,
      ...(Object.fromEntries(filled) as Partial<typeof texts>),
      ...(plan.isOfService && { isOfService: true as const }),
    };
  }

  private readSeverity(text: string): SaidSeverity | undefined {
    const { levels } = this;
    if (!levels.has(text)) {
      if (levels.size >= maxSeverities) {
        levels.clear();
      }
      levels.set(text, readSeverity(text, this.severity));
    }
    return levels.get(text);
  }

  private text(number: number | undefined): string {
    return textOf(this.cell(number));
  }

  /** A list of places, also where the code in it is masked, as in the findings of secrets: the files are not. */
  private placesOf(number: number): string {
    return this.cell(number)?.text ?? '';
  }

  private cell(number: number | undefined): Cell | undefined {
    const slot = number === undefined ? undefined : this.slots.get(number);
    return slot === undefined
      ? undefined
      : this.cells.cell(slot, this.records, { record: this.record });
  }

  private short(number: number | undefined): string {
    return this.text(number).replace(/\s+/g, ' ').trim().slice(0, shownLength);
  }

  /** Of what a record says that stays in the next run. */
  private digest(): string {
    const parts = this.stable
      .flatMap(({ name, number }) => {
        const cell = this.cell(number);
        const text = textOf(cell);
        // A column may have dates, or nothing but `{}`, only after the rows that are sampled.
        return text === '' || cell?.kind === 'date' || emptyJson.test(text)
          ? []
          : `${name}=${withoutChanging(name, text)}`;
      })
      .sort();
    return parts.length === 0
      ? ''
      : `${digestMark}${createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 24)}`;
  }
}

/** What is masked tells nothing. */
function textOf(cell: Cell | undefined): string {
  return cell === undefined || cell.masked === true ? '' : cell.text;
}

/** Reads what tells rows of a file apart, and what they are about; `undefined` if nothing does. */
export function rowIdentifier(
  file: TableFile,
  columns: KnownColumns,
): (row: number) => IdentifiedRow | undefined {
  const identifier = new RowIdentifier(file, columns);
  return (row) => identifier.describe(file.read(row, identifier.nodes), 0, row);
}

/** What rows are about, without those that nothing tells apart. */
export async function describeRows(
  file: TableFile,
  rows: readonly number[],
  budget: YieldBudget,
): Promise<IdentifiedRow[]> {
  const read = rowIdentifier(file, findKnownColumns(file));
  const described: IdentifiedRow[] = [];
  for (const row of rows) {
    const identified = read(row);
    if (identified) {
      described.push(identified);
    }
    if (budget.shouldYield(4096)) {
      await budget.pause();
    }
  }
  return described;
}
