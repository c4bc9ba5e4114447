import { kindDate, kindNull, kindNumber, kindText } from '../../values/kinds';
import { snakeCase } from '../../values/roles';
import type { DateChoice, DateForm, DateOrder } from '../../types';
import { newValue, type RecordReader } from '../records/recordReader';
import type { Shape, ShapeNode } from '../records/shape';

/** How many of the first rows tell the form of dates, and how many the order of day and month. */
const sampledRows = 200;
const slashRows = 2000;
/** A longer text is no date, in bytes. */
const longest = 60;

const textBit = 1 << kindText;
const numberBit = 1 << kindNumber;

const slashDate = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})(,? +\d{1,2}:\d\d.{0,24})?$/;

/** A last word of names of times, also after an underscore. */
const timeName =
  /(^|_)(at|on|date|time|datetime|timestamp|epoch|ts|seen|created|updated|modified|detected|discovered|found|published|reported|opened|closed|resolved|expires|expiry)(_(date|time|utc|ms|millis|milliseconds|s|sec|seconds|epoch|at|on))*$/;

/** Times from 1990 to 2100, in milliseconds since 1970. */
const firstTime = Date.UTC(1990, 0);
const lastTime = Date.UTC(2100, 0);

/** A file of which single records can be read. */
interface SampledFile {
  readonly shape: Shape;
  readonly index: { readonly rows: number };
  read(row: number, nodes: readonly ShapeNode[]): RecordReader;
}

/** What the values of a column tell about the form of its dates. */
class FormEvidence {
  /** How many values there are, besides dates in forms that tell themselves. */
  private count = 0;
  private areSlashes = true;
  private readonly isTime: boolean;
  private areSeconds = true;
  private areMilliseconds = true;
  private dayFirst = false;
  private monthFirst = false;

  constructor(readonly node: ShapeNode) {
    this.isTime = timeName.test(snakeCase(node.title));
  }

  add(kind: number, text: string): void {
    if (kind >= kindNull || kind === kindDate || text === '') {
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

  get maySlash(): boolean {
    return this.count > 0 && this.areSlashes;
  }

  get epoch(): DateForm | undefined {
    return this.count === 0
      ? undefined
      : this.areSeconds
        ? 'seconds'
        : this.areMilliseconds
          ? 'milliseconds'
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
}

/**
 * Finds columns whose dates have a form that only all of them tell, by the first rows: dates with slashes, of which
 * one has a day after the 12th, and numbers in columns whose names say time. Columns that do not tell the order of
 * day and month have that of others, unless there are both.
 * @param chosen what a user has chosen for dates with slashes.
 * @returns the form of each column that has one
 */
export function findDateForms(
  file: SampledFile,
  chosen?: DateChoice,
): ReadonlyMap<ShapeNode, DateForm> {
  const columns = file.shape
    .columns()
    .columns.map(({ id }) => new FormEvidence(file.shape.get(id)))
    .filter(({ node }) => !node.dateForm && (node.kinds & (textBit | numberBit)) !== 0);
  addRows(file, columns, 0, sampledRows);
  const forms = new Map<ShapeNode, DateForm>();
  const set = (node: ShapeNode, form: DateForm | null | undefined) => {
    if (form) {
      forms.set(node, form);
    }
  };
  for (const { node, epoch } of columns) {
    set(node, epoch);
  }
  const slashes = columns.filter(({ maySlash }) => maySlash);
  addRows(file, slashes, sampledRows, slashRows);
  const orders = new Set(slashes.flatMap(({ order }) => order ?? []));
  const [only] = orders.size === 1 ? orders : [];
  for (const { node, order, maySlash } of slashes) {
    if (maySlash) {
      node.hasSlashDates = true;
      set(node, chosen === 'none' ? null : (chosen ?? (order === undefined ? only : order)));
    }
  }
  return forms;
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
