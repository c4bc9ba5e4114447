/** The members that have a value, for an object whose other members may be missing but not `undefined`. */
export function defined<T extends object>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
