import { showChosen } from '../state/actions';
import { Icon, TextButton } from '../dom/components';
import { type FileNotice, fileNotices } from '../../summary/fileNotices';
import type { Store } from '../state/store';

/** Messages about the file and the last query, below the table and the overview. */
export function Notices({ store }: { readonly store: Store }) {
  const { view, texts } = store;
  const { failure } = view;
  return (
    <div class="notices">
      {failure !== undefined &&
        notice('error', failure, texts.get('tryAgain'), () => view.tryAgain())}
      {noticesOf(store).map((each) =>
        each.action && !(each.action === 'showInvalid' && showsInvalid(store))
          ? notice(each.severity, each.text, texts.get(each.action), () => act(each, store))
          : notice(each.severity, each.text),
      )}
    </div>
  );
}

function noticesOf({ view, texts, about }: Store): FileNotice[] {
  return fileNotices(view.info, texts, about.stated);
}

function notice(severity: FileNotice['severity'], text: string, label?: string, run?: () => void) {
  return (
    <div key={text} class={`notice ${severity}`} role={severity === 'error' ? 'alert' : undefined}>
      <Icon name={severity} />
      <span>{text}</span>
      {run && <TextButton onClick={run}>{label}</TextButton>}
    </div>
  );
}

function showsInvalid({ view }: Store): boolean {
  return view.criteria.overviewFilter?.filter.op === 'invalid';
}

function act({ action, document = '' }: FileNotice, store: Store): void {
  if (action === 'markStated') {
    store.link.send({ type: action, document });
  } else if (action === 'showInvalid') {
    const isCsv = store.view.info.format.kind === 'csv';
    const label = store.texts.get(isCsv ? 'misplacedQuotes' : 'unreadableRows');
    showChosen(store, { label, filter: { op: 'invalid' } });
  } else if (action) {
    store.link.send({ type: action });
  }
}

/**
 * Announces messages about the file that are new. Errors are alerts, and counts that grow while a file is read would
 * be announced over and over. A text that was gone is announced again: a file may change again.
 * @param announced the texts that were announced before.
 * @returns those that are announced now.
 */
export function announceNotices(store: Store, announced: readonly string[]): readonly string[] {
  if (!store.view.info.done) {
    return announced;
  }
  const present = noticesOf(store)
    .filter(({ severity, isCounting }) => severity !== 'error' && isCounting !== true)
    .map(({ text }) => text);
  present.filter((one) => !announced.includes(one)).forEach((text) => store.announcer.add(text));
  return present;
}
