import { afterEach, describe, expect, it } from 'vitest';
import type { DurableMachine } from '../../../runtime/durable/actors/durable-machine.ts';
import { processMailbox } from '../../../runtime/durable/actors/process-mailbox.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

const open: Stage[] = [];
afterEach(async () => {
  for (const stage of open.splice(0)) await stage.drop();
});

async function stageOf(machine?: DurableMachine): Promise<Stage> {
  const stage = await courierStage(machine ? { machine } : {});
  open.push(stage);
  return stage;
}

const carry = (parcel: string) => ({ type: 'CARRY', parcel });

describe('a mailbox', () => {
  it('takes one event once, however often it is delivered', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    expect(await stage.send(id, 'e1', carry('p1'))).toBe(true);
    expect(await stage.send(id, 'e1', carry('p1'))).toBe(false);
    await stage.settle(id);
    expect(await stage.send(id, 'e1', carry('p1'))).toBe(false);
    await stage.settle(id);
    expect((await stage.actor(id)).context.carried).toEqual(['p1']);
    expect(await stage.effects(id)).toHaveLength(1);
  });

  it('keeps the order of arrival, over more events than one batch takes', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    const parcels = Array.from({ length: 120 }, (_, i) => `p${i}`);
    for (const p of parcels) await stage.send(id, p, carry(p));
    const outcomes = [];
    for (let more = true; more; ) {
      const outcome = await stage.processBatch(id);
      outcomes.push(outcome);
      more = outcome.kind === 'served' && outcome.more;
    }
    expect(outcomes.map((o) => (o.kind === 'served' ? o.events : o.kind))).toEqual([50, 50, 20]);
    expect((await stage.actor(id)).context.carried).toEqual(parcels);
    expect((await stage.effects(id)).map((e) => (e.params as { parcel: string }).parcel)).toEqual(parcels);
  });

  it('holds events for an actor that does not exist yet', async () => {
    const stage = await stageOf();
    await stage.send('courier:late', 'e1', carry('p1'));
    expect((await stage.processBatch('courier:late')).kind).toBe('idle');
    await stage.spawn('late');
    await stage.settle('courier:late');
    expect((await stage.actor('courier:late')).context.carried).toEqual(['p1']);
  });

  it('refuses event ids of the form that timers have', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await expect(stage.send(id, 'timer:rest:1', carry('p'))).rejects.toThrow('timer');
  });
});

describe('the creation of an actor', () => {
  it('changes nothing when it happens again', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', carry('p1'));
    await stage.settle(id);
    expect(await stage.spawn('a')).toBe(id);
    expect(await stage.actor(id)).toMatchObject({ revision: 1n, context: { carried: ['p1'] } });
  });

  it('leaves nothing behind when its transaction is rolled back', async () => {
    const stage = await stageOf();
    await expect(
      stage.db.transaction().execute(async (trx) => {
        const { spawnActor } = await import('../../../runtime/durable/actors/spawn.ts');
        await spawnActor(trx, courier, { key: 'gone', input: {}, now: stage.clock.now() });
        throw new Error('roll back');
      }),
    ).rejects.toThrow('roll back');
    expect((await stage.processBatch('courier:gone')).kind).toBe('idle');
  });
});

describe('two workers', () => {
  it('never commit two batches of one actor over the same revision', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    const parcels = Array.from({ length: 40 }, (_, i) => `p${i}`);
    const workers = Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let i = 0; i < 25; i++) await processMailbox(stage.deps, id);
      }),
    );
    for (const p of parcels) await stage.send(id, p, carry(p));
    await workers;
    await stage.settle(id);
    const { context } = await stage.actor(id);
    expect(context.carried).toEqual(parcels);
    const effects = await stage.effects(id);
    expect(effects.map((e) => (e.params as { parcel: string }).parcel)).toEqual(parcels);
    expect(new Set(effects.map((e) => e.key)).size).toBe(parcels.length);
  });
});

