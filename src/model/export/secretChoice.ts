import type { ListRow } from '../loadedList';
import { hasSecrets } from '../../common/secretFields';

/**
 * Whether held rows have secret values that can be written. Where one was put back with masks after a
 * reload of the window they cannot: its masks would stand in the file as if they were its data.
 */
export function canShowSecrets(rows: readonly Pick<ListRow, 'entry' | 'isMasked'>[]): boolean {
  return !rows.some(({ isMasked }) => isMasked) && rows.some(({ entry }) => hasSecrets(entry));
}
