import { type CodeLocation, codeLocations } from './codeLocation';
import { type FindingMembers, memberTexts, textOfMeaning } from './memberTexts';

/**
 * A link in a message of SARIF to a related location, which has a number: `[the source](1)` (2.1.0, section 3.11.6).
 * Its text is short: a search from each bracket to the end of a long message would take minutes.
 */
const placeLink = /\[((?:[^[\]\\]|\\.){0,300})\]\((\d{1,9})\)/g;

/** So many places are named beside a message. */
const maxLinks = 20;

/** What a message says of a place, and the places in code that may be it, most likely first. */
export interface PlaceLink {
  readonly text: string;
  readonly locations: readonly CodeLocation[];
}

/** A message with the texts of its links to places. */
export function withoutPlaceLinks(message: string): string {
  return message.replace(placeLink, (_, text: string) => unescaped(text));
}

/** Whether the message of a finding has links to places. */
export function hasPlaceLinks(record: FindingMembers): boolean {
  return linksIn(record).length > 0;
}

/** The places that the message of a finding links to, as far as its related locations have them. */
export function placeLinks(record: FindingMembers): PlaceLink[] {
  const related = Array.isArray(record.relatedLocations)
    ? (record.relatedLocations as readonly unknown[])
    : [];
  return linksIn(record).flatMap(([, text = '', id]) => {
    const place = related.find((each) => isPlace(each) && each.id === Number(id));
    const locations = place === undefined ? [] : codeLocations({ locations: [place] });
    return locations.length > 0 ? [{ text: unescaped(text), locations }] : [];
  });
}

function linksIn(record: FindingMembers): RegExpExecArray[] {
  const texts = memberTexts(record);
  const message = textOfMeaning(texts, 'message', 'ruleTitle', 'explanationText') ?? '';
  return [...message.matchAll(placeLink)].slice(0, maxLinks);
}

function isPlace(value: unknown): value is { readonly id?: unknown } {
  return typeof value === 'object' && value !== null;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
