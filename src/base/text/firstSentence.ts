/** The first sentence of the first line with a text, without its full stop and the signs of a heading in Markdown. */
export function firstSentence(text: string): string {
  const line =
    text
      .split(/[\r\n]+/)
      .map((each) => each.replace(/^\s*#+\s+/, '').trim())
      .find((each) => each !== '') ?? '';
  // What follows `e.g.` begins in lower case.
  const [sentence = line] = /^.*?[.!?](?=\s+\P{Ll})/su.exec(line) ?? [];
  return sentence.replace(/\.$/, '');
}
