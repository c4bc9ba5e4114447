import type * as vscode from 'vscode';
import type { AddDisposable } from '../../../base/events/disposable';
import { entryRecordId, entryScheme } from '../../../contributions';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import { registerDocumentCommands } from '../../findings/ui/documentCommands';
import { RecordEditor } from '../../findings/ui/recordEditor';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { Registry } from '../../../workbench/registry';
import { listSetting } from '../../../workbench/settings';
import { Collections } from '../collections';
import { registerCollectionsView } from './collectionsView';
import { EntryDocuments } from './entryDocuments';

export function registerCollections(
  add: AddDisposable,
  deps: {
    registry: Registry;
    runner: CommandRunner;
    started: Promise<void>;
    findings: FindingsFeature;
    bundles: vscode.Uri;
  },
): Collections {
  const { registry, runner, started } = deps;
  const { session, documents, view, names } = deps.findings;
  const collections = add(new Collections({ session, setting: listSetting('collections') }));
  const feature = { ...deps.findings, collections };
  const collectionsView = add(registerCollectionsView(registry, feature));
  const entries = add(new EntryDocuments(collections, session, started));
  registry.register(entryScheme, entries);
  registry.register(
    entryRecordId,
    new RecordEditor(entries, async (uri, panel) => {
      const { EntryPanel } = await import('./entryPanel');
      const { scorecards } = feature;
      const { bundles } = deps;
      return new EntryPanel(uri, panel, { bundles, documents: entries, names, scorecards });
    }),
  );
  add(registerDocumentCommands({ runner, session, documents, view, names, entries }));
  runner.registerGroup('collections', async () => {
    const { collectionCommands } = await import('./collectionCommands');
    return collectionCommands({ ...feature, collectionsView });
  });
  return collections;
}
