import { kindDate, kindNull, kindNumber, kindText } from '../../values/kinds';
import { snakeCase } from '../../values/roles';
import {
  type ColumnId,
  type DateOrder,
  dateOrders,
  type FormChoice,
  type TableFormat,
  type ValueForm,
} from '../../types';
import { newValue, type RecordReader } from '../records/recordReader';
import type { Shape, ShapeNode } from '../records/shape';

/** How many of the first rows tell the form of values, and how many the order of day and month. */
const sampledRows = 200;
const slashRows = 2000;
/** A longer text is no date and no number, in bytes. */
const longest = 60;

const textBit = 1 << kindText;
const numberBit = 1 << kindNumber;

const slashDate = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})(,? +\d{1,2}:\d\d.{0,24})?$/;

/** A number with a decimal comma or none, and with points between thousands or none. */
const commaNumber = /^[ \t]*[-+]?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d*)?|,\d+)[ \t]*$/;

/** Numbers with a comma that may also be one between thousands, as in English. */
const mayBeThousands = /^[ \t]*[-+]?[1-9]\d{0,2},\d{3}[ \t]*$/;

/** Parts of numbers with a comma that a list of numbers such as 80,443 does not have. */
const isNoList = /^[ \t]*(?:[-+]|0?,)|\.|,0/;

/** A last word of names of times, also after an underscore. */
const timeName =
  /(^|_)(at|on|date|time|datetime|timestamp|epoch|ts|seen|created|updated|modified|detected|discovered|found|published|reported|opened|closed|resolved|expires|expiry)(_(date|time|utc|ms|millis|milliseconds|s|sec|seconds|epoch|at|on))*$/;

/** Times from 1990 to 2100, in milliseconds since 1970. */
const firstTime = Date.UTC(1990, 0);
const lastTime = Date.UTC(2100, 0);

/** A file of which single records can be read. */
interface SampledFile {
  readonly detected: { readonly format: Pick<TableFormat, 'kind' | 'delimiter'> };
  readonly shape: Shape;
  readonly index: { readonly rows: number };
  read(row: number, nodes: readonly ShapeNode[]): RecordReader;
}

/** What a user, or what a file is about, says about the forms of values. */
export interface KnownForms {
  /** What a user has chosen for columns. */
  readonly forms?: Readonly<Record<ColumnId, FormChoice>> | undefined;
  /** The order of day and month in dates with slashes. Without it, the first rows tell. */
  readonly dateOrder?: DateOrder | undefined;
}

/** What the values of a column tell about their form. */
class FormEvidence {
  /** How many values there are, besides dates in forms that tell themselves. */
  private count = 0;
  private areSlashes = true;
  private readonly isTime: boolean;
  private areSeconds = true;
  private areMilliseconds = true;
  private dayFirst = false;
  private monthFirst = false;
  private areCommaNumbers = true;
  private hasGrouped = false;
  private hasComma = false;
  private hasDecimalComma = false;

  /** @param delimiter CSV: what separates the fields. */
  constructor(
    readonly node: ShapeNode,
    private readonly delimiter: string | undefined,
  ) {
    this.isTime = timeName.test(snakeCase(node.title));
  }

  add(kind: number, text: string): void {
    if (kind >= kindNull || text === '') {
      return;
    }
    this.addNumber(text);
    if (kind === kindDate) {
      return;
    }
    this.count += 1;
    const time = kind === kindNumber && this.isTime ? Number(text) : NaN;
    this.areSeconds &&= time * 1000 >= firstTime && time * 1000 < lastTime;
    this.areMilliseconds &&= time >= firstTime && time < lastTime;
    const [, first, second] = slashDate.exec(text) ?? [];
    this.areSlashes &&= first !== undefined;
    this.dayFirst ||= Number(first) > 12;
    this.monthFirst ||= Number(second) > 12;
  }

  private addNumber(text: string): void {
    if (!commaNumber.test(text)) {
      this.areCommaNumbers = false;
      return;
    }
    this.hasGrouped ||= text.includes('.');
    if (text.includes(',')) {
      this.hasComma = true;
      // Between semicolons, commas are those of numbers.
      this.hasDecimalComma ||=
        this.delimiter === ';' || (isNoList.test(text) && !mayBeThousands.test(text));
    }
  }

