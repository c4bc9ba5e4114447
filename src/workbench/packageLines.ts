interface Place {
  /** From 1. */
  readonly line: number;
  /** How surely it is the package that is named there. */
  readonly certainty: number;
}

/** No lock file has as many names; any other file may be named as one. */
const maxNames = 500_000;
/** Longer runs of characters are no paths of packages. */
const maxLength = 1_000;
/** Names of Maven and Perl have two or three parts. */
const maxParts = 4;

/**
 * The lines in which a manifest or a lock file names packages. It is read through once: a report may name
 * thousands of packages.
 */
export class PackageLines {
  private readonly places = new Map<string, Place>();

  constructor(text: string) {
    for (const [at, line] of text.split('\n').entries()) {
      this.read(line, at + 1);
    }
  }

  /** The line, from 1, that names a package most surely; the first of several. */
  lineOf(name: string): number | undefined {
    return this.places.get(name)?.line;
  }

  private read(text: string, line: number): void {
    for (const { 0: run, index: start } of text.matchAll(/[\w@/.:-]+/g)) {
      if (run.length > maxLength) {
        continue;
      }
      const end = start + run.length;
      if (text[end] === '"') {
        const isWhole = text[start - 1] === '"';
        const [, path, installed] = /^(.*\/)?node_modules\/(.+)$/.exec(run) ?? [];
        if (installed !== undefined && (isWhole || path !== undefined)) {
          this.add(installed, { line, certainty: path === undefined ? 3 : 2 });
        } else if (isWhole && /^"\s*:/.test(text.slice(end, end + 10))) {
          this.add(run, { line, certainty: 1 });
        }
      }
      for (const name of namesIn(run)) {
        this.add(name, { line, certainty: 0 });
      }
    }
  }

  private add(name: string, place: Place): void {
    const known = this.places.get(name);
    const isBetter = known ? place.certainty > known.certainty : this.places.size < maxNames;
    if (isBetter) {
      this.places.set(name, place);
    }
  }
}

/** What may be names in `@scope/name@^1`, `group:artifact:1.2` or `Module::Name`. */
function namesIn(run: string): readonly string[] {
  if (!run.includes(':')) {
    return /^@?[^@/][^@]*/.exec(run) ?? [];
  }
  const ends = [...run.matchAll(/:+/g)].slice(1, maxParts).map(({ index }) => index);
  return [...run.split(/:+/).flatMap(namesIn), ...ends.map((end) => run.slice(0, end)), run];
}
