import { UnknownQuery } from './expressions.ts';
import {
  type Cell,
  conflicting,
  insert,
  isFree,
  type Row,
  requireFree,
  type Table,
  visible,
  write,
} from './rows.ts';
import { completeRow, type Place, type Result } from './statements.ts';

/**
 * What the store writes as SQL text: the durable mechanism. Each statement is known by how it begins, and does here
 * by hand what its text says; the conformance suite holds both to the same behaviour. A text that is not known
 * throws, so that a statement that is new, or begins otherwise, is never taken for one that found nothing.
 */

type Params = readonly unknown[];
type Statement = (place: Place, params: Params) => readonly Row[];

const time = (at: unknown): number => (at as Date).getTime();
const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const bySerial = (serial: string) => (a: Row, b: Row) =>
  (a[serial] as bigint) < (b[serial] as bigint) ? -1 : 1;
const unserved = (row: Row | null): row is Row =>
  row !== null && row.consumed_at === null && row.parked_at === null;

function* seen(
  place: Place,
  table: Table,
  column: string,
  value: unknown,
): Generator<{ cell: Cell; row: Row }> {
  for (const cell of [...table.where(column, value)]) {
    const row = visible(cell, place.trx);
    if (row !== null && row[column] === value) yield { cell, row };
  }
}

function find(place: Place, name: string, column: string, value: unknown) {
  for (const found of seen(place, place.table(name), column, value)) return found;
  return null;
}

/** @returns the row where it is new */
function insertNew(place: Place, name: string, target: readonly string[], given: Row): Row | null {
  const table = place.table(name);
  const row = completeRow(table, given, place.now);
  if (conflicting(table, row, place.trx, { target })) return null;
  const { serial } = table.shape;
  const numbered = serial === undefined ? row : { ...row, [serial]: table.nextSerial() };
  insert(table, numbered, place.trx);
  return numbered;
}

const MAIL = ['actor_id', 'event_id'];

/** Everything that a statement may have to wait for is asked for before it writes anything. */
function requireNoConflict(place: Place, name: string, target: readonly string[], given: Row): void {
  const table = place.table(name);
  conflicting(table, given, place.trx, { target });
}

function mail(
  place: Place,
  actorId: unknown,
  eventId: unknown,
  event: unknown,
  at: unknown,
  servedIn: bigint | null = null,
) {
  const given = {
    actor_id: actorId,
    event_id: eventId,
    event,
    created_at: at,
    ...(servedIn === null ? {} : { consumed_at: at, served_in: servedIn }),
  };
  return insertNew(place, 'mailbox', MAIL, given);
}

function insertMessage(place: Place, [actorId, eventId, event, now]: Params): Row[] {
  const row = mail(place, actorId, eventId, event, now);
  return row ? [{ seq: row.seq }] : [];
}

function insertMessages(place: Place, [now, actors, ids, events]: Params): Row[] {
  const list = (actors as string[]).map((actor, i) => ({
    actor_id: actor,
    event_id: (ids as string[])[i],
    event: (events as string[])[i],
  }));
  for (const m of list) requireNoConflict(place, 'mailbox', MAIL, m);
  return list.filter((m) => mail(place, m.actor_id, m.event_id, m.event, now));
}

interface Asked {
  readonly key: string;
  readonly kind: string;
  readonly params: unknown;
  readonly held?: boolean;
}
interface Set_ {
  readonly timer_id: string;
  readonly due_at: Date;
  readonly event: unknown;
}

