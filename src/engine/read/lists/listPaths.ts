import { weighSeverities, noEvidence, severityColumn } from './severityEvidence';
import { findFirstParent, type ListStep } from './listSteps';
import type { Place, Sample } from './places';
import type { PlainMembers, SampleReader } from './sampleReader';
import { findVectorScore } from '../../../vocabulary/cvss';
import { type DocumentFormat, findFormat, stepsIn } from '../../../vocabulary/formats';
import { isNameOf, says } from '../../../vocabulary/meanings';
import { isSeverityName } from '../../../vocabulary/severity';

/** A list of a document: the elements that are reached by the same steps, wherever they are. */
export interface ListPath {
  /** `runs[].results[]`, or `"scan.results"[]` where a name has a dot. */
  readonly name: string;
  readonly steps: readonly ListStep[];
  /** The number of elements that can be rows. */
  readonly rows: number;
  /** Whether the elements are arrays, which become rows of cells. */
  readonly hasCells: boolean;
  /** The elements. */
  readonly place: Place;
  /** The arrays or objects that have them, and the members beside those. */
  readonly holder: Place;
  readonly beside: readonly Place[];
  /** The list whose elements have this one. */
  readonly outer: ListPath | undefined;
  /** Whether it is in the metadata of a Kubernetes object. */
  readonly isMetadata: boolean;
  /** Whether an element of an outer list has members after this list. */
  readonly isFollowed: boolean;
}

/** What leads to a place. */
type Way = Pick<ListPath, 'name' | 'steps' | 'outer' | 'beside' | 'isMetadata' | 'isFollowed'>;

/** The most lists that are found. */
const maxLists = 200;
/** Values of a map are alike if they share so many of their members. */
const alikeShare = 0.5;
const maxCompared = 12;
/** So many alike members are the entries of a map, whatever their names. */
const manyMembers = 8;

/** With less in common, objects that look the same may be others. */
const fewMembers = 3;
/** What tells findings apart. */
const identities = ['ownId', 'rule', 'vulnerability'] as const;

/** Finds the lists of a document: arrays of objects or of arrays, and objects whose members are alike. */
export class ListFinder {
  /** Lists that are empty, or have only plain values. */
  readonly plain: ListPath[] = [];
  private readonly lists: ListPath[] = [];
  /** The entries of places, null where they have none. */
  private readonly entries = new Map<Place, Entries | null>();
  private readonly members = new Map<Place, ReadonlyMap<string, Place>>();
  private readonly nulls = new Map<Sample, ReadonlySet<string>>();

  constructor(private readonly samples: SampleReader) {}

  find(top: Place): ListPath[] {
    const format = this.formatOf(top);
    format?.lists.forEach((list) => {
      this.readMaps(top, stepsIn(list));
    });
    const [isMetadata, isFollowed] = [false, false];
    this.visit(top, { name: '', steps: [], outer: undefined, beside: [], isMetadata, isFollowed });
    return this.lists;
  }

  /** The format of a document, or of the objects in one that is an array, if that is known. */
  formatOf(top: Place): DocumentFormat | undefined {
    const place = top.objects > 0 ? top : top.element;
    return place && place.objects > 0
      ? findFormat((name, options) => this.has(place, name, options), { isArray: place !== top })
      : undefined;
  }

  /**
   * Decides which objects are maps where a format says it: a map may have a few members, and an object some that are
   * alike.
   */
  private readMaps(place: Place, [step, ...rest]: readonly string[]): void {
    if (step === undefined) {
      return;
    }
    if (place.element) {
      this.readMaps(place.element, [step, ...rest]);
    }
    if (step === '{}') {
      const { members, others, withOthers } = place;
      const all = others ? [...members, others] : members;
      const isMap = withOthers === 0 && all.length > 0;
      const entries =
        this.entriesOf(place) ?? (isMap ? { place: merged(all), isSeverity: false } : null);
      this.entries.set(place, entries);
      if (entries) {
        this.readMaps(entries.place, rest);
      }
      return;
    }
    if (place.objects > 0) {
      this.entries.set(place, null);
    }
    const member = place.members.find(({ name }) => name === step);
    if (member) {
      this.readMaps(member, rest);
    }
  }

