import { message } from '../base/message';

/** Why a condition cannot apply, as users read it in a table and in a list. */
export const faultMessages = {
  noNumber: message('Enter a number or a date (2026-03-31) after the operator.'),
  noNumbers: message('This column is text: <, > and .. need numbers or dates.'),
  onlyNumbers: message('This column has numbers: enter a number after the operator.'),
  onlyDates: message('This column has dates: enter a date (2026-03-31) after the operator.'),
  onlySeverities: message('This column has severities: enter one or several (critical, high).'),
  reversedRange: message('No value is in this range: enter the smaller or earlier end first.'),
  noRange: message('Enter two numbers or two dates (2026-03..2026-04-15).'),
};

/**
 * No number or date after a sign, an incomplete range or one that ends before it begins, or a column that has no numbers, only numbers, or only dates.
 * In a list, whose fields have no types, only the first.
 */
export type FilterFault = keyof typeof faultMessages;
