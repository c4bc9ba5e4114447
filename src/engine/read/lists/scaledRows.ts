import { isJsonNumber } from '../../../base/json/json';
import { findVectorScore } from '../../../vocabulary/cvss';
import type { SeverityScale } from '../../../vocabulary/formats';
import { namesOf } from '../../../vocabulary/meanings';
import { findScoreRange } from '../../../vocabulary/severity';
import { parseObject, type RowMembers } from './rowMembers';

/** The name of the member that rows get: severities come before numbers of the same meaning if they are words. */
export const scaledMember = namesOf('explainedSeverity')[0]!;

/** Gives rows words for the numbers that are their severities in a format. */
export class ScaledRows implements RowMembers {
  readonly asked = [];
  private readonly names: readonly string[];

  constructor(private readonly scale: SeverityScale) {
    this.names = scale.member.split('.');
  }

  membersOf(_run: number, _asked: string, json: Buffer): string {
    let value: unknown = parseObject(json);
    for (const name of this.names) {
      value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    }
    const isPlain = isJsonNumber(value) || typeof value === 'string';
    const word = isPlain ? this.findWord(String(value).trim()) : undefined;
    return word === undefined ? '' : `"${scaledMember}":${JSON.stringify(word)},`;
  }

  private findWord(value: string): string | undefined {
    const { words } = this.scale;
    if (words !== 'vector') {
      return Object.hasOwn(words, value) ? words[value] : undefined;
    }
    const score = findVectorScore(value);
    return score === undefined ? undefined : findScoreRange(String(score))?.level;
  }
}
