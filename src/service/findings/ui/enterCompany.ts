import * as vscode from 'vscode';
import type { CallOptions } from '../../../api/types';
import { CancelledError } from '../../../base/cancelledError';
import { asciiDomain } from '../../../base/text/asciiDomain';
import { plainText } from '../../../base/text/plainText';
import { findUuids } from '../../../base/text/uuid';
import { describeWait } from '../../../workbench/describeWait';
import { describeServiceError } from '../../account/ui/describeApiError';

const { t } = vscode.l10n;

/** The domain or the UUID in a text; `undefined` if there is none. */
export function companyIn(text: string): string | undefined {
  return asciiDomain(text) ?? findUuids(text)[0];
}

/**
 * Asks for a company and adds it. The box stays until it is added: a text that the service refuses can be corrected.
 * @param add never called twice at a time. Dismissing the box cancels it.
 * @returns what `add` returned; `undefined` when dismissed.
 * @throws what `add` throws if the user has to sign in.
 */
export function enterCompany<T>(
  title: string,
  add: (company: string, options: Pick<CallOptions, 'signal' | 'onWait'>) => Promise<T>,
): Promise<T | undefined> {
  const input = vscode.window.createInputBox();
  const abort = new AbortController();
  input.title = title;
  const prompt = t('The domain of the company, or the UUID of its scorecard');
  input.prompt = prompt;
  input.placeholder = 'example.com';
  input.ignoreFocusOut = true;
  return new Promise<T | undefined>((resolve, reject) => {
    const accept = async () => {
      const company = companyIn(input.value);
      if (company === undefined) {
        input.validationMessage = t('Enter a domain such as example.com, or a UUID.');
        return;
      }
      input.busy = true;
      input.enabled = false;
      try {
        const onWait: CallOptions['onWait'] = (wait) => {
          input.prompt = wait ? describeWait(wait) : prompt;
        };
        resolve(await add(company, { signal: abort.signal, onWait }));
        input.hide();
      } catch (error) {
        const { text, remedy } = describeServiceError(error);
        if (remedy === 'signIn') {
          // The box cannot help; the error is shown with its button.
          throw error;
        }
        if (!(error instanceof CancelledError)) {
          input.validationMessage = plainText(text);
        }
      } finally {
        input.prompt = prompt;
        input.busy = false;
        input.enabled = true;
      }
    };
    input.onDidChangeValue(() => {
      input.validationMessage = undefined;
    });
    input.onDidAccept(() => {
      if (!input.busy) {
        accept().catch((error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
          input.hide();
        });
      }
    });
    input.onDidHide(() => {
      abort.abort(new CancelledError());
      input.dispose();
      resolve(undefined);
    });
    input.show();
  });
}
