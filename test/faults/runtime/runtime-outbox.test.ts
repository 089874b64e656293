import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DurableMachine } from '../../../runtime/durable/actors/durable-machine.ts';
import type { EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import type { OutboxDeps } from '../../../runtime/durable/jobs/outbox.ts';
import { dueActors } from '../../../store/durable/actors.ts';
import { claimEffects, overdueWork } from '../../../store/durable/outbox.ts';
import { attemptDue } from '../../fixtures/actors/attempt-due.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { listeningLog } from '../../fixtures/actors/courier-service.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

/** So long that it does not expire between two steps by the database's clock on any machine. */
const LEASE_MS = 3_600_000;
const DAY_MS = 86_400_000;

let stage: Stage;
beforeEach(async () => {
  stage = await courierStage();
});
afterEach(() => stage.drop());

async function waiting(): Promise<{ id: string; key: string }> {
  const id = await stage.spawn('a');
  await stage.send(id, 'e1', { type: 'CARRY', parcel: 'p1' });
  await stage.settle(id);
  return { id, key: (await stage.effects(id))[0]!.key };
}

function runnerOf(parts: Partial<EffectRunner>): EffectRunner {
  const run = async () => ({ event: { type: 'CARRIED', parcel: 'p1' } });
  return { kind: 'carry', lane: 'default', maxAttempts: 3, run, ...parts };
}

/** Uses the stage's clock, or the database's if `now` is given. */
function depsOf(runner: EffectRunner, now?: () => Date): OutboxDeps {
  return {
    db: stage.db,
    runners: new Map([[runner.kind, runner]]),
    now: now ?? stage.clock.now,
    ...(now ? {} : { leaseClock: stage.clock.now }),
    crash: () => {},
    log: listeningLog(),
    leaseMs: LEASE_MS,
  };
}

/** A process claims the effect and vanishes. */
async function vanish(): Promise<void> {
  const claim = { kinds: ['carry'], limit: 1, leaseMs: LEASE_MS, clock: stage.clock.now() };
  expect(await claimEffects(stage.db, claim)).toHaveLength(1);
  stage.clock.forward(LEASE_MS + 300_000);
}

const transient = () => Object.assign(new Error('the database shuts down'), { code: '57P01' });

describe('an effect caught in a crash loop', () => {
  it('keeps all the failures that it is allowed', async () => {
    const { id } = await waiting();
    let runs = 0;
    const runner = runnerOf({
      maxAttempts: 2,
      async run() {
        runs += 1;
        throw new Error('no');
      },
    });
    for (let i = 0; i < 4; i++) await vanish();
    expect(await attemptDue(depsOf(runner))).toMatchObject({ status: 'pending' });
    stage.clock.forward(60_000);
    expect(await attemptDue(depsOf(runner))).toMatchObject({ status: 'failed' });
    expect(runs).toBe(2);
    expect((await stage.effects(id))[0]).toMatchObject({ attempts: 6 });
  });

  it('succeeds afterwards, with one failure allowed', async () => {
    await waiting();
    for (let i = 0; i < 5; i++) await vanish();
    expect(await attemptDue(depsOf(runnerOf({ maxAttempts: 1 })))).toMatchObject({ status: 'done' });
  });

  it('waits longer after each process that vanished while running it', async () => {
    await waiting();
    const free = async () => {
      const now = stage.clock.now();
      return (await overdueWork(stage.db, { kinds: ['carry'], now, clock: now })).kinds.length;
    };
    const claim = () =>
      claimEffects(stage.db, { kinds: ['carry'], limit: 1, leaseMs: 1_000, clock: stage.clock.now() });
    const pauses = [];
    for (let round = 0; round < 4; round++) {
      expect(await claim()).toHaveLength(1);
      stage.clock.forward(1_001);
      let seconds = 0;
      for (; (await free()) === 0; seconds++) stage.clock.forward(1_000);
      pauses.push(seconds);
    }
    expect(pauses).toEqual([0, 1, 3, 7]);
  });
});

describe('an outcome that the database did not accept', () => {
  it('is written again without running the effect again', async () => {
    const { id, key } = await waiting();
    let runs = 0;
    let commits = 0;
    const runner = runnerOf({
      async run() {
        runs += 1;
        return {
          event: { type: 'CARRIED', parcel: 'p1' },
          commit: async (trx) => {
            await sql`insert into owner_settings (wallet, beneficial_owner, on_flagged) values ('w', 'w', 'stop')`.execute(
              trx,
            );
            if (commits++ === 0) throw transient();
          },
        };
      },
    });
    expect(await attemptDue(depsOf(runner))).toMatchObject({ status: 'done' });
    expect([runs, commits]).toEqual([1, 2]);
    expect((await stage.mail(id)).filter((m) => m.eventId === `effect:${key}`)).toHaveLength(1);
    expect(await stage.db.selectFrom('owner_settings').select('wallet').execute()).toEqual([{ wallet: 'w' }]);
  });
});

describe('a run that hangs', () => {
  it('loses its lease and its slot when the time of its kind is over, and this is logged', async () => {
    await waiting();
    let told: AbortSignal | undefined;
    const hanging = runnerOf({
      timeLimitMs: 50,
      run: ({ signal }) => {
        told = signal;
        return new Promise(() => {});
      },
    });
    expect(await attemptDue(depsOf(hanging))).toMatchObject({ status: 'pending' });
    expect(told?.aborted).toBe(true);
    stage.clock.forward(60_000);
    expect(await attemptDue(depsOf(runnerOf({})))).toMatchObject({ status: 'done' });
  });

  it('writes nothing when it finally ends', async () => {
    const { id } = await waiting();
    let end = (): void => {};
    const late = runnerOf({
      timeLimitMs: 50,
      run: () =>
        new Promise((resolve) => {
          end = () => resolve({ event: { type: 'CARRIED', parcel: 'late' } });
        }),
    });
    await attemptDue(depsOf(late));
    end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await stage.effects(id))[0]).toMatchObject({ status: 'pending' });
    expect((await stage.mail(id)).map((m) => m.eventId)).toEqual(['e1']);
  });
});

