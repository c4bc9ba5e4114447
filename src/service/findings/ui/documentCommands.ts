import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import type { JsonObject } from '../../../base/json/json';
import { viewIds } from '../../../contributions';
import { loadNeighbor, nearest } from '../neighbor';
import { type CommandCall, type CommandRunner, dismissed } from '../../../workbench/commandRunner';
import { setContext, inView } from '../../../workbench/views';
import { activeUri, findingUri } from './findingDocuments';
import type { SecretDocuments } from './secretDocuments';
import { showInformation } from '../../../workbench/messages';
import { FindingNode } from './findingItems';
import type { FindingsFeature } from './findingsFeature';

const { t } = vscode.l10n;

type DocumentCommandDeps = Pick<FindingsFeature, 'session' | 'documents' | 'view' | 'names'> & {
  runner: CommandRunner;
  /** Documents whose secret-like values can be shown. */
  entries: SecretDocuments;
};

/**
 * Registers Next and Previous Finding, and the commands that show and hide the secret-like values of a
 * document.
 */
export function registerDocumentCommands(deps: DocumentCommandDeps): vscode.Disposable {
  const { runner, session, documents, names, entries } = deps;
  const providers: readonly SecretDocuments[] = [documents, entries];
  /** The document for which the message about the end of its list was shown, with the direction. */
  let shownEnd: string | undefined;
  const step = async (call: CommandCall, direction: 1 | -1): Promise<JsonObject | undefined> => {
    const { account } = session.requireSignedIn();
    const { node } = call;
    const uri =
      node instanceof FindingNode
        ? findingUri(names, account.id, node.list, node.row)
        : activeDocument([documents]);
    const entry = await stepFrom(deps, uri, direction, { isInView: node !== undefined });
    if (entry) {
      shownEnd = undefined;
      return entry;
    }
    const end = `${direction} ${uri.toString()}`;
    if (call.by === 'user' && shownEnd !== end) {
      shownEnd = end;
      showInformation(
        direction === 1
          ? t('This is the last finding of the list.')
          : t('This is the first finding of the list.'),
      );
    }
    return dismissed;
  };
  const update = () => {
    const uri = activeUri();
    setContext(
      'scorecard.secretValues',
      (uri && findProvider(providers, uri)?.stateOf(uri)) ?? 'none',
    );
  };
  update();
  runner.register('scorecard.nextFinding', (call) => step(call, 1));
  runner.register('scorecard.previousFinding', (call) => step(call, -1));
  const onSecrets = (act: 'showSecrets' | 'hideSecrets') => () => {
    const uri = activeDocument(providers);
    findProvider(providers, uri)?.[act](uri);
  };
  runner.register('scorecard.showSecretValues', onSecrets('showSecrets'));
  runner.register('scorecard.hideSecretValues', onSecrets('hideSecrets'));
  return vscode.Disposable.from(
    session.onDidChangeAccount(() => {
      providers.forEach((provider) => {
        provider.hideAllSecrets();
      });
    }),
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.window.tabGroups.onDidChangeTabs(update),
    vscode.window.tabGroups.onDidChangeTabGroups(update),
    ...providers.map(({ onDidDraw }) => onDidDraw(update)),
  );
}

/**
 * Opens the finding before or after the one of a document.
 * @param options `isInView`: the command was run in the view; if so, the focus stays there.
 * @returns `undefined` at the end of the list.
 */
async function stepFrom(
  { session, documents, view, names }: DocumentCommandDeps,
  uri: vscode.Uri,
  direction: 1 | -1,
  { isInView }: { isInView: boolean },
): Promise<JsonObject | undefined> {
  const { account } = session.requireSignedIn();
  const found = documents.find(uri);
  const { list, number, row } = found;
  const { form, viewColumn } = documents.shownIn() ?? {};
  const next =
    list.isFiltered && list.isLoaded
      ? nearest(list.shownRows, number, direction)
      : await loadNeighbor(list, found, direction, (load) => inView(viewIds.findings, load));
  if (!next) {
    return undefined;
  }
  await documents.open(findingUri(names, account.id, list, next, form), {
    preserveFocus: isInView,
    ...(isInView && viewColumn !== undefined ? { viewColumn } : {}),
  });
  if (isInView) {
    await view.reveal(list, next);
  } else if (row) {
    await view.moveSelection(list, row, next);
  }
  return next.entry;
}

/** The document in the active editor. @throws UserError if it does not belong to one of the providers. */
function activeDocument(providers: readonly SecretDocuments[]): vscode.Uri {
  const uri = activeUri();
  if (!uri || !findProvider(providers, uri)) {
    throw new UserError(
      t('No finding is open in the active editor. Open one from the Findings view first.'),
      'badRequest',
    );
  }
  return uri;
}

function findProvider(
  providers: readonly SecretDocuments[],
  uri: vscode.Uri,
): SecretDocuments | undefined {
  return providers.find(({ scheme }) => scheme === uri.scheme);
}
