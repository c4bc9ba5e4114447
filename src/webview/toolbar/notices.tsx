import { showChosen } from '../actions';
import { Icon, TextButton } from '../components';
import type { PageTextKey } from '../pageTexts';
import { type FileNotice, fileNotices } from './fileNotices';
import type { Store } from '../store';

interface Notice extends Pick<FileNotice, 'severity' | 'text' | 'isCounting'> {
  readonly action?: Action | undefined;
}

interface Action {
  readonly label: string;
  readonly run: () => void;
}

/** Messages about the file and the last query, above the table and the overview. */
export function Notices({ store }: { readonly store: Store }) {
  const { failure } = store.view;
  const notices = [...(failure ? [failureNotice(failure, store)] : []), ...noticesOf(store)];
  return (
    <div class="notices">
      {notices.map(({ severity, text, action }) => (
        <div
          key={text}
          class={`notice ${severity}`}
          role={severity === 'error' ? 'alert' : undefined}
        >
          <Icon name={severity} />
          <span>{text}</span>
          {action && <TextButton onClick={action.run}>{action.label}</TextButton>}
        </div>
      ))}
    </div>
  );
}

function noticesOf(store: Store): readonly Notice[] {
  return fileNotices(store.view.info, store.texts).map((notice): Notice => {
    return { ...notice, action: actionOf(notice, store) };
  });
}

function failureNotice(
  { text, again }: NonNullable<Store['view']['failure']>,
  store: Store,
): Notice {
  const run = () => {
    store.view.failure = undefined;
    again();
    store.changed();
  };
  return { severity: 'error', text, action: { label: store.texts.get('tryAgain'), run } };
}

function actionOf({ kind }: FileNotice, store: Store): Action | undefined {
  const { texts, view, link } = store;
  const { changed, format } = view.info;
  const action = (key: PageTextKey, run: () => void): Action => ({ label: texts.get(key), run });
  switch (kind) {
    case 'changed':
      return changed === 'removed'
        ? undefined
        : action('reload', () => link.send({ type: 'reload' }));
    case 'notUtf8':
      return action('reopenWithEncoding', () => link.send({ type: 'reopenWithEncoding' }));
    case 'invalid':
      return view.criteria.overviewFilter?.filter.op === 'invalid'
        ? undefined
        : action('showInvalid', () =>
            showChosen(store, {
              label: texts.get(format.kind === 'csv' ? 'misplacedQuotes' : 'unreadableRows'),
              filter: { op: 'invalid' },
            }),
          );
    default:
      return undefined;
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