  private visit(place: Place, at: Way): void {
    if (place.arrays > 0) {
      this.addElements(place, place.element ?? noPlace, at);
    }
    const entries = this.entriesOf(place);
    if (entries) {
      this.addEntries(place, entries, at);
      return;
    }
    const { members } = place;
    for (const member of members) {
      const { name, written } = member;
      this.visit(member, {
        ...at,
        name: at.name === '' ? quoted(name) : `${at.name}.${quoted(name)}`,
        steps: [...at.steps, { kind: 'named', name, written }],
        beside: members,
        isMetadata: at.isMetadata || (name === 'metadata' && this.isKubernetes(place)),
        isFollowed:
          at.isFollowed || (findFirstParent(at.steps) < at.steps.length + 1 && member.isFollowed),
      });
    }
  }

  private addElements(
    holder: Place,
    element: Place,
    { name: before, steps: above, ...at }: Way,
  ): void {
    const name = `${before}[]`;
    const steps: readonly ListStep[] = [...above, { kind: 'element' }];
    const hasCells = areCells(holder, element);
    const { objects, arrays } = element;
    const list = { ...at, name, steps, hasCells, place: element, holder };
    if (!hasCells && objects === 0 && !hasObjects(element.element)) {
      this.plain.push({ ...list, rows: arrays + holder.otherElements });
      return;
    }
    // If all elements are in one array, they need not be objects.
    const isOnly = holder.arrays === 1 && above.every(({ kind }) => kind === 'named');
    const others = isOnly && objects > 0 ? arrays + holder.otherElements : 0;
    const nearest = this.add({ ...list, rows: hasCells ? arrays : objects + others });
    if (!hasCells) {
      this.visit(element, { ...at, name, steps, outer: nearest ?? at.outer, beside: [] });
    }
  }

  private addEntries(
    holder: Place,
    { place, isSeverity }: Entries,
    { name: before, steps: above, ...at }: Way,
  ): void {
    const name = `${before}{}`;
    const steps: readonly ListStep[] = [...above, { kind: 'member', isSeverity }];
    const rows = place.objects;
    const nearest = this.add({ ...at, name, steps, rows, hasCells: false, place, holder });
    this.visit(place, { ...at, name, steps, outer: nearest ?? at.outer, beside: [] });
  }

  /** The plain members of objects, as far as samples show. */
  plainMembersOf({ samples }: Place): readonly PlainMembers[] {
    return samples.map((sample) => this.samples.members(sample));
  }

  /** Whether objects have members with vectors of CVSS. */
  haveVectors(place: Place): boolean {
    return this.plainMembersOf(place).some((members) =>
      [...members.values()].some(
        (value) => typeof value === 'string' && findVectorScore(value) !== undefined,
      ),
    );
  }

  /**
   * Whether objects have a member that is an array or an object, or the first one has another: `results[].packages` is
   * one of an element, and `content{}.policyInfo` one of any member.
   * @param isList whether it must be an array or an object, or null.
   */
  has(place: Place, path: string, { isList }: { readonly isList: boolean }): boolean {
    const { members, samples } = place;
    const [first] = samples;
    const isOwn =
      members.some(({ name }) => name === path) ||
      (first !== undefined &&
        ((!isList && this.samples.members(first).has(path)) || this.nullsOf(first).has(path)));
    return (
      isOwn || stepsInto(place, path).some(([inner, rest]) => this.has(inner, rest, { isList }))
    );
  }

  /** The members of an object that are null; none if it is too long. */
  private nullsOf(sample: Sample): ReadonlySet<string> {
    let nulls = this.nulls.get(sample);
    if (!nulls) {
      const members = Object.entries(this.samples.value(sample) ?? {});
      nulls = new Set(members.flatMap(([each, value]) => (value === null ? [each] : [])));
      this.nulls.set(sample, nulls);
    }
    return nulls;
  }

