import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { isPlainObject, type JsonObject } from '../../base/json/json';
import type { Scorecards } from '../scorecards';
import { type CommandCall, type Commands, dismissed } from '../../workbench/commandRunner';
import { showInformation } from '../../workbench/messages';
import { chosenIssueType } from './pickScorecard';
import type { RequestBodyFiles } from './requestBodyFiles';

const { t } = vscode.l10n;

interface RequestBodyDeps {
  scorecards: Scorecards;
  bodies: RequestBodyFiles;
}

/** Edit Server Filter (JSON) and Clear Server Filter. */
export function requestBodyCommands(deps: RequestBodyDeps) {
  const { scorecards, bodies } = deps;
  return {
    'scorecard.editRequestBody': async (call) => {
      const ref = await chosenIssueType(scorecards, call, t('Edit Server Filter (JSON)'));
      if (!ref) {
        return dismissed;
      }
      const body = bodyArg(call);
      if (body) {
        await scorecards.setBody(ref.scorecardId, ref.issueType, body);
        return dismissed;
      }
      const document = await vscode.workspace.openTextDocument(bodies.uriOf(ref));
      const inside = new vscode.Position(1, 2);
      await vscode.window.showTextDocument(document, {
        preview: false,
        selection: new vscode.Range(inside, inside),
      });
      const stored = scorecards.bodyOf(ref.scorecardId, ref.issueType);
      if (call.by === 'user' && Object.keys(stored).length === 0) {
        showInformation(
          t(
            'Save the file to apply the filter. The service decides which fields it may have, such as {0}. An empty object removes it.',
            '{"group_status": "resolved"}',
          ),
        );
      }
      return dismissed;
    },
    'scorecard.clearRequestBody': async (call) => {
      const ref = await chosenIssueType(scorecards, call, t('Clear Server Filter'));
      if (ref) {
        await scorecards.setBody(ref.scorecardId, ref.issueType, {});
      }
    },
  } satisfies Commands;
}

/**
 * The body that a program passes, which is stored without an editor.
 * @throws UserError if it is not an object.
 */
function bodyArg(call: CommandCall): JsonObject | undefined {
  const { body } = call.args;
  if (body === undefined || isPlainObject(body)) {
    return body as JsonObject | undefined;
  }
  throw new UserError(t('The argument body must be a JSON object.'), 'badRequest');
}
