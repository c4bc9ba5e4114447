import { isContainer, type JsonObject, type JsonValue } from '../../base/json/json';

/** The characters with a bit of their own: each letter in either case, all digits together, and separators. */
const common = [...'abcdefghijklmnopqrstuvwxyz'.split(''), '0123456789', '.', ':', '-'];
const otherAscii = 1 << 30;
const beyondAscii = 1 << 31;

/** A character beyond ASCII can become an ASCII letter in lower case, so a text with one may contain any. */
const allCharacters = -1;

const bitByCode = Int32Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  const bit = common.findIndex((characters) => characters.includes(character));
  return bit === -1 ? otherAscii : 1 << bit;
});

/** The characters of a text, as bits. */
export function collectCharacters(text: string): number {
  let characters = 0;
  let codes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    codes |= code;
    characters |= bitByCode[code & 0x7f] ?? 0;
  }
  return codes > 0x7f ? characters | beyondAscii : characters;
}

/** The characters of a value and of all values nested in it. */
function charactersIn(value: JsonValue | undefined): number {
  if (typeof value === 'string') {
    const characters = collectCharacters(value);
    return characters & beyondAscii ? allCharacters : characters;
  }
  if (!isContainer(value)) {
    return value === undefined || value === null ? 0 : collectCharacters(String(value));
  }
  let characters = 0;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    characters |= charactersIn(member);
  }
  return characters;
}

/** Entries may have any number of fields. With more than this, the index takes longer than searching all. */
const maxFields = 100;

/**
 * The characters that occur in each field of the entries of a page. Most fields contain addresses, times, IDs or
 * a few words, so most searched texts cannot be in them.
 */
export class CharacterIndex {
  private readonly fields: { readonly name: string; characters: number }[] = [];

  constructor(entries: readonly JsonObject[]) {
    for (const entry of entries) {
      let at = 0;
      for (const name in entry) {
        // Most entries have the same fields in the same order.
        const next = this.fields[at];
        const field = next?.name === name ? next : this.fieldOf(name);
        field.characters |= charactersIn(entry[name]);
        at += 1;
        // Checked within an entry, too: one with 100,000 fields would take 13 s.
        if (this.fields.length > maxFields) {
          return;
        }
      }
    }
  }

  /** The fields that may contain a text of these characters; `undefined` if all have to be searched. */
  fieldsWith(characters: number): readonly string[] | undefined {
    return this.fields.length > maxFields
      ? undefined
      : this.fields.flatMap((field) =>
          (characters & ~field.characters) === 0 ? [field.name] : [],
        );
  }

  private fieldOf(name: string): { characters: number } {
    const existing = this.fields.find((field) => field.name === name);
    const field = existing ?? { name, characters: 0 };
    if (!existing) {
      this.fields.push(field);
    }
    return field;
  }
}