  /**
   * The members of a document, and of the objects in it, that are empty objects or null, by the names of the lists
   * that they may be.
   */
  emptyMembers(top: Place): readonly string[] {
    return [top, ...top.members].flatMap((place) => {
      const around = place === top ? '' : `${quoted(place.name)}.`;
      const [first] = place.samples;
      const nulls = first && !place.isElement && place.arrays === 0 ? this.nullsOf(first) : [];
      const maps = place.members.filter(
        ({ objects, arrays, withOthers, members }) =>
          objects > 0 && arrays === 0 && withOthers === 0 && members.length === 0,
      );
      const names = [...maps.map(({ name }) => name), ...nulls];
      return names.map((name) => `${around}${quoted(name)}[]`);
    });
  }

  /** Whether a document says that it is an error: then it has no results. */
  saysError({ samples: [first], members }: Place): boolean {
    const isError = (name: string) => /^errors?$/i.test(name);
    const plain = first ? [...this.samples.members(first)] : [];
    return (
      members.some(
        ({ name, withOthers, fullArrays, otherElements, members: inner }) =>
          isError(name) &&
          (withOthers > 0 || fullArrays > 0 || otherElements > 0 || inner.length > 0),
      ) || plain.some(([name, value]) => isError(name) && value !== false && value !== 0)
    );
  }

  /**
   * Whether as many objects are the same as others, but for members that only one has: they have the same ID or rule.
   * Of more than are sampled, the samples of both may be different ones.
   */
  areSame(place: Place, others: Place): boolean {
    const all = this.plainMembersOf(place);
    const isAmong = (members: PlainMembers) =>
      all.some((own) => {
        const shared = [...members.keys()].filter((name) => own.has(name));
        const isNamed = shared.some((name) => identities.some((each) => isNameOf(each, name)));
        return (
          isNamed &&
          shared.length >= fewMembers &&
          shared.every((name) => own.get(name) === members.get(name))
        );
      });
    const areAllKnown = place.samples.length >= place.objects;
    return (
      this.areAlike([place, others]) && (!areAllKnown || this.plainMembersOf(others).every(isAmong))
    );
  }

  /** Whether the objects of a place say how many there are of something, and all say none. */
  haveNoTotal({ samples }: Place): boolean {
    const totals = samples.map((sample) =>
      [...this.samples.members(sample)].flatMap(([name, value]) =>
        says('total', name) ? [value] : [],
      ),
    );
    return (
      totals.length > 0 && totals.every((found) => found.length > 0 && found.every((n) => n === 0))
    );
  }

  isSarif(top: Place): boolean {
    const [first] = top.samples;
    const version = first && this.samples.members(first).get('version');
    // The version may come after the results.
    return this.hasDriver(top) || (typeof version === 'string' && /^[12]\.\d+\.\d+$/.test(version));
  }

  /** Whether a document has runs with a tool, as no other than SARIF has. */
  hasDriver({ members }: Place): boolean {
    const runs = members.find(({ name }) => name === 'runs')?.element;
    const tool = runs?.members.find(({ name }) => name === 'tool');
    return tool?.members.some(({ name }) => name === 'driver') === true;
  }

  private isKubernetes({ samples }: Place): boolean {
    const [first] = samples;
    const members = first && this.samples.members(first);
    return members?.has('apiVersion') === true && members.has('kind');
  }

  private add(list: ListPath): ListPath | undefined {
    if (list.rows === 0) {
      return undefined;
    }
    if (this.lists.length < maxLists) {
      this.lists.push(list);
    }
    return list;
  }

  /** The members of objects as the entries of a map, if they are not members of records. */
  private entriesOf(place: Place): Entries | null {
    const known = this.entries.get(place);
    if (known !== undefined) {
      return known;
    }
    const found = this.findEntries(place);
    this.entries.set(place, found);
    return found;
  }

  private findEntries(place: Place): Entries | null {
    const { members, others } = place;
    const all = others ? [...members, others] : members;
    if (all.length === 0) {
      return null;
    }
    // What is in a map says nothing of the object around it.
    members.forEach((member) => {
      this.findInner(member);
    });
    const isSeverity = !others && areSeverities(members);
    if (!isSeverity && (place.withOthers > 0 || !(others ?? this.areEntries(place)))) {
      return null;
    }
    return { place: merged(all), isSeverity };
  }

