import { element } from '../dom';

/**
 * The fields of a record, one below the other.
 * @param valueOf makes the `dd` of a field.
 */
export function recordFields<Field extends { readonly name: string }>(
  fields: readonly Field[],
  valueOf: (field: Field) => HTMLElement,
): HTMLElement {
  const list = element('dl', { class: 'fields' });
  for (const field of fields) {
    list.append(element('dt', { dir: 'auto' }, field.name), valueOf(field));
  }
  return list;
}