  get maySlash(): boolean {
    return this.count > 0 && this.areSlashes;
  }

  get epoch(): ValueForm | undefined {
    return this.count === 0
      ? undefined
      : this.areSeconds
        ? 'seconds'
        : this.areMilliseconds
          ? 'milliseconds'
          : undefined;
  }

  get decimalComma(): ValueForm | undefined {
    return this.delimiter !== undefined && this.areCommaNumbers && this.hasDecimalComma
      ? 'decimalComma'
      : undefined;
  }

  /** `undefined` if no value tells the order, and null if they contradict each other. */
  get order(): DateOrder | null | undefined {
    return this.dayFirst && this.monthFirst
      ? null
      : this.dayFirst
        ? 'dayFirst'
        : this.monthFirst
          ? 'monthFirst'
          : undefined;
  }

  /** What a user may choose. */
  get choices(): FormChoice[] {
    const isCsv = this.delimiter !== undefined;
    const mayBeComma = this.hasComma || (this.hasGrouped && this.areCommaNumbers);
    return [
      ...(isCsv || this.maySlash ? (['text'] as const) : []),
      ...(isCsv && mayBeComma ? (['decimalComma'] as const) : []),
      ...(this.maySlash ? dateOrders : []),
    ];
  }
}

/**
 * Finds columns whose values have a form that only all of them tell, by the first rows: dates with slashes, of which
 * one has a day after the 12th, numbers in columns whose names say time, and numbers with a decimal comma in CSV.
 * Columns that do not tell the order of day and month have that of others, unless there are both. What a user may
 * choose is noted in the nodes.
 * @returns the form of each column that has one
 */
export function findForms(
  file: SampledFile,
  { forms: chosen = {}, dateOrder }: KnownForms = {},
): ReadonlyMap<ShapeNode, ValueForm> {
  const { kind, delimiter } = file.detected.format;
  const columns = file.shape
    .columns()
    .columns.map(({ id }) => file.shape.get(id))
    .filter(({ form }) => form === undefined)
    .map((node) => new FormEvidence(node, kind === 'csv' ? (delimiter ?? ',') : undefined));
  const sampled = columns.filter(({ node }) => (node.kinds & (textBit | numberBit)) !== 0);
  addRows(file, sampled, 0, sampledRows);
  addRows(
    file,
    sampled.filter(({ maySlash }) => maySlash),
    sampledRows,
    slashRows,
  );
  for (const { node, choices } of columns) {
    const choice = chosen[node.id];
    node.formChoices = choices;
    node.chosenForm = choice && choices.includes(choice) ? choice : undefined;
  }
  const common = commonOrder(columns);
  const forms = new Map<ShapeNode, ValueForm>();
  for (const { node, epoch, decimalComma, maySlash, order } of columns) {
    const slashForm = maySlash
      ? (dateOrder ?? (order === undefined ? common : (order ?? undefined)))
      : undefined;
    const form = node.chosenForm ?? epoch ?? decimalComma ?? slashForm;
    if (form) {
      forms.set(node, form);
    }
  }
  return forms;
}

/** The order of day and month that all columns tell that tell one, or else all that a user has chosen. */
function commonOrder(columns: readonly FormEvidence[]): DateOrder | undefined {
  const slashes = columns.filter(({ maySlash }) => maySlash);
  const told = new Set(slashes.flatMap(({ order }) => order ?? []));
  const chosen = new Set(
    slashes.flatMap(({ node }) => dateOrders.filter((order) => order === node.chosenForm)),
  );
  const [only, other] = told.size > 0 ? told : chosen;
  return other === undefined ? only : undefined;
}

function addRows(
  file: SampledFile,
  columns: readonly FormEvidence[],
  from: number,
  to: number,
): void {
  if (columns.length === 0) {
    return;
  }
  const nodes = columns.map(({ node }) => node);
  const value = newValue();
  for (let row = from; row < Math.min(to, file.index.rows); row += 1) {
    const reader = file.read(row, nodes);
    columns.forEach((column, slot) => {
      reader.read(0, slot, value);
      const end = Math.min(value.to, value.from + longest);
      column.add(value.kind, value.bytes.toString('latin1', value.from, end));
    });
  }
}
