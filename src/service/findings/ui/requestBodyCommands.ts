import * as vscode from 'vscode';
import { isPlainObject, type JsonObject } from '../../../base/json/json';
import type { ShownNames } from '../../../vocabulary/shownNames';
import type { Scorecards } from '../scorecards';
import { type Commands, dismissed } from '../../../workbench/commandRunner';
import { chosenIssueType } from './pickScorecard';

const { t } = vscode.l10n;

export function requestBodyCommands(deps: {
  readonly scorecards: Scorecards;
  readonly names: ShownNames;
}) {
  const { scorecards, names } = deps;
  return {
    'scorecard.editRequestBody': async (call) => {
      const ref = await chosenIssueType(deps, call, t('Edit Server Filter (JSON)'));
      if (!ref) {
        return dismissed;
      }
      const { scorecardId, issueType } = ref;
      const body =
        call.args.body ??
        (await askForBody(names.title(issueType), scorecards.bodyOf(scorecardId, issueType)));
      if (body) {
        await scorecards.setBody(scorecardId, issueType, body);
      }
      return dismissed;
    },
    'scorecard.clearRequestBody': async (call) => {
      const ref = await chosenIssueType(deps, call, t('Clear Server Filter'));
      if (ref) {
        await scorecards.setBody(ref.scorecardId, ref.issueType, {});
      }
    },
  } satisfies Commands;
}

async function askForBody(typeTitle: string, now: JsonObject): Promise<JsonObject | undefined> {
  const text = await vscode.window.showInputBox({
    title: t('Edit Server Filter (JSON): {0}', typeTitle),
    prompt: t('The service decides which fields it may have. An empty object removes it.'),
    placeHolder: '{"group_status": "resolved"}',
    value: Object.keys(now).length === 0 ? '' : JSON.stringify(now),
    ignoreFocusOut: true,
    validateInput: (typed) =>
      parseBody(typed) ? undefined : t('Enter a JSON object, such as {0}.', '{"params": {}}'),
  });
  return text === undefined ? undefined : parseBody(text);
}

/** @returns `undefined` if the text is not a JSON object; no text is an empty one. */
function parseBody(text: string): JsonObject | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    return isPlainObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
