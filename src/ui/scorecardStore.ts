import type { Disposable } from '../common/disposable';
import { Emitter } from '../common/emitter';
import type { ScorecardStore } from '../model/scorecards';
import { onDidChangeSetting, setting, writeSetting } from './settings';

/**
 * The list of scorecards in the setting `scorecard.scorecards`.
 * @param own takes over what has to be disposed.
 */
export function scorecardStore(own: <T extends Disposable>(item: T) => T): ScorecardStore {
  const changed = own(new Emitter<void>());
  own(
    onDidChangeSetting('scorecards', () => {
      changed.fire();
    }),
  );
  return {
    read: () => setting('scorecards'),
    write: (value) => writeSetting('scorecards', value),
    onDidChange: changed.event,
  };
}
