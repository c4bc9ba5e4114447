import * as vscode from 'vscode';

/** The editor of a table without its page. */
export class FakePanel {
  private readonly said = new vscode.EventEmitter<unknown>();
  private readonly closed = new vscode.EventEmitter<void>();
  private readonly messages: { type: string }[] = [];

  readonly asPanel = {
    webview: {
      options: {},
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.said.event,
      postMessage: (message: { type: string }) => {
        this.messages.push(message);
        return Promise.resolve(true);
      },
    },
    onDidDispose: this.closed.event,
    onDidChangeViewState: () => new vscode.Disposable(() => undefined),
  } as unknown as vscode.WebviewPanel;

  /** Says something, about the table that the host has told last. */
  say(message: object): void {
    const init = this.last('init');
    this.said.fire(
      init && 'generation' in init ? { generation: init.generation, ...message } : message,
    );
  }

  /** The user closes the editor. */
  close(): void {
    this.closed.fire();
  }

  /** The last message of a type. */
  last(type: string): { type: string } | undefined {
    return this.messages.findLast((message) => message.type === type);
  }

  /** How many messages of a type have come. */
  heard(type: string): number {
    return this.messages.filter((message) => message.type === type).length;
  }
}
