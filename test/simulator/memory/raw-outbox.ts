import {
  bySerial,
  find,
  later,
  MAIL,
  mail,
  type Params,
  requireNoConflict,
  seen,
  time,
  unserved,
} from './raw-rows.ts';
import { type Cell, isFree, type Row, requireFree, type Table, visible, write } from './rows.ts';
import type { Place } from './statements.ts';

/**
 * Due actors, the outbox and the timers, as `store/durable/actors.ts`, `store/durable/outbox.ts` and
 * `store/durable/timers.ts` write them.
 */

export function dueActors(place: Place, [from, limit, before, , now]: Params): Row[] {
  const first = new Map<string, Row>();
  for (const cell of place.table('mailbox').cells) {
    const row = visible(cell, place.trx);
    if (!unserved(row) || (row.actor_id as string) <= (from as string)) continue;
    const other = first.get(row.actor_id as string);
    if (!other || (row.seq as bigint) < (other.seq as bigint)) first.set(row.actor_id as string, row);
  }
  return [...first.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, limit as number)
    .map(([id, row], i) => {
      const actor = find(place, 'actors', 'id', id)?.row;
      const old = time(row.created_at) <= time(before) || time(row.created_at) > time(now);
      const next = actor?.next_batch_at ?? null;
      return {
        id,
        seq: row.seq,
        n: i + 1,
        due: old && actor !== undefined && (next === null || time(next) <= time(now)),
      };
    })
    .sort(bySerial('seq'));
}

const pauseMs = (crash_count: unknown): number => Math.min(2 ** (crash_count as number) - 1, 300) * 1000;

function isDue(row: Row, at: number): boolean {
  if (row.status === 'pending') return time(row.next_attempt_at) <= at;
  return row.status === 'running' && time(row.lease_until) + pauseMs(row.crash_count) < at;
}

export function overdueWork(place: Place, [clock, kinds, now]: Params): Row[] {
  const at = time(clock ?? place.now);
  const due = (kinds as string[]).filter((kind) => dueOf(place, kind, at).length > 0);
  const some = (table: string, is: (row: Row) => boolean): boolean =>
    [...place.table(table).cells].some((cell) => {
      const row = visible(cell, place.trx);
      return row !== null && is(row);
    });
  const timers = some('timers', (row) => row.fired_at === null && time(row.due_at) <= time(now));
  return [
    ...due.map((kind) => ({ kind, timers: false, mail: false })),
    { kind: null, timers, mail: some('mailbox', unserved) },
  ];
}

/** Of one kind, the longest due first. */
function dueOf(place: Place, kind: string, at: number): { cell: Cell; row: Row }[] {
  const due: { cell: Cell; row: Row }[] = [];
  for (const cell of place.table('effects').cells) {
    const row = visible(cell, place.trx);
    if (row?.kind === kind && isDue(row, at) && time(row.next_attempt_at) <= at) due.push({ cell, row });
  }
  return due.sort(longestDue);
}

const longestDue = (a: { row: Row }, b: { row: Row }): number =>
  time(a.row.next_attempt_at) - time(b.row.next_attempt_at) || bySerial('id')(a.row, b.row);

export function waitingEffects(place: Place, [ids, now]: Params): Row[] {
  const at = Math.max(time(now), time(place.now));
  return (ids as string[])
    .flatMap((id) => [...seen(place, place.table('effects'), 'actor_id', id)].map(({ row }) => row))
    .filter((row) => row.status === 'pending' && time(row.next_attempt_at) <= at)
    .sort(bySerial('id'))
    .map(({ key, kind, actor_id }) => ({ key, kind, actorId: actor_id }));
}

export function claimEffects(place: Place, [clock, kinds, limit, leaseMs]: Params): Row[] {
  const now = (clock as Date | null) ?? place.now;
  const free = (kinds as string[]).flatMap((kind) =>
    dueOf(place, kind, time(now)).filter(({ cell }) => isFree(cell, place.trx)),
  );
  return free
    .sort(longestDue)
    .slice(0, limit as number)
    .map((found) => {
      const row = {
        ...found.row,
        status: 'running',
        attempts: (found.row.attempts as number) + 1,
        crash_count: (found.row.crash_count as number) + (found.row.status === 'running' ? 1 : 0),
        lease_until: later(now, leaseMs as number),
      };
      write(found.cell, place.trx, row);
      const { key, actor_id, kind, params, attempts, failures, crash_count, error } = row as Row;
      return { key, actor_id, kind, params, attempts, failures, crash_count, error };
    });
}