function leave(
  place: Place,
  actorId: string,
  revision: bigint,
  {
    effects,
    timers,
    now,
    leased,
  }: { effects: readonly Asked[]; timers: readonly Set_[]; now: Date; leased: Date | null },
): string[] {
  const asked: string[] = [];
  for (const { key, kind, params, held } of effects) {
    const row = insertNew(place, 'effects', ['key'], {
      key,
      actor_id: actorId,
      kind,
      params,
      next_attempt_at: time(now) < time(place.now) ? now : place.now,
      created_at: now,
      ...(held ? { status: 'running', attempts: 1, lease_until: leased } : {}),
    });
    if (row) asked.push(key);
  }
  for (const { timer_id, due_at, event } of timers) {
    const given = { actor_id: actorId, timer_id, due_at, event, set_at: revision, fired_at: null };
    if (insertNew(place, 'timers', ['actor_id', 'timer_id'], given)) continue;
    for (const { cell, row } of seen(place, place.table('timers'), 'actor_id', actorId)) {
      if (row.timer_id === timer_id)
        write(cell, place.trx, { ...row, ...completeRow(cell.table, given, now) });
    }
  }
  return asked;
}

function requireTimersFree(place: Place, actorId: string, timerIds: ReadonlySet<string>): void {
  for (const { cell, row } of seen(place, place.table('timers'), 'actor_id', actorId))
    if (timerIds.has(row.timer_id as string)) requireFree(cell, place.trx);
}

function insertActor(place: Place, params: Params): Row[] {
  const [id, kind, version, snapshot, status, now, , , , askedJson, setJson] = params as [
    string,
    ...unknown[],
  ];
  const effects = JSON.parse(askedJson as string) as Asked[];
  const timers = (JSON.parse(setJson as string) as Set_[]).map((t) => ({ ...t, due_at: new Date(t.due_at) }));
  for (const e of effects) requireNoConflict(place, 'effects', ['key'], { key: e.key });
  const row = insertNew(place, 'actors', ['id'], {
    id,
    kind,
    version,
    snapshot,
    status,
    created_at: now,
    updated_at: now,
  });
  if (!row) return [];
  leave(place, id, 0n, { effects, timers, now: now as Date, leased: null });
  return [{ id }];
}

function park(place: Place, [at, fault, seq]: Params): Row[] {
  for (const { cell, row } of seen(place, place.table('mailbox'), 'seq', BigInt(seq as string)))
    write(cell, place.trx, { ...row, parked_at: at, fault });
  return [];
}

function readActors(place: Place, [ids, limit]: Params): Row[] {
  return (ids as string[]).flatMap((id) => {
    const actor = find(place, 'actors', 'id', id)?.row;
    if (!actor) return [];
    const messages = [...seen(place, place.table('mailbox'), 'actor_id', id)]
      .map(({ row }) => row)
      .filter(unserved)
      .sort(bySerial('seq'))
      .slice(0, limit as number)
      .map((m) => ({ seq: String(m.seq), eventId: m.event_id, event: m.event }));
    const timers = [...seen(place, place.table('timers'), 'actor_id', id)].map(({ row }) => [
      row.timer_id,
      Number(row.set_at),
    ]);
    const { version, kind, snapshot, revision, next_turn_at } = actor;
    return [
      { id, kind, version, snapshot, revision, next_turn_at, messages, timers: Object.fromEntries(timers) },
    ];
  });
}

