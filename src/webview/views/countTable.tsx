import { IconButton } from '../components';
import type { LabeledFilter } from '../protocol';
import type { Texts } from '../texts';
import type { CountRow, Section } from './countRows';

export type Choose = (chosen: LabeledFilter) => void;

/**
 * A section of the overview. It is a table for screen readers, in which each value is a button, and looks
 * like tiles or bars.
 * @param remove called for a section that a user added.
 */
export function countTable(section: Section, texts: Texts, choose: Choose, remove?: () => void) {
  const { id, kind, title, headings, rows, isOfNumbers, added } = section;
  const name = `overview ${id}`.replace(/\W+/g, '-');
  const [value, count, ...further] = headings;
  const most = Math.max(1, ...rows.map((row) => (row.isRest ? 0 : row.count)));
  return (
    <section key={id} class={`section ${kind}${isOfNumbers ? ' numbers' : ''}`}>
      <div class="section-head">
        <h3 id={name} title={title}>
          {title}
        </h3>
        {added !== undefined && (
          <IconButton name="close" label={texts.get('removeBars', title)} onClick={remove} />
        )}
      </div>
      <table aria-labelledby={name}>
        <thead class={kind === 'issues' ? undefined : 'unseen'}>
          <tr>
            {[value, ...further, count].map((text) => (
              <th scope="col">{text}</th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map((row) => countRow(row, further, most, texts, choose))}</tbody>
      </table>
    </section>
  );
}

/** @param further the headings of the cells next to the number. */
function countRow(
  row: CountRow,
  further: readonly string[],
  most: number,
  texts: Texts,
  choose: Choose,
) {
  const { key, label, count, chosen, tone, parts = [row], isRest, cells = [] } = row;
  const number = texts.number(count);
  return (
    <tr key={key} class={chosen ? 'choice' : 'faint'} data-tone={tone}>
      <th scope="row">
        {choice(chosen, choose, label, `${label}: ${number}`, {
          class: 'count-name',
          title: label,
        })}
        {!isRest && (
          <span class="bar" aria-hidden="true">
            {parts.map((part) => (
              <span
                class="bar-value"
                data-tone={part.tone}
                // A small count must not look like 0.
                style={{ width: part.count && `max(2px, ${(100 * part.count) / most}%)` }}
              />
            ))}
          </span>
        )}
      </th>
      {cells.map(({ text, tone: cellTone, chosen: cellChosen }, at) => (
        <td class="beside">
          {text !== '' &&
            choice(cellChosen, choose, text, `${cellChosen?.label}: ${text}`, {
              class: 'count-cell',
              'data-heading': further[at],
              'data-tone': cellTone,
            })}
        </td>
      ))}
      <td class="end">
        <span class="count">{number}</span>
      </td>
    </tr>
  );
}

/**
 * The button that shows the rows of a count; without rows, only its text.
 * @param label of the button for screen readers.
 */
export function choice(
  chosen: LabeledFilter | undefined,
  choose: Choose,
  text: string,
  label: string,
  attributes: Readonly<Record<string, string | undefined>>,
) {
  if (!chosen) {
    return <span {...attributes}>{text}</span>;
  }
  const onClick = () => choose(chosen);
  return (
    <button type="button" aria-label={label} onClick={onClick} {...attributes}>
      {text}
    </button>
  );
}