export function extendLease(place: Place, [clock, leaseMs, key, attempt]: Params): Row[] {
  const found = find(place, 'effects', 'key', key);
  if (found?.row.status !== 'running' || found.row.attempts !== attempt) return [];
  const until = later((clock as Date | null) ?? place.now, leaseMs as number);
  write(found.cell, place.trx, { ...found.row, lease_until: until });
  return [{ key }];
}

export function closeEffects(place: Place, p: Params): Row[] {
  const now = (p[0] as Date | null) ?? place.now;
  const at = p[1] as Date;
  const [keys, attempts, states, errors, failed, events, waits] = p.slice(2) as [
    string[],
    number[],
    string[],
    (string | null)[],
    boolean[],
    (string | null)[],
    number[],
  ];
  const mine = keys.flatMap((key, i) => {
    const found = find(place, 'effects', 'key', key);
    if (found?.row.status !== 'running' || found.row.attempts !== attempts[i]) return [];
    requireFree(found.cell, place.trx);
    return [{ ...found, i }];
  });
  for (const { row, i } of mine) {
    if (events[i] === null) continue;
    requireNoConflict(place, 'mailbox', MAIL, { actor_id: row.actor_id, event_id: `effect:${row.key}` });
  }
  for (const { cell, row, i } of mine) {
    write(cell, place.trx, {
      ...row,
      status: states[i],
      error: errors[i],
      lease_until: null,
      failures: (row.failures as number) + (failed[i] ? 1 : 0),
      next_attempt_at: later(now, waits[i]!),
      finished_at: states[i] === 'pending' ? null : at,
    });
    if (events[i] !== null) mail(place, row.actor_id, `effect:${row.key}`, events[i], at);
  }
  return mine.map(({ row }) => ({ key: row.key }));
}

export function fireDueTimers(place: Place, [now, limit]: Params): Row[] {
  const due: { cell: Cell; row: Row }[] = [];
  for (const cell of place.table('timers').cells) {
    const row = visible(cell, place.trx);
    if (row && row.fired_at === null && time(row.due_at) <= time(now) && isFree(cell, place.trx))
      due.push({ cell, row });
  }
  due.sort((a, b) => time(a.row.due_at) - time(b.row.due_at));
  const taken = due.slice(0, limit as number);
  const id = (row: Row) => `timer:${row.timer_id}:${row.set_at}`;
  for (const { row } of taken)
    requireNoConflict(place, 'mailbox', MAIL, { actor_id: row.actor_id, event_id: id(row) });
  return taken.flatMap(({ cell, row }) => {
    write(cell, place.trx, { ...row, fired_at: now });
    return mail(place, row.actor_id, id(row), row.event, now) ? [{ actor_id: row.actor_id }] : [];
  });
}

const sessionKeys = new WeakMap<Table, bigint>();

/** A sequence never takes its numbers back, not even after a rollback. */
function takeKey(place: Place): bigint {
  const table = place.table('checkouts');
  const next = (sessionKeys.get(table) ?? 0n) + 1n;
  sessionKeys.set(table, next);
  return next;
}

export function nextSessionKey(place: Place): Row[] {
  return [{ index: String(takeKey(place)) }];
}

export function assignSessionKey(place: Place, [base, id]: Params): Row[] {
  const found = find(place, 'checkouts', 'id', id);
  if (!found || 'sessionKeyIndex' in (found.row.details as Row)) return [];
  requireFree(found.cell, place.trx);
  const next = takeKey(place);
  const details = { ...(found.row.details as Row), sessionKeyIndex: String(BigInt(base as bigint) + next) };
  write(found.cell, place.trx, { ...found.row, details });
  return [];
}
