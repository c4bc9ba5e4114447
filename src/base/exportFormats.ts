/** The formats that findings and tables are exported in as text. */
export const exportFormats = ['csv', 'json', 'ndjson'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export const tableExportFormats = [...exportFormats, 'parquet'] as const;

export type TableExportFormat = (typeof tableExportFormats)[number];

/** The formats that findings and rows are copied in. */
export const copyFormats = ['tsv', 'csv', 'json', 'markdown'] as const;

export type CopyFormat = (typeof copyFormats)[number];

/** Whether copies in a format are for people, who want to read what they see; programs read the others. */
export function isForPeople(format: CopyFormat): boolean {
  return format === 'tsv' || format === 'markdown';
}

/** How secret-like values are written. */
export type SecretMode = 'masked' | 'shown';
