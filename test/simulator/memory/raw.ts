import { UnknownQuery } from './expressions.ts';
import {
  closeListing,
  endOrders,
  lockLotOfDeal,
  markSettled,
  paymentsOfListing,
  unbookedDeal,
  writeMatch,
} from './raw-deals.ts';
import {
  insertActor,
  insertMessage,
  insertMessages,
  makeDeadLetter,
  readActors,
  saveBatches,
} from './raw-mailboxes.ts';
import { orderOutset, ownersWords, placeOrder, readOrderSnapshot, restFundedOrder } from './raw-orders.ts';
import {
  assignSessionKey,
  claimEffects,
  closeEffects,
  dueActors,
  extendLease,
  fireDueTimers,
  nextSessionKey,
  overdueWork,
  waitingEffects,
} from './raw-outbox.ts';
import { fileRecords, putInBatch } from './raw-records.ts';
import type { Params, Statement } from './raw-rows.ts';
import type { Place, Result } from './statements.ts';

/**
 * The statements that the store writes as SQL text, for the durable mechanism and for orders. Each is recognised by how
 * it begins, and its behaviour is written by hand; the conformance suite compares it with Postgres. An unknown text
 * throws, so that a new or changed statement never looks like one that found nothing.
 */

const STATEMENTS: readonly (readonly [RegExp, number, Statement])[] = [
  [/^insert into mailbox \(actor_id, event_id, event, created_at\) values/, 4, insertMessage],
  [/^insert into mailbox \(actor_id, event_id, event, created_at\) select m\.actor_id/, 4, insertMessages],
  [/^with saved as \( insert into actors/, 12, insertActor],
  [/^update mailbox set dead_lettered_at = /, 3, makeDeadLetter],
  [/^select a\.id, a\.kind, a\.version, a\.snapshot, a\.revision, a\.next_batch_at/, 2, readActors],
  [/^with wanted as \( select \* from unnest\(\$2::text\[\], \$3::bigint\[\]/, 26, saveBatches],
  [/^with recursive waiting as/, 5, dueActors],
  [/^select k\.kind, false as timers/, 3, overdueWork],
  [/^select key, kind, actor_id as "actorId" from effects/, 2, waitingEffects],
  [/^with clock as .*, free as \( select f\.id/, 4, claimEffects],
  [/^update effects set lease_until = coalesce/, 4, extendLease],
  [/^with clock as .*, wanted as \( select \* from unnest/, 9, closeEffects],
  [/^with due as \( select actor_id, timer_id from timers/, 4, fireDueTimers],
  [/^update checkouts set details = details \|\| jsonb_build_object\('sessionKeyIndex'/, 2, assignSessionKey],
  [/^select a\.\*, \( ?select m\.version from mandates/, 1, orderOutset],
  [/^select exists \(select from owner_acts a/, 4, ownersWords],
  [/^select l\.asset_key as lot, pg_current_snapshot\(\)::text as seen/, 6, readOrderSnapshot],
  [/^with stands as materialized \( select is_as_looked\(/, 23, placeOrder],
  [/^select nextval\('session_key_index'\)/, 0, nextSessionKey],
  // Transactions here run one after the other.
  [/^select pg_advisory_xact_lock\(hashtextextended\(/, 1, () => []],
  // Who stands still here wakes.
  [/^set local lock_timeout = \d+$/, 0, () => []],
  [/^select clock_timestamp\(\) as now/, 0, ({ now }) => [{ now }]],
  [/^update orders set status = 'resting', seq = default/, 3, restFundedOrder],
  [/^with taken as \( update orders set status = 'matched'/, 16, writeMatch],
  [/^with gone as \( update orders set status = \$3/, 4, endOrders],
  [/^with shut as /, 7, closeListing],
  [/^select 1 from lots where asset_key = /, 1, lockLotOfDeal],
  [/^select coalesce\(details ->> 'featured', 'true'\) <> 'false' as places/, 1, paymentsOfListing],
  [/^select m\.settled_at, b\.status, m\.sell_order/, 1, unbookedDeal],
  [/^with shut as .* booked as /, 11, markSettled],
  [/^update records r set batch_id = /, 2, putInBatch],
  [/^with filed as \( insert into records/, 13, fileRecords],
];

const known = new Map<string, Statement>();

/** @throws UnknownQuery for an unknown text or another number of parameters */
export function runText(place: Place, text: string, params: Params): Result {
  let statement = known.get(text);
  if (!statement) {
    const plain = text.replace(/\s+/g, ' ').trim();
    const found = STATEMENTS.find(([begins, count]) => begins.test(plain) && count === params.length);
    if (!found) throw new UnknownQuery(`${params.length} parameters and the text: ${plain}`);
    statement = found[2];
    known.set(text, statement);
  }
  const rows = [...statement(place, params)];
  return { rows, changed: rows.length };
}