  private findInner(place: Place): void {
    this.entriesOf(place);
    if (place.element) {
      this.findInner(place.element);
    }
  }

  /**
   * Whether all members are objects, or all are arrays, and they are alike. A few members with names like
   * those of fields are entries only if they have severities, and are not members of many records.
   */
  private areEntries({ members, isElement, objects: count }: Place): boolean {
    const areObjects = members.every(({ objects, arrays }) => objects > 0 && arrays === 0);
    const areArrays = members.every(({ objects, arrays }) => objects === 0 && arrays > 0);
    if (!areObjects && !areArrays) {
      return false;
    }
    const values = members
      .map((member) => (areArrays ? member.element : member))
      .filter((value) => value !== undefined && value.objects > 0) as Place[];
    if (values.length === 0 || !this.areAlike(values)) {
      return false;
    }
    const isSameMember = count > 1 && members.length === 1;
    const fieldNames = members.filter(({ name }) => isFieldName(name)).length;
    return (
      fieldNames * 2 <= members.length ||
      members.length >= manyMembers ||
      (areObjects && !isElement && !isSameMember && this.haveSeverities(values))
    );
  }

  private haveSeverities(values: readonly Place[]): boolean {
    return this.evidenceOf(values.length === 1 ? values[0]! : merged(values)) === severityColumn;
  }

  /** Whether the objects of some places have mostly the same members. */
  areAlike(values: readonly Place[]): boolean {
    const names = values
      .slice(0, maxCompared)
      .map((value) => this.namesOf(value))
      .filter(({ size }) => size > 0);
    const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => alike(one, other)));
    const sum = pairs.reduce((total, each) => total + each, 0);
    return pairs.length === 0 || sum >= alikeShare * pairs.length;
  }

  /** The names of the members that objects of a place have. */
  private namesOf({ members, samples }: Place): Set<string> {
    const [first] = samples;
    const plain = first ? [...this.samples.members(first).keys()] : [];
    return new Set([
      ...members.map(({ name }) => name),
      ...plain.map((path) => path.split('.')[0]!),
    ]);
  }

  /** What the plain members of the objects of a place say of findings, without those in maps. */
  evidenceOf(place: Place): number {
    if (this.entriesOf(place)) {
      return noEvidence;
    }
    return weighSeverities(
      place.samples.map((sample) => this.samples.members(sample)),
      (path) => this.isInMap(place, path),
    );
  }

  /** Whether a path leads through a map. */
  private isInMap(place: Place, path: string): boolean {
    const members = this.membersOf(place);
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const member = members.get(path.slice(0, dot));
      if (member && (this.entriesOf(member) ?? this.isInMap(member, path.slice(dot + 1)))) {
        return true;
      }
    }
    return false;
  }

  private membersOf(place: Place): ReadonlyMap<string, Place> {
    let members = this.members.get(place);
    if (!members) {
      members = new Map(place.members.map((member) => [member.name, member]));
      this.members.set(place, members);
    }
    return members;
  }
}

