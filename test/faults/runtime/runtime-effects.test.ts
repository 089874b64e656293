import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EffectError, type EffectOutcome, type EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import { jobStore } from '../../../runtime/durable/jobs/job-store.ts';
import { type Attempt, attemptEffect, type OutboxDeps } from '../../../runtime/durable/jobs/outbox.ts';
import { attemptDue } from '../../fixtures/actors/attempt-due.ts';
import { listeningLog } from '../../fixtures/actors/courier-service.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

/** So long that no lease is extended between two steps on any machine: this test moves the clock itself. */
const LEASE_MS = 3_600_000;

let stage: Stage;
beforeEach(async () => {
  stage = await courierStage();
});
afterEach(() => stage.drop());

/** An actor with one pending effect. @returns the effect's key */
async function waiting(): Promise<{ id: string; key: string }> {
  const id = await stage.spawn('a');
  await stage.send(id, 'e1', { type: 'CARRY', parcel: 'p1' });
  await stage.settle(id);
  const [effect] = await stage.effects(id);
  return { id, key: effect!.key };
}

function runnerOf(parts: Partial<EffectRunner>): EffectRunner {
  return {
    kind: 'carry',
    lane: 'default',
    maxAttempts: 3,
    run: async () => ({ event: { type: 'CARRIED', parcel: 'p1' } }),
    ...parts,
  };
}

function depsOf(runner: EffectRunner, crash: (point: string) => void = () => {}): OutboxDeps {
  return {
    db: stage.db,
    runners: new Map([[runner.kind, runner]]),
    now: stage.clock.now,
    leaseClock: stage.clock.now,
    crash,
    log: listeningLog(),
    leaseMs: LEASE_MS,
  };
}

/** Runs attempts until the effect is closed, and moves the clock to each next attempt. */
async function untilClosed(deps: OutboxDeps): Promise<Attempt> {
  for (let i = 0; i < 50; i++) {
    const attempt = await attemptDue(deps);
    if (attempt !== null && attempt.status !== 'pending') return attempt;
    stage.clock.forward(30_000);
  }
  throw new Error('never closed');
}

async function failures(id: string): Promise<string[]> {
  await stage.settle(id);
  return (await stage.actor(id)).context.failures;
}

describe('an effect', () => {
  it('writes its rows, its event and its done mark together, and is not run again', async () => {
    const { id, key } = await waiting();
    let runs = 0;
    const runner = runnerOf({
      async run() {
        runs += 1;
        return {
          event: { type: 'CARRIED', parcel: 'p1' },
          commit: async (trx) => {
            await sql`insert into owner_settings (wallet, beneficial_owner, on_flagged) values ('w', 'w', 'stop')`.execute(
              trx,
            );
          },
          wake: ['courier:b'],
        };
      },
    });
    const deps = depsOf(runner);
    expect(await attemptDue(deps)).toMatchObject({
      status: 'done',
      actorId: id,
      wake: ['courier:b'],
    });
    expect(await attemptDue(deps)).toBeNull();
    expect(runs).toBe(1);
    expect(await stage.db.selectFrom('owner_settings').select('wallet').execute()).toEqual([{ wallet: 'w' }]);
    expect((await stage.mail(id)).map((m) => m.eventId)).toEqual(['e1', `effect:${key}`]);
  });

  it('is claimed by one worker at a time', async () => {
    await waiting();
    let running = 0;
    let most = 0;
    const runner = runnerOf({
      async run() {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running -= 1;
        return {};
      },
    });
    const attempts = await Promise.all(Array.from({ length: 8 }, () => attemptDue(depsOf(runner))));
    expect(attempts.filter((a) => a !== null)).toHaveLength(1);
    expect(most).toBe(1);
  });

  it('is retried with growing backoff, then fails, and the actor gets the reason', async () => {
    const { id } = await waiting();
    const at: number[] = [];
    const runner = runnerOf({
      async run({ now, attempt }) {
        at.push(now.getTime());
        throw new Error(`attempt ${attempt} went wrong`);
      },
    });
    const deps = depsOf(runner);
    const first = await attemptDue(deps);
    expect(first).toMatchObject({ status: 'pending' });
    expect(await attemptDue(deps)).toBeNull();
    const pause = first!.retryAt!.getTime() - stage.clock.now().getTime();
    stage.clock.forward(pause);
    const second = await attemptDue(deps);
    expect(second!.retryAt!.getTime() - stage.clock.now().getTime()).toBeGreaterThan(pause);
    expect(await untilClosed(deps)).toMatchObject({ status: 'failed' });
    expect(at).toHaveLength(3);
    expect(await failures(id)).toEqual(['attempt 3 went wrong']);
    expect((await stage.effects(id))[0]).toMatchObject({ status: 'failed' });
  });

  it('fails at once when its runner says that a retry is of no use', async () => {
    const { id } = await waiting();
    const runner = runnerOf({
      run: () => Promise.reject(new EffectError('the chain refused it', { retry: false })),
    });
    expect(await attemptDue(depsOf(runner))).toMatchObject({ status: 'failed', retryAt: null });
    expect(await failures(id)).toEqual(['the chain refused it']);
  });

  it('waits for another process when nothing here runs its kind', async () => {
    const { id } = await waiting();
    const deps = depsOf(runnerOf({ kind: 'another' }));
    for (let i = 0; i < 10; i++) {
      expect(await attemptDue(deps)).toBeNull();
      stage.clock.forward(30_000);
    }
    expect(await failures(id)).toEqual([]);
    expect((await stage.effects(id))[0]).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await attemptDue(depsOf(runnerOf({ maxAttempts: 1 })))).toMatchObject({ status: 'done' });
  });
});

