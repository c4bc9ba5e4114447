import { plainText } from '../../base/text/plainText';
import type { FindingProblem } from '../../vocabulary/findingProblem';

interface ProblemTexts {
  readonly message: string;
  readonly code?: string;
}

/**
 * What Problems shows of a finding. All of it comes from the file: it is plain, and nothing of it is a link.
 * @param untitled the message of a finding without one.
 */
export function problemTexts(
  { message = '', severity = '', code = '' }: FindingProblem,
  untitled: string,
): ProblemTexts {
  const text = plainText(message, 500) || untitled;
  const word = plainText(severity, 20);
  const shown = plainText(code, 100);
  return {
    message: word === '' ? text : `${word}: ${text}`,
    ...(shown !== '' && { code: shown }),
  };
}
