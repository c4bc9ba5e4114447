import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import * as yauzl from 'yauzl';
import { findElement, parseXml, type XmlElement } from './xml';

/** A value of a cell: a text, a number, a boolean, or a date or time in UTC with its format. */
export type ReadCell = string | number | boolean | { readonly date: string } | null;

export interface ReadSheet {
  readonly name: string;
  readonly headings: readonly ReadCell[];
  readonly rows: readonly (readonly ReadCell[])[];
  readonly widths: readonly number[];
  /** The range of the filter. */
  readonly filter: string;
}

/** Reads a workbook as strictly as Excel does: faults for which Excel offers to repair a file are errors. */
export async function readXlsx(file: string): Promise<ReadSheet[]> {
  const parts = await unzip(file);
  const xml = new Map(Array.from(parts, ([path, text]) => [path, parseXml(text)]));
  const part = (path: string) => {
    const found = xml.get(path);
    assert.ok(found, path);
    return found;
  };
  checkTypes(part('[Content_Types].xml'), [...xml.keys()]);
  assert.deepEqual(targetsOf(part('_rels/.rels')), { rId1: 'xl/workbook.xml' });
  const targets = targetsOf(part('xl/_rels/workbook.xml.rels'));
  for (const target of Object.values(targets)) {
    assert.ok(xml.has(`xl/${target}`), target);
  }
  const formats = readFormats(part('xl/styles.xml'));
  const workbook = part('xl/workbook.xml');
  const filters = findElement(workbook, 'definedNames').children;
  const sheets = findElement(workbook, 'sheets').children.map(({ attributes }, at) => {
    const name = attributes.name ?? '';
    assert.match(name, /^[^[\]:*?/\\']{1,31}$/);
    const sheet = readSheet(name, part(`xl/${targets[attributes['r:id'] ?? '']}`), formats);
    const named = filters[at];
    assert.ok(named);
    const { text, attributes: filter } = named;
    assert.deepEqual(filter.localSheetId, String(at));
    assert.equal(text.replaceAll('$', ''), `'${name}'!${sheet.filter}`);
    return sheet;
  });
  assert.equal(filters.length, sheets.length);
  return sheets;
}

async function unzip(file: string): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(readFileSync(file), { lazyEntries: true });
  const parts = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    assert.ok(!parts.has(entry.fileName), entry.fileName);
    parts.set(entry.fileName, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  }
  return parts;
}

function checkTypes({ children }: XmlElement, paths: readonly string[]): void {
  const defaults = children.flatMap(({ name, attributes }) =>
    name === 'Default' ? [attributes.Extension ?? ''] : [],
  );
  const overrides = children.flatMap(({ name, attributes }) =>
    name === 'Override' ? [attributes.PartName?.slice(1) ?? ''] : [],
  );
  for (const path of paths) {
    assert.ok(defaults.includes(path.split('.').at(-1) ?? ''), path);
  }
  const typed = paths.filter((path) => path.startsWith('xl/') && !path.endsWith('.rels'));
  assert.deepEqual(overrides.toSorted(), typed.toSorted());
}

function targetsOf({ children }: XmlElement): Readonly<Record<string, string>> {
  return Object.fromEntries(
    children.map(({ attributes }) => [attributes.Id ?? '', attributes.Target ?? '']),
  );
}

/** The format codes of styles, by their numbers; those that are built in by their ids. */
function readFormats(styles: XmlElement): string[] {
  const codes = new Map(
    findElement(styles, 'numFmts').children.map(({ attributes }) => [
      attributes.numFmtId,
      attributes.formatCode ?? '',
    ]),
  );
  const { children, attributes } = findElement(styles, 'cellXfs');
  assert.equal(attributes.count, String(children.length));
  const fonts = findElement(styles, 'fonts').children.length;
  return children.map(({ attributes: style }) => {
    assert.ok(Number(style.fontId) < fonts);
    const id = style.numFmtId;
    return codes.get(id) ?? id ?? '';
  });
}

/** The elements of a sheet, in the only order that Excel accepts. */
const order = ['dimension', 'sheetViews', 'cols', 'sheetData', 'autoFilter', 'ignoredErrors'];

function readSheet(name: string, sheet: XmlElement, formats: readonly string[]): ReadSheet {
  assert.deepEqual(
    sheet.children.map((child) => child.name),
    order,
  );
  const [view] = findElement(sheet, 'sheetViews').children;
  assert.ok(view);
  assert.deepEqual(findElement(view, 'pane').attributes, {
    ySplit: '1',
    topLeftCell: 'A2',
    activePane: 'bottomLeft',
    state: 'frozen',
  });
  const widths = findElement(sheet, 'cols').children.map(({ attributes }, at) => {
    assert.deepEqual([attributes.min, attributes.max], [String(at + 1), String(at + 1)]);
    const width = Number(attributes.width);
    assert.ok(width > 0 && width < 255);
    return width;
  });
  const [headings = [], ...rows] = findElement(sheet, 'sheetData').children.map((row, at) => {
    assert.deepEqual([row.name, row.attributes.r], ['row', String(at + 1)]);
    return readRow(row, widths.length, formats);
  });
  const filter = findElement(sheet, 'autoFilter').attributes.ref ?? '';
  assert.equal(findElement(sheet, 'dimension').attributes.ref, filter);
  assert.equal(filter, `A1:${letters(widths.length - 1)}${rows.length + 1}`);
  return { name, headings, rows, widths, filter };
}

function readRow(row: XmlElement, columns: number, formats: readonly string[]): ReadCell[] {
  const cells = Array.from({ length: columns }, (): ReadCell => null);
  let before = -1;
  for (const cell of row.children) {
    const [, column = '', number] = /^([A-Z]+)(\d+)$/.exec(cell.attributes.r ?? '') ?? [];
    assert.equal(number, row.attributes.r);
    const at = columnOf(column);
    assert.ok(at > before && at < columns, cell.attributes.r);
    before = at;
    cells[at] = readCell(cell, formats);
  }
  return cells;
}

function readCell(cell: XmlElement, formats: readonly string[]): ReadCell {
  const { t: type, s: style = '0' } = cell.attributes;
  const format = formats[Number(style)];
  assert.ok(format !== undefined);
  if (type === 'inlineStr') {
    const text = findElement(findElement(cell, 'is'), 't');
    const isSpaced = text.attributes['xml:space'] === 'preserve';
    assert.ok(isSpaced || text.text === text.text.trim(), JSON.stringify(text.text));
    const decoded = text.text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    assert.ok(decoded.length <= 32_767);
    return decoded;
  }
  const { text } = findElement(cell, 'v');
  if (type === 'b') {
    assert.match(text, /^[01]$/);
    return text === '1';
  }
  assert.equal(type, undefined);
  assert.match(text, /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/);
  const number = Number(text);
  return format.startsWith('yyyy') ? { date: formatDate(number, format) } : number;
}

function formatDate(serial: number, format: string): string {
  assert.ok(serial >= 61);
  const iso = new Date(Math.round((serial - 25_569) * 86_400_000)).toISOString();
  const length = { 'yyyy\\-mm\\-dd': 10, 'yyyy\\-mm\\-dd\\ hh:mm:ss': 19 }[format] ?? 23;
  return iso.slice(0, length).replace('T', ' ');
}

function letters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : `${letters(Math.floor(column / 26) - 1)}${letter}`;
}

function columnOf(letterText: string): number {
  return (
    Array.from(letterText).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  );
}
