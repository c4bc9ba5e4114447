import { readFileSync } from 'node:fs';
import type { Texts } from './translations';

/** package.json as in the file: a text for users is a key, such as `%view.findings.name%`. */
export const rawManifest = readJson('package.json');

/** The texts of package.json in English and in German, by their keys. */
export const manifestTexts = {
  english: readJson('package.nls.json') as Texts,
  german: readJson('package.nls.de.json') as Texts,
};

/** The keys that a part of package.json uses. */
export function keysOf(part: unknown): string[] {
  if (typeof part === 'string') {
    const key = /^%(.+)%$/.exec(part)?.[1];
    return key === undefined ? [] : [key];
  }
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(keysOf) : [];
}

/** A part of package.json with its texts in place of their keys, as VS Code reads it. */
export function translated<T>(part: T, texts: Texts = manifestTexts.english): T {
  return JSON.parse(JSON.stringify(part), (_, value: unknown) => {
    const key = typeof value === 'string' ? keysOf(value)[0] : undefined;
    return key === undefined ? value : texts[key];
  }) as T;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
