/**
 * The maximum size of two files together, in bytes that are unpacked (see `unpackedBytes`), that are compared without
 * being asked. Larger ones are compared only on request.
 */
export const maxAutomaticBytes = 1024 ** 3;
