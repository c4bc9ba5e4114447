import { kindDate, kindNumber, kindText } from '../../values/kinds';
import {
  type ColumnId,
  type DateOrder,
  dateOrders,
  type FormChoice,
  type ValueForm,
} from '../../data/column';
import type { ShapeNode } from '../records/shape';
import type { DetectedFormat } from './detect';
import { type SampledFile, sampleValues } from './sampleColumns';
import { says } from '../../../vocabulary/meanings';

/** How many of the first rows tell the form of values, and how many the order of day and month. */
const sampledRows = 200;
const slashRows = 2000;
/** A longer text is no date and no number, in bytes. */
const longest = 60;

const textBit = 1 << kindText;
const numberBit = 1 << kindNumber;

/** Between dashes, a year of two digits may also be a day. */
const slashDate =
  /^(\d{1,2})(?:\/(\d{1,2})\/(?:\d{2}|\d{4})|-(\d{1,2})-\d{4})(?:,? +(?:@ +)?\d{1,2}:\d\d.{0,24})?$/;

const digitsDate = /^(?:199\d|20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/** A number with a decimal comma or none, and with points between thousands or none. */
const commaNumber = /^[ \t]*[-+]?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d*)?|,\d+)[ \t]*$/;

/** Numbers with a comma that may also be one between thousands, as in English. */
const mayBeThousands = /^[ \t]*[-+]?[1-9]\d{0,2},\d{3}[ \t]*$/;

/** Parts of numbers with a comma that a list of numbers such as 80,443 does not have. */
const isNoList = /^[ \t]*(?:[-+]|0?,)|\.|,0/;

/** Times from 1990 to 2100, in milliseconds since 1970. */
const firstTime = Date.UTC(1990, 0);
const lastTime = Date.UTC(2100, 0);

/** What a user, or what a file is about, says about the forms of values. */
export interface KnownForms {
  /** What a user has chosen for columns. */
  readonly forms?: Readonly<Record<ColumnId, FormChoice>> | undefined;
  /** The order of day and month in dates with slashes. Without it, the first rows tell. */
  readonly dateOrder?: DateOrder | undefined;
}

/** What the values of a column tell about their form. */
interface FormEvidence {
  /** The form that they have, whatever others say. */
  readonly form: ValueForm | undefined;
  readonly maySlash: boolean;
  /** The order of day and month; `undefined` if no value tells it, and null if they contradict each other. */
  readonly order: DateOrder | null | undefined;
  /** What a user may choose. */
  readonly choices: readonly FormChoice[];
}

interface SampledValue {
  readonly kind: number;
  readonly text: string;
}

/** Whether all values are dates with slashes or dashes, besides dates in forms that tell themselves. */
function areSlashDates(values: readonly SampledValue[]): boolean {
  const others = values.filter(({ kind }) => kind !== kindDate);
  return others.length > 0 && others.every(({ text }) => slashDate.test(text));
}

