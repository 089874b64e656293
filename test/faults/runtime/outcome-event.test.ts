import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { DurableMachine } from '../../../runtime/durable/actors/durable-machine.ts';
import { openActorCache } from '../../../runtime/durable/actors/mailbox-batches.ts';
import { OutcomeEvent } from '../../../runtime/durable/actors/outcome-event.ts';
import { replay } from '../../../runtime/durable/actors/replay.ts';
import type { EffectOutcome, EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import type { Attempt } from '../../../runtime/durable/jobs/outbox.ts';
import type { Trx } from '../../../store/database.ts';
import { readHistory } from '../../../store/durable/histories.ts';
import { attemptDue } from '../../fixtures/actors/attempt-due.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { listeningLog } from '../../fixtures/actors/courier-service.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

let stage: Stage;
let cache = openActorCache();
afterEach(() => stage.drop());

const carry = (parcel: string) => ({ type: 'CARRY', parcel });
const carried = async (id: string) => (await stage.actor(id)).context.carried;

/** An actor that has one effect, and that no cache knows. */
async function busy(machine: DurableMachine = courier): Promise<string> {
  stage = await courierStage({ machine });
  cache = openActorCache();
  const id = await stage.spawn('a');
  await stage.send(id, 'e1', carry('p1'));
  await stage.settle(id);
  return id;
}

/** Runs the effect that is due; its event goes on at once. */
async function ended(
  event: { type: string; [member: string]: unknown },
  { commit = async (_: Trx) => {}, room = 1 } = {},
): Promise<Attempt> {
  const runner: EffectRunner = {
    kind: 'carry',
    lane: 'default',
    maxAttempts: 3,
    run: async (): Promise<EffectOutcome> => ({ event, atOnce: true, commit }),
  };
  const prefetching = { room: () => room, leaseMs: 3_600_000, clock: stage.clock.now };
  const attempt = await attemptDue({
    ...{ db: stage.db, runners: new Map([[runner.kind, runner]]), log: listeningLog() },
    ...{ now: stage.clock.now, leaseClock: stage.clock.now, leaseMs: 3_600_000, crash: () => {} },
    serving: (message) => new OutcomeEvent({ ...stage.deps, actorCache: cache, prefetching }, message),
  });
  return attempt as Attempt;
}

/** The connection is lost with the answer to the next COMMIT. */
function loseOneCommit({ db }: Stage): void {
  const began = db.transaction.bind(db);
  const losing = {
    execute: async (act: (trx: Trx) => Promise<never>) => {
      db.transaction = began;
      await began().execute(act);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  };
  db.transaction = () => losing as unknown as ReturnType<typeof began>;
}

/** Its kept events lead to the state that stands. */
async function livesOn(id: string): Promise<void> {
  const { verdict, says } = replay(courier, (await readHistory(stage.db, id))!);
  expect([verdict, says]).toEqual(['same', expect.any(String)]);
}

describe('the event in which an effect ends', () => {
  it('is served with what the effect writes, and what it leads to is in hand', async () => {
    const id = await busy();
    let seen: unknown;
    const attempt = await ended(carry('p2'), {
      commit: async (trx) => {
        const actor = await trx
          .selectFrom('actors')
          .select('snapshot')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        seen = (actor.snapshot.context as { carried: string[] }).carried;
      },
    });
    expect(seen).toEqual(['p1', 'p2']);
    expect(attempt).toMatchObject({ status: 'done', told: false });
    expect(attempt.asked).toMatchObject([{ kind: 'carry', row: { params: { parcel: 'p2' }, attempts: 1 } }]);
    expect(await stage.effects(id)).toMatchObject([
      { status: 'done' },
      { params: { parcel: 'p2' }, status: 'running', attempts: 1 },
    ]);
    expect((await stage.mail(id)).map(({ served }) => served)).toEqual([true, true]);
    await livesOn(id);
  });

  it('leaves what it leads to for others where there is no room', async () => {
    const id = await busy();
    const attempt = await ended(carry('p2'), { room: 0 });
    expect(attempt.asked.map(({ row }) => row)).toEqual([undefined]);
    expect((await stage.effects(id))[1]).toMatchObject({ status: 'pending', attempts: 0 });
  });

  it('leaves what it leads to for anyone at once where the answer to COMMIT is lost', async () => {
    const id = await busy();
    loseOneCommit(stage);
    expect(await ended(carry('p2'))).toMatchObject({ asked: [{ kind: 'carry' }] });
    expect(await carried(id)).toEqual(['p1', 'p2']);
    expect((await stage.effects(id))[1]).toMatchObject({ status: 'pending' });
    expect(await ended(carry('p3'))).toMatchObject({ status: 'done' });
    expect(await carried(id)).toEqual(['p1', 'p2', 'p3']);
    await livesOn(id);
  });

  it('does not hold where what the effect writes does not', async () => {
    const id = await busy();
    const attempt = await ended(carry('p2'), {
      commit: async () => {
        throw new Error('it has moved meanwhile');
      },
    });
    expect(attempt).toMatchObject({ status: 'pending', asked: [] });
    expect(await carried(id)).toEqual(['p1']);
    expect(await stage.mail(id)).toHaveLength(1);
    expect(await stage.effects(id)).toHaveLength(1);
  });

  it('comes after the mail that waits', async () => {
    const id = await busy();
    await stage.send(id, 'e2', carry('earlier'));
    const attempt = await ended(carry('p2'));
    expect(await carried(id)).toEqual(['p1', 'earlier', 'p2']);
    expect(attempt).toMatchObject({ status: 'done', told: true });
    await livesOn(id);
  });

  it('is mail where it throws, and the effect is done', async () => {
    const id = await busy();
    expect(await ended({ type: 'STUMBLE' })).toMatchObject({ status: 'done', told: true, asked: [] });
    expect(await stage.mail(id)).toMatchObject([{ served: true }, { served: false, deadLettered: false }]);
    expect(await stage.processBatch(id)).toMatchObject({ kind: 'failed', deadLettered: false });
  });

  it('is mail where the database refuses what follows from it, and the effect is done', async () => {
    const id = await busy({
      ...courier,
      shownAtBirth: true,
      project: async (trx, _, { context }) => {
        if ((context as { carried: string[] }).carried.length > 1) await sql`select 1 / 0`.execute(trx);
      },
    });
    expect(await ended(carry('p2'))).toMatchObject({ status: 'done', told: true, asked: [] });
    expect(await carried(id)).toEqual(['p1']);
    expect(await stage.mail(id)).toMatchObject([{ served: true }, { served: false, deadLettered: false }]);
  });

  it('counts once and in order, whatever was known of the actor', async () => {
    const id = await busy();
    await ended(carry('p2'), { room: 0 });
    // Another process serves it, which this one does not know.
    await stage.send(id, 'e2', carry('p3'));
    await stage.settle(id);
    expect(await ended(carry('p4'), { room: 0 })).toMatchObject({ status: 'done', told: true });
    expect(await carried(id)).toEqual(['p1', 'p2', 'p3', 'p4']);
    // Now by what was read.
    await ended(carry('p5'), { room: 0 });
    // And mail came that it does not know.
    await stage.send(id, 'e3', carry('p6'));
    expect(await ended(carry('p7'), { room: 0 })).toMatchObject({ status: 'done', told: true });
    expect(await carried(id)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']);
    await livesOn(id);
  });
});
