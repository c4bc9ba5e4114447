import * as vscode from 'vscode';
import { defined } from '../../../base/defined';
import { UserError } from '../../../base/userError';
import { plainText } from '../../../base/text/plainText';
import { entryScheme, viewIds } from '../../../contributions';
import { CollectionList } from '../collectionList';
import type { Collections } from '../collections';
import { findCompanyDomain, findScorecardIds } from '../entries';
import { hasName, type Scorecards } from '../../findings/scorecards';
import type { CollectionsView } from './collectionsView';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { allLoaded, findList } from '../../lists/ui/listTree';
import { showInformation } from '../../../workbench/messages';
import { type CollectionsFeature, EntryNode } from './collectionItems';
import { pickOne } from '../../../workbench/pick';
import { activeUri, type FindingForm, inForm } from '../../findings/ui/findingDocuments';
import { chooseIssueTypes } from '../../findings/ui/findIssueTypes';
import { addCompanies } from '../../findings/ui/scorecardCommands';
import { inView } from '../../../workbench/views';
import type { ArgumentOf, LoadResult, Scorecard } from '../../../commands';
import { companyCommands } from './companyCommands';
import { refreshCollections } from './refreshCollections';

const { t } = vscode.l10n;

interface CollectionsCommandDeps extends CollectionsFeature {
  readonly collectionsView: CollectionsView;
}

export function collectionCommands(deps: CollectionsCommandDeps) {
  return {
    ...companyCommands(deps, (list) => deps.collectionsView.reveal(list, undefined)),
    'scorecard.browseCollection': (call) => browse(deps, call),
    'scorecard.refreshCollections': (call) => refresh(deps, call),
    'scorecard.openEntry': ({ node }) => openEntry(deps, node),
    'scorecard.openEntryAsJson': ({ node }) => openEntry(deps, node, 'json'),
    'scorecard.browseFindings': (call) => browseFindings(deps, call),
  } satisfies Commands;
}

async function browse(
  deps: CollectionsCommandDeps,
  call: CommandCall<ArgumentOf<'scorecard.browseCollection'>>,
): Promise<LoadResult | undefined> {
  deps.session.requireSignedIn();
  const list = await chosenCollection(deps, call, t('Browse Collection'));
  if (!list) {
    return dismissed;
  }
  const before = list.rows.length;
  const isComplete = list.isLoaded && !list.result.hasMore;
  const result = await inView(viewIds.collections, () => list.loadMore());
  if (call.by === 'user') {
    await deps.collectionsView.reveal(list, list.rows[before]);
    if (isComplete) {
      showInformation(allLoaded(result.loaded));
    }
  }
  return result;
}

async function refresh(
  deps: CollectionsCommandDeps,
  call: CommandCall<ArgumentOf<'scorecard.refreshCollections'>>,
): Promise<void> {
  deps.session.requireSignedIn();
  const list = namedList(deps.collections, call);
  const lists = list ? [list] : deps.collections.active();
  await refreshCollections(lists);
}

/**
 * Opens the entry of a row, or that of the active editor in another form; there is no other way to name an entry.
 * @param form Default: from the settings.
 */
async function openEntry(
  { session }: CollectionsCommandDeps,
  node: CommandCall['node'],
  form?: FindingForm,
): Promise<void> {
  const { account } = session.requireSignedIn();
  const active = activeUri();
  const isActive = form !== undefined && active?.scheme === entryScheme;
  const ofActive = isActive ? inForm(active, form) : undefined;
  const uri = node instanceof EntryNode ? node.uriFor(account.id, form) : ofActive;
  if (!uri) {
    throw new UserError(t('Open an entry from the Collections view.'), 'badRequest');
  }
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
}

/** Shows the scorecard that an entry is about, and adds it first if it is not in the list. */
async function browseFindings(
  deps: CollectionsCommandDeps,
  call: CommandCall<ArgumentOf<'scorecard.browseFindings'>>,
): Promise<Scorecard | undefined> {
  const { session, scorecards, view } = deps;
  session.requireSignedIn();
  const entry = call.node instanceof EntryNode ? call.node.row.entry : undefined;
  const ids = entry ? findScorecardIds(entry, (id) => scorecards.find(id) !== undefined) : [];
  const domain = entry && ids.length === 0 ? findCompanyDomain(entry) : undefined;
  if (domain !== undefined) {
    return addCompanies(deps, [domain], { by: call.by, args: {} });
  }
  const id = entry ? await pickId(ids, scorecards) : call.args.scorecardId;
  if (id === undefined) {
    return dismissed;
  }
  const existing = scorecards.find(id);
  // An existing name stays, and the name of an entry about several scorecards is not the name of one of them.
  const canName = ids.length === 1 && !(existing && hasName(existing));
  const name = canName ? nameIn(entry?.name ?? entry?.domain) : undefined;
  const mustAsk = call.by === 'user' && !existing?.issueTypes.length;
  const issueTypes = mustAsk
    ? await chooseIssueTypes(deps, { id, name: name ?? scorecards.nameOf(id) }, [])
    : [];
  if (issueTypes === undefined) {
    return dismissed;
  }
  const scorecard =
    existing && name === undefined && issueTypes.length === 0
      ? existing
      : await scorecards.add({ id, issueTypes, ...defined({ name }) });
  await view.revealScorecard(scorecard);
  return scorecard;
}

function nameIn(value: unknown): string | undefined {
  const name = typeof value === 'string' ? plainText(value, 100) : '';
  return name === '' ? undefined : name;
}

async function pickId(ids: readonly string[], scorecards: Scorecards): Promise<string | undefined> {
  return ids.length < 2
    ? ids[0]
    : pickOne(
        ids.map((id) => {
          const name = scorecards.nameOf(id);
          return { label: name, ...(name === id ? {} : { description: id }), value: id };
        }),
        { title: t('Show Findings'), placeHolder: t('Which scorecard?') },
      );
}

/** The collection that a call names or was called on. @throws UserError if no collection has that name. */
function namedList(
  collections: Collections,
  call: CommandCall<ArgumentOf<'scorecard.browseCollection'>>,
): CollectionList | undefined {
  const name = call.args.name;
  if (name === undefined) {
    return findList(call.node, CollectionList);
  }
  const list = collections.find(name);
  if (!list) {
    const names = collections.configured().map(({ collection }) => `"${collection.name}"`);
    throw new UserError(
      names.length === 0
        ? noCollections()
        : t(
            'There is no collection "{0}". The setting scorecard.collections has {1}.',
            plainText(name, 60),
            names.join(', '),
          ),
      'notFound',
    );
  }
  return list;
}

/** The collection of a call: from its arguments, its node, the only one, or a quick pick. */
export async function chosenCollection(
  { collections }: Pick<CollectionsFeature, 'collections'>,
  call: CommandCall<ArgumentOf<'scorecard.browseCollection'>>,
  title: string,
): Promise<CollectionList | undefined> {
  const named = namedList(collections, call);
  if (named) {
    return named;
  }
  const lists = collections.all();
  if (lists.length === 0) {
    throw new UserError(noCollections(), 'config');
  }
  return lists.length === 1
    ? lists[0]
    : pickOne(
        lists.map((list) => ({
          label: list.collection.name,
          description: list.collection.path,
          value: list,
        })),
        { title, placeHolder: t('Which collection?') },
      );
}

function noCollections(): string {
  return t(
    'No collection is configured. Add one to the setting scorecard.collections, such as { "name": "Portfolios", "path": "/portfolios", "style": "page" }.',
  );
}
