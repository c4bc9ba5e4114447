import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** The backgrounds of VS Code's own themes. */
const backgrounds = {
  dark: '#1f1f1f',
  light: '#ffffff',
  highContrast: '#000000',
  highContrastLight: '#ffffff',
} as const;

type ThemeKind = keyof typeof backgrounds;

interface Manifest {
  readonly contributes: {
    readonly colors: readonly {
      readonly id: string;
      readonly defaults: Readonly<Record<ThemeKind, string>>;
    }[];
  };
}

/** The relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

describe('The colors of severities', () => {
  const file = path.resolve('package.json');
  const { colors } = (JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest).contributes;
  const colorOf = (severity: string, kind: ThemeKind): string =>
    colors.find(({ id }) => id === `scorecard.severity${severity}`)?.defaults[kind] ?? '';

  it('The colors of severities stand out from the background of each theme', () => {
    for (const kind of Object.keys(backgrounds) as ThemeKind[]) {
      for (const severity of ['Critical', 'High', 'Medium', 'Low', 'Positive']) {
        const color = colorOf(severity, kind);
        assert.match(color, /^#[\da-f]{6}$/);
        const found = contrast(color, backgrounds[kind]);
        assert.ok(found >= 3, `${severity} in ${kind}: ${found}`);
      }
    }
  });

  it('The colors of severities stand out from the gaps of their dashes in bars, which tell alike ones apart', () => {
    const css = fs.readFileSync(path.resolve('src/webview/views/overview.css'), 'utf8');
    const share = Number(/--gap: color-mix\(in srgb, var\(--tone\) (\d+)%/.exec(css)?.[1]) / 100;
    assert.ok(share > 0 && share < 1);
    const mix = (color: string, background: string) =>
      [1, 3, 5].reduce((mixed, at) => {
        const [one = 0, other = 0] = [color, background].map((each) =>
          Number.parseInt(each.slice(at, at + 2), 16),
        );
        const part = Math.round(share * one + (1 - share) * other);
        return mixed + part.toString(16).padStart(2, '0');
      }, '#');
    for (const kind of Object.keys(backgrounds) as ThemeKind[]) {
      for (const severity of ['High', 'Medium', 'Low']) {
        const color = colorOf(severity, kind);
        const found = contrast(color, mix(color, backgrounds[kind]));
        assert.ok(found >= 3, `${severity} in ${kind}: ${found}`);
      }
    }
  });

  it('The colors of severities are told apart by how dark they are in the light theme of high contrast', () => {
    const [critical, high, medium] = ['Critical', 'High', 'Medium'].map((severity) =>
      luminance(colorOf(severity, 'highContrastLight')),
    );
    assert.ok(critical !== undefined && high !== undefined && medium !== undefined);
    const step = 1.4;
    assert.ok((high + 0.05) / (critical + 0.05) >= step);
    assert.ok((medium + 0.05) / (high + 0.05) >= step);
  });
});
