import type { ShownNames } from '../../../vocabulary/shownWords';
import { localizedTexts, localizedTitles } from '../../../workbench/webviewPage';
import { severityLevels } from '../../../vocabulary/severity';

/** The words for severities and for keys of the service, in the display language. */
export function shownNames(): ShownNames {
  const texts = localizedTexts();
  const severities = severityLevels.map((level) => [level, texts[level] ?? level] as const);
  return { ...localizedTitles(), ...Object.fromEntries(severities) };
}
