import type { MenuItem } from '../dom/menu';
import type { Store } from '../state/store';
import { listOptions } from '../../summary/documentLists';

/** The lists of the document, each of which can be shown. */
export function listItems({ view, texts, link }: Store): MenuItem[] {
  return listOptions(view.info, texts).map(({ list, name, rows, isShown }) => ({
    label: name,
    detail: texts.number(rows),
    checked: isShown,
    run: () => {
      if (!isShown) {
        link.send({ type: 'showList', list });
      }
    },
  }));
}
