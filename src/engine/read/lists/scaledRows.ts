import { isJsonNumber } from '../../../base/json/json';
import { findVectorScore } from '../../../vocabulary/cvss';
import type { SeverityScale } from '../../../vocabulary/formats';
import { namesOf } from '../../../vocabulary/meanings';
import { findScoreRange } from '../../../vocabulary/severity';
import { parseObject, type RowMembers } from './rowMembers';

/** The name of the member that rows get: severities come before numbers of the same meaning if they are words. */
export function scaledMember({ as }: SeverityScale): string {
  return as ?? namesOf('explainedSeverity')[0]!;
}

/** Gives rows words for the numbers that are their severities in a format. */
export class ScaledRows implements RowMembers {
  readonly asked = [];

  constructor(private readonly scale: SeverityScale) {}

  membersOf(_run: number, _asked: string, json: Buffer): string {
    const { member, unless } = this.scale;
    const row = parseObject(json);
    // Its word counts, in the same column as those of rows that have only a number.
    const own = unless === undefined ? undefined : findText(row, unless);
    const [value] = [member].flat().flatMap((each) => findText(row, each) ?? []);
    const isThere = unless === scaledMember(this.scale) && own !== undefined;
    const word = isThere
      ? undefined
      : (own ?? (value === undefined ? undefined : this.findWord(value)));
    return word === undefined ? '' : `"${scaledMember(this.scale)}":${JSON.stringify(word)},`;
  }

  private findWord(value: string): string | undefined {
    const { words, highest = 10 } = this.scale;
    if (words === 'own') {
      return value;
    }
    if (typeof words !== 'string') {
      return Object.hasOwn(words, value) ? words[value] : undefined;
    }
    const score = words === 'vector' ? findVectorScore(value) : Number(value) * (10 / highest);
    return score === undefined ? undefined : findScoreRange(score.toFixed(1))?.level;
  }
}

/** The text or number of a member, by its path; `undefined` if there is none. */
function findText(row: Readonly<Record<string, unknown>>, path: string): string | undefined {
  let value: unknown = row;
  for (const name of path.split('.')) {
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }
  const isPlain = isJsonNumber(value) || typeof value === 'string';
  return isPlain ? String(value).trim() || undefined : undefined;
}
