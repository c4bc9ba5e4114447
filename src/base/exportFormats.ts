/** The formats that findings and tables are exported in. */
export const exportFormats = ['csv', 'json', 'ndjson'] as const;

export type ExportFormat = (typeof exportFormats)[number];
