import type { MaskedValues } from '../data/answers';
import type { ColumnId } from '../data/column';
import { mayHideSecret, RowReader } from '../read/rowReader';
import type { RecordReader } from '../read/records/recordReader';
import type { ShapeNode } from '../read/records/shape';
import { hasValues } from '../read/records/visitor';
import type { TableFile } from '../read/tableFile';
import type { YieldBudget } from '../threads/yieldBudget';

/** What is masked does not depend on how much of a value is shown. */
const masking = { reveal: false, maxLength: 0 };

/** Finds columns with masked values. All records must have been checked. */
export class MaskedColumns {
  private readonly known = new Map<ColumnId, boolean>();
  private hidesInvalid: boolean | undefined;

  constructor(private readonly file: TableFile) {}

  /** @throws TableError `badRequest` for an unknown column. */
  async find(ids: readonly ColumnId[], budget: YieldBudget): Promise<MaskedValues> {
    const { file, known } = this;
    const nodes = ids.map((id) => file.shape.get(id)).filter(({ id }) => !known.has(id));
    const found = await findMasked(file, nodes, this.hidesInvalid, budget);
    for (const node of nodes) {
      known.set(node.id, found.masked.has(node));
    }
    this.hidesInvalid = found.hidesInvalid;
    return {
      columns: ids.filter((id) => known.get(id) === true),
      hidesInvalid: found.hidesInvalid,
    };
  }
}

/**
 * Reads all records, as a sample could miss the only one that has a secret, and asks of each value what masks it where
 * it is shown.
 * @param knownHidesInvalid whether records that are not valid CSV are masked, if that is known.
 */
async function findMasked(
  file: TableFile,
  nodes: readonly ShapeNode[],
  knownHidesInvalid: boolean | undefined,
  budget: YieldBudget,
): Promise<{ readonly masked: ReadonlySet<ShapeNode>; readonly hidesInvalid: boolean }> {
  const { shape, detected } = file;
  const masked = new Set(nodes.filter(({ secret }) => secret));
  const all = new RowReader(file, nodes, masking);
  const asked = nodes.filter((node, slot) => !node.secret && all.mayMask(slot));
  const mayHideInvalid = detected.format.kind === 'csv' && shape.invalidRows > 0;
  let hidesInvalid = knownHidesInvalid ?? (mayHideInvalid && shape.hasSecrets);
  const isInvalidKnown = knownHidesInvalid !== undefined || !mayHideInvalid;
  const isEnough = () =>
    asked.every((node) => masked.has(node)) && (isInvalidKnown || hidesInvalid);
  const reader = new RowReader(file, asked, masking);
  const visitRecord = (records: RecordReader, record: number) => {
    if (!hasValues(records.invalid(record))) {
      return;
    }
    if (mayHideSecret(shape, records, record)) {
      hidesInvalid = true;
      return;
    }
    asked.forEach((node, slot) => {
      if (!masked.has(node) && reader.isMasked(records, record, slot)) {
        masked.add(node);
      }
    });
  };
  const visit = (records: RecordReader) => {
    for (let record = 0; record < records.count; record += 1) {
      visitRecord(records, record);
    }
  };
  if (!isEnough()) {
    await file.scan(budget, { nodes: reader.read, visit }, { isEnough });
  }
  return { masked, hidesInvalid };
}
