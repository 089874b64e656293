import { find, insertNew, type Params, requireNoConflict } from './raw-rows.ts';
import { type Row, requireFree, write } from './rows.ts';
import type { Place } from './statements.ts';

/** Files records, and names their other parties; those that are filed already stay as they are. */
export function fileRecords(place: Place, params: Params): Row[] {
  const columns = params.slice(0, 11) as readonly (readonly unknown[])[];
  const [ofRecord, handles] = params.slice(11) as readonly (readonly unknown[])[];
  const rows = columns[0]!.map((_, i): Row => {
    const [record_id, kind, handle, partner, subject, summary, body, evidence, hash, signature, created_at] =
      columns.map((column) => column[i]);
    return {
      record_id,
      kind,
      handle,
      partner,
      subject,
      summary,
      body,
      evidence,
      hash,
      signature,
      created_at,
    };
  });
  // Everything that may have to wait comes before the first write.
  for (const row of rows) requireNoConflict(place, 'records', ['record_id'], row);
  return rows.flatMap((row) => {
    const filed = insertNew(place, 'records', ['record_id'], row);
    if (filed === null) return [];
    ofRecord!.forEach((id, i) => {
      if (id === row.record_id)
        insertNew(place, 'record_parties', ['handle', 'seq'], { handle: handles![i], seq: filed.seq });
    });
    return [{ record_id: row.record_id }];
  });
}

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