describe('a process whose clock jumped', () => {
  const ahead = () => new Date(Date.now() + DAY_MS);
  const behind = () => new Date(Date.now() - DAY_MS);

  it('ahead does not take effects that another process has claimed', async () => {
    await waiting();
    const clock = null;
    await claimEffects(stage.db, { kinds: ['carry'], limit: 1, leaseMs: LEASE_MS, clock });
    expect(await attemptDue(depsOf(runnerOf({}), ahead))).toBeNull();
  });

  it('behind does not lose the effects that it has claimed', async () => {
    await waiting();
    let other: unknown = 'not tried';
    const runner = runnerOf({
      async run() {
        other = await attemptDue(depsOf(runnerOf({}), () => new Date()));
        return {};
      },
    });
    expect(await attemptDue(depsOf(runner, behind))).toMatchObject({ status: 'done' });
    expect(other).toBeNull();
  });

  it('ahead delays nothing for a day', async () => {
    await waiting();
    const failing = runnerOf({ run: () => Promise.reject(new Error('no')) });
    expect(await attemptDue(depsOf(failing, ahead))).toMatchObject({ status: 'pending' });
    await sql`select pg_sleep(0.3)`.execute(stage.db);
    expect(await attemptDue(depsOf(runnerOf({}), behind))).toMatchObject({ status: 'done' });
  });
});

describe('a statement that meets another schema', () => {
  it('holds its actor back without a dead letter, and serves the event when the schema exists', async () => {
    const projecting: DurableMachine = {
      ...courier,
      async project(trx) {
        await sql`select later from actors limit 1`.execute(trx);
      },
    };
    const other = await courierStage({ machine: projecting });
    try {
      const id = 'courier:a';
      await sql`insert into actors (id, kind, version, snapshot) values (${id}, 'courier', 1,
        ${JSON.stringify(courierSnapshot)}::jsonb)`.execute(other.db);
      await other.send(id, 'e1', { type: 'CARRY', parcel: 'p1' });
      for (let i = 0; i < 8; i++) {
        expect(await other.processBatch(id)).toMatchObject({ kind: 'failed', deadLettered: false });
        expect((await other.processBatch(id)).kind).toBe('idle');
        other.clock.forward(30_000);
      }
      await sql`alter table actors add column later text`.execute(other.db);
      await other.settle(id);
      expect((await other.actor(id)).context.carried).toEqual(['p1']);
    } finally {
      await other.drop();
    }
  });

  it('does not count as a failure of the effect that runs it', async () => {
    const { id } = await waiting();
    const runner = runnerOf({
      maxAttempts: 1,
      async run() {
        await sql`select later from actors limit 1`.execute(stage.db);
        return { event: { type: 'CARRIED', parcel: 'p1' } };
      },
    });
    for (let i = 0; i < 5; i++) {
      expect(await attemptDue(depsOf(runner))).toMatchObject({ status: 'pending' });
      stage.clock.forward(60_000);
    }
    await sql`alter table actors add column later text`.execute(stage.db);
    expect(await attemptDue(depsOf(runner))).toMatchObject({ status: 'done' });
    expect((await stage.effects(id))[0]).toMatchObject({ status: 'done' });
  });

  const courierSnapshot = {
    status: 'active',
    value: 'ready',
    context: { carried: [], failures: [], nudged: 0 },
    historyValue: {},
    children: {},
  };
});

describe('the actors that are due', () => {
  const due = async (limit: number, from?: string) => {
    const now = stage.clock.now();
    return await dueActors(stage.db, { before: now, now, limit, ...(from === undefined ? {} : { from }) });
  };

  it('come in the order in which their oldest events arrived', async () => {
    const ids = await Promise.all(['c', 'a', 'b'].map((key) => stage.spawn(key)));
    for (const id of ids) await stage.send(id, 'e1', { type: 'NUDGE' });
    for (const id of [...ids].reverse()) await stage.send(id, 'e2', { type: 'NUDGE' });
    expect((await due(10)).ids).toEqual(ids);
  });

  it('are found beyond one actor with thousands of events, and beyond one that is held back', async () => {
    const noisy = await stage.spawn('a-noisy');
    const held = await stage.spawn('b-held');
    for (const id of [noisy, held]) {
      await sql`insert into mailbox (actor_id, event_id, event, created_at)
        select ${id}, 'e' || n, '{"type":"NUDGE"}', ${stage.clock.now()} from generate_series(1, 3000) n`.execute(
        stage.db,
      );
    }
    await stage.db
      .updateTable('actors')
      .set({ next_batch_at: new Date(stage.clock.now().getTime() + 1_000) })
      .where('id', '=', held)
      .execute();
    const quiet = await stage.spawn('c-quiet');
    await stage.send(quiet, 'e1', { type: 'NUDGE' });
    expect((await due(10)).ids).toEqual([noisy, quiet]);
  });

  it('are found in the next query when one query was not enough for all', async () => {
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => stage.spawn(key)));
    for (const id of ids) await stage.send(id, 'e1', { type: 'NUDGE' });
    const found: string[] = [];
    let next = '';
    for (let looks = 0; looks < 3; looks++) {
      const look = await due(2, next);
      found.push(...look.ids);
      next = look.next;
    }
    expect([...found].sort()).toEqual(ids);
    expect(next).toBe('');
  });
});
