import { createHmac } from 'node:crypto';
import * as path from 'node:path';

/** Hexadecimal digits of a key's hash: 24 bits. */
const tagDigits = 6;

/**
 * A short name for a key at one origin: of its request budget, and of its account.
 *
 * It must be the same in every window and must not give the key away. A hash of a key that can be
 * guessed confirms the guess, however slow or salted, to whoever may read it; so it is cut to 24
 * bits, which is all it can ever show: of a random key of 128 bits 104 stay unknown, and of a poor
 * one every sixteen-millionth guess is confirmed, right or wrong. For the same reason all that needs
 * a name of a key uses this one: a second hash would show 24 bits more. Two keys of one machine that
 * meet in a name share a budget and an account, which as good as never happens. The folder salts
 * it: the same key has another name on another machine, and no table holds it.
 *
 * @param folder where the names are kept on this machine.
 */
export function keyTag(folder: string, origin: string, apiKey: string): string {
  return createHmac('sha256', `request budget\0${path.resolve(folder)}`)
    .update(JSON.stringify([origin, apiKey]))
    .digest('hex')
    .slice(0, tagDigits);
}