/** @param delimiter CSV: what separates the fields. */
function weighForms(
  { title }: ShapeNode,
  values: readonly SampledValue[],
  delimiter: string | undefined,
): FormEvidence {
  // Dates in other forms tell themselves.
  const others = values.filter(({ kind }) => kind !== kindDate);
  const areTimes = (unit: number) =>
    others.every(({ kind, text }) => {
      const time = kind === kindNumber ? Number(text) * unit : NaN;
      return time >= firstTime && time < lastTime;
    });
  const mayBeTimes = others.length > 0 && says('time', title);
  const maySlash = areSlashDates(values);
  const slashes = maySlash ? others.map(({ text }) => slashDate.exec(text)) : [];
  const dayFirst = slashes.some((parts) => Number(parts?.[1]) > 12);
  const monthFirst = slashes.some((parts) => Number(parts?.[2] ?? parts?.[3]) > 12);
  const numbers = values.map(({ text }) => text).filter((text) => commaNumber.test(text));
  const areNumbers = numbers.length === values.length;
  const withComma = numbers.filter((text) => text.includes(','));
  // Between semicolons, commas are those of numbers.
  const isDecimal = (text: string) =>
    delimiter === ';' || (isNoList.test(text) && !mayBeThousands.test(text));
  const mayBeComma =
    withComma.length > 0 || (areNumbers && numbers.some((text) => text.includes('.')));
  const isCsv = delimiter !== undefined;
  return {
    form:
      mayBeTimes && areTimes(1000)
        ? 'seconds'
        : mayBeTimes && areTimes(1)
          ? 'milliseconds'
          : mayBeTimes && areTimes(1e-3)
            ? 'microseconds'
            : mayBeTimes && areTimes(1e-6)
              ? 'nanoseconds'
              : mayBeTimes && others.every(({ text }) => digitsDate.test(text))
                ? 'digits'
                : isCsv && areNumbers && withComma.some(isDecimal)
                  ? 'decimalComma'
                  : undefined,
    maySlash,
    order:
      dayFirst && monthFirst ? null : dayFirst ? 'dayFirst' : monthFirst ? 'monthFirst' : undefined,
    choices: [
      ...(isCsv || maySlash ? (['text'] as const) : []),
      ...(isCsv && mayBeComma ? (['decimalComma'] as const) : []),
      ...(maySlash ? dateOrders : []),
    ],
  };
}

/**
 * Finds columns whose values have a form that only all of them tell, by the first rows: dates with slashes or dashes, of
 * which one has a day after the 12th, numbers in columns whose names say time, and numbers with a decimal comma in CSV.
 * Columns that do not tell the order of day and month have that of others, unless there are both. What a user may
 * choose is noted in the nodes.
 * @returns the form of each column that has one
 */
export function findForms(
  file: SampledFile & { readonly detected: Pick<DetectedFormat, 'format'> },
  { forms: chosen = {}, dateOrder }: KnownForms = {},
): ReadonlyMap<ShapeNode, ValueForm> {
  const { kind, delimiter = ',' } = file.detected.format;
  const columns = file.shape
    .columns()
    .columns.map(({ id }) => ({ node: file.shape.get(id), values: [] as SampledValue[] }))
    .filter(({ node }) => node.form === undefined);
  const addRows = (some: typeof columns, from: number, to: number) => {
    const nodes = some.map(({ node }) => node);
    sampleValues(file, nodes, { from, to }, longest, (slot, value, text) => {
      some[slot]!.values.push({ kind: value, text });
    });
  };
  addRows(
    columns.filter(({ node }) => (node.kinds & (textBit | numberBit)) !== 0),
    0,
    sampledRows,
  );
  addRows(
    columns.filter(({ values }) => areSlashDates(values)),
    sampledRows,
    slashRows,
  );
  const found = columns.map(({ node, values }) => ({
    node,
    ...weighForms(node, values, kind === 'csv' ? delimiter : undefined),
  }));
  for (const { node, choices } of found) {
    const choice = chosen[node.id];
    node.formChoices = choices;
    node.chosenForm = choice && choices.includes(choice) ? choice : undefined;
  }
  const common = commonOrder(found);
  const forms = new Map<ShapeNode, ValueForm>();
  for (const { node, form: told, maySlash, order } of found) {
    const slashForm = maySlash
      ? (dateOrder ?? (order === undefined ? common : (order ?? undefined)))
      : undefined;
    const form = node.chosenForm ?? told ?? slashForm;
    if (form) {
      forms.set(node, form);
    }
  }
  return forms;
}

/** The order of day and month that all columns tell that tell one, or else all that a user has chosen. */
function commonOrder(
  columns: readonly (FormEvidence & { readonly node: ShapeNode })[],
): DateOrder | undefined {
  const slashes = columns.filter(({ maySlash }) => maySlash);
  const told = new Set(slashes.flatMap(({ order }) => order ?? []));
  const chosen = new Set(
    slashes.flatMap(({ node }) => dateOrders.filter((order) => order === node.chosenForm)),
  );
  const [only, other] = told.size > 0 ? told : chosen;
  return other === undefined ? only : undefined;
}
