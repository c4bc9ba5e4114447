import * as vscode from 'vscode';
import { systemClock } from '../base/events/clock';
import { clockText, dayText, isToday, momentText } from '../base/text/dates';

/** A number in the language of VS Code: `41,237`. */
export function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat(vscode.env.language);
  return numbers.format(value);
}

/** Created once: creating it takes a hundred times as long as formatting, and every row has a number. */
let numbers: Intl.NumberFormat | undefined;

/** How many requests something takes, and how many are left: `83 requests; 4,900 left this hour`. */
export function formatRequests(needed: number, remaining: number): string {
  const left = formatNumber(remaining);
  return needed === 1
    ? vscode.l10n.t('1 request; {0} left this hour', left)
    : vscode.l10n.t('{0} requests; {1} left this hour', formatNumber(needed), left);
}

/** A size: `950 B`, `12.3 KB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  const text = new Intl.NumberFormat(vscode.env.language, {
    maximumFractionDigits: digits,
  }).format(value);
  return `${text} ${units[power] ?? 'B'}`;
}

/** A duration in at most two units: `42 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) {
    return minutes % 60 === 0
      ? vscode.l10n.t('{0} h', hours)
      : vscode.l10n.t('{0} h {1} min', hours, minutes % 60);
  }
  if (minutes > 0) {
    return seconds % 60 === 0
      ? vscode.l10n.t('{0} min', minutes)
      : vscode.l10n.t('{0} min {1} s', minutes, seconds % 60);
  }
  return vscode.l10n.t('{0} s', seconds);
}

/** A time with seconds, and with its day unless it is today: `22 Nov 14:03:05`. */
export function formatTime(time: number, now = systemClock.now()): string {
  const clock = clockText(time, vscode.env.language, 'medium');
  return isToday(time, now) ? clock : `${formatDay(time, now)} ${clock}`;
}

/** A day and time, with the year unless it is the current one: `22 Nov 14:03`. */
export function formatMoment(time: number, now = systemClock.now()): string {
  return momentText(time, vscode.env.language, now);
}

/** A time on a known day: `14:03`. */
export function formatClock(time: number): string {
  return clockText(time, vscode.env.language);
}

/** A day, with the year unless it is the current one: `22 Nov`. */
export function formatDay(time: number, now = systemClock.now()): string {
  return dayText(time, vscode.env.language, now);
}

/** A day such as `2026-01-31`, as `formatDay` writes it; what is no day stays. */
export function formatWrittenDay(day: string): string {
  const known = writtenDays.get(day);
  if (known !== undefined) {
    return known;
  }
  const time = Date.parse(`${day}T12:00:00`);
  const written = Number.isNaN(time) ? day : formatDay(time);
  if (writtenDays.size < maxWrittenDays) {
    writtenDays.set(day, written);
  }
  return written;
}

/** Each is written once: that takes longer than all else of a row. */
const writtenDays = new Map<string, string>();
const maxWrittenDays = 5_000;

/** A time rounded up to the minute, with its day unless it is today: `10:42`. */
export function formatMinute(time: number, now = systemClock.now()): string {
  const minute = Math.ceil(time / 60_000) * 60_000;
  return isToday(minute, now) ? formatClock(minute) : formatMoment(minute, now);
}

/** A share, rounded down, so that only the whole is shown as 100%. */
export function formatPercent(share: number): string {
  return new Intl.NumberFormat(vscode.env.language, { style: 'percent' }).format(
    Math.floor(share * 100) / 100,
  );
}

/** The age of a time in one unit: `just now`, `5 min ago`, `3 days ago`. */
export function formatAge(time: number, now = systemClock.now()): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) {
    return vscode.l10n.t('just now');
  }
  if (minutes < 60) {
    return vscode.l10n.t('{0} min ago', minutes);
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    return vscode.l10n.t('{0} h ago', hours);
  }
  const days = Math.floor(hours / 24);
  return days === 1 ? vscode.l10n.t('yesterday') : vscode.l10n.t('{0} days ago', days);
}
