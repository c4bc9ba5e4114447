import * as vscode from 'vscode';
import type { PortfolioCompany } from '../../../api/services/companies';
import { plainText } from '../../../base/text/plainText';
import { formatNumber } from '../../../workbench/format';

const { t } = vscode.l10n;

/** A company of a portfolio, to be chosen among others: with its grade, its score, and how that has moved. */
export function createCompanyChoice({
  domain,
  name,
  score,
  grade,
  scoreChange = 0,
}: PortfolioCompany) {
  return {
    label: plainText(name, 100) || domain,
    description: [
      domain,
      [grade, score].filter((part) => part !== undefined).join(' '),
      scoreChange === 0 ? '' : t('{0} in 30 days', withSign(scoreChange)),
    ]
      .filter((part) => part !== '')
      .join(' \u00b7 '),
    value: domain,
    picked: false,
  };
}

function withSign(change: number): string {
  return `${change > 0 ? '+' : '\u2212'}${formatNumber(Math.abs(change))}`;
}
