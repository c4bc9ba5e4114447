/** The formats that findings and tables are exported in as text. */
export const exportFormats = ['csv', 'json', 'ndjson'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export const tableExportFormats = [...exportFormats, 'parquet'] as const;

export type TableExportFormat = (typeof tableExportFormats)[number];

/** How secret-like values are written. */
export type SecretMode = 'masked' | 'shown';
