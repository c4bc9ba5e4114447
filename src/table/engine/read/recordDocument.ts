import { prettyJson } from '../../../base/prettyJson';
import type { TableFormat, TableRecord } from '../types';

/**
 * A record as a document of its own: as JSON, or as it stands in the file where it cannot be read.
 * @param cutNote stands below what is longer than shown.
 */
export function recordDocument(
  { text, fields, invalid, cut }: TableRecord,
  { kind }: Pick<TableFormat, 'kind'>,
  cutNote: string,
): string {
  if (kind !== 'csv' || invalid !== undefined) {
    const shown = prettyJson(text) ?? `${text}\n`;
    return cut ? `${shown}\n${cutNote}\n` : shown;
  }
  const members = fields.map(
    ({ name, cell }) => `  ${JSON.stringify(name)}: ${JSON.stringify(cell.text)}`,
  );
  const shown = `{\n${members.join(',\n')}\n}\n`;
  // A record of many columns can be cut as a whole, but by no value.
  return fields.some(({ cell }) => cell.cut) ? `${shown}\n${cutNote}\n` : shown;
}
