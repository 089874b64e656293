import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { assign } from 'xstate';
import type { DurableMachine } from '../../runtime/durable/actors/durable-machine.ts';
import { batchedMailboxes } from '../../runtime/durable/actors/mailbox-batches.ts';
import { type Replay, replay } from '../../runtime/durable/actors/replay.ts';
import { readHistory } from '../../store/durable/histories.ts';
import { attemptDue } from '../fixtures/actors/attempt-due.ts';
import { courier } from '../fixtures/actors/courier-machine.ts';
import { carrier, listeningLog } from '../fixtures/actors/courier-service.ts';
import { courierStage, type Stage } from '../fixtures/actors/courier-stage.ts';

/** What is kept of an actor leads from its birth to where it stands, by its machine alone. */

let stage: Stage;
afterEach(() => stage.drop());

async function replayed(id: string, machine: DurableMachine = courier): Promise<Replay> {
  const history = await readHistory(stage.db, id);
  if (!history) throw new Error(`no ${id}`);
  return replay(machine, history);
}

async function runEffects(): Promise<void> {
  const { db, clock } = stage;
  const runner = carrier();
  const deps = { db, runners: new Map([[runner.kind, runner]]), now: clock.now, crash: () => {} };
  while ((await attemptDue({ ...deps, log: listeningLog() })) !== null);
}

/** Effects with their outcomes, timers that fire and one that is set anew, a dead letter, turns of one and of many. */
async function fullLife(): Promise<string> {
  stage = await courierStage();
  const id = await stage.spawn('a');
  await stage.send(id, 'c1', { type: 'CARRY', parcel: 'p1' });
  await stage.send(id, 'c2', { type: 'CARRY', parcel: 'refused' });
  await stage.settle(id);
  await runEffects();
  await stage.settle(id);
  await stage.send(id, 'n1', { type: 'NUDGE_LATER', ms: 50 });
  await stage.send(id, 'r1', { type: 'REST', ms: 1_000 });
  await stage.send(id, 'bad', { type: 'STUMBLE' });
  for (let i = 0; i < 6; i++) {
    await stage.settle(id);
    stage.clock.forward(60_000);
  }
  const mailboxes = batchedMailboxes(stage.deps);
  for (const eventId of ['p2', 'p3']) {
    await stage.fireTimers();
    await mailboxes.send({ actorId: id, eventId, event: { type: 'PING_INSIDE' } });
  }
  await stage.fireTimers();
  await mailboxes.send({ actorId: id, eventId: 'w', event: { type: 'WAKE' } });
  await stage.settle(id);
  return id;
}

describe('a replay', () => {
  it('goes through all batches again to the snapshot that stands, before and after each', async () => {
    const id = await fullLife();
    const { verdict, says, batches, snapshot } = await replayed(id);
    expect([verdict, says]).toEqual(['same', expect.stringMatching(/^\d+ batches from its birth/)]);
    const { context, value, revision } = await stage.actor(id);
    expect(context).toMatchObject({
      carried: ['p1', 'refused'],
      failures: ['refused is refused'],
      nudged: 3,
    });
    expect([value, snapshot]).toEqual(['ready', expect.objectContaining({ value, context })]);
    expect(batches.map((t) => t.batch)).toEqual(Array.from({ length: Number(revision) }, (_, i) => i + 1));
    expect(batches[0]?.asked).toEqual(['carry', 'carry']);
    for (const [i, batch] of batches.entries())
      if (i > 0) expect(batch.before).toEqual(batches[i - 1]?.after);
    const types = batches.flatMap((t) => t.events.map((e) => e.event.type));
    expect(types).not.toContain('STUMBLE');
    expect(types).toEqual(expect.arrayContaining(['CARRIED', 'EFFECT_FAILED', 'NUDGE', 'WAKE']));
  });

  it('writes nothing, and comes out the same as often as it is asked for', async () => {
    const id = await fullLife();
    const rows = async () => ({
      actor: await stage.actor(id),
      mail: await stage.mail(id),
      effects: await stage.effects(id),
    });
    const before = await rows();
    expect(await replayed(id)).toEqual(await replayed(id));
    expect(await rows()).toEqual(before);
  });

  it('says that another state comes out where today’s machine decides otherwise', async () => {
    const id = await fullLife();
    const forgetful = courier.logic.provide({ actions: { remember: assign({}) } } as never);
    const { verdict, batches } = await replayed(id, { ...courier, logic: forgetful });
    expect(verdict).toBe('differs');
    expect(batches[0]?.after).toMatchObject({ context: { carried: [] } });
  });

  it('says at which batch today’s machine throws', async () => {
    const id = await fullLife();
    const throwing = courier.logic.provide({
      actions: {
        remember: assign(() => {
          throw new Error('no longer done');
        }),
      },
    } as never);
    const { verdict, says } = await replayed(id, { ...courier, logic: throwing });
    expect([verdict, says]).toEqual(['throws', 'batch 1 throws now: no longer done']);
  });

  it('says what was not kept, of an actor from before it was', async () => {
    const id = await fullLife();
    await sql`update mailbox set served_in = null where event_id = 'c1'`.execute(stage.db);
    expect(await replayed(id)).toMatchObject({
      verdict: 'unkept',
      says: 'which batch served c1 was not kept',
    });
    await stage.db.deleteFrom('actor_births').execute();
    await stage.db.updateTable('actors').set({ born: null }).execute();
    expect(await replayed(id)).toMatchObject({ verdict: 'unkept', says: 'its birth was not kept' });
  });
});
