import type { Own } from '../../base/disposable';
import type { ScorecardStore } from '../scorecards';
import { listSetting, writeSetting } from '../../workbench/settingsCommands';

/**
 * The list of scorecards in the setting `scorecard.scorecards`.
 * @param own takes over what has to be disposed.
 */
export function scorecardStore(own: Own): ScorecardStore {
  return {
    ...listSetting('scorecards', own),
    write: (value) => writeSetting('scorecards', value),
  };
}
