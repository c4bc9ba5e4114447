import type { Disposable } from '../common/disposable';
import type { ScorecardStore } from '../model/scorecards';
import { listSetting, writeSetting } from './settings';

/**
 * The list of scorecards in the setting `scorecard.scorecards`.
 * @param own takes over what has to be disposed.
 */
export function scorecardStore(own: <T extends Disposable>(item: T) => T): ScorecardStore {
  return {
    ...listSetting('scorecards', own),
    write: (value) => writeSetting('scorecards', value),
  };
}
