import * as vscode from 'vscode';
import { withoutIcons } from '../base/text/plainText';

interface Choice<T> {
  label: string;
  description?: string;
  detail?: string;
  value: T;
}

/**
 * Asks for one item; `undefined` when dismissed.
 * @param options `ignoreFocusOut` keeps the question open where an editor may open at the same time.
 */
export async function pickOne<T>(
  items: readonly Choice<T>[],
  options: { title: string; placeHolder: string; ignoreFocusOut?: boolean },
): Promise<T | undefined> {
  const picked = await vscode.window.showQuickPick(items.map(plainChoice), {
    ...options,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.value;
}

/** Asks for any number of items; `undefined` when dismissed. */
export async function pickMany<T>(
  items: readonly (Choice<T> & { picked: boolean })[],
  options: { title: string; placeHolder: string },
): Promise<T[] | undefined> {
  const picked = await vscode.window.showQuickPick(
    items.map((item) => ({ ...plainChoice(item), picked: item.picked })),
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

/** Breaks up `$(icon)` in names of fields, scorecards and reports, where VS Code would draw an icon. */
function plainChoice<T>({ label, description, detail, value }: Choice<T>): Choice<T> {
  return {
    label: withoutIcons(label),
    ...(description === undefined ? {} : { description: withoutIcons(description) }),
    ...(detail === undefined ? {} : { detail: withoutIcons(detail) }),
    value,
  };
}
