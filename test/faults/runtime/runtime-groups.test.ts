import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DurableMachine } from '../../../runtime/durable/actors/durable-machine.ts';
import { batchedMailboxes, type MailboxBatches } from '../../../runtime/durable/actors/mailbox-batches.ts';
import { processMailbox } from '../../../runtime/durable/actors/process-mailbox.ts';
import { readActors, saveBatches } from '../../../store/durable/mailbox-batches.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

let stage: Stage;
let mailboxes: MailboxBatches;
beforeEach(async () => {
  stage = await courierStage();
  mailboxes = batchedMailboxes(stage.deps);
});
afterEach(() => stage.drop());

const carry = (parcel: string) => ({ type: 'CARRY', parcel });
const carried = async (id: string) => (await stage.actor(id)).context.carried;
const everybody = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => stage.spawn(`a${i}`)));

/** Checks that every event of these ids was applied exactly once and marked as served in the same commit. */
async function expectAppliedOnce(id: string, parcels: readonly string[]): Promise<void> {
  expect([...(await carried(id))].sort()).toEqual([...parcels].sort());
  const effects = (await stage.effects(id)).map((e) => (e.params as { parcel: string }).parcel);
  expect(effects.sort()).toEqual([...parcels].sort());
  expect((await stage.mail(id)).filter((m) => !m.served)).toEqual([]);
}

