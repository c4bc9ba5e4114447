import { oneLine } from '../base/text/visibleText';
import { codeLocations, packageIn } from './codeLocation';
import { firstText, type FindingMembers, memberTexts } from './memberTexts';

/** Names of members with an asset that code may name, most likely first. */
const assetNames = [
  'asset',
  'asset_name',
  'affected_asset',
  'domain',
  'hostname',
  'host_name',
  'host',
  'fqdn',
  'target',
  'ip',
  'ip_address',
  'final_url',
  'url',
  'uri',
  'product_name',
  'malware_family',
  'parent_domain',
];

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
    firstText(texts, assetNames) ??
    codeLocations(record)[0]?.path.split('/').at(-1) ??
    '';
  const shown = oneLine(hostOf(text)).slice(0, maxLength);
  return shown === '' ? undefined : shown;
}

/** The host of an address on the web: code rarely has the rest of it. */
function hostOf(text: string): string {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text;
}
