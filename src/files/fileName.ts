import type { parse } from 'content-disposition';

/** Parses a Content-Disposition header. If the header is invalid, returns the parts that can be read. */
type ParseDisposition = typeof parse;

/** The longest name in bytes of UTF-8: file systems allow 255, and `.part` has to fit too. */
const longestName = 200;

/** File name endings by media type, for responses without a file name. */
const extensions = new Map([
  ['text/csv', '.csv'],
  ['application/csv', '.csv'],
  ['application/pdf', '.pdf'],
  ['application/json', '.json'],
  ['application/x-ndjson', '.ndjson'],
  ['application/ndjson', '.ndjson'],
  ['application/jsonl', '.jsonl'],
  ['application/x-jsonlines', '.jsonl'],
  ['application/zip', '.zip'],
  ['application/gzip', '.gz'],
  ['application/x-gzip', '.gz'],
  ['text/plain', '.txt'],
  ['text/html', '.html'],
]);

/** Names that Windows reserves for devices, with any extension. */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

/**
 * Characters that cause trouble in a file name for Windows, shells or readers: controls, bidi marks,
 * wildcards.
 */
const forbidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]+/gu;

/** What a response says about the name of its file. */
interface ServedName {
  /** Content-Disposition; `null` if it is absent. */
  readonly disposition: string | null;
  /** Lower case, without parameters. */
  readonly mediaType: string;
  /** Whether the body is certainly no gzip file, because it was unpacked. Default: the name is right. */
  readonly isUnpacked?: boolean;
}

/**
 * A file name for a report, safe to use inside a folder: from Content-Disposition (RFC 6266), or
 * `report` with the ending of the media type.
 *
 * @param parse parses the header.
 * @param redact masks secrets.
 */
export function reportFileName(
  { disposition, mediaType, isUnpacked = false }: ServedName,
  parse: ParseDisposition,
  redact: (text: string) => string = (text) => text,
): string {
  const ofContent = isUnpacked ? unpackedName : (name: string) => name;
  const extension = ofContent(extensions.get(mediaType) ?? '');
  const safeName = (name: string) => safeFileName(redact(name));
  // Applied twice: a character that a name must not contain may hide a secret until it is removed.
  const { filename = '' } = parse(disposition ?? '').parameters;
  const served = safeName(ofContent(safeName(fromUtf8(filename))));
  // Next to other reports, such a name could be mistaken for an unfinished download; see partFor.
  const name = served.replace(/\.part$/i, (ending) => ending.replace('.', '_'));
  if (name === '') {
    return `report${extension}`;
  }
  return name.includes('.') ? name : name + extension;
}

/** The name of what is in a gzip file. */
function unpackedName(name: string): string {
  return name.replace(/\.gz$/i, '').replace(/\.tgz$/i, '.tar');
}

/** Whether the response asks to be saved (RFC 6266 section 4.2). */
export function isAttachment(disposition: string | null): boolean {
  return /^\s*attachment\s*(;|$)/i.test(disposition ?? '');
}

/** Decodes raw UTF-8 in a header, which Node has decoded as Latin-1. */
function fromUtf8(name: string): string {
  if (!/[\x80-\xff]/.test(name) || !/^[\x20-\xff]*$/.test(name)) {
    return name;
  }
  const decoded = Buffer.from(name, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? name : decoded;
}

/**
 * The last part of a path of any operating system, without characters that a file name must not contain;
 * may be empty.
 */
export function safeFileName(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replace(/^[A-Za-z]:/, '')
    .replace(forbidden, '')
    .normalize('NFC')
    // Windows drops spaces and dots at the end. A dot at the start hides the file, or means a folder.
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/gu, '')
    .replace(deviceName, '_$1');
  return shorten(name);
}

/** Cuts the stem and keeps the extension. Never cuts inside a character. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longestName) {
    return name;
  }
  const ending = /(?:\.[A-Za-z0-9]{1,10}){1,2}$/.exec(name)?.[0] ?? '';
  let stem = '';
  for (const character of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(stem + character + ending) > longestName) {
      break;
    }
    stem += character;
  }
  return stem.trimEnd() + ending;
}
