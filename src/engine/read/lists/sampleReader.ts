import { readAhead, threadKernel } from '../../threads/kernel';
import type { ByteSource } from '../bytes/byteSource';
import { newWalk, nowhere } from './listSteps';
import type { Sample } from './places';

/** How many bytes of an object are read at most. */
const maxBytes = 256 * 1024;
/** The most bytes of plain members that are kept of an object. */
const maxMemberBytes = 64 * 1024;

/** The plain members of an object by their paths, such as `rule.severity`. */
export type PlainMembers = ReadonlyMap<string, string | number | boolean>;

/** Reads samples of the objects of a document. */
export class SampleReader {
  private readonly kernel = threadKernel();
  private readonly address = this.kernel.exports.allocate(maxBytes + readAhead);
  private readonly known = new Map<Sample, PlainMembers>();

  constructor(private readonly source: Pick<ByteSource, 'read'>) {}

  /** The plain members of an object: no nulls, empty texts, long texts, nor what is in arrays. */
  members(sample: Sample): PlainMembers {
    let members = this.known.get(sample);
    if (!members) {
      members = this.readMembers(sample);
      this.known.set(sample, members);
    }
    return members;
  }

  /** The value of an object or array; `undefined` if it is not valid, or too long. */
  value({ start, end }: Sample): unknown {
    if (end === undefined || end - start > maxBytes) {
      return undefined;
    }
    const length = this.source.read(this.kernel.bytes, this.address, end - start, start);
    try {
      return JSON.parse(this.kernel.bytes.toString('utf8', this.address, this.address + length));
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    this.kernel.exports.release(this.address);
  }

  private readMembers({ start, end = Infinity }: Sample): PlainMembers {
    const { kernel, address } = this;
    const { exports } = kernel;
    const length = Math.min(maxBytes, end - start);
    const to = address + this.source.read(kernel.bytes, address, length, start);
    const walk = newWalk([nowhere], 0, maxMemberBytes);
    try {
      exports.collectMembers(walk, address, to, address, 0);
      exports.endParents(walk);
      exports.completeMembers(walk, 0);
      const [from, bytes] = [kernel.result(0), kernel.result(1)];
      const text = kernel.bytes.toString('utf8', from + 4, from + Math.max(5, bytes) - 1);
      return new Map(Object.entries(JSON.parse(`{${text}}`) as Record<string, string>));
    } catch {
      return new Map();
    } finally {
      exports.freeWalk(walk);
    }
  }
}
