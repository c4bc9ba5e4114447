import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './until';

/**
 * What the extension asks and tells through the `vscode` module, which it shares with its tests.
 * Everything is passed on, so that VS Code really shows it.
 */
const questions = [
  'showInputBox',
  'createInputBox',
  'showQuickPick',
  'createQuickPick',
  'showOpenDialog',
  'showSaveDialog',
] as const;
const messages = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;
const actions = ['showTextDocument'] as const;

type Watched = (typeof questions | typeof messages | typeof actions)[number];
type Implementation = (...args: unknown[]) => unknown;

interface Call {
  readonly name: Watched;
  readonly args: readonly unknown[];
}

const functions = vscode.window as unknown as Record<Watched, Implementation>;
const originals = new Map<Watched, Implementation>();
let calls: Call[] = [];
/** The inputs that stay open while a user types, by the function that makes them. */
interface Inputs {
  createInputBox: vscode.InputBox;
  createQuickPick: vscode.QuickPick<vscode.QuickPickItem>;
}
let onInput: { [Name in keyof Inputs]?: (input: Inputs[Name]) => void } = {};

/** Notes from now on what is asked and told. */
export function watchWindow(): void {
  calls = [];
  onInput = {};
  for (const name of [...questions, ...messages, ...actions]) {
    const original = functions[name];
    originals.set(name, original);
    functions[name] = (...args) => {
      calls.push({ name, args });
      const result = original(...args);
      if (name === 'createInputBox' || name === 'createQuickPick') {
        onInput[name]?.(result as Inputs['createInputBox'] & Inputs['createQuickPick']);
      }
      return result;
    };
  }
}

export function unwatchWindow(): void {
  for (const [name, original] of originals) {
    functions[name] = original;
  }
  originals.clear();
}

/** Lets a user answer a question in a certain way. */
export function answer(name: Watched, value: unknown): void {
  answerWith(name, () => value);
}

/** Lets a user answer a question by what it says. */
export function answerWith(name: Watched, choose: (...args: unknown[]) => unknown): void {
  functions[name] = (...args) => {
    calls.push({ name, args });
    return Promise.resolve(choose(...args));
  };
}

/** Lets a user pick the row with this label in quick picks, or dismiss those without one. */
export function pickLabel(wanted: string | undefined): void {
  answerWith('showQuickPick', (items) =>
    (items as vscode.QuickPickItem[]).find(({ label }) => label === wanted),
  );
}

/** Lets a user pick the first row of quick picks. */
export function pickFirst(): void {
  answerWith('showQuickPick', (items) => (items as unknown[])[0]);
}

/** Lets a user click the button with this title in information messages, where there is one. */
export function clickButton(wanted: string): void {
  answerWith('showInformationMessage', (_, ...buttons) =>
    (buttons as vscode.MessageItem[]).find(({ title }) => title === wanted),
  );
}

/** The next input that the extension makes. */
export function nextInput<Name extends keyof Inputs>(name: Name): Promise<Inputs[Name]> {
  return new Promise((resolve) => {
    onInput = { [name]: resolve };
  });
}

/** Presses Enter in the input that is open. */
export function pressEnter(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}

/** Presses Escape in the input that is open. */
export function pressEscape(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.closeQuickOpen');
}

/**
 * Answers the steps of the next input box that the extension makes with `createInputBox`, and presses
 * Enter after each.
 */
export async function answerSteps(...texts: string[]): Promise<vscode.InputBox> {
  const box = await nextInput('createInputBox');
  for (const [index, text] of texts.entries()) {
    await until(`step ${index + 1} is asked`, () => box.step === index + 1 && !box.busy);
    box.value = text;
    await pressEnter();
  }
  return box;
}

/** The questions so far, modal messages among them. They count as expected once they are read. */
export function takeQuestions(): readonly Call[] {
  const asked = calls.filter(isQuestion);
  calls = calls.filter((call) => !isQuestion(call));
  return asked;
}

/** The texts of the notifications so far. */
export function told(name: (typeof messages)[number]): string[] {
  return calls
    .filter((call) => call.name === name && !isQuestion(call))
    .map((call) => String(call.args[0]));
}

/** The buttons of the last message that says this. */
export function buttonsOf(name: (typeof messages)[number], said: RegExp): string[] | undefined {
  const call = calls.findLast((each) => each.name === name && said.test(String(each.args[0])));
  return call?.args.slice(1).map((button) => (button as vscode.MessageItem).title);
}

/** How often an editor was opened. */
export function editorsOpened(): number {
  return calls.filter((call) => call.name === 'showTextDocument').length;
}

export function expectNoQuestion(): void {
  const asked = takeQuestions().map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  assert.deepEqual(asked, [], 'Asked, but not read with takeQuestions(); a program is never asked');
}

function isQuestion({ name, args }: Call): boolean {
  const options = args[1] as { modal?: boolean } | undefined;
  return (questions as readonly string[]).includes(name) || options?.modal === true;
}
