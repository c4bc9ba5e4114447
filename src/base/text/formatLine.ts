/** A text on one line of at most so many characters; unlike `plainText`, also in a page. */
export function formatLine(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}\u2026` : line;
}
