import { deepestShown, type JsonObject, type JsonValue } from '../base/json/json';

/** Characters that have a bit: each letter in either case, all digits together, and what addresses and times have. */
const common = [...'abcdefghijklmnopqrstuvwxyz'.split(''), '0123456789', '.', ':', '-'];
const otherAscii = 1 << 30;
const beyondAscii = 1 << 31;

/** Lower case can make an ASCII letter of one beyond ASCII, so a text with one may hold everything. */
const everything = -1;

const bits = Int32Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  const at = common.findIndex((characters) => characters.includes(letter));
  return at === -1 ? otherAscii : 1 << at;
});

/** The characters of a text, as bits. */
export function lettersOf(text: string): number {
  let letters = 0;
  let codes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    codes |= code;
    letters |= bits[code & 0x7f] ?? 0;
  }
  return codes > 0x7f ? letters | beyondAscii : letters;
}

/** The characters of a value and of all values in it, as far as they are shown, in any case. */
function lettersIn(value: JsonValue | undefined, levels: number): number {
  if (typeof value === 'string') {
    const letters = lettersOf(value);
    return letters & beyondAscii ? everything : letters;
  }
  if (typeof value !== 'object') {
    return value === undefined ? 0 : lettersOf(String(value));
  }
  let letters = 0;
  if (value !== null && levels > 0) {
    for (const member of Array.isArray(value) ? value : Object.values(value)) {
      letters |= lettersIn(member, levels - 1);
    }
  }
  return letters;
}

/** Entries may have any number of fields. With more than this, finding out takes longer than searching all. */
const mostFields = 100;

/**
 * Which characters occur in each field of the entries of a page. Most fields hold addresses, times, IDs or a few
 * words, and most texts that are looked for cannot be in them.
 */
export class CharacterIndex {
  private readonly fields: { readonly name: string; letters: number }[] = [];

  constructor(entries: readonly JsonObject[]) {
    for (const entry of entries) {
      let at = 0;
      for (const name in entry) {
        // Most entries have the same fields in the same order.
        const next = this.fields[at];
        const field = next?.name === name ? next : this.fieldOf(name);
        field.letters |= lettersIn(entry[name], deepestShown - 1);
        at += 1;
        // Within an entry, too: one with 100,000 fields would take 13 s.
        if (this.fields.length > mostFields) {
          return;
        }
      }
    }
  }

  /** The fields that may hold a text of these characters; `undefined` if all have to be searched. */
  fieldsWith(letters: number): readonly string[] | undefined {
    return this.fields.length > mostFields
      ? undefined
      : this.fields.flatMap((field) => ((letters & ~field.letters) === 0 ? [field.name] : []));
  }

  private fieldOf(name: string): { letters: number } {
    const known = this.fields.find((field) => field.name === name);
    const field = known ?? { name, letters: 0 };
    if (!known) {
      this.fields.push(field);
    }
    return field;
  }
}
