import { oneLine } from '../base/text/visibleText';
import { codeLocations, packageIn } from './codeLocation';
import { mayMean, says } from './meanings';
import { type FindingMembers, type MemberTexts, memberTexts, membersWith } from './memberTexts';

/** The longest text that is searched for. */
const maxLength = 200;

/**
 * What to search the code for, where a record names no file of it: a package, a host, an address, or the name
 * of a file that is elsewhere.
 * @param asset the value of the column that the table knows as the asset.
 */
export function recordAsset(record: FindingMembers, asset?: string): string | undefined {
  const texts = memberTexts(record);
  const text =
    packageIn(texts) ??
    (asset === '' ? undefined : asset) ??
    assetIn(texts) ??
    codeLocations(record)[0]?.path.split('/').at(-1) ??
    '';
  const shown = oneLine(parseHost(text)).slice(0, maxLength);
  return shown === '' ? undefined : shown;
}

/** The asset, unless that is a file, whose name is enough: its folders may be others here. */
function assetIn(texts: MemberTexts): string | undefined {
  return membersWith(texts, 'asset').find(
    ({ key }) => !mayMean('file', key) && !says('explanation', key),
  )?.text;
}

/** The host of an address on the web: code rarely has the rest of it. */
function parseHost(text: string): string {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text;
}
