import { find, type Params } from './raw-rows.ts';
import { type Row, requireFree, write } from './rows.ts';
import type { Place } from './statements.ts';

/** Puts records into a batch, each at its leaf. */
export function putInBatch(place: Place, [batchId, ids]: Params): Row[] {
  return (ids as readonly string[]).flatMap((id, n) => {
    const found = find(place, 'records', 'record_id', id);
    if (found === null) return [];
    requireFree(found.cell, place.trx);
    const row = { ...found.row, batch_id: batchId, leaf_index: n };
    write(found.cell, place.trx, row);
    return [row];
  });
}
