import {
  bySerial,
  find,
  insertNew,
  later,
  MAIL,
  mail,
  type Params,
  requireNoConflict,
  seen,
  time,
  unserved,
} from './raw-rows.ts';
import { isFree, type Row, requireFree, write } from './rows.ts';
import { completeRow, type Place } from './statements.ts';

/**
 * Mailboxes, new actors and batches, as `store/durable/actors.ts` and `store/durable/mailbox-batches.ts` write them.
 */

export function insertMessage(place: Place, [actorId, eventId, event, now]: Params): Row[] {
  const row = mail(place, actorId, eventId, event, now);
  return row ? [{ seq: row.seq }] : [];
}

export function insertMessages(place: Place, [now, actors, ids, events]: Params): Row[] {
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

export function insertActor(place: Place, params: Params): Row[] {
  const [id, kind, version, snapshot, status, now, , mailJson, , , askedJson, setJson] = params as [
    string,
    ...unknown[],
  ];
  const mails = JSON.parse(mailJson as string) as { actor_id: string; event_id: string; event: unknown }[];
  for (const m of mails) requireNoConflict(place, 'mailbox', MAIL, m);
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
    born: JSON.stringify({ version, snapshot: JSON.parse(snapshot as string) }),
  });
  if (!row) return [];
  for (const m of mails) mail(place, m.actor_id, m.event_id, m.event, now);
  leave(place, id, 0n, { effects, timers, now: now as Date, leased: null });
  return [{ id }];
}

export function makeDeadLetter(place: Place, [at, fault, seq]: Params): Row[] {
  for (const { cell, row } of seen(place, place.table('mailbox'), 'seq', BigInt(seq as string)))
    write(cell, place.trx, { ...row, dead_lettered_at: at, fault });
  return [];
}

export function readActors(place: Place, [ids, limit]: Params): Row[] {
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
    const { version, kind, snapshot, revision, next_batch_at } = actor;
    return [
      { id, kind, version, snapshot, revision, next_batch_at, messages, timers: Object.fromEntries(timers) },
    ];
  });
}

export function saveBatches(place: Place, p: Params): Row[] {
  const now = p[0] as Date;
  const at = <T>(n: number) => p[n - 1] as T[];
  const arrivals = at<string>(7).map((id, i) => ({
    id,
    eventId: at<string>(8)[i]!,
    event: at<string>(9)[i]!,
  }));
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
      arrivals: arrivals.find((n) => n.id === id) ?? null,
    };
  });
  const held = wanted.filter((w) => {
    const actor = find(place, 'actors', 'id', w.id);
    if (!actor || actor.row.revision !== w.revision) return false;
    if (w.blind) {
      for (const { row } of seen(place, place.table('mailbox'), 'actor_id', w.id))
        if (unserved(row)) return false;
    }
    return isFree(actor.cell, place.trx);
  });
  for (const n of arrivals)
    requireNoConflict(place, 'mailbox', MAIL, { actor_id: n.id, event_id: n.eventId });
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
  for (const n of arrivals) {
    const batch = held.find((w) => w.id === n.id);
    if (!mail(place, n.id, n.eventId, n.event, now, batch ? batch.revision + 1n : null)) continue;
    fresh.add(n.id);
    told.push({ id: n.id, what: 'fresh' });
  }
  for (const w of held) {
    if (w.arrivals && !fresh.has(w.id)) continue;
    const { cell, row } = find(place, 'actors', 'id', w.id)!;
    const revision = w.revision + 1n;
    write(cell, place.trx, {
      ...row,
      version: w.version,
      snapshot: JSON.parse(w.snapshot),
      revision,
      status: w.status,
      next_batch_at: null,
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
