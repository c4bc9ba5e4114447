import { prettyJson } from '../common/prettyJson';
import type { TableFormat, TableRecord } from './types';

/** A record as a document of its own: as JSON, or as it stands in the file where it cannot be read. */
export function recordDocument(
  { text, fields, wrong }: TableRecord,
  { kind }: Pick<TableFormat, 'kind'>,
): string {
  if (kind !== 'csv' || wrong !== undefined) {
    return prettyJson(text) ?? `${text}\n`;
  }
  const members = fields.map(
    ({ name, cell }) => `  ${JSON.stringify(name)}: ${JSON.stringify(cell.text)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}
