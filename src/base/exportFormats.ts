/** The formats that findings are exported in. */
export const exportFormats = ['csv', 'json', 'ndjson'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** The formats that tables are exported in: those for people have the words of the table, the others what is in the file. */
export const tableExportFormats = [
  'csv',
  'excelCsv',
  'xlsx',
  'tsv',
  'json',
  'ndjson',
  'parquet',
] as const;

export type TableExportFormat = (typeof tableExportFormats)[number];

/** Those whose files are text. */
export type TableTextFormat = Exclude<TableExportFormat, PackedFormat>;

/** Those whose files are bytes, of which no part can be written again. */
export type PackedFormat = 'parquet' | 'xlsx';

export function isPacked(format: TableExportFormat): format is PackedFormat {
  return format === 'parquet' || format === 'xlsx';
}

/** Whether a file in a format is for people, who want to read what they see; programs read the others. */
export function isFileForPeople(format: TableExportFormat): boolean {
  return format === 'excelCsv' || format === 'xlsx';
}

/** The extension that a file gets, without its dot. */
export function fileExtension(format: TableExportFormat): string {
  return format === 'excelCsv' ? 'csv' : format;
}

/** The formats that findings and rows are copied in. */
export const copyFormats = ['tsv', 'csv', 'json', 'markdown'] as const;

export type CopyFormat = (typeof copyFormats)[number];

/** Whether copies in a format are for people, who want to read what they see; programs read the others. */
export function isForPeople(format: CopyFormat): boolean {
  return format === 'tsv' || format === 'markdown';
}

/** How secret-like values are written. */
export type SecretMode = 'masked' | 'shown';
