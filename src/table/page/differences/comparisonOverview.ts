import type { ComparisonAbout } from '../../comparisonAbout';
import type { LabelledFilter } from '../../protocol';
import { element } from '../dom';
import { CountTable } from '../overview/countTable';
import type { Texts } from '../texts';
import { changeSections, typeRows } from './comparisonModel';
import { comparedSides } from './comparedSides';
import { divergingTable } from './divergingTable';

/** What is said of a comparison below its title, one line each. */
export function comparisonFacts(about: ComparisonAbout, texts: Texts): string[] {
  return [
    comparedSides(about, texts),
    texts.get('comparedCounts', about.new, about.gone, about.changed),
    texts.get('unchangedCount', about.unchanged),
  ];
}

/** Tiles by severity for what is new, gone and changed, and bars for the types of issues. */
export function comparisonParts(
  about: ComparisonAbout,
  texts: Texts,
  choose: (chosen: LabelledFilter) => void,
): HTMLElement[] {
  const warnings = about.warnings.map((text) => element('li', {}, text));
  const tiles = changeSections(about, texts).map((section) => {
    const table = new CountTable(section, texts, { choose, remove: () => undefined });
    table.show(section);
    return table.root;
  });
  const types = typeRows(about, texts);
  return [
    ...(warnings.length > 0
      ? [
          element(
            'ul',
            { class: 'warnings', 'aria-label': texts.get('comparisonNotes') },
            ...warnings,
          ),
        ]
      : []),
    ...tiles,
    ...(types.length > 0 ? [divergingTable(types, texts, choose)] : []),
  ];
}
