/**
 * Whether a language writes decimals with a comma. Excel then takes `;` for the separator of CSV.
 * @param language BCP 47
 */
export function hasDecimalComma(language: string): boolean {
  const parts = new Intl.NumberFormat(language).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',');
}

/** What says in which country a program runs. */
interface SystemFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Used where the system says nothing. BCP 47 */
  readonly language: string;
}

/**
 * The locale of the system, which Excel writes numbers by, whatever the language of VS Code: that of POSIX, or what
 * VS Code was told by Windows or macOS.
 * @returns BCP 47
 */
export function findSystemLocale({ env, platform, language }: SystemFacts): string {
  const ofShell = platform === 'win32' ? [] : [env.LC_ALL, env.LC_NUMERIC, env.LANG];
  const posix = ofShell.find((text) => text !== undefined && text !== '');
  const candidates = [posix?.replace(/[.@].*$/, '').replaceAll('_', '-'), readSystemLocale(env)];
  return candidates.find((text) => text !== undefined && isLocale(text)) ?? language;
}

/** VS Code gives it to its processes in a variable. */
function readSystemLocale({
  VSCODE_NLS_CONFIG: config = '',
}: SystemFacts['env']): string | undefined {
  try {
    const { osLocale } = JSON.parse(config) as { readonly osLocale?: unknown };
    return typeof osLocale === 'string' ? osLocale : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text names a language: `C` and `POSIX` do not. */
function isLocale(text: string): boolean {
  try {
    return text !== 'POSIX' && Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}
