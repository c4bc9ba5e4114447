import { placeholdersOf } from './l10nTexts';

/** Translations by the English text, or by the key of a text. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Parts that are the same in every language: names of settings and of issue types, addresses, IDs, JSON, code, links
 * to commands and status codes.
 */
const verbatim = new RegExp(
  [
    '`[^`]*`',
    String.raw`\{ ".*" \}`,
    String.raw`\["[a-z_]+"\]`,
    '"/?[a-z]+"',
    String.raw`\]\(command:[^)]*\)`,
    String.raw`https?://[^\s,;)]*\w`,
    String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`,
    String.raw`\bscorecard\.[\w.]*\w`,
    String.raw`\b[a-z]+_[a-z_]+\b`,
    String.raw`\((?:40\d)\)`,
    '\n',
    String.raw`\*\*`,
  ].join('|'),
  'g',
);

/** Words that are the same in German. */
const shared = new Set(['Asset', 'Assets', 'Status']);

/**
 * The problems of a translation; empty if it is correct. A correct translation keeps the placeholders and
 * what is verbatim, is not a copy of the English text, and has the quotation marks of its language.
 */
export function translationProblems(english: string, translated: string): string[] {
  const sorted = (text: string) => (text.match(verbatim) ?? []).sort().join(' ');
  return [
    ...(translated === english && !shared.has(english) ? ['it is not translated'] : []),
    ...(placeholdersOf(translated).join() === placeholdersOf(english).join()
      ? []
      : ['it has other placeholders']),
    ...(sorted(translated) === sorted(english) ? [] : ['it changes a name, an address or code']),
    ...(/["']/.test(translated.replace(verbatim, '')) ? ['it has English quotation marks'] : []),
    ...(translated.trim() === translated && translated !== '' ? [] : ['it is empty or padded']),
  ];
}
