/** The id of a vulnerability in the list of CVE. */
const cveId = String.raw`CVE-\d{4}-\d{4,19}`;
const wholeId = new RegExp(`^${cveId}$`);
const idInText = new RegExp(`(?<![\\w-])${cveId}(?![\\w-])`, 'gi');

/** A text with more ids than a reader follows has no links from then on. */
const maxIds = 100;

/** A longer text is read up to here: its first ids say what it is about. */
const maxText = 64 * 1024;
/** Of the number after the year: more digits than any id has. */
const numbersOfYear = 1e9;
/** What lists of ids have between them, and ids of other lists, such as GHSA or RHSA. */
const betweenIds = /[\s,;|"'[\]()]+/;
const anyId = /^[A-Za-z][A-Za-z\d]{1,15}[-:.][\w.:-]*$/;

/** Ids of vulnerabilities: of lists such as that of CVE, of distributions, and those that Snyk gives them. */
const vulnerabilityId =
  /^(([A-Z]+-)?CVE-\d{4}-\d{4}|GHSA(-[\da-z]{4}){3}$|(PYSEC|RUSTSEC|GO|OSV|MAL|GSD|sonatype)-\d{4}-\d|(RHSA|ELSA|ALSA|RLSA|ALAS\d*|DLA|DSA|USN|TEMP)[-:]\d|SNYK-|npm:|snyk:)/;

/** The most characters of an address before an id in it. */
const maxAddress = 2_000;

/** Whether a text is such an id and nothing else. */
export function isCve(text: string): boolean {
  return wholeId.test(text);
}

/** Whether a text begins with the id of a vulnerability, in whatever list. */
export function isVulnerabilityId(text: string): boolean {
  return vulnerabilityId.test(text);
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
    // A part of an address leads elsewhere than the address.
    if (/:\/\/\S*$/.test(text.slice(Math.max(end, index - maxAddress), index))) {
      continue;
    }
    parts.push({ text: text.slice(end, index) }, { text: id, cve: id.toUpperCase() });
    end = index + id.length;
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== '');
}

/** Whether a text is a list of ids, at least one of which is of CVE: not a sentence or an address that has one. */
export function areIdsWithCve(text: string): boolean {
  const parts = text.split(betweenIds).filter((part) => part !== '');
  return parts.every((part) => anyId.test(part)) && cveCodes(text).length > 0;
}

/** The ids in a text, in any case, as numbers in the order of their years; see `formatCveCode`. */
export function cveCodes(text: string): number[] {
  return Array.from(text.slice(0, maxText).matchAll(idInText), ([id]) => {
    const [year = 0, number = 0] = id.split('-').slice(1).map(Number);
    return number < numbersOfYear ? year * numbersOfYear + number : 0;
  }).filter((code) => code > 0);
}

/** The id of a number of `cveCodes`. */
export function formatCveCode(code: number): string {
  const number = String(code % numbersOfYear).padStart(4, '0');
  return `CVE-${Math.floor(code / numbersOfYear)}-${number}`;
}
