import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { forgetHistories } from '../../../runtime/durable/actors/forget-histories.ts';
import { NOT_FOR_EVER } from '../../../runtime/durable/actors/mailbox.ts';
import { replay } from '../../../runtime/durable/actors/replay.ts';
import { clearFolded, foldHistories } from '../../../store/durable/forgetting.ts';
import { readHistory } from '../../../store/durable/histories.ts';
import { attemptDue } from '../../fixtures/actors/attempt-due.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { carrier, listeningLog } from '../../fixtures/actors/courier-service.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';
import { quietQuarantine } from '../../fixtures/quiet-quarantine.ts';

/** Old batches are deleted; the actor's state, the known event ids and the result of a replay stay the same. */

const DAY = 86_400_000;
const KEEP_DAYS = 90;
const transient = NOT_FOR_EVER;
const WAIT = { timeout: 60_000, interval: 20 };

let stage: Stage;
let twin: Stage;
beforeAll(async () => {
  [stage, twin] = [await courierStage(), await courierStage()];
});
afterAll(async () => {
  await stage?.drop();
  await twin?.drop();
});

/** The periodic task of a process that has just started. */
const rounds = ({ db, clock }: Stage) => {
  let from = '';
  const deps = {
    ...{ db, now: clock.now, config: { historyDays: KEEP_DAYS } },
    quarantine: quietQuarantine(db),
  };
  return async () => {
    from = await forgetHistories(deps, from);
  };
};

async function replayed(id: string) {
  const history = await readHistory(stage.db, id);
  if (!history) throw new Error(`no ${id}`);
  const { verdict, says, snapshot, batches } = replay(courier, history);
  return {
    verdict,
    says,
    snapshot,
    batches: batches.map((t) => t.batch),
    base: Number(history.base?.revision),
  };
}

async function runEffects({ db, clock }: Stage): Promise<void> {
  const runner = carrier();
  const deps = { db, runners: new Map([[runner.kind, runner]]), now: clock.now, crash: () => {} };
  while ((await attemptDue({ ...deps, log: listeningLog() })) !== null);
}

/** One parcel every few days: batches, an effect and its outcome, and a timer that fires. */
const STRIDE = 6;

async function parcels(on: Stage, id: string, n: number, name = 'd'): Promise<void> {
  for (let i = 0; i < n; i++) {
    await on.send(id, `${name}${i}`, { type: 'CARRY', parcel: `${name}${i}` });
    await on.send(id, `${name}${i}-late`, { type: 'NUDGE_LATER', ms: DAY / 2 });
    await on.settle(id);
    await runEffects(on);
    await on.settle(id);
    on.clock.forward(STRIDE * DAY);
    await on.fireTimers();
    await on.settle(id);
  }
}

const rowsOf = async ({ db }: Stage, id: string) => ({
  mail: (await db.selectFrom('mailbox').selectAll().where('actor_id', '=', id).orderBy('seq').execute()).map(
    (m) => ({ id: m.event_id, served: m.served_in !== null, event: m.event }),
  ),
  effects: (await db.selectFrom('effects').select('key').where('actor_id', '=', id).execute()).length,
});