describe('an event that throws', () => {
  it('is held back, then becomes a dead letter with its fault, and later events are processed', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'before', carry('p1'));
    await stage.send(id, 'poison', { type: 'STUMBLE' });
    await stage.send(id, 'after', carry('p2'));
    expect(await stage.processBatch(id)).toMatchObject({ kind: 'served', events: 1, more: true });
    for (let tries = 1; tries < 5; tries++) {
      expect(await stage.processBatch(id)).toMatchObject({
        kind: 'failed',
        fault: 'the courier stumbled',
        deadLettered: false,
      });
      expect((await stage.actor(id)).failures).toBe(tries);
      // It is held back: nothing happens until its time.
      expect((await stage.processBatch(id)).kind).toBe('idle');
      stage.clock.forward(30_000);
    }
    expect(await stage.processBatch(id)).toMatchObject({ kind: 'failed', deadLettered: true });
    await stage.settle(id);
    expect((await stage.actor(id)).context.carried).toEqual(['p1', 'p2']);
    expect(await stage.mail(id)).toEqual([
      { eventId: 'before', served: true, deadLettered: false, fault: null },
      { eventId: 'poison', served: false, deadLettered: true, fault: 'the courier stumbled' },
      { eventId: 'after', served: true, deadLettered: false, fault: null },
    ]);
  });

  it('fails the batch when the machine requests an effect that it does not declare', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', { type: 'ASK_UNKNOWN' });
    expect(await stage.processBatch(id)).toMatchObject({
      kind: 'failed',
      fault: expect.stringContaining('"unheard"'),
    });
    expect((await stage.actor(id)).revision).toBe(0n);
  });

  it('writes neither snapshot nor effect nor mark when the projection throws, and makes only the guilty event a dead letter', async () => {
    const refusing: DurableMachine = {
      ...courier,
      async project(_trx, _actor, snapshot) {
        if ((snapshot.context as { carried: string[] }).carried.includes('bad'))
          throw new Error('no row for that');
      },
    };
    const stage = await stageOf(refusing);
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', carry('good'));
    await stage.send(id, 'e2', carry('bad'));
    await stage.send(id, 'e3', { type: 'NUDGE' });
    for (let i = 0; i < 12; i++) {
      await stage.processBatch(id);
      stage.clock.forward(30_000);
    }
    expect((await stage.actor(id)).context).toMatchObject({ carried: ['good'], nudged: 1 });
    expect(await stage.effects(id)).toHaveLength(1);
    expect((await stage.mail(id)).map((m) => [m.eventId, m.deadLettered])).toEqual([
      ['e1', false],
      ['e2', true],
      ['e3', false],
    ]);
  });
});

describe('a snapshot', () => {
  it('of a newer release holds its actor back and makes no event a dead letter', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.db.updateTable('actors').set({ version: 9 }).where('id', '=', id).execute();
    await stage.send(id, 'e1', carry('p1'));
    for (let i = 0; i < 8; i++) {
      expect(await stage.processBatch(id)).toMatchObject({
        kind: 'failed',
        fault: expect.stringContaining('version 9'),
        deadLettered: false,
      });
      stage.clock.forward(60_000);
    }
    await stage.db.updateTable('actors').set({ version: 1 }).where('id', '=', id).execute();
    await stage.settle(id);
    expect((await stage.actor(id)).context.carried).toEqual(['p1']);
  });

  it('of an older release is migrated step by step', async () => {
    const newer: DurableMachine = {
      ...courier,
      version: 3,
      migrate: {
        1: (old) => ({ ...(old as object), context: { ...contextOf(old), carried: ['from 1'] } }),
        2: (old) => ({
          ...(old as object),
          context: { ...contextOf(old), carried: [...contextOf(old).carried, 'from 2'] },
        }),
      },
    };
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', carry('p1'));
    const deps = { ...stage.deps, machines: new Map([[newer.kind, newer]]) };
    expect((await processMailbox(deps, id)).kind).toBe('served');
    expect((await stage.actor(id)).context.carried).toEqual(['from 1', 'from 2', 'p1']);
    expect(await stage.processBatch(id)).toMatchObject({ kind: 'idle' });
    const row = await stage.db
      .selectFrom('actors')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.version).toBe(3);
  });

  it.each([
    ['without a step to this release', { version: 0 }, 'no step from snapshot version 0'],
    ['in a state that no longer exists', { snapshot: snapshotIn('flying') }, 'of no state it has'],
    [
      'that failed',
      { snapshot: JSON.stringify({ ...JSON.parse(snapshotIn('ready')), status: 'error', error: 'x' }) },
      'of no state it has',
    ],
    [
      'that is not one of its machine',
      { snapshot: JSON.stringify({ value: 'ready' }) },
      'without context.carried',
    ],
  ])('%s is refused, and the event stays', async (_, change, fault) => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.db.updateTable('actors').set(change).where('id', '=', id).execute();
    await stage.send(id, 'e1', carry('p1'));
    expect(await stage.processBatch(id)).toMatchObject({
      kind: 'failed',
      fault: expect.stringContaining(fault),
    });
    expect(await stage.mail(id)).toEqual([
      { eventId: 'e1', served: false, deadLettered: false, fault: null },
    ]);
  });

  it('of a kind that does not run here waits for a process that runs it', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', carry('p1'));
    const outcome = await processMailbox({ ...stage.deps, machines: new Map() }, id);
    expect(outcome).toMatchObject({
      kind: 'failed',
      fault: expect.stringContaining('"courier"'),
      deadLettered: false,
    });
    stage.clock.forward(60_000);
    await stage.settle(id);
    expect((await stage.actor(id)).context.carried).toEqual(['p1']);
  });

  it('accepts further events in a final state without effect', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', { type: 'RETIRE' });
    await stage.settle(id);
    expect(await stage.actor(id)).toMatchObject({ status: 'done', value: 'retired' });
    await stage.send(id, 'e2', carry('late'));
    await stage.settle(id);
    expect(await stage.actor(id)).toMatchObject({ status: 'done', value: 'retired' });
    expect(await stage.effects(id)).toEqual([]);
    expect((await stage.mail(id)).every((m) => m.served)).toBe(true);
  });
});