/** How much of the names of two records is in both, from 0 to 1. */
function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((name) => other.has(name)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** The places that the first step of a path leads to, and what is left of the path. */
function stepsInto({ members }: Place, path: string): (readonly [Place, string])[] {
  const [, name, kind, rest = ''] = /^([^.[{]*)(\[\]|\{\}|)\.(.+)$/.exec(path) ?? [];
  const places = name === '' ? [] : members.filter((member) => member.name === name);
  const inner =
    kind === '[]'
      ? places.flatMap(({ element }) => element ?? [])
      : kind === '{}'
        ? name === ''
          ? members
          : places.flatMap((place) => place.members)
        : places;
  return inner.map((place) => [place, rest] as const);
}

/** Whether a name is one that programs give to members, rather than data, such as hosts and files. */
function isFieldName(name: string): boolean {
  const [, others] = /^[A-Za-z_$][\w$-]*((?:\.[A-Za-z_$][\w$-]*)*)$/.exec(name) ?? [];
  return others === '' || (others !== undefined && says('findings', name));
}

/** A name in the name of a list. One that could be taken for several steps or lists is quoted, as in JSON. */
function quoted(name: string): string {
  const isPlain = !/^$|[.[\]{}"\\\p{Cc}]| \+ /u.test(name);
  return isPlain ? name : JSON.stringify(name).replaceAll(' + ', ' \\u002b ');
}

const noPlace: Place = {
  written: Buffer.alloc(0),
  name: '',
  isElement: false,
  objects: 0,
  arrays: 0,
  withOthers: 0,
  fullArrays: 0,
  otherElements: 0,
  isFollowed: false,
  samples: [],
  element: undefined,
  members: [],
  others: undefined,
};

/** A list that a document does not have. @param name such as `site[].alerts[]` */
export function emptyList(name: string): ListPath {
  const steps = name.split('.').flatMap((part): ListStep[] => {
    const own = part.replace(/\[\]$/, '');
    const named: ListStep = { kind: 'named', name: own, written: Buffer.from(own) };
    return own === part ? [named] : [named, { kind: 'element' }];
  });
  return {
    ...{ name, steps, rows: 0, hasCells: false, place: noPlace, holder: noPlace, beside: [] },
    ...{ outer: undefined, isMetadata: false, isFollowed: false },
  };
}

/** The members of objects, seen as one list. */
interface Entries {
  readonly place: Place;
  readonly isSeverity: boolean;
}

/** Whether all elements are arrays, which have plain values. */
function areCells({ otherElements }: Place, element: Place): boolean {
  return element.objects === 0 && otherElements === 0 && element.otherElements > 0;
}

function hasObjects(place: Place | undefined): boolean {
  return place !== undefined && (place.objects > 0 || hasObjects(place.element));
}

/** Whether members are named by severities, perhaps beside a few others. */
function areSeverities(members: readonly Place[]): boolean {
  const known = members.filter(({ name }) => isSeverityName(name));
  // One name may be written in several ways, with escapes.
  if (new Set(known.map(({ name }) => name)).size === 1) {
    // Objects have members such as `info`, too.
    return (
      members.length === 1 && members[0]!.objects === 0 && /^(critical|high)$/i.test(known[0]!.name)
    );
  }
  return known.length > 1 && known.length >= 0.6 * members.length;
}

/** Several places as one. */
function merged(places: readonly Place[]): Place {
  const [first] = places;
  if (first && places.length === 1) {
    return first;
  }
  const sum = (count: (place: Place) => number) =>
    places.reduce((total, place) => total + count(place), 0);
  const elements = places.flatMap(({ element }) => element ?? []);
  const others = places.flatMap((place) => place.others ?? []);
  const byName = new Map<string, Place[]>();
  for (const member of places.flatMap(({ members }) => members)) {
    const same = byName.get(member.name);
    if (same) {
      same.push(member);
    } else {
      byName.set(member.name, [member]);
    }
  }
  return {
    ...noPlace,
    objects: sum(({ objects }) => objects),
    arrays: sum(({ arrays }) => arrays),
    withOthers: sum(({ withOthers }) => withOthers),
    fullArrays: sum(({ fullArrays }) => fullArrays),
    otherElements: sum(({ otherElements }) => otherElements),
    isFollowed: places.some(({ isFollowed }) => isFollowed),
    samples: mixed(places.map(({ samples }) => samples)),
    element: elements.length > 0 ? merged(elements) : undefined,
    members: [...byName.values()].map((same) => ({ ...merged(same), ...namesOf(same[0]!) })),
    others: others.length > 0 ? merged(others) : undefined,
  };
}

function namesOf({ name, written }: Place): Pick<Place, 'name' | 'written'> {
  return { name, written };
}

const maxSamples = 64;

/** Some samples of each. */
function mixed(samples: readonly (readonly Sample[])[]): Sample[] {
  const each = Math.max(1, Math.floor(maxSamples / samples.length));
  return samples.flatMap((some) => some.slice(0, each)).slice(0, maxSamples);
}
