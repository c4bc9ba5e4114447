import { IconButton } from '../dom/components';
import type { LabeledFilter } from '../../summary/labeledFilter';
import type { Texts } from '../../summary/texts';
import type { CountRow, Section, SideCell } from '../../summary/countRows';

export type Choose = (chosen: LabeledFilter) => void;

/**
 * A section of the overview. It is a table for screen readers, in which each value is a button, and looks
 * like tiles or bars.
 * @param remove called for a section that a user added.
 */
export function countTable(section: Section, texts: Texts, choose: Choose, remove?: () => void) {
  const { id, kind, title, headings, rows, numbersFrom, more, added } = section;
  const columnClass = (at: number) =>
    at === 0 ? undefined : cellClass(rows[0]?.cells?.[at - 1], at, numbersFrom);
  const name = `overview ${id}`.replace(/\W+/g, '-');
  const most = Math.max(1, ...rows.map((row) => (row.isRest ? 0 : row.count)));
  const hasHead = kind === 'issues' || kind === 'changes';
  return (
    <section key={id} class={`section ${kind}${numbersFrom === 1 ? ' numbers' : ''}`}>
      <div class="section-head">
        <h3 id={name} title={title}>
          {title}
        </h3>
        {added !== undefined && (
          <IconButton name="close" label={texts.get('removeBars', title)} onClick={remove} />
        )}
      </div>
      <table aria-labelledby={name}>
        <thead class={hasHead ? undefined : 'unseen'}>
          <tr>
            {headings.map((text, at) => (
              <th scope="col" class={columnClass(at)}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map((row) => countRow(row, section, most, texts, choose))}</tbody>
      </table>
      {more !== undefined && <p class="faint">{more}</p>}
    </section>
  );
}

function countRow(
  row: CountRow,
  { kind, headings, numbersFrom }: Section,
  most: number,
  texts: Texts,
  choose: Choose,
) {
  const { key, label, count, was, chosen, tone, parts = [row], isRest, cells = [] } = row;
  const number = texts.number(count);
  const hasNumber = kind !== 'changes';
  return (
    <tr key={key} class={chosen ? 'choice' : isRest && 'faint'} data-tone={tone}>
      <th scope="row">
        {choice(chosen, choose, label, `${label}: ${number}`, {
          class: 'count-name',
          title: label,
        })}
        {hasNumber && !isRest && (
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
      {cells.map((cell, at) => (
        <td class={cellClass(cell, at + 1, numbersFrom)}>
          {cellView(cell, headings[at + 1], choose)}
        </td>
      ))}
      {hasNumber && (
        <td class="end">
          {was === undefined ? (
            <span class="count">{number}</span>
          ) : (
            <>
              <span class="count">{`${texts.number(was)} \u2192 ${number}`}</span>
              <span class="difference">{texts.difference(count - was)}</span>
            </>
          )}
        </td>
      )}
    </tr>
  );
}

/** What a cell is: a side of the bars, a number without one, or what is said beside the numbers. */
function cellClass(cell: SideCell | undefined, at: number, numbersFrom = Infinity): string {
  return cell?.bar?.side ?? (at < numbersFrom ? 'beside' : 'plain-number');
}

function cellView(
  { text, tone, chosen, bar }: SideCell,
  heading: string | undefined,
  choose: Choose,
) {
  const attributes = { class: 'count-cell', 'data-heading': heading, 'data-tone': tone };
  const content = text && choice(chosen, choose, text, `${chosen?.label}: ${text}`, attributes);
  return bar ? (
    <span class="diverging">
      {content}
      {/* Even an empty bar has a border, which would look like a count. */}
      {bar.share > 0 && (
        <span
          class={`diverging-bar ${bar.side}`}
          aria-hidden="true"
          // The number takes 8ch; the longest bar takes the rest.
          style={{ width: `max(2px, calc((100% - 8ch) * ${bar.share}))` }}
        />
      )}
    </span>
  ) : (
    content
  );
}

/**
 * The button that shows the rows of a count; without rows, only its text.
 * @param label of the button for screen readers.
 */
function choice(
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