describe('mailbox batches of many actors at once', () => {
  it('are written by one statement, whoever requested them', async () => {
    const ids = await everybody(20);
    for (const id of ids) await stage.send(id, 'e1', carry(`of ${id}`));
    const outcomes = await Promise.all(ids.map((id) => mailboxes.take(id)));
    expect(outcomes.every((o) => o.kind === 'served' && o.events === 1)).toBe(true);
    const { rows } = await sql<{ writers: string }>`
      select count(distinct xmin::text) as writers from actors`.execute(stage.db);
    // The first group may have started with the first of them.
    expect(Number(rows[0]!.writers)).toBeLessThanOrEqual(2);
    for (const id of ids) await expectAppliedOnce(id, [`of ${id}`]);
  });

  it('are not affected when one of them throws, and only that one is held back', async () => {
    const ids = await everybody(5);
    for (const id of ids) await stage.send(id, 'e1', id === ids[2] ? { type: 'STUMBLE' } : carry('p'));
    const outcomes = await Promise.all(ids.map((id) => mailboxes.take(id)));
    expect(outcomes.map((o) => o.kind)).toEqual(['served', 'served', 'failed', 'served', 'served']);
    expect(await stage.actor(ids[2]!)).toMatchObject({ failures: 1, fault: 'the courier stumbled' });
  });

  it('are not affected when the database refuses the rows of one of them', async () => {
    const ids = await everybody(4);
    // jsonb accepts no such text.
    const [, second] = ids;
    const outcomes = await Promise.all(
      ids.map((id) =>
        mailboxes.send({ actorId: id, eventId: 'e1', event: carry(id === second ? 'a\u0000b' : 'p') }).then(
          () => 'kept',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(outcomes.map((o) => o === 'kept')).toEqual([true, false, true, true]);
    for (const id of ids) await expectAppliedOnce(id, id === second ? [] : ['p']);
  });

  it('are not affected when the projection of one of them throws', async () => {
    const refusing: DurableMachine = {
      ...courier,
      async project(_trx, _actor, snapshot) {
        if ((snapshot.context as { carried: string[] }).carried.includes('bad')) throw new Error('no row');
      },
    };
    const other = await courierStage({ machine: refusing });
    try {
      const group = batchedMailboxes(other.deps);
      const ids = await Promise.all(['a', 'b', 'c'].map((key) => other.spawn(key)));
      for (const id of ids) await other.send(id, 'e1', carry(id.endsWith('b') ? 'bad' : 'good'));
      const outcomes = await Promise.all(ids.map((id) => group.take(id)));
      expect(outcomes.map((o) => o.kind)).toEqual(['served', 'failed', 'served']);
    } finally {
      await other.drop();
    }
  });
});

describe('an event that is served where it arrives', () => {
  it('is kept and served in one commit', async () => {
    const id = await stage.spawn('a');
    const { fresh, outcome } = await mailboxes.send({ actorId: id, eventId: 'e1', event: carry('p1') });
    expect([fresh, outcome.kind]).toEqual([true, 'served']);
    await expectAppliedOnce(id, ['p1']);
    const { rows } = await sql<{ same: boolean }>`
      select m.xmin = a.xmin as same from mailbox m join actors a on a.id = m.actor_id`.execute(stage.db);
    expect(rows).toEqual([{ same: true }]);
  });

  it('counts as one event, however often and from wherever it arrives', async () => {
    const id = await stage.spawn('a');
    const other = batchedMailboxes(stage.deps);
    const sends = Array.from({ length: 12 }, (_, i) =>
      (i % 2 ? mailboxes : other).send({ actorId: id, eventId: 'e1', event: carry('p1') }),
    );
    const fresh = (await Promise.all(sends)).filter((s) => s.fresh);
    expect(fresh).toHaveLength(1);
    expect((await mailboxes.send({ actorId: id, eventId: 'e1', event: carry('p1') })).fresh).toBe(false);
    expect(await stage.send(id, 'e1', carry('p1'))).toBe(false);
    await stage.settle(id);
    await expectAppliedOnce(id, ['p1']);
  });

  it('comes after what was already in the mailbox, even if the actor was cached', async () => {
    const id = await stage.spawn('a');
    await mailboxes.send({ actorId: id, eventId: 'e1', event: carry('p1') });
    await stage.send(id, 'e2', carry('p2'));
    await mailboxes.send({ actorId: id, eventId: 'e3', event: carry('p3') });
    await stage.settle(id);
    expect(await carried(id)).toEqual(['p1', 'p2', 'p3']);
  });

  it('is applied to what another process wrote, and not to what this one has cached', async () => {
    const id = await stage.spawn('a');
    const other = batchedMailboxes(stage.deps);
    for (let i = 0; i < 6; i++) {
      await (i % 2 ? mailboxes : other).send({ actorId: id, eventId: `e${i}`, event: carry(`p${i}`) });
    }
    expect(await carried(id)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5']);
    await expectAppliedOnce(id, ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']);
  });

  it('is neither lost nor served twice when it reaches three processes at once', async () => {
    const ids = await everybody(3);
    const processes = [mailboxes, batchedMailboxes(stage.deps), batchedMailboxes(stage.deps)];
    const parcels = Array.from({ length: 40 }, (_, i) => `p${i}`);
    await Promise.all(
      ids.flatMap((id) =>
        parcels.flatMap((parcel, i) => [
          processes[i % 3]!.send({ actorId: id, eventId: parcel, event: carry(parcel) }),
          processes[(i + 1) % 3]!.send({ actorId: id, eventId: parcel, event: carry(parcel) }),
          processes[(i + 2) % 3]!.take(id),
        ]),
      ),
    );
    for (const id of ids) {
      await stage.settle(id);
      await expectAppliedOnce(id, parcels);
    }
  });

  it('waits in the mailbox of an actor that does not exist yet', async () => {
    expect((await mailboxes.send({ actorId: 'courier:late', eventId: 'e1', event: carry('p') })).fresh).toBe(
      true,
    );
    const id = await stage.spawn('late');
    await stage.settle(id);
    await expectAppliedOnce(id, ['p']);
  });

  it('is stored and held back when it throws', async () => {
    const id = await stage.spawn('a');
    const { fresh, outcome } = await mailboxes.send({
      actorId: id,
      eventId: 'e1',
      event: { type: 'STUMBLE' },
    });
    expect([fresh, outcome.kind]).toEqual([true, 'failed']);
    await mailboxes.send({ actorId: id, eventId: 'e2', event: carry('p') });
    expect(await carried(id)).toEqual([]);
    expect((await stage.mail(id)).map((m) => m.served)).toEqual([false, false]);
  });

  it('keeps the timers of a cached actor', async () => {
    const id = await stage.spawn('a');
    await mailboxes.send({ actorId: id, eventId: 'e1', event: { type: 'REST', ms: 1_000 } });
    await mailboxes.send({ actorId: id, eventId: 'e2', event: { type: 'NUDGE' } });
    stage.clock.forward(1_000);
    expect(await stage.fireTimers()).toEqual([id]);
    await mailboxes.send({ actorId: id, eventId: 'e3', event: { type: 'NUDGE' } });
    await stage.settle(id);
    expect(await stage.actor(id)).toMatchObject({ value: 'rested', context: { nudged: 2 } });
  });

  it('is refused with an id of the form that timers or effects have', async () => {
    const id = await stage.spawn('a');
    for (const eventId of ['timer:rest:1', 'effect:courier:a:1:0']) {
      await expect(mailboxes.send({ actorId: id, eventId, event: carry('p') })).rejects.toThrow(
        'is of the form',
      );
      await expect(stage.send(id, eventId, carry('p'))).rejects.toThrow('is of the form');
    }
  });
});

describe('a write of a row that another transaction holds', () => {
  const batchOf = async (id: string) => {
    const [actor] = await readActors(stage.db, [id], 10);
    const arrival = { eventId: 'e1', event: carry('p1') };
    const { revision, version, snapshot } = actor!;
    const written = {
      id,
      revision,
      version,
      snapshot,
      done: false,
      consumed: [],
      ended: [],
      effects: [],
      timers: [],
    };
    return { ...written, arrival: arrival, blind: true };
  };

  it('does not wait for it: its event is mail, and the next try saves', async () => {
    const id = await stage.spawn('a');
    const batch = await batchOf(id);
    await stage.db.transaction().execute(async (trx) => {
      await trx.updateTable('actors').set({ failures: 1 }).where('id', '=', id).execute();
      const { saved, fresh } = await saveBatches(stage.db, [batch], stage.clock.now());
      expect([[...saved], [...fresh]]).toEqual([[], [id]]);
    });
    expect((await stage.mail(id)).map((m) => m.served)).toEqual([false]);
    expect((await processMailbox(stage.deps, id)).kind).toBe('served');
    expect(await stage.actor(id)).toMatchObject({ revision: 1n, failures: 0 });
    await expectAppliedOnce(id, ['p1']);
  });

  it('does not count when the other raised the revision, and its event waits unserved', async () => {
    const id = await stage.spawn('a');
    const batch = await batchOf(id);
    let writing: ReturnType<typeof saveBatches> | undefined;
    await stage.db.transaction().execute(async (trx) => {
      await trx.updateTable('actors').set({ revision: 1n }).where('id', '=', id).execute();
      writing = saveBatches(stage.db, [batch], stage.clock.now());
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    const { saved, fresh } = await writing!;
    expect([[...saved], [...fresh]]).toEqual([[], [id]]);
    expect((await stage.mail(id)).map((m) => m.served)).toEqual([false]);
    expect((await processMailbox(stage.deps, id)).kind).toBe('served');
    await expectAppliedOnce(id, ['p1']);
  });
});
