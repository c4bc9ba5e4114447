import type * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json';
import type { FindingDocuments } from './findingDocuments';

/** A finding that is open as a record. */
export class FindingRecordDocument implements vscode.CustomDocument {
  private readonly abort = new AbortController();
  private loaded: Promise<JsonObject>;

  constructor(
    readonly uri: vscode.Uri,
    private readonly documents: FindingDocuments,
  ) {
    // Starts to load here: what was fetched for this document is kept only while it opens.
    this.loaded = this.load();
  }

  /** The finding, not masked. @throws as FindingDocuments.load */
  get entry(): Promise<JsonObject> {
    return this.loaded;
  }

  reload(): void {
    this.loaded = this.load();
  }

  dispose(): void {
    this.abort.abort();
    this.documents.secrets.forget(this.uri);
  }

  private load(): Promise<JsonObject> {
    const { documents, uri } = this;
    const loading = documents.load(uri, this.abort.signal);
    loading.then(
      (entry) => {
        // The commands about its secret-like values need no page.
        documents.secrets.drawEntry(uri, entry);
      },
      // The page of this document shows the failure, if it is still open.
      () => undefined,
    );
    return loading;
  }
}