const ACT = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('carry' as const), parcel: fc.constantFrom('p', 'refused') }),
  },
  fc.record({ do: fc.constant('nudge' as const), days: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ do: fc.constant('rest' as const), days: fc.integer({ min: 1, max: 200 }) }),
  fc.record({
    do: fc.constantFrom('wake' as const, 'stumble' as const, 'effects' as const, 'timers' as const),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('clear' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  },
  fc.record({ do: fc.constant('again' as const), pick: fc.nat() }),
);
type Act = typeof ACT extends fc.Arbitrary<infer T> ? T : never;

describe('an actor’s history', () => {
  it('is kept for its time and deleted when an old enough checkpoint covers it', async () => {
    const id = await stage.spawn('kept');
    const round = rounds(stage);
    for (let day = 0; day < KEEP_DAYS; day += 2 * STRIDE) {
      await parcels(stage, id, 2, `a${day}-`);
      await round();
    }
    expect(await replayed(id)).toMatchObject({ verdict: 'same', base: 0 });
    const all = await rowsOf(stage, id);
    for (let day = 0; day < 2 * KEEP_DAYS; day += 2 * STRIDE) {
      await parcels(stage, id, 2, `b${day}-`);
      await round();
    }
    const { verdict, says, base, batches } = await replayed(id);
    expect([verdict, base > 0, batches[0]]).toEqual(['same', true, base + 1]);
    expect(says).toContain(`the checkpoint after batch ${base}`);
    const { mail, effects } = await rowsOf(stage, id);
    // As many events were served since then as before, but only those of the kept time and two checkpoints remain.
    expect(mail.filter((m) => m.served).length).toBeLessThan(all.mail.length * 1.3);
    expect(effects).toBeLessThan(all.effects * 1.3);
    const kept = await stage.db
      .selectFrom('mailbox')
      .select('created_at')
      .where('served_in', 'is not', null)
      .execute();
    const oldest = Math.min(...kept.map((m) => m.created_at.getTime()));
    expect(oldest).toBeLessThanOrEqual(stage.clock.now().getTime() - (KEEP_DAYS - STRIDE) * DAY);
    const forgotten = mail.filter((m) => !m.served);
    expect(forgotten.length).toBeGreaterThan(0);
    for (const { id: eventId, event } of forgotten) {
      expect(transient.some((t) => eventId.startsWith(t))).toBe(false);
      expect(Object.keys(event)).toEqual(['type']);
    }
  });

  it('keeps every event id that could come again, and takes no event twice', async () => {
    const id = await stage.spawn('known');
    await parcels(stage, id, 3);
    stage.clock.forward((KEEP_DAYS - STRIDE - 1) * DAY);
    await rounds(stage)();
    expect(await replayed(id)).toMatchObject({ verdict: 'same', base: 0 });
    stage.clock.forward((STRIDE + 2) * DAY);
    await rounds(stage)();
    expect(await replayed(id)).toMatchObject({ verdict: 'same', batches: [] });
    const before = await stage.actor(id);
    for (const eventId of ['d0', 'd0-late', 'd2']) {
      expect(await stage.send(id, eventId, { type: 'CARRY', parcel: eventId })).toBe(false);
    }
    // An old timer that still fires matches nothing.
    const stale = 'timer:courier:known:1:0:1';
    await sql`insert into mailbox (actor_id, event_id, event, created_at)
      values (${id}, ${stale}, '{"type":"NUDGE"}', ${stage.clock.now()})`.execute(stage.db);
    await stage.settle(id);
    const { context, value } = await stage.actor(id);
    expect([context, value]).toEqual([before.context, before.value]);
    expect(await replayed(id)).toMatchObject({ verdict: 'same' });
  });

  it('keeps unserved events and dead letters, and effects that have not ended or that others requested', async () => {
    const id = await stage.spawn('waiting');
    await stage.send(id, 'named', { type: 'CARRY_ONCE', parcel: 'p', key: 'parcel-p' });
    await stage.send(id, 'fails', { type: 'CARRY', parcel: 'refused' });
    await stage.settle(id);
    await runEffects(stage);
    await stage.send(id, 'asked', { type: 'CARRY', parcel: 'later' });
    await stage.send(id, 'rests', { type: 'REST', ms: 400 * DAY });
    await stage.settle(id);
    await stage.send(id, 'bad', { type: 'STUMBLE' });
    for (let i = 0; i < 6; i++) {
      await stage.settle(id);
      stage.clock.forward(60_000);
    }
    stage.clock.forward((KEEP_DAYS + 1) * DAY);
    await stage.send(id, 'unserved', { type: 'PING_INSIDE' });
    await rounds(stage)();
    const { events, effects, timers, base, actor } = (await readHistory(stage.db, id))!;
    expect(base?.revision).toBe(actor.revision);
    const whole = (eventId: string) => events.find((e) => e.event_id === eventId);
    expect(whole('bad')).toMatchObject({ event: { type: 'STUMBLE' }, dead_lettered_at: expect.any(Date) });
    expect(whole('unserved')).toMatchObject({ consumed_at: null });
    expect(effects.map((e) => [e.key === 'parcel-p' ? e.key : e.kind, e.status])).toEqual([
      ['parcel-p', 'done'],
      ['carry', 'failed'],
      ['carry', 'pending'],
    ]);
    expect(timers.map((t) => t.event.type)).toEqual(['xstate.after.rest.courier.resting']);
    expect((await stage.settle(id)).kind).toBe('idle');
    expect(await replayed(id)).toMatchObject({ verdict: 'same' });
    // The timer of the checkpoint fires at the same batch, live and in the replay.
    stage.clock.forward(400 * DAY);
    await stage.fireTimers();
    await stage.settle(id);
    expect((await stage.actor(id)).value).toBe('rested');
    expect(await replayed(id)).toMatchObject({ verdict: 'same' });
  });

  it('is complete after the process died while deleting it, and the next process continues', async () => {
    const id = await stage.spawn('killed');
    await parcels(stage, id, 6);
    stage.clock.forward((KEEP_DAYS + 1) * DAY);
    const before = await stage.actor(id);
    const keeping = { now: stage.clock.now(), keepMs: KEEP_DAYS * DAY };
    await foldHistories(stage.db, keeping, { from: '', limit: 1_000 });
    // The process dies between its steps: the base has moved, but nothing is deleted yet.
    expect(await replayed(id)).toMatchObject({ verdict: 'same', batches: [] });
    await clearFolded(stage.db, { limit: 2, transient });
    expect(await replayed(id)).toMatchObject({ verdict: 'same', batches: [] });
    // It also dies within a step: it waits for a row that another transaction holds, and loses its connection there.
    const last = await sql<{ seq: string }>`
      select seq from mailbox where actor_id = ${id} and served_in is not null order by served_in desc limit 1`.execute(
      stage.db,
    );
    await stage.db.transaction().execute(async (trx) => {
      await sql`select from mailbox where seq = ${last.rows[0]!.seq} for update`.execute(trx);
      const dying = clearFolded(stage.db, { limit: 500, transient }).then(
        () => 'ended',
        () => 'died',
      );
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(stage.db);
        expect(rows).toHaveLength(1);
      }, WAIT);
      expect(await dying).toBe('died');
    });
    expect(await replayed(id)).toMatchObject({ verdict: 'same', batches: [] });
    expect((await rowsOf(stage, id)).mail.some((m) => m.served)).toBe(true);
    await rounds(stage)();
    expect((await rowsOf(stage, id)).mail.some((m) => m.served)).toBe(false);
    expect(await replayed(id)).toMatchObject({ verdict: 'same', batches: [] });
    expect(await stage.actor(id)).toEqual(before);
  });

  it('leads from any cut to the present snapshot, which equals that of an actor that forgot nothing', async () => {
    async function perform(
      on: Stage,
      id: string,
      it: Act,
      n: number,
      sent: readonly string[],
    ): Promise<unknown> {
      const tell = async (event: { type: string; [member: string]: unknown }) => {
        await on.send(id, `e${n}`, event);
        return (await on.settle(id)).kind;
      };
      if (it.do === 'carry') return await tell({ type: 'CARRY', parcel: it.parcel });
      if (it.do === 'nudge') return await tell({ type: 'NUDGE_LATER', ms: it.days * DAY });
      if (it.do === 'rest') return await tell({ type: 'REST', ms: it.days * DAY });
      if (it.do === 'wake') return await tell({ type: 'WAKE' });
      if (it.do === 'stumble') {
        const outcome = await tell({ type: 'STUMBLE' });
        on.clock.forward(60_000);
        return outcome;
      }
      if (it.do === 'wait') on.clock.forward(it.days * DAY);
      if (it.do === 'effects') await runEffects(on);
      if (it.do === 'timers') await on.fireTimers();
      if (it.do === 'again') {
        const eventId = sent[it.pick % sent.length];
        if (eventId !== undefined) return await on.send(id, eventId, { type: 'CARRY', parcel: 'twice' });
      }
      return (await on.settle(id)).kind;
    }
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(ACT, { minLength: 15, maxLength: 40 }), async (acts) => {
        const key = `any${run++}`;
        const id = await stage.spawn(key);
        twin.clock.forward(stage.clock.now().getTime() - twin.clock.now().getTime());
        await twin.spawn(key);
        const sent: string[] = [];
        for (const [n, it] of acts.entries()) {
          const keeping = { now: stage.clock.now(), keepMs: KEEP_DAYS * DAY };
          if (it.do === 'fold') {
            await foldHistories(stage.db, keeping, { from: '', limit: 1_000 });
            expect(await replayed(id)).toMatchObject({ verdict: 'same' });
          } else if (it.do === 'clear') {
            await clearFolded(stage.db, { limit: it.limit, transient });
            expect(await replayed(id)).toMatchObject({ verdict: 'same' });
          } else {
            const here = await perform(stage, id, it, n, sent);
            expect(await perform(twin, id, it, n, sent)).toEqual(here);
            if (['carry', 'nudge', 'rest', 'wake', 'stumble'].includes(it.do)) sent.push(`e${n}`);
          }
        }
        for (const on of [stage, twin]) on.clock.forward((KEEP_DAYS + 1) * DAY);
        await rounds(stage)();
        expect(await replayed(id)).toMatchObject({ verdict: 'same', batches: [] });
        const [here, there] = [await stage.actor(id), await twin.actor(id)];
        expect(here).toEqual(there);
      }),
      { numRuns: 12 },
    );
  });
});
