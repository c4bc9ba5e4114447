import { columnLetters, escapeText, writeText, styles } from './xlsxCells';

/* The parts of a workbook (ECMA-376): what is not rows. */

/** The heading row and the rows of a sheet. */
export interface SheetSize {
  readonly columns: number;
  /** Without the heading. */
  readonly rows: number;
}

/** A part of the package: its path, and its content. */
interface Part {
  readonly path: string;
  readonly xml: string;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const officeDocument = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageParts = 'http://schemas.openxmlformats.org/package/2006';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/** All parts but the sheets. @param name of the first sheet; further ones have a number. */
export function workbookParts(name: string, sheets: readonly SheetSize[]): readonly Part[] {
  const numbers = sheets.map((_, at) => at + 1);
  const names = numbers.map((number) => sheetName(name, number));
  return [
    { path: '[Content_Types].xml', xml: contentTypes(numbers) },
    {
      path: '_rels/.rels',
      xml: relationships([{ type: 'officeDocument', target: 'xl/workbook.xml' }]),
    },
    { path: 'xl/workbook.xml', xml: workbook(names, sheets) },
    {
      path: 'xl/_rels/workbook.xml.rels',
      xml: relationships([
        ...numbers.map((number) => ({ type: 'worksheet', target: sheetPath(number).slice(3) })),
        { type: 'styles', target: 'styles.xml' },
      ]),
    },
    { path: 'xl/styles.xml', xml: styleSheet },
  ];
}

/** Names of sheets have at most 31 characters, and none of a formula. */
function sheetName(name: string, number: number): string {
  const clean = name
    .replace(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 25);
  return number === 1 ? clean : `${clean} ${number}`;
}

function contentTypes(sheets: readonly number[]): string {
  const override = (path: string, type: string) =>
    `<Override PartName="/${path}" ContentType="${contentType}.${type}+xml"/>`;
  return [
    `${head}<Types xmlns="${packageParts}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('xl/workbook.xml', 'sheet.main'),
    override('xl/styles.xml', 'styles'),
    ...sheets.map((number) => override(sheetPath(number), 'worksheet')),
    '</Types>',
  ].join('');
}

function relationships(targets: readonly { readonly type: string; readonly target: string }[]) {
  const items = targets.map(
    ({ type, target }, at) =>
      `<Relationship Id="rId${at + 1}" Type="${officeDocument}/${type}" Target="${target}"/>`,
  );
  return `${head}<Relationships xmlns="${packageParts}/relationships">${items.join('')}</Relationships>`;
}

function workbook(names: readonly string[], sheets: readonly SheetSize[]): string {
  const items = names.map(
    (name, at) =>
      `<sheet name="${escapeText(name).replaceAll('"', '&quot;')}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  // Excel names what is filtered; other programs look for the name.
  const filters = sheets.map((size, at) => {
    const range = filteredRange(size).replace(/[A-Z]+|\d+/g, '$$$&');
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">'${escapeText(names[at] ?? '')}'!${range}</definedName>`;
  });
  return [
    `${head}<workbook ${main} xmlns:r="${officeDocument}">`,
    `<sheets>${items.join('')}</sheets>`,
    `<definedNames>${filters.join('')}</definedNames>`,
    '</workbook>',
  ].join('');
}

function filteredRange({ columns, rows }: SheetSize): string {
  return `A1:${columnLetters(columns - 1)}${rows + 1}`;
}

/** The beginning of a sheet, with its heading. */
export function sheetHead(
  headings: readonly string[],
  widths: readonly number[],
  size: SheetSize,
): string {
  const columns = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const cells = headings.map((text, at) =>
    writeText(`${columnLetters(at)}1`, text, styles.heading),
  );
  return [
    `${head}<worksheet ${main}>`,
    `<dimension ref="${filteredRange(size)}"/>`,
    '<sheetViews><sheetView workbookViewId="0">',
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '</sheetView></sheetViews>',
    `<cols>${columns.join('')}</cols>`,
    `<sheetData><row r="1">${cells.join('')}</row>`,
  ].join('');
}

/** The end of a sheet, after its rows. Texts that are digits are no fault. */
export function sheetTail(size: SheetSize): string {
  const range = filteredRange(size);
  return [
    `</sheetData><autoFilter ref="${range}"/>`,
    `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`,
    '</worksheet>',
  ].join('');
}

/** The formats of numbers that are not built in. */
const numberFormats = [
  { id: 164, code: String.raw`yyyy\-mm\-dd` },
  { id: 165, code: String.raw`yyyy\-mm\-dd\ hh:mm:ss` },
  { id: 166, code: String.raw`yyyy\-mm\-dd\ hh:mm:ss.000` },
];

/** The attributes of the styles, besides what all have. */
const formats: Record<keyof typeof styles, string> = {
  plain: 'numFmtId="0" fontId="0"',
  heading: 'numFmtId="0" fontId="1" applyFont="1"',
  date: 'numFmtId="164" fontId="0" applyNumberFormat="1"',
  time: 'numFmtId="165" fontId="0" applyNumberFormat="1"',
  milliseconds: 'numFmtId="166" fontId="0" applyNumberFormat="1"',
  longInteger: 'numFmtId="1" fontId="0" applyNumberFormat="1"',
  formula: 'numFmtId="0" fontId="0" quotePrefix="1"',
};

const names = Object.keys(styles) as (keyof typeof styles)[];

const styleSheet = [
  `${head}<styleSheet ${main}>`,
  `<numFmts count="${numberFormats.length}">`,
  ...numberFormats.map(({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`),
  '</numFmts>',
  '<fonts count="2">',
  '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>',
  '</fonts>',
  '<fills count="2">',
  '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
  '</fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${names.length}">`,
  ...names
    .toSorted((one, other) => styles[one] - styles[other])
    .map((name) => `<xf ${formats[name]} fillId="0" borderId="0" xfId="0"/>`),
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('');