describe('an effect whose worker vanished', () => {
  /** Runs up to a point and then never returns: like a process that ends, it writes nothing more. */
  async function vanish(
    during: 'before-effect-run' | 'after-effect-run-before-commit',
    runner: EffectRunner,
  ) {
    const gone = new Promise<void>((resolve) => {
      const deps = depsOf(runner, (point) => {
        if (point !== during) return;
        resolve();
        throw new Error('never back');
      });
      const jobs = { ...jobStore(deps), close: () => new Promise<boolean>(() => {}) };
      jobs
        .claim([runner.kind], 1)
        .then(([row]) => attemptEffect(deps, jobs, row!))
        .catch(() => {});
    });
    await gone;
  }

  it('is not taken while the lease runs, and is reconciled before it runs again', async () => {
    const { id, key } = await waiting();
    let sent = 0;
    const calls: string[] = [];
    const runner = runnerOf({
      async run() {
        calls.push('run');
        sent += 1;
        return { event: { type: 'CARRIED', parcel: 'p1' } };
      },
      async reconcile() {
        calls.push('reconcile');
        return sent > 0 ? { event: { type: 'CARRIED', parcel: 'p1' } } : null;
      },
    });
    await vanish('after-effect-run-before-commit', runner);
    const deps = depsOf(runner);
    expect(await attemptDue(deps)).toBeNull();
    stage.clock.forward(LEASE_MS + 1);
    expect(await attemptDue(deps)).toMatchObject({ status: 'done' });
    expect(calls).toEqual(['run', 'reconcile']);
    expect(sent).toBe(1);
    expect((await stage.mail(id)).filter((m) => m.eventId === `effect:${key}`)).toHaveLength(1);
  });

  it('runs again when reconciling says that nothing happened', async () => {
    await waiting();
    const calls: string[] = [];
    const runner = runnerOf({
      async run() {
        calls.push('run');
        return {};
      },
      async reconcile() {
        calls.push('reconcile');
        return null;
      },
    });
    await vanish('before-effect-run', runner);
    stage.clock.forward(LEASE_MS + 1);
    expect(await attemptDue(depsOf(runner))).toMatchObject({ status: 'done' });
    expect(calls).toEqual(['reconcile', 'run']);
  });

  it('is given up after a few crashes, because it may be what ends the processes', async () => {
    const { id } = await waiting();
    const runner = runnerOf({ maxAttempts: 1 });
    for (let i = 0; i < 9; i++) {
      await vanish('before-effect-run', runner);
      stage.clock.forward(LEASE_MS + 300_000);
    }
    expect(await untilClosed(depsOf(runner))).toMatchObject({ status: 'failed' });
    expect(await failures(id)).toEqual(['no attempt came to an end']);
  });
});

describe('an attempt that lost its lease', () => {
  it('writes neither outcome nor event nor failure over the attempt that has the lease', async () => {
    for (const end of ['success', 'failure'] as const) {
      const { id } = { ...(await waiting()) };
      let finish: (() => void) | undefined;
      const slow = runnerOf({
        run: () =>
          new Promise<EffectOutcome>((resolve, reject) => {
            finish = () =>
              end === 'success'
                ? resolve({
                    event: { type: 'CARRIED', parcel: 'slow' },
                    commit: async (trx) => {
                      await sql`insert into owner_settings (wallet, beneficial_owner, on_flagged) values ('slow', 'slow', 'stop')`.execute(
                        trx,
                      );
                    },
                  })
                : reject(new EffectError('too late', { retry: false }));
          }),
      });
      const first = attemptDue(depsOf(slow));
      await vi.waitFor(() => expect(finish).toBeDefined(), { timeout: 60_000 });
      stage.clock.forward(LEASE_MS + 1);
      const second = await attemptDue(
        depsOf(runnerOf({ run: async () => ({ event: { type: 'CARRIED', parcel: 'quick' } }) })),
      );
      expect(second).toMatchObject({ status: 'done' });
      finish!();
      expect(await first).toMatchObject({ status: 'lost', retryAt: null, wake: [] });
      expect(await stage.db.selectFrom('owner_settings').select('wallet').execute()).toEqual([]);
      expect(await failures(id)).toEqual([]);
      expect((await stage.effects(id))[0]).toMatchObject({ status: 'done', attempts: 2 });
      await stage.drop();
      stage = await courierStage();
    }
  });
});

