import type { JsonObject } from '../base/json';
import { type Message, message } from '../base/message';
import { plainText } from '../base/plainText';

import { dateOf, firstField, textOf } from '../findings/findingSummary';

/** What a row says of an entry of a collection, drawn from whatever fields it has. One plain line each. */
export interface EntrySummary {
  /** The name of the entry, otherwise its number. Never empty. */
  label: string | Message;
  /** Distinguishes it from its neighbours. May be empty. */
  description: string;
}

/** Fields that name an entry, the most specific first. */
const nameFields = [
  'name',
  'title',
  'display_name',
  'label',
  'domain',
  'hostname',
  'url',
  'ip',
  'email_domain',
  'subject',
  'type',
  'event',
  'action',
  'date',
];

/** Fields that distinguish one entry from another, in the order in which they are shown. */
const detailFields = [
  'grade',
  'score',
  'domain',
  'type',
  'status',
  'state',
  'industry',
  'privacy',
  'description',
];

/** Fields that say when, the most specific first. */
const dateFields = ['date', 'updated_at', 'created_at', 'timestamp', 'time'];

/** Draws a row's texts from an entry. Knows no collection: no field is guaranteed by the service. */
export function summarizeEntry(entry: JsonObject, number: number): EntrySummary {
  const nameField = nameFields.find((field) => textOf(entry[field]) !== undefined);
  const name = nameField === undefined ? firstField(entry) : textOf(entry[nameField]);
  const details = detailFields
    .filter((field) => field !== nameField)
    .map((field) => textOf(entry[field]))
    .filter((text) => text !== undefined);
  const date = dateFields.map((field) => dateOf(entry[field])).find((day) => day !== undefined);
  const parts = [
    ...details.slice(0, 3),
    ...(date === undefined || date === name ? [] : [date]),
    // Where nothing distinguishes the entries, their places do.
    ...(nameField === undefined ? [`#${number}`] : []),
  ];
  return {
    label: name === undefined ? message('Entry {0}', number) : plainText(name, 120),
    description: plainText(parts.join(' \u00b7 '), 120),
  };
}