function saveTurns(place: Place, p: Params): Row[] {
  const now = p[0] as Date;
  const at = <T>(n: number) => p[n - 1] as T[];
  const news = at<string>(7).map((id, i) => ({ id, eventId: at<string>(8)[i]!, event: at<string>(9)[i]! }));
  const leased = later((p[23] as Date | null) ?? place.now, p[24] as number);
  const wanted = at<string>(2).map((id, i) => {
    const mine = <T>(of: readonly T[], ids: readonly string[]) => of.filter((_, n) => ids[n] === id);
    return {
      id,
      revision: at<bigint>(3)[i]!,
      version: at<number>(4)[i]!,
      snapshot: at<string>(5)[i]!,
      status: at<string>(6)[i]!,
      blind: at<boolean>(22)[i]!,
      consumed: mine(at<string>(10), at<string>(11)),
      ended: new Set(mine(at<string>(13), at<string>(12))),
      effects: at<string>(14).flatMap((owner, n): Asked[] =>
        owner === id
          ? [
              {
                key: at<string>(15)[n]!,
                kind: at<string>(16)[n]!,
                params: at<string>(17)[n]!,
                held: at<boolean>(23)[n]!,
              },
            ]
          : [],
      ),
      timers: at<string>(18).flatMap((owner, n): Set_[] =>
        owner === id
          ? [{ timer_id: at<string>(19)[n]!, due_at: at<Date>(20)[n]!, event: at<string>(21)[n]! }]
          : [],
      ),
      news: news.find((n) => n.id === id) ?? null,
    };
  });
  const held = wanted.filter((w) => {
    const actor = find(place, 'actors', 'id', w.id);
    if (!actor || actor.row.revision !== w.revision) return false;
    if (w.blind) {
      for (const { row } of seen(place, place.table('mailbox'), 'actor_id', w.id))
        if (unserved(row)) return false;
    }
    requireFree(actor.cell, place.trx);
    return true;
  });
  for (const n of news) requireNoConflict(place, 'mailbox', MAIL, { actor_id: n.id, event_id: n.eventId });
  for (const w of held) {
    for (const e of w.effects) requireNoConflict(place, 'effects', ['key'], { key: e.key });
    for (const seq of w.consumed) {
      for (const { cell } of seen(place, place.table('mailbox'), 'seq', BigInt(seq)))
        requireFree(cell, place.trx);
    }
    requireTimersFree(place, w.id, new Set([...w.ended, ...w.timers.map((t) => t.timer_id)]));
  }
  const told: Row[] = [];
  const fresh = new Set<string>();
  for (const n of news) {
    const turn = held.find((w) => w.id === n.id);
    if (!mail(place, n.id, n.eventId, n.event, now, turn ? turn.revision + 1n : null)) continue;
    fresh.add(n.id);
    told.push({ id: n.id, what: 'fresh' });
  }
  for (const w of held) {
    if (w.news && !fresh.has(w.id)) continue;
    const { cell, row } = find(place, 'actors', 'id', w.id)!;
    const revision = w.revision + 1n;
    write(cell, place.trx, {
      ...row,
      version: w.version,
      snapshot: JSON.parse(w.snapshot),
      revision,
      status: w.status,
      next_turn_at: null,
      failures: 0,
      fault: null,
      updated_at: now,
    });
    told.push({ id: w.id, what: 'saved' });
    for (const seq of w.consumed) {
      for (const m of seen(place, place.table('mailbox'), 'seq', BigInt(seq)))
        write(m.cell, place.trx, { ...m.row, consumed_at: now, served_in: revision });
    }
    for (const t of seen(place, place.table('timers'), 'actor_id', w.id))
      if (w.ended.has(t.row.timer_id as string)) write(t.cell, place.trx, null);
    const asked = leave(place, w.id, revision, { effects: w.effects, timers: w.timers, now, leased });
    told.push(...asked.map((key) => ({ id: key, what: 'asked' })));
  }
  return told;
}

function dueActors(place: Place, [from, limit, before, , now]: Params): Row[] {
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
      const next = actor?.next_turn_at ?? null;
      return {
        id,
        seq: row.seq,
        n: i + 1,
        due: old && actor !== undefined && (next === null || time(next) <= time(now)),
      };
    })
    .sort(bySerial('seq'));
}

const pauseMs = (deaths: unknown): number => Math.min(2 ** (deaths as number) - 1, 300) * 1000;

function isDue(row: Row, at: number): boolean {
  if (row.status === 'pending') return time(row.next_attempt_at) <= at;
  return row.status === 'running' && time(row.lease_until) + pauseMs(row.deaths) < at;
}

function dueEffects(place: Place, [clock, ms, kinds, limit]: Params): Row[] {
  const before = time(clock ?? place.now) - (ms as number);
  const due: Row[] = [];
  for (const cell of place.table('effects').cells) {
    const row = visible(cell, place.trx);
    if (!row || !(kinds as string[]).includes(row.kind as string)) continue;
    if (isDue(row, before) && time(row.next_attempt_at) <= before) due.push(row);
  }
  return due
    .sort((a, b) => time(a.next_attempt_at) - time(b.next_attempt_at))
    .slice(0, limit as number)
    .map(({ key, kind }) => ({ key, kind }));
}

