import * as vscode from 'vscode';
import type { JsonObject } from '../../../base/json/json';
import type { ShownRecord } from '../../../summary/shownRecord';
import type { Texts } from '../../../summary/texts';
import { findingRecord } from '../../../vocabulary/findingSummary';
import { formatNumber } from '../../../workbench/format';
import { DocumentPanel } from '../../findings/ui/documentPanel';
import { readTitle } from '../../findings/ui/findingDocuments';
import { shownFinding } from '../../findings/shownFinding';
import { type CollectionsFeature, describeEntry } from './collectionItems';
import type { EntryDocuments } from './entryDocuments';

const { t } = vscode.l10n;

interface EntryPanelDeps extends Pick<CollectionsFeature, 'scorecards' | 'names'> {
  readonly bundles: vscode.Uri;
  readonly documents: EntryDocuments;
}

/** Shows an entry of a collection as a record. */
export class EntryPanel extends DocumentPanel {
  constructor(
    uri: vscode.Uri,
    panel: vscode.WebviewPanel,
    private readonly deps: EntryPanelDeps,
  ) {
    super(uri, panel, deps);
  }

  /** An entry names nothing in the workspace. */
  protected override run(): PromiseLike<unknown> {
    return Promise.resolve();
  }

  protected override async *records(
    unmasked: JsonObject,
    texts: Texts,
  ): AsyncGenerator<ShownRecord> {
    const { documents } = this.deps;
    const entry = documents.maskUnlessShown(this.uri, unmasked);
    // Refreshed, the list may no longer have what is on screen.
    const { collection, row } = documents.find(this.uri);
    const number = row?.number ?? 1;
    yield await Promise.resolve({
      title: row ? describeEntry(entry, number, this.deps).label : readTitle(this.uri),
      subtitle: row ? t('{0}, entry {1}', collection, formatNumber(number)) : collection,
      ...shownFinding(entry, findingRecord(entry, number), texts),
      secrets: documents.stateOf(this.uri),
    });
  }
}
