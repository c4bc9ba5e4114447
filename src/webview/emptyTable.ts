import { isNameOfFindings } from '../engine/values/findingsNames';
import { roleOfName } from '../engine/values/roles';
import type { TableInfo } from '../engine/types';
import { nameOfList } from './menus/listMenu';

/** The text for a file that has been read and has no rows. One that may be damaged may have lost findings. */
export function whyNoRows(info: TableInfo): 'noFindings' | 'noRows' {
  const { columns, list, truncated, invalidRows, bytesAfterValue } = info;
  const isWhole = invalidRows === 0 && !truncated && !bytesAfterValue;
  const isOfFindings =
    columns.some(({ name }) => roleOfName(name) === 'severity') ||
    (list !== undefined && isNameOfFindings(nameOfList(list)));
  return isWhole && isOfFindings ? 'noFindings' : 'noRows';
}
