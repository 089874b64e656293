import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { applyEvent, serveWaiting } from '../../../runtime/durable/actors/apply-event.ts';
import { batchedMailboxes } from '../../../runtime/durable/actors/mailbox-batches.ts';
import { processMailbox } from '../../../runtime/durable/actors/process-mailbox.ts';
import { replay } from '../../../runtime/durable/actors/replay.ts';
import type { Trx } from '../../../store/database.ts';
import { readHistory } from '../../../store/durable/histories.ts';
import { claimEffects, overdueWork } from '../../../store/durable/outbox.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

let stage: Stage;
afterEach(() => stage.drop());

const carry = (parcel: string) => ({ type: 'CARRY', parcel });

async function born(): Promise<string> {
  stage = await courierStage();
  return await stage.spawn('a');
}

const apply = (trx: Trx, eventId: string, event: { type: string; [member: string]: unknown }) =>
  applyEvent(trx, courier, { key: 'a', eventId, event, now: stage.clock.now() });

const applied = (eventId: string, event: { type: string; [member: string]: unknown }) =>
  stage.db.transaction().execute((trx) => apply(trx, eventId, event));

const carried = async (id: string) => (await stage.actor(id)).context.carried;

/** Its kept events lead to the state that stands. */
async function livesOn(id: string): Promise<void> {
  const { verdict, says } = replay(courier, (await readHistory(stage.db, id))!);
  expect([verdict, says]).toEqual(['same', expect.any(String)]);
}