describe('an attempt that lost its lease to one that still runs', () => {
  it('closes nothing: the effect stays claimed by the attempt that has the lease', async () => {
    const { id, key } = await waiting();
    const finish: (() => void)[] = [];
    const parcels = ['first', 'second'];
    const runner = runnerOf({
      run: () =>
        new Promise<EffectOutcome>((resolve) => {
          const parcel = parcels[finish.length]!;
          finish.push(() => resolve({ event: { type: 'CARRIED', parcel } }));
        }),
    });
    const began = (n: number) => vi.waitFor(() => expect(finish).toHaveLength(n), { timeout: 60_000 });
    const first = attemptDue(depsOf(runner));
    await began(1);
    stage.clock.forward(LEASE_MS + 1);
    const second = attemptDue(depsOf(runner));
    await began(2);
    finish[0]!();
    expect(await first).toMatchObject({ status: 'lost' });
    expect((await stage.effects(id))[0]).toMatchObject({ status: 'running', attempts: 2 });
    finish[1]!();
    expect(await second).toMatchObject({ status: 'done' });
    const told = await stage.db
      .selectFrom('mailbox')
      .select('event')
      .where('event_id', '=', `effect:${key}`)
      .execute();
    expect(told).toEqual([{ event: { type: 'CARRIED', parcel: 'second' } }]);
  });
});

describe('an effect whose outcome is unknown', () => {
  it('is not failed after its last run until reconciling says that nothing happened', async () => {
    const { id } = await waiting();
    const answers: (EffectOutcome | null | 'down')[] = ['down', 'down', null];
    const calls: string[] = [];
    const runner = runnerOf({
      maxAttempts: 1,
      async run() {
        calls.push('run');
        throw new Error('no answer');
      },
      async reconcile() {
        calls.push('reconcile');
        const answer = answers.shift()!;
        if (answer === 'down') throw new Error('the chain is down');
        return answer;
      },
    });
    expect(await untilClosed(depsOf(runner))).toMatchObject({ status: 'failed' });
    expect(calls).toEqual(['run', 'reconcile', 'reconcile', 'reconcile']);
    expect(await failures(id)).toHaveLength(1);
  });

  it('is done when reconciling finds it done after its last attempt', async () => {
    const { id } = await waiting();
    const runner = runnerOf({
      maxAttempts: 1,
      run: () => Promise.reject(new Error('no answer')),
      reconcile: async () => ({ event: { type: 'CARRIED', parcel: 'p1' } }),
    });
    expect(await untilClosed(depsOf(runner))).toMatchObject({ status: 'done' });
    expect(await failures(id)).toEqual([]);
  });

  it('is written later when it happened but could not be written, and never counts as failed', async () => {
    const { id } = await waiting();
    let commits = 0;
    let sent = 0;
    const outcome: EffectOutcome = {
      event: { type: 'CARRIED', parcel: 'p1' },
      commit: async () => {
        commits += 1;
        if (commits < 4) throw new Error('the database went away');
      },
    };
    const runner = runnerOf({
      maxAttempts: 1,
      async run() {
        sent += 1;
        return outcome;
      },
      reconcile: async () => (sent > 0 ? outcome : null),
    });
    expect(await untilClosed(depsOf(runner))).toMatchObject({ status: 'done' });
    expect(sent).toBe(1);
    expect(commits).toBe(4);
    expect(await failures(id)).toEqual([]);
  });

  it('runs again beyond its last attempt when its outcome could not be written and it cannot be reconciled', async () => {
    const { id } = await waiting();
    let runs = 0;
    const runner = runnerOf({
      maxAttempts: 1,
      async run() {
        runs += 1;
        return {
          commit: async () => {
            if (runs < 3) throw new Error('the database went away');
          },
        };
      },
    });
    expect(await untilClosed(depsOf(runner))).toMatchObject({ status: 'done' });
    expect(runs).toBe(3);
    expect(await failures(id)).toEqual([]);
  });
});
