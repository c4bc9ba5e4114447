/** What a packed file has about for each of its bytes: ten is usual for findings. */
const unpackedRatio = 10;
const packedName = /\.(gz|zip)$/i;

/**
 * About how many bytes a file has when it is unpacked: by these, not by those on disk, is limited what runs without being
 * asked for.
 * @param file its path, whose end says whether it is packed.
 * @param bytes its size on disk.
 */
export function unpackedBytes(file: string, bytes: number): number {
  return packedName.test(file) ? bytes * unpackedRatio : bytes;
}