describe('a timer', () => {
  it('fires once, when it is due and not before', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', { type: 'REST', ms: 5_000 });
    await stage.settle(id);
    stage.clock.forward(4_999);
    expect(await stage.fireTimers()).toEqual([]);
    stage.clock.forward(1);
    const fired = await Promise.all([stage.fireTimers(), stage.fireTimers(), stage.fireTimers()]);
    expect(fired.flat()).toEqual([id]);
    await stage.settle(id);
    expect((await stage.actor(id)).value).toBe('rested');
    expect(await stage.fireTimers()).toEqual([]);
    expect(await stage.db.selectFrom('timers').selectAll().execute()).toEqual([]);
  });

  it('that was cancelled never fires', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', { type: 'REST', ms: 5_000 });
    await stage.settle(id);
    await stage.send(id, 'e2', { type: 'WAKE' });
    await stage.settle(id);
    stage.clock.forward(10_000);
    expect(await stage.fireTimers()).toEqual([]);
    expect((await stage.actor(id)).value).toBe('ready');
  });

  it('does not end the new wait early when it was set again after it fired', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', { type: 'REST', ms: 1_000 });
    await stage.settle(id);
    stage.clock.forward(1_000);
    await stage.send(id, 'e2', { type: 'WAKE' });
    await stage.send(id, 'e3', { type: 'REST', ms: 60_000 });
    expect(await stage.fireTimers()).toEqual([id]);
    await stage.settle(id);
    expect((await stage.actor(id)).value).toBe('resting');
    expect((await stage.mail(id)).every((m) => m.served)).toBe(true);
    stage.clock.forward(60_000);
    await stage.fireTimers();
    await stage.settle(id);
    expect((await stage.actor(id)).value).toBe('rested');
  });

  it('fires every time when it is due at once, again and again in the same instant', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    for (let i = 0; i < 3; i++) {
      await stage.send(id, `rest ${i}`, { type: 'REST', ms: 0 });
      await stage.settle(id);
      expect(await stage.fireTimers()).toEqual([id]);
      await stage.settle(id);
      expect((await stage.actor(id)).value).toBe('rested');
      await stage.send(id, `wake ${i}`, { type: 'WAKE' });
      await stage.settle(id);
    }
  });

  it('does not replace another when it has no name of its own', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', { type: 'NUDGE_LATER', ms: 10 });
    await stage.send(id, 'e2', { type: 'NUDGE_LATER', ms: 20 });
    await stage.settle(id);
    stage.clock.forward(20);
    await stage.fireTimers();
    await stage.settle(id);
    expect((await stage.actor(id)).context.nudged).toBe(2);
  });

  it('is not needed for an event that a machine raises to itself at once', async () => {
    const stage = await stageOf();
    const id = await stage.spawn('a');
    await stage.send(id, 'e1', { type: 'PING_INSIDE' });
    await stage.settle(id);
    expect((await stage.actor(id)).context.nudged).toBe(1);
    expect(await stage.db.selectFrom('timers').selectAll().execute()).toEqual([]);
  });
});

function contextOf(snapshot: unknown): { carried: string[] } {
  return (snapshot as { context: { carried: string[] } }).context;
}

function snapshotIn(value: string): string {
  const context = { carried: [], failures: [], nudged: 0 };
  return JSON.stringify({ status: 'active', value, context, children: {}, historyValue: {}, tags: [] });
}
