import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Texts } from '../helpers/translations';

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Texts;

/** What is counted. A further noun is added when a text first counts it. */
const counted =
  'asset|byte|cell|column|company|day|difference|duplicate|entry|field|finding|group|issue type|issue|item|line|' +
  'point|record|report|request|row|scorecard';
const plurals = counted
  .split('|')
  .map((noun) => (noun.endsWith('y') && noun !== 'day' ? `${noun.slice(0, -1)}ies` : `${noun}s`));

/** A number with what it counts: `{0} more columns`. */
const manyOf = new RegExp(`\\{\\d\\}((?: [\\w+-]+){0,3}?) (${plurals.join('|')})\\b`, 'i');
const oneOf = new RegExp(`(?:\\{\\d\\}|\\b1)((?: [\\w+-]+){0,3}?) (${counted})\\b(?! types)`, 'i');

/** Texts whose number is never one, with the reason. */
const neverOne = new Set([
  // Of several.
  '{0} of {1} requests left this hour (all windows)',
  '1 of {0} requests left this hour (all windows)',
  'The SQL reads {0} of {1} reports; the rest is left out.',
  'Copied the first {0} of {1} groups',
  'Copied the first {0} of {1} rows',
  // A selection of one cell has no text.
  '{0} \u00d7 {1} cells selected',
  // Limits, and what is beyond them.
  'The report is larger than {0} bytes.',
  'The language model gets counts and at most {0} differences. Secret values stay masked.',
  'The file has {0} columns; only the first {1} can be exported like this. Name the columns, or export JSON files as JSON or NDJSON.',
  'The findings have {0} different fields; CSV files are limited to {1} columns. Export as JSON or NDJSON.',
  'Tells all of the first {0} rows apart in both files',
  'Tells {0} of the first {1} rows apart in both files',
  // A history of one day has no text, and known issues are known for 30 or 90.
  'From {0} to {1} in {2} days',
  '{0} in 30 days',
  '{0} days',
  // 30, 90 or 365.
  'Had a breach in the last {0} days',
  // The name of a company or a scorecard.
  'Add {0} to the issue types of {1}?',
  'Name for {0} in the Findings view',
  '{0} has no issue types yet. Run "Scorecard: Add Scorecard or Issue Types" first.',
  '{0} belongs to the entries of {1}. Add a collection with that path as well.',
  // Numbers after what they count.
  '{0}, line {1}: {2} Known issues that count: {3}.',
  // A share.
  'Tells {0} of rows apart in both files',
]);

/** Texts that say one thing in other words. */
const otherWords: Texts = {
  'Add {0} issue types': 'Add "{0}"',
  '{0} days ago': 'yesterday',
  'The worst {0} findings are listed in Problems': 'The worst finding is listed in Problems',
};

/** The part of a text that has the number, without what differs between one and many. */
function skeleton(text: string, number: RegExp): string | undefined {
  const part = text.split(/[.;:](?: |$)/).find((sentence) => number.test(sentence));
  return part
    ?.toLowerCase()
    .replace(/\{\d\}|\b1\b/g, '#')
    .replace(/\bare\b/g, 'is')
    .replace(/\bhave\b/g, 'has')
    .replace(/\btheir\b/g, 'its')
    .replace(/ies\b/g, 'y')
    .replace(/s\b/g, '');
}

describe('The texts with numbers', () => {
  const texts = Object.keys(german);
  const ones = new Map(
    texts.flatMap((text) => {
      const key = skeleton(text, oneOf);
      return key === undefined ? [] : [[key, text] as const];
    }),
  );
  const findOne = (text: string): string | undefined =>
    otherWords[text] ?? ones.get(skeleton(text, manyOf) ?? '');
  const many = texts.filter((text) => manyOf.test(text) && !neverOne.has(text));

  it('The texts with numbers that count something all have a text for one of them', () => {
    assert.ok(many.length > 30, `only ${many.length} texts were found`);
    assert.deepEqual(
      many.filter((text) => !Object.hasOwn(german, findOne(text) ?? '')),
      [],
    );
  });

  it('The texts with numbers differ for one and many also in German', () => {
    const bare = (text: string) => german[text]?.replace(/\{\d\}|\b1\b/g, '#');
    assert.deepEqual(
      many.filter((text) => bare(text) === bare(findOne(text) ?? '')),
      [],
    );
  });

  it('The texts with numbers that are said to be never one exist', () => {
    assert.deepEqual(
      [...neverOne, ...Object.keys(otherWords)].filter((text) => !manyOf.test(text)),
      [],
    );
    assert.deepEqual(
      [...neverOne, ...Object.keys(otherWords)].filter((text) => !Object.hasOwn(german, text)),
      [],
    );
  });
});
