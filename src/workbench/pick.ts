import * as vscode from 'vscode';
import { withoutIcons } from '../base/plainText';

interface Choice<T> {
  label: string;
  description?: string;
  detail?: string;
  value: T;
}

/** Asks for one of several; `undefined` when dismissed. */
export async function pickOne<T>(
  items: readonly Choice<T>[],
  options: { title: string; placeHolder: string },
): Promise<T | undefined> {
  const picked = await vscode.window.showQuickPick(items.map(withoutIconsOfOthers), {
    ...options,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.value;
}

/** Asks for any number of several, all of which are chosen at first; `undefined` when dismissed. */
export async function pickMany<T>(
  items: readonly Choice<T>[],
  options: { title: string; placeHolder: string },
): Promise<T[] | undefined> {
  const picked = await vscode.window.showQuickPick(
    items.map((item) => ({ ...withoutIconsOfOthers(item), picked: true })),
    {
      ...options,
      canPickMany: true,
      ignoreFocusOut: true,
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  return picked?.map(({ value }) => value);
}

/** Names of fields, scorecards and reports are words of others, which VS Code would draw icons in. */
function withoutIconsOfOthers<T>({ label, description, detail, value }: Choice<T>): Choice<T> {
  return {
    label: withoutIcons(label),
    ...(description === undefined ? {} : { description: withoutIcons(description) }),
    ...(detail === undefined ? {} : { detail: withoutIcons(detail) }),
    value,
  };
}