/** Resolves once a transaction of this database waits for a row that another one has locked. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      stage.db,
    );
    if (rows.length > 0) return;
  }
}

describe('an event that is applied in a transaction', () => {
  it('holds with what its caller writes, or not at all', async () => {
    const id = await born();
    const undone = stage.db.transaction().execute(async (trx) => {
      await apply(trx, 'e1', carry('p1'));
      throw new Error('roll back');
    });
    await expect(undone).rejects.toThrow('roll back');
    expect(await stage.actor(id)).toMatchObject({ revision: 0n, context: { carried: [] } });
    expect([await stage.mail(id), await stage.effects(id)]).toEqual([[], []]);

    expect(await applied('e1', carry('p1'))).toBe(true);
    expect(await stage.actor(id)).toMatchObject({ revision: 1n, context: { carried: ['p1'] } });
    expect(await stage.mail(id)).toEqual([{ eventId: 'e1', served: true, deadLettered: false, fault: null }]);
    expect(await stage.effects(id)).toMatchObject([{ params: { parcel: 'p1' }, status: 'pending' }]);
    await livesOn(id);
  });

  it('leaves its effects to be claimed, although the process ends before it wakes anybody', async () => {
    await born();
    await applied('e1', carry('p1'));
    const kinds = ['carry'];
    expect(await overdueWork(stage.deps.db, { kinds, now: new Date(), clock: null })).toMatchObject({
      kinds,
    });
    const claimed = await claimEffects(stage.deps.db, { kinds, limit: 5, leaseMs: 1_000, clock: null });
    expect(claimed).toMatchObject([{ params: { parcel: 'p1' } }]);
  });

  it('is one event with those of the same id, delivered or applied', async () => {
    const id = await born();
    await applied('e1', carry('p1'));
    expect(await applied('e1', carry('p1'))).toBe(false);
    expect(await stage.send(id, 'e1', carry('p1'))).toBe(false);
    await stage.send(id, 'e2', carry('p2'));
    expect(await applied('e2', carry('p2'))).toBe(false);
    expect(await carried(id)).toEqual(['p1', 'p2']);
    expect((await stage.effects(id)).map((e) => e.params)).toEqual([{ parcel: 'p1' }, { parcel: 'p2' }]);
    await livesOn(id);
  });

  it('comes after all that waited before it, also where that is more than one batch takes', async () => {
    const id = await born();
    const parcels = Array.from({ length: 120 }, (_, i) => `p${i}`);
    for (const p of parcels) await stage.send(id, p, carry(p));
    await applied('last', carry('last'));
    expect(await carried(id)).toEqual([...parcels, 'last']);
    expect((await stage.processBatch(id)).kind).toBe('idle');
    await livesOn(id);
  });

  it('waits in the mailbox of an actor that is not born yet', async () => {
    stage = await courierStage();
    expect(await applied('e1', carry('p1'))).toBe(true);
    expect(await applied('e1', carry('p1'))).toBe(false);
    const id = await stage.spawn('a');
    await stage.settle(id);
    expect(await carried(id)).toEqual(['p1']);
  });

  it('is refused with an id of the form that timers and effects have', async () => {
    await born();
    await expect(applied('timer:rest:1', carry('p'))).rejects.toThrow('timers');
    await expect(applied('effect:x', carry('p'))).rejects.toThrow('effects');
  });

  it('cancels a timer, whose event counts no more although it had fired', async () => {
    const id = await born();
    await applied('rest', { type: 'REST', ms: 1_000 });
    await applied('wake', { type: 'WAKE' });
    await applied('rest-again', { type: 'REST', ms: 1_000 });
    stage.clock.forward(1_000);
    expect(await stage.fireTimers()).toEqual([id]);
    // What the timer said waits before it, and is served first.
    await applied('wake-again', { type: 'WAKE' });
    expect((await stage.actor(id)).value).toBe('ready');
    await livesOn(id);
  });
});

describe('an event that throws', () => {
  it('before an applied one is a dead letter at once: nothing older than what was applied comes after it', async () => {
    const id = await born();
    await stage.send(id, 'before', carry('p1'));
    await stage.send(id, 'poison', { type: 'STUMBLE' });
    await stage.send(id, 'behind', carry('p2'));
    expect(await applied('now', carry('p3'))).toBe(true);
    expect(await carried(id)).toEqual(['p1', 'p2', 'p3']);
    expect(await stage.mail(id)).toEqual([
      { eventId: 'before', served: true, deadLettered: false, fault: null },
      { eventId: 'poison', served: false, deadLettered: true, fault: 'the courier stumbled' },
      { eventId: 'behind', served: true, deadLettered: false, fault: null },
      { eventId: 'now', served: true, deadLettered: false, fault: null },
    ]);
    await livesOn(id);
  });

  it('does not hold an actor back from what is applied', async () => {
    const id = await born();
    await stage.send(id, 'poison', { type: 'STUMBLE' });
    expect((await stage.processBatch(id)).kind).toBe('failed');
    expect((await stage.actor(id)).heldBackUntil).not.toBeNull();
    await applied('now', carry('p1'));
    expect(await stage.actor(id)).toMatchObject({
      heldBackUntil: null,
      failures: 0,
      context: { carried: ['p1'] },
    });
    await livesOn(id);
  });

  it('ends its own transaction, so that nothing seems to hold that does not', async () => {
    const id = await born();
    await expect(applied('poison', { type: 'STUMBLE' })).rejects.toThrow('the courier stumbled');
    await expect(applied('unknown', { type: 'ASK_UNKNOWN' })).rejects.toThrow('"unheard"');
    expect(await stage.mail(id)).toEqual([]);
    expect((await stage.actor(id)).revision).toBe(0n);
  });

  it('is none where a newer release wrote the snapshot: the transaction ends', async () => {
    const id = await born();
    await stage.db.updateTable('actors').set({ version: 9 }).where('id', '=', id).execute();
    await expect(applied('e1', carry('p1'))).rejects.toMatchObject({ name: 'SnapshotError' });
    expect(await stage.mail(id)).toEqual([]);
  });
});

describe('a batch of the same actor', () => {
  it('that was read before and is saved after starts again from what was applied', async () => {
    const id = await born();
    await stage.send(id, 'e1', carry('p1'));
    let batch: Promise<unknown> = Promise.resolve();
    await stage.db.transaction().execute(async (trx) => {
      await apply(trx, 'now', carry('p2'));
      // It does not wait for the actor, and saves nothing meanwhile.
      await new Promise<void>((tried) => {
        batch = processMailbox({ ...stage.deps, crash: () => tried() }, id);
      });
    });
    expect(await batch).toMatchObject({ kind: 'idle' });
    expect(await carried(id)).toEqual(['p1', 'p2']);
    expect(await stage.effects(id)).toHaveLength(2);
    await livesOn(id);
  });

  it('that is saved first is what the applied event finds', async () => {
    const id = await born();
    let second: Promise<boolean> = Promise.resolve(false);
    await stage.db.transaction().execute(async (trx) => {
      await apply(trx, 'first', { type: 'REST', ms: 60_000 });
      second = applied('second', carry('p1'));
      await somebodyWaits();
    });
    expect(await second).toBe(true);
    // A courier that rests carries nothing.
    expect(await stage.actor(id)).toMatchObject({ revision: 2n, value: 'resting', context: { carried: [] } });
    await livesOn(id);
  });

  it('that goes by the cache of its process shows no older state', async () => {
    const id = await born();
    const mailboxes = batchedMailboxes(stage.deps);
    await mailboxes.send({ actorId: id, eventId: 'e1', event: carry('p1') });
    await applied('now', { type: 'REST', ms: 60_000 });
    await mailboxes.send({ actorId: id, eventId: 'e2', event: carry('p2') });
    expect(await stage.actor(id)).toMatchObject({
      revision: 3n,
      value: 'resting',
      context: { carried: ['p1'] },
    });
    await livesOn(id);
  });

  it('and any number of applied events never count twice or out of order', async () => {
    const id = await born();
    let over = false;
    const workers = Array.from({ length: 3 }, async () => {
      while (!over) await stage.processBatch(id);
    });
    const parcels = Array.from({ length: 60 }, (_, i) => `p${i}`);
    for (const [i, p] of parcels.entries()) {
      if (i % 3 === 0) await applied(p, carry(p));
      else await stage.send(id, p, carry(p));
    }
    over = true;
    await Promise.all(workers);
    await stage.settle(id);
    expect(await carried(id)).toEqual(parcels);
    expect(await stage.effects(id)).toHaveLength(parcels.length);
    await livesOn(id);
  });
});

describe('events that are served in the transaction of what they stand for', () => {
  const served = () =>
    stage.db.transaction().execute((trx) => serveWaiting(trx, courier, { key: 'a', now: stage.clock.now() }));

  it('are those that wait, and what throws is left to the mailbox', async () => {
    const id = await born();
    await stage.send(id, 'e1', carry('p1'));
    await stage.send(id, 'poison', { type: 'STUMBLE' });
    await served();
    await served();
    expect(await carried(id)).toEqual(['p1']);
    expect(await stage.processBatch(id)).toMatchObject({ kind: 'failed', deadLettered: false });
    await livesOn(id);
  });
});
