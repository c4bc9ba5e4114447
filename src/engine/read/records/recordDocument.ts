import { prettyJson } from '../../../base/json/prettyJson';
import type { TableFormat, TableRecord } from '../../types';

/**
 * The text of a record as a document: as JSON, or as in the file if the record is invalid.
 * @param cutNote follows a truncated text.
 */
export function recordDocument(
  { text, fields, invalid, cut }: TableRecord,
  { kind }: Pick<TableFormat, 'kind'>,
  cutNote: string,
): string {
  if (kind !== 'csv' || (invalid !== undefined && fields.length === 0)) {
    const shown = prettyJson(text) ?? `${text}\n`;
    return cut ? `${shown}\n${cutNote}\n` : shown;
  }
  const members = fields.map(
    ({ name, cell }) => `  ${JSON.stringify(name)}: ${JSON.stringify(cell.text)}`,
  );
  const shown = `{\n${members.join(',\n')}\n}\n`;
  // The text of a record with many columns may be truncated even if no value is.
  return fields.some(({ cell }) => cell.cut) ? `${shown}\n${cutNote}\n` : shown;
}
