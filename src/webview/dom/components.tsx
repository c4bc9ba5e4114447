import type {
  ButtonHTMLAttributes,
  ComponentChild,
  ComponentChildren,
  TargetedKeyboardEvent,
} from 'preact';
import { useState } from 'preact/hooks';
import { type IconName, icons } from './dom';

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" class="icon" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}

export function classes(...names: readonly (string | false)[]): string {
  return names.filter(Boolean).join(' ');
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'name'> {
  readonly name: IconName;
  readonly label: string;
}

/** A button with an icon; its label is also its tooltip. */
export function IconButton({ name, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...rest}>
      <Icon name={name} />
    </button>
  );
}

/** A button that looks like a link. */
export function TextButton(attributes: ButtonHTMLAttributes) {
  return <button type="button" class="text-button link" {...attributes} />;
}

/** Moves the focus among buttons that are one tab stop: with arrow keys, or to an end. */
export function pressArrow(event: TargetedKeyboardEvent<HTMLElement>): void {
  const usable = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')];
  const at = usable.findIndex((button) => button === document.activeElement);
  const targets: Partial<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[event.key];
  if (target !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    usable.at(target % usable.length)?.focus();
  }
}

interface FoldedProps {
  readonly class?: string;
  readonly summary: ComponentChildren;
  /** Whether it is open at first. */
  readonly open?: boolean;
  readonly content: () => ComponentChild;
}

/** Details that are drawn once they are opened, because they may be large. */
export function Folded({ class: name, summary, open = false, content }: FoldedProps) {
  const [isDrawn, setDrawn] = useState(open);
  const draw = () => setDrawn(true);
  return (
    <details class={name} open={open} onToggle={draw}>
      <summary>{summary}</summary>
      {isDrawn && content()}
    </details>
  );
}
