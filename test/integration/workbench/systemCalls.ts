import * as vscode from 'vscode';

/** What the extension has the system do, which would start programs: noted, and not done. */
export class SystemCalls {
  /** Files, by the program that they were handed to. */
  readonly opened: string[] = [];
  /** The addresses of all that was handed over. */
  readonly addresses: string[] = [];
  readonly revealed: string[] = [];
  private readonly undo: (() => void)[] = [];

  /** From now on the window is one on a desktop. */
  constructor() {
    this.replace(vscode.env, 'uiKind', vscode.UIKind.Desktop);
    this.replace(vscode.env, 'remoteName', undefined);
    this.replace(vscode.env, 'openExternal', (uri: vscode.Uri) => {
      this.opened.push(uri.fsPath);
      this.addresses.push(uri.toString(true));
      return Promise.resolve(true);
    });
    const { executeCommand } = vscode.commands;
    this.replace(vscode.commands, 'executeCommand', (id: string, ...args: unknown[]) => {
      if (id !== 'revealFileInOS') {
        return executeCommand(id, ...args);
      }
      this.revealed.push((args[0] as vscode.Uri).fsPath);
      return Promise.resolve();
    });
    const { getCommands } = vscode.commands;
    this.replace(vscode.commands, 'getCommands', async (filter?: boolean) => [
      ...(await getCommands(filter)),
      'revealFileInOS',
    ]);
  }

  /** The names of all files that were handed over, since the last time. */
  take(): { opened: string[]; revealed: string[] } {
    const name = (file: string) => file.split(/[/\\]/).at(-1) ?? '';
    return {
      opened: this.opened.splice(0).map(name),
      revealed: this.revealed.splice(0).map(name),
    };
  }

  restore(): void {
    this.undo.splice(0).forEach((step) => {
      step();
    });
  }

  private replace(object: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
    this.undo.push(() => {
      if (before) {
        Object.defineProperty(object, name, before);
      } else {
        Reflect.deleteProperty(object, name);
      }
    });
  }
}