function waitingEffects(place: Place, [ids, now]: Params): Row[] {
  const at = Math.max(time(now), time(place.now));
  return (ids as string[])
    .flatMap((id) => [...seen(place, place.table('effects'), 'actor_id', id)].map(({ row }) => row))
    .filter((row) => row.status === 'pending' && time(row.next_attempt_at) <= at)
    .sort(bySerial('id'))
    .map(({ key, kind, actor_id }) => ({ key, kind, actorId: actor_id }));
}

function claimEffects(place: Place, [clock, keys, kinds, leaseMs]: Params): Row[] {
  const now = (clock as Date | null) ?? place.now;
  return [...new Set(keys as string[])].flatMap((key) => {
    const found = find(place, 'effects', 'key', key);
    if (!found || !(kinds as string[]).includes(found.row.kind as string)) return [];
    if (!isDue(found.row, time(now)) || !isFree(found.cell, place.trx)) return [];
    const row = {
      ...found.row,
      status: 'running',
      attempts: (found.row.attempts as number) + 1,
      deaths: (found.row.deaths as number) + (found.row.status === 'running' ? 1 : 0),
      lease_until: later(now, leaseMs as number),
    };
    write(found.cell, place.trx, row);
    const { actor_id, kind, params, attempts, failures, deaths, error } = row as Row;
    return [{ key, actor_id, kind, params, attempts, failures, deaths, error }];
  });
}

function extendLease(place: Place, [clock, leaseMs, key, attempt]: Params): Row[] {
  const found = find(place, 'effects', 'key', key);
  if (found?.row.status !== 'running' || found.row.attempts !== attempt) return [];
  const until = later((clock as Date | null) ?? place.now, leaseMs as number);
  write(found.cell, place.trx, { ...found.row, lease_until: until });
  return [{ key }];
}

function closeEffects(place: Place, p: Params): Row[] {
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

function fireDueTimers(place: Place, [now, limit]: Params): Row[] {
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

/** A sequence gives its numbers out for good, also to what is rolled back. */
function assignSessionKey(place: Place, [id]: Params): Row[] {
  const table = place.table('checkouts');
  const found = find(place, 'checkouts', 'id', id);
  if (!found || 'sessionKeyIndex' in (found.row.details as Row)) return [];
  requireFree(found.cell, place.trx);
  const next = (sessionKeys.get(table) ?? 0n) + 1n;
  sessionKeys.set(table, next);
  const details = { ...(found.row.details as Row), sessionKeyIndex: String(next) };
  write(found.cell, place.trx, { ...found.row, details });
  return [];
}

const STATEMENTS: readonly (readonly [RegExp, number, Statement])[] = [
  [/^insert into mailbox \(actor_id, event_id, event, created_at\) values/, 4, insertMessage],
  [/^insert into mailbox \(actor_id, event_id, event, created_at\) select m\.actor_id/, 4, insertMessages],
  [/^with saved as \( insert into actors/, 11, insertActor],
  [/^update mailbox set parked_at = /, 3, park],
  [/^select a\.id, a\.kind, a\.version, a\.snapshot, a\.revision, a\.next_turn_at/, 2, readActors],
  [/^with wanted as \( select \* from unnest\(\$2::text\[\], \$3::bigint\[\]/, 25, saveTurns],
  [/^with recursive waiting as/, 5, dueActors],
  [/^select key, kind from effects where status in/, 4, dueEffects],
  [/^select key, kind, actor_id as "actorId" from effects/, 2, waitingEffects],
  [/^with clock as .*, free as \( select f\.key/, 4, claimEffects],
  [/^update effects set lease_until = coalesce/, 4, extendLease],
  [/^with clock as .*, wanted as \( select \* from unnest/, 9, closeEffects],
  [/^with due as \( select actor_id, timer_id from timers/, 4, fireDueTimers],
  [/^update checkouts set details = details \|\| jsonb_build_object\('sessionKeyIndex'/, 1, assignSessionKey],
];

const known = new Map<string, Statement>();

/** @throws UnknownQuery for a text, or a number of parameters, that is none of these */
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
