import * as vscode from 'vscode';

/**
 * A file system with the documents of one of our schemes. They can be read, and written if a subclass
 * allows it; nothing else is supported.
 */
export abstract class DocumentFiles implements vscode.FileSystemProvider, vscode.Disposable {
  protected readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.changed.event;

  abstract stat(uri: vscode.Uri): Promise<vscode.FileStat>;

  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;

  writeFile(uri: vscode.Uri, _content: Uint8Array): Promise<void> {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  watch(): vscode.Disposable {
    // Changes are reported for all documents that were read.
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
