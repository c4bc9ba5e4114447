/** The id of a vulnerability in the list of CVE. */
const cveId = String.raw`CVE-\d{4}-\d{4,19}`;
const wholeId = new RegExp(`^${cveId}$`);
const idInText = new RegExp(`(?<![\\w-])${cveId}(?![\\w-])`, 'gi');

/** A text with more ids than a reader follows has no links from then on. */
const maxIds = 100;

/** Whether a text is such an id and nothing else. */
export function isCve(text: string): boolean {
  return wholeId.test(text);
}

/** The parts of a text, one after another: what is such an id, in any case, and what is around it. */
export function splitCves(
  text: string,
): readonly { readonly text: string; readonly cve?: string }[] {
  const parts: { text: string; cve?: string }[] = [];
  let end = 0;
  for (const { 0: id, index } of text.matchAll(idInText)) {
    if (parts.length >= 2 * maxIds) {
      break;
    }
    parts.push({ text: text.slice(end, index) }, { text: id, cve: id.toUpperCase() });
    end = index + id.length;
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== '');
}
