import { Icon, pressArrow } from '../dom/components';
import { copySummary, saveSummary } from '../state/copySelection';
import { listOptions } from '../../summary/documentLists';
import { listItems } from '../menus/listMenu';
import { showMenu } from '../dom/menu';
import type { PageTextKey } from '../../summary/pageTexts';
import { tableTabs, type TableTab } from '../../protocol/tableProtocol';
import type { Store } from '../state/store';

const names: Record<TableTab, PageTextKey> = { overview: 'overview', table: 'tableTab' };

interface Props {
  readonly store: Store;
}

/** The tabs of the page, which list of a JSON document is shown if there are others, and buttons. */
export function TabBar({ store }: Props) {
  const { texts, link, view, tab, outcome } = store;
  return (
    <div class="tab-bar">
      <div class="tabs" role="tablist" aria-label={texts.get('tabs')} onKeyDown={pressArrow}>
        {tableTabs.map((name) => (
          <button
            type="button"
            id={`tab-${name}`}
            role="tab"
            tabIndex={name === tab ? 0 : -1}
            aria-selected={name === tab}
            aria-controls={`panel-${name}`}
            onClick={() => store.show(name)}
            // A key that moves the focus to a tab shows it, but not a focus that comes back with that of the window.
            onFocus={({ relatedTarget }) => relatedTarget && name !== tab && store.show(name)}
          >
            {texts.get(names[name])}
          </button>
        ))}
      </div>
      <ListButton store={store} />
      {tab === 'overview' && (
        <>
          {/* The table shows the outcome of a copy in its own status, and it is announced. */}
          <span class="outcome-note faint">{outcome}</span>
          <button type="button" class="source" onClick={() => copySummary(store)}>
            <Icon name="copy" />
            {texts.get('copyMarkdown')}
          </button>
          <button type="button" class="source" onClick={() => saveSummary(store)}>
            <Icon name="save" />
            {texts.get('saveHtml')}
          </button>
        </>
      )}
      {/* VS Code cannot show a compressed file. */}
      {!view.info.format.gzip && (
        <button type="button" class="source" onClick={() => link.send({ type: 'openText' })}>
          <Icon name="source" />
          {texts.get('viewSource')}
        </button>
      )}
    </div>
  );
}

function ListButton({ store }: Props) {
  const { texts, view } = store;
  const shown = listOptions(view.info, texts).find(({ isShown }) => isShown);
  return (
    shown && (
      <button
        type="button"
        class="source"
        title={shown.list}
        aria-haspopup="menu"
        onClick={({ currentTarget: button }) =>
          showMenu(button, () => listItems(store), texts.get('chooseList'))
        }
      >
        {texts.get('shownList', shown.name, shown.rows)}
      </button>
    )
  );
}
