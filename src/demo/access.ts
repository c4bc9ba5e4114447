import type { JsonValue } from '../base/json/json';
import { isUuid } from '../base/text/uuid';
import type { ScorecardData } from './demoData';
import { RefusedError } from './exchange';
import { requireFollowed } from './securityScorecard/companyData';

/**
 * Returns the scorecard that a request names.
 * @throws RefusedError unless the request names the UUID of a scorecard that the key may see
 */
export function requireScorecard(identifier: JsonValue): ScorecardData {
  if (typeof identifier !== 'string' || !isUuid(identifier)) {
    // A domain name is what users try first (spec section 7).
    throw new RefusedError(
      400,
      `Validation failed:\n  - scorecard_identifier: must be a UUID (got ${JSON.stringify(identifier).slice(0, 80)})\n` +
        "A domain name is not accepted here.\nUse the scorecard's UUID, such as 7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04.",
      { key: 'invalid_scorecard_identifier' },
    );
  }
  return requireFollowed(identifier);
}
