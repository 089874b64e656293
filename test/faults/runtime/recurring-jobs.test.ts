import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { jobsBroughtForward } from '../../../runtime/durable/jobs/bring-forward.ts';
import {
  atRest,
  type RecurringJob,
  recurringRunner,
  scheduleRecurring,
  type Waiting,
} from '../../../runtime/durable/jobs/recurring-job.ts';
import { backlog } from '../../../store/durable/backlog.ts';
import { dropDeadLetter, listDeadLetters, redrive } from '../../../store/durable/dead-letters.ts';
import { scheduleJobs } from '../../../store/durable/jobs.ts';
import { claimEffects } from '../../../store/durable/outbox.ts';
import {
  countQuarantine,
  dropQuarantined,
  findQuarantined,
  listQuarantine,
  retryQuarantined,
} from '../../../store/durable/quarantine.ts';
import { attemptDue } from '../../fixtures/actors/attempt-due.ts';
import { listeningLog } from '../../fixtures/actors/courier-service.ts';
import { sweptJobs } from '../../fixtures/actors/swept-jobs.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

/** Jobs of the service's own, which stand in the table of effects and have no actor. */

const WAIT = { timeout: 120_000, interval: 10 };
const HOUR_MS = 3_600_000;

let database: TestDatabase;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.drop();
});

function jobOf(parts: Partial<RecurringJob> = {}): RecurringJob & { readonly runs: string[] } {
  const runs: string[] = [];
  return {
    kind: 'tidy',
    lane: 'upkeep',
    items: ['a'],
    everyMs: HOUR_MS,
    ...parts,
    runs,
    async run(item, context) {
      runs.push(item);
      return await parts.run?.(item, context);
    },
  };
}

const attempt = (job: RecurringJob) =>
  attemptDue({
    ...{ db: database.db, now: () => new Date(), crash: () => {}, log: listeningLog() },
    runners: new Map([[job.kind, recurringRunner(job)]]),
  });
/** As if so much time had passed. */
const pass = (ms: number) =>
  sql`update effects set next_attempt_at = next_attempt_at - ${ms} * interval '1 millisecond',
    lease_until = lease_until - ${ms} * interval '1 millisecond'`.execute(database.db);
const rows = () => database.db.selectFrom('effects').selectAll().orderBy('key').execute();
const dueIn = async () =>
  (await rows()).map((row) => Math.round((row.next_attempt_at.getTime() - Date.now()) / 60_000));

