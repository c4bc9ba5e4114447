import { localize } from '../../workbench/describe';
import { pageTexts } from '../pageTexts';

/** The texts of the pages in the display language, by key. */
export function localizedTexts(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pageTexts).map(([key, sentence]) => [key, localize(sentence)]),
  );
}
