import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a ZIP archive. Members other than `name` and `data` make it malicious. */
export interface ZipEntry {
  name: string;
  /** The bytes of its name, without the flag that says that they are UTF-8. */
  rawName?: Uint8Array;
  data?: Uint8Array;
  /** The mode of Unix, for example 0o120777 for a link. */
  mode?: number;
  isEncrypted?: boolean;
  /** The compression method that the archive names instead of deflate (8). */
  method?: number;
  /** A wrong size that the archive claims. */
  claimedSize?: number;
  /** A wrong checksum that the archive claims. */
  claimedCrc?: number;
}

/** Writes a ZIP archive (APPNOTE 6.3.x, without ZIP64), deflated. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data = new Uint8Array(), ...entry } of entries) {
    const packed = deflateRawSync(data);
    const fileName = Buffer.from(entry.rawName ?? name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((entry.rawName ? 0 : 0x800) | (entry.isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(entry.method ?? 8, 4);
    common.writeUInt32LE(entry.claimedCrc ?? crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.claimedSize ?? data.length, 18);
    common.writeUInt16LE(fileName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, fileName, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    // Version made by: Unix.
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, tail, fileName]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}
