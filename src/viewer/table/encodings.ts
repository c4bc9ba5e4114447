/** An encoding as VS Code names it: the value of `files.encoding`, and the label in lists, which it does not translate. */
export interface Encoding {
  readonly id: string;
  readonly label: string;
  /** The name for `TextDecoder`. */
  readonly decoder: string;
}

/**
 * The encodings that files can be read in: those of VS Code that `TextDecoder` has, in the order of VS Code's list.
 * What it has depends on the data that VS Code is built with.
 */
export const encodings: readonly Encoding[] = (
  [
    ['utf8', 'UTF-8', 'utf-8'],
    ['utf16le', 'UTF-16 LE', 'utf-16le'],
    ['utf16be', 'UTF-16 BE', 'utf-16be'],
    ['windows1252', 'Western (Windows 1252)', 'windows-1252'],
    ['iso88591', 'Western (ISO 8859-1)', 'iso-8859-1'],
    ['iso88593', 'Western (ISO 8859-3)', 'iso-8859-3'],
    ['iso885915', 'Western (ISO 8859-15)', 'iso-8859-15'],
    ['macroman', 'Western (Mac Roman)', 'macintosh'],
    ['windows1256', 'Arabic (Windows 1256)', 'windows-1256'],
    ['iso88596', 'Arabic (ISO 8859-6)', 'iso-8859-6'],
    ['windows1257', 'Baltic (Windows 1257)', 'windows-1257'],
    ['iso88594', 'Baltic (ISO 8859-4)', 'iso-8859-4'],
    ['iso885914', 'Celtic (ISO 8859-14)', 'iso-8859-14'],
    ['windows1250', 'Central European (Windows 1250)', 'windows-1250'],
    ['iso88592', 'Central European (ISO 8859-2)', 'iso-8859-2'],
    ['windows1251', 'Cyrillic (Windows 1251)', 'windows-1251'],
    ['cp866', 'Cyrillic (CP 866)', 'ibm866'],
    ['iso88595', 'Cyrillic (ISO 8859-5)', 'iso-8859-5'],
    ['koi8r', 'Cyrillic (KOI8-R)', 'koi8-r'],
    ['koi8u', 'Cyrillic (KOI8-U)', 'koi8-u'],
    ['iso885913', 'Estonian (ISO 8859-13)', 'iso-8859-13'],
    ['windows1253', 'Greek (Windows 1253)', 'windows-1253'],
    ['iso88597', 'Greek (ISO 8859-7)', 'iso-8859-7'],
    ['windows1255', 'Hebrew (Windows 1255)', 'windows-1255'],
    ['iso88598', 'Hebrew (ISO 8859-8)', 'iso-8859-8'],
    ['iso885910', 'Nordic (ISO 8859-10)', 'iso-8859-10'],
    ['iso885916', 'Romanian (ISO 8859-16)', 'iso-8859-16'],
    ['windows1254', 'Turkish (Windows 1254)', 'windows-1254'],
    ['iso88599', 'Turkish (ISO 8859-9)', 'iso-8859-9'],
    ['windows1258', 'Vietnamese (Windows 1258)', 'windows-1258'],
    ['gbk', 'Simplified Chinese (GBK)', 'gbk'],
    ['gb18030', 'Simplified Chinese (GB18030)', 'gb18030'],
    ['cp950', 'Traditional Chinese (Big5)', 'big5'],
    ['big5hkscs', 'Traditional Chinese (Big5-HKSCS)', 'big5-hkscs'],
    ['shiftjis', 'Japanese (Shift JIS)', 'shift_jis'],
    ['eucjp', 'Japanese (EUC-JP)', 'euc-jp'],
    ['euckr', 'Korean (EUC-KR)', 'euc-kr'],
    ['windows874', 'Thai (Windows 874)', 'windows-874'],
    ['iso885911', 'Latin/Thai (ISO 8859-11)', 'iso-8859-11'],
    ['koi8ru', 'Cyrillic (KOI8-RU)', 'koi8-ru'],
    ['gb2312', 'Simplified Chinese (GB 2312)', 'gb2312'],
  ] as const
)
  .filter(([, , decoder]) => canDecode(decoder))
  .map(([id, label, decoder]) => ({ id, label, decoder }));

function canDecode(decoder: string): boolean {
  try {
    return new TextDecoder(decoder).encoding !== '';
  } catch {
    return false;
  }
}