describe('a job that recurs', () => {
  it('has one row however many processes schedule it, and is first due after its usual time', async () => {
    const job = jobOf({ items: ['a', 'b'] });
    await Promise.all(Array.from({ length: 8 }, () => scheduleRecurring(database.db, [job])));
    expect((await rows()).map(({ key, actor_id, status }) => [key, actor_id, status])).toEqual([
      ['tidy:a', null, 'pending'],
      ['tidy:b', null, 'pending'],
    ]);
    expect(await dueIn()).toEqual([60, 60]);
    expect(await attempt(job)).toBeNull();
  });

  it('that was missed for hours runs once, and is due again after its usual time from then', async () => {
    const job = jobOf();
    await scheduleRecurring(database.db, [job]);
    await pass(26 * HOUR_MS);
    expect(await attempt(job)).toMatchObject({ status: 'done', actorId: null, told: false });
    expect(await attempt(job)).toBeNull();
    expect(job.runs).toEqual(['a']);
    expect(await dueIn()).toEqual([60]);
    await pass(HOUR_MS);
    expect(await attempt(job)).not.toBeNull();
    expect(job.runs).toEqual(['a', 'a']);
  });

  it('is told in its next run what this one left for it, in whichever process', async () => {
    const from: unknown[] = [];
    const job = () =>
      jobOf({
        async run(item, { params }) {
          from.push(params.from);
          return { afterMs: 0, params: { item, from: from.length } };
        },
      });
    await scheduleRecurring(database.db, [job()]);
    await pass(HOUR_MS);
    for (let i = 0; i < 3; i++) expect(await attempt(job())).toMatchObject({ status: 'done' });
    expect(from).toEqual([undefined, 1, 2]);
  });

  it('for what no process does any more ends', async () => {
    const job = jobOf({ items: ['old'] });
    await scheduleRecurring(database.db, [job]);
    await pass(HOUR_MS);
    await attempt(jobOf({ items: ['new'] }));
    expect(await rows()).toEqual([]);
  });

  it('is brought forward by a shorter interval, and never put off, not even where it failed', async () => {
    const failing = jobOf({ run: () => Promise.reject(new Error('no')) });
    await scheduleRecurring(database.db, [failing]);
    await scheduleRecurring(database.db, [jobOf({ everyMs: 60_000 })]);
    expect(await dueIn()).toEqual([1]);
    await scheduleRecurring(database.db, [failing]);
    expect(await dueIn()).toEqual([1]);
    await pass(HOUR_MS);
    await attempt(failing);
    const [{ next_attempt_at: again } = { next_attempt_at: new Date(0) }] = await rows();
    await scheduleJobs(database.db, [{ key: 'tidy:a', kind: 'tidy', params: {}, afterMs: 0 }]);
    expect((await rows())[0]!.next_attempt_at).toEqual(again);
  });

  it('that found nothing to do rests longer, and is brought forward to its usual time once there is something', async () => {
    const job = jobOf({
      everyMs: 60_000,
      waits: ({ openRecords }) => (openRecords ? ['a'] : []),
      run: async () => atRest({ everyMs: 60_000 }),
    });
    let openRecords = false;
    let at = 0;
    const bring = jobsBroughtForward({
      ...{ db: database.db, jobs: [job], steady: () => at },
      look: async () => ({ openRecords }) as Waiting,
    });
    await scheduleRecurring(database.db, [job]);
    await pass(60_000);
    await attempt(job);
    expect(await dueIn()).toEqual([20]);
    await bring();
    expect(await dueIn()).toEqual([20]);
    openRecords = true;
    await bring();
    expect(await dueIn()).toEqual([1]);
    // It looked before what came, and rests again: it is brought forward once more.
    await pass(60_000);
    await attempt(job);
    expect(await dueIn()).toEqual([20]);
    at = 60_000;
    await bring();
    expect(await dueIn()).toEqual([1]);
  });

  it('is never given up because it fails: it waits longer, is shown with its reason, and starts anew once it succeeds', async () => {
    let broken = true;
    const job = jobOf({
      mostBackoffMs: 8_000,
      async run() {
        if (broken) throw new Error('the list is away');
        return undefined;
      },
    });
    await scheduleRecurring(database.db, [job]);
    await pass(HOUR_MS);
    const waits: number[] = [];
    for (let i = 0; i < 12; i++) {
      expect(await attempt(job)).toMatchObject({ status: 'pending' });
      const [row] = await rows();
      waits.push(Math.round((row!.next_attempt_at.getTime() - Date.now()) / 1_000));
      await pass(10_000);
    }
    expect([...new Set(waits)]).toEqual([1, 2, 4, 8]);
    const [aside] = await listQuarantine(database.db);
    expect(aside).toMatchObject({
      ...{ id: expect.stringMatching(/^job-\d+$/), kind: 'tidy', item: 'a', failures: 12 },
      ...{ reason: 'the list is away', since: null },
    });
    expect(await countQuarantine(database.db)).toEqual([{ kind: 'tidy', count: 1 }]);
    expect(await listDeadLetters(database.db)).toEqual([]);
    broken = false;
    expect(await attempt(job)).toMatchObject({ status: 'done' });
    expect(await listQuarantine(database.db)).toEqual([]);
    expect((await rows())[0]).toMatchObject({ status: 'pending', failures: 0, crash_count: 0, error: null });
  });

  it('is tried at once, or dropped until its usual time, where the operator says so', async () => {
    const job = jobOf({ run: () => Promise.reject(new Error('no')) });
    await scheduleRecurring(database.db, [job]);
    await pass(HOUR_MS);
    await attempt(job);
    expect(await attempt(job)).toBeNull();
    const [{ id } = { id: '' }] = await listQuarantine(database.db, 'tidy');
    expect(await retryQuarantined(database.db, id)).toBe(true);
    expect(await attempt(job)).not.toBeNull();
    expect(await findQuarantined(database.db, id)).toMatchObject({ item: 'a', failures: 2 });
    expect(await dropQuarantined(database.db, id)).toBe(true);
    expect([await dropQuarantined(database.db, id), await rows()]).toEqual([false, []]);
    await expect(findQuarantined(database.db, 'job-x')).rejects.toThrow('is no number');
  });

  /** Process after process ends in it. */
  async function crash(job: RecurringJob): Promise<void> {
    await scheduleRecurring(database.db, [job]);
    await pass(HOUR_MS);
    for (let i = 0; i < 9; i++) {
      const claim = { kinds: ['tidy'], limit: 1, leaseMs: 1_000, clock: null };
      expect(await claimEffects(database.db, claim)).toHaveLength(1);
      await pass(HOUR_MS);
    }
    expect(await attempt(job)).toMatchObject({ status: 'failed', told: false });
  }

  it('in which process after process ends is a dead letter, and runs again once it is redriven', async () => {
    const job = jobOf();
    await crash(job);
    expect(job.runs).toEqual([]);
    const [letter] = await listDeadLetters(database.db);
    expect(letter).toMatchObject({ actorId: null, kind: 'tidy', name: 'tidy:a' });
    // What recurs is scheduled again and again, which redrives nothing.
    await scheduleRecurring(database.db, [job]);
    expect(await attempt(job)).toBeNull();
    expect(await redrive(database.db, letter!.id, new Date())).toBe(true);
    expect(await attempt(job)).toMatchObject({ status: 'done' });
    expect(job.runs).toEqual(['a']);
  });

  it('that was dropped as a dead letter is scheduled again, and runs when its usual time comes', async () => {
    const job = jobOf();
    await crash(job);
    const [letter] = await listDeadLetters(database.db);
    expect(await dropDeadLetter(database.db, letter!.id, new Date())).toBe(true);
    expect(await listDeadLetters(database.db)).toEqual([]);
    await scheduleRecurring(database.db, [job]);
    expect(await attempt(job)).toBeNull();
    await pass(HOUR_MS);
    expect(await attempt(job)).toMatchObject({ status: 'done' });
  });

  it('counts among what waits only when it is due', async () => {
    const job = jobOf();
    await scheduleRecurring(database.db, [job]);
    const waiting = async () => (await backlog(database.db, new Date())).effects;
    expect(await waiting()).toEqual([]);
    await pass(HOUR_MS);
    expect(await waiting()).toEqual([{ kind: 'tidy', status: 'pending', count: 1 }]);
  });
});

