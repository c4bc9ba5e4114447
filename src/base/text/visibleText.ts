/**
 * Invisible characters: control and format characters (bidirectional overrides, zero-width ones), line and paragraph
 * separators, lone surrogates.
 */
export const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * Invisible characters within a line: control and format characters (bidirectional overrides, zero-width ones,
 * tags), and others that are drawn as nothing, such as variation selectors.
 */
export const invisible = /(?:(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])+/gu;

/** A text without what nobody can see in it. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '');
}

/** The visible characters of a text as one line: line breaks, control and format characters become a space. */
export function oneLine(text: string): string {
  return text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
}
