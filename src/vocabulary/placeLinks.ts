/**
 * A message of SARIF without the links to its related locations, which have numbers: of `[the source](1)`, the text
 * (2.1.0, section 3.11.6).
 */
export function withoutPlaceLinks(message: string): string {
  return message.replace(/\[((?:[^[\]\\]|\\.)*)\]\(\d+\)/g, (_, text: string) =>
    text.replace(/\\(.)/g, '$1'),
  );
}