describe('workers that share jobs that recur', () => {
  it('run each one in one of them at a time, found by the sweep alone', async () => {
    let running = 0;
    let most = 0;
    const job = () =>
      jobOf({
        everyMs: 1,
        async run() {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
          return undefined;
        },
      });
    const jobs = [job(), job(), job()];
    for (const one of jobs) stops.push((await sweptJobs({ db: database.db, recurring: [one] })).stop);
    await vi.waitFor(() => expect(jobs.flatMap((j) => j.runs).length).toBeGreaterThan(12), WAIT);
    expect(most).toBe(1);
  });

  it.each([
    'anchor-records',
    'read-listed-code',
    'rebroadcast',
    'refresh-list',
    'remove',
    'spread-notifications',
  ])('take %s over from one that was killed, once its lease is over', async (kind) => {
    const job = jobOf({ kind });
    await scheduleRecurring(database.db, [job]);
    await pass(HOUR_MS);
    const killed = await claimEffects(database.db, {
      kinds: [kind],
      limit: 1,
      leaseMs: HOUR_MS,
      clock: null,
    });
    expect(killed).toHaveLength(1);
    const worker = await sweptJobs({ db: database.db, recurring: [job] });
    stops.push(worker.stop);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(job.runs).toEqual([]);
    await pass(HOUR_MS);
    await vi.waitFor(() => expect(job.runs).toEqual(['a']), WAIT);
  });
});

describe('a job that is scheduled while it runs', () => {
  it('is seen by the run as it closes, or stands anew behind it', async () => {
    const todo: string[] = ['first'];
    const done: string[] = [];
    const { db } = database;
    const worker = await sweptJobs({
      db,
      runners: [
        {
          kind: 'drain',
          lane: 'webhooks',
          maxAttempts: 1,
          async run() {
            const one = todo.shift();
            if (one) done.push(one);
            return { again: async () => (todo.length > 0 ? { afterMs: 0 } : null) };
          },
        },
      ],
    });
    stops.push(worker.stop);
    const schedule = () =>
      db
        .transaction()
        .execute((trx) => scheduleJobs(trx, [{ key: 'drain:x', kind: 'drain', params: {}, afterMs: 0 }]));
    await schedule();
    for (let i = 0; i < 40; i++) {
      todo.push(`n${i}`);
      await schedule();
    }
    await vi.waitFor(() => expect(done).toHaveLength(41), WAIT);
    await vi.waitFor(async () => expect(await rows()).toEqual([]), WAIT);
  });
});
