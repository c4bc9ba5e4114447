import { Message, message } from '../base/message';
import { plainText } from '../base/text/plainText';

/** An invalid entry of a setting. The other entries work. */
export interface SettingProblem {
  /** For example `scorecards[2]`. */
  readonly setting: string;
  readonly message: Message;
}

/**
 * Parses a setting that is a list of objects.
 * @param parse returns an item, or a message with the expected value; gets the items before it.
 */
export function parseList<T>(
  setting: string,
  value: unknown,
  parse: (entry: unknown, before: readonly T[]) => T | Message,
): { items: T[]; problems: SettingProblem[] } {
  const items: T[] = [];
  const problems: SettingProblem[] = [];
  if (!Array.isArray(value)) {
    return { items, problems: [{ setting, message: message('It must be an array.') }] };
  }
  value.forEach((entry: unknown, index) => {
    const result = parse(entry, items);
    if (result instanceof Message) {
      problems.push({ setting: `${setting}[${index}]`, message: result });
    } else {
      items.push(result);
    }
  });
  return { items, problems };
}

export function quoted(value: unknown): string | Message {
  // Values of the settings are JSON.
  return value === undefined ? message('nothing') : plainText(JSON.stringify(value), 60);
}
