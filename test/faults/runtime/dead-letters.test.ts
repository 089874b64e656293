import { afterEach, describe, expect, it, vi } from 'vitest';
import { assign } from 'xstate';
import { agentCommand } from '../../../runtime/cli/agent.ts';
import { deadLettersCommand } from '../../../runtime/cli/dead-letters.ts';
import type { DurableMachine } from '../../../runtime/durable/actors/durable-machine.ts';
import type { EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import { checkoutActor, dealActor, MACHINES } from '../../../runtime/machines.ts';
import { attemptDue } from '../../fixtures/actors/attempt-due.ts';
import { courier } from '../../fixtures/actors/courier-machine.ts';
import { carrier, listeningLog } from '../../fixtures/actors/courier-service.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

/** What was given up after its attempts, and what a person can decide about it. */

let stage: Stage;
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.drop();
});

/** An actor with an event that its machine cannot process until the machine is repaired. */
async function withPoison(): Promise<{ id: string; mend(): void }> {
  stage = await courierStage();
  const id = await stage.spawn('a');
  await stage.send(id, 'bad', { type: 'ASK_UNKNOWN' });
  await stage.send(id, 'c1', { type: 'CARRY', parcel: 'p1' });
  await settle(id);
  const logic = courier.logic.provide({
    actions: { unheard: assign({ nudged: () => 7 } as never) },
  } as never);
  return {
    id,
    mend: () => {
      (stage.deps.machines as Map<string, typeof courier>).set(courier.kind, { ...courier, logic });
    },
  };
}

async function settle(id: string): Promise<void> {
  for (let i = 0; i < 7; i++) {
    await stage.settle(id);
    stage.clock.forward(60_000);
  }
}

async function attempt(): Promise<void> {
  const { db, clock } = stage;
  const runner = carrier();
  const log = listeningLog();
  await attemptDue({ db, runners: new Map([[runner.kind, runner]]), now: clock.now, crash: () => {}, log });
}

/** Runs an operator's command on the stage's database. @returns what it printed */
async function command(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    const [name, ...rest] = args;
    const make = name === 'agent' ? agentCommand : deadLettersCommand;
    await make({ DATABASE_URL: stage.url }).parseAsync(rest, { from: 'user' });
  } finally {
    print.mockRestore();
  }
  return lines.join('\n');
}

const deadLettered = async (): Promise<{ id: string; kind: string; actorId: string }[]> =>
  JSON.parse(await command('dead-letters', 'list', '--json'));

describe('an event that became a dead letter', () => {
  it('is listed with its actor and its reason, and shown whole', async () => {
    const { id } = await withPoison();
    const list = await command('dead-letters', 'list');
    expect(list).toMatch(/^event-\d+ +\S+ {2}courier:a {2}ASK_UNKNOWN \(bad\): .*unheard/);
    expect(list.split('\n')).toHaveLength(1);
    const [event] = await deadLettered();
    expect(JSON.parse(await command('dead-letters', 'show', event!.id))).toMatchObject({
      actorId: id,
      content: { type: 'ASK_UNKNOWN' },
    });
  });

  it('is served once, after everything that waits, when it is released after its cause was repaired', async () => {
    const { id, mend } = await withPoison();
    mend();
    const [event] = await deadLettered();
    await stage.send(id, 'c2', { type: 'CARRY', parcel: 'p2' });
    expect(await command('dead-letters', 'redrive', event!.id)).toContain('goes again');
    expect((await stage.mail(id)).map((m) => m.eventId)).toEqual(['c1', 'c2', 'bad']);
    await settle(id);
    expect((await stage.actor(id)).context).toMatchObject({ carried: ['p1', 'p2'], nudged: 7 });
    expect(await command('dead-letters', 'list')).toBe('There are no dead letters.');
    await expect(command('dead-letters', 'redrive', event!.id)).rejects.toThrow('No dead letter is');
  });

  it('becomes a dead letter again, with its earlier attempts, when its cause was not repaired', async () => {
    const { id } = await withPoison();
    const [event] = await deadLettered();
    await command('dead-letters', 'redrive', event!.id);
    expect(await deadLettered()).toEqual([]);
    expect((await stage.processBatch(id)).kind).toBe('failed');
    expect(await deadLettered()).toEqual([]);
    await settle(id);
    const [again] = await deadLettered();
    expect(again).toMatchObject({ actorId: id, kind: 'ASK_UNKNOWN' });
    expect(again!.id).not.toBe(event!.id);
  });

  it('is never served and no longer listed once it is dropped', async () => {
    const { id, mend } = await withPoison();
    mend();
    const [event] = await deadLettered();
    expect(await command('dead-letters', 'drop', event!.id)).toContain('is dropped');
    await stage.send(id, 'c2', { type: 'CARRY', parcel: 'p2' });
    await settle(id);
    expect((await stage.actor(id)).context).toMatchObject({ carried: ['p1', 'p2'], nudged: 0 });
    expect(await deadLettered()).toEqual([]);
    await expect(command('dead-letters', 'drop', event!.id)).rejects.toThrow('No dead letter is');
  });
});

describe('an effect that failed', () => {
  async function failed(): Promise<{ id: string; key: string }> {
    stage = await courierStage();
    const id = await stage.spawn('a');
    await stage.send(id, 'c1', { type: 'CARRY_ONCE', parcel: 'refused', key: 'k1' });
    await stage.settle(id);
    await attempt();
    return { id, key: 'k1' };
  }

  it('is listed, and runs again from its first attempt as long as its actor was not told', async () => {
    const { id, key } = await failed();
    const [effect] = await deadLettered();
    expect(effect).toMatchObject({ actorId: id, kind: 'carry' });
    await command('dead-letters', 'redrive', effect!.id);
    expect(await stage.effects(id)).toMatchObject([{ key, status: 'pending' }]);
    expect((await stage.mail(id)).map((m) => m.eventId)).toEqual(['c1']);
    await attempt();
    await settle(id);
    expect((await stage.actor(id)).context.failures).toEqual(['refused is refused']);
  });

  it('does not run again once its actor has acted on the failure, and can be dropped', async () => {
    const { id } = await failed();
    await settle(id);
    const [effect] = await deadLettered();
    await expect(command('dead-letters', 'redrive', effect!.id)).rejects.toThrow('what it decided stands');
    expect(await stage.effects(id)).toMatchObject([{ status: 'failed' }]);
    await command('dead-letters', 'drop', effect!.id);
    expect(await deadLettered()).toEqual([]);
    expect(await stage.effects(id)).toMatchObject([{ status: 'failed' }]);
  });
});

describe('an effect that must come to its end', () => {
  /** One of the service's own actors, without the rows that show it. */
  async function spawned(machine: DurableMachine, input: object): Promise<string> {
    stage = await courierStage({ machine: { ...machine, project: async () => {} } });
    return await stage.spawn('a', input);
  }

  async function attemptAt(kind: string, run: EffectRunner['run']): Promise<void> {
    const runner: EffectRunner = { kind, lane: 'default', maxAttempts: 1, run };
    const { db, clock } = stage;
    const log = listeningLog();
    await attemptDue({ db, runners: new Map([[kind, runner]]), now: clock.now, crash: () => {}, log });
  }

  const refuse = (): Promise<never> => Promise.reject(new Error('it does not work'));

  async function failing(id: string, kind: string): Promise<string> {
    await attemptAt(kind, refuse);
    await settle(id);
    const [letter] = await deadLettered();
    expect(letter).toMatchObject({ actorId: id, kind });
    return letter!.id;
  }

  it('runs again although its actor was told, while the actor stands in the state that asked for it', async () => {
    const id = await spawned(dealActor, { dealId: 'a', decisionMs: 60_000, approvalMs: 60_000 });
    await stage.send(id, 'd', { type: 'DETERMINED', outcomes: { buyer: 'stop', seller: 'pass' } });
    await settle(id);
    const letter = await failing(id, 'unwind');
    expect((await stage.actor(id)).value).toBe('unwinding');
    expect(await command('dead-letters', 'redrive', letter)).toContain('goes again');
    expect(await deadLettered()).toEqual([]);
    await attemptAt('unwind', async () => ({ event: { type: 'UNWOUND' } }));
    await settle(id);
    expect(await stage.actor(id)).toMatchObject({ value: 'stopped', status: 'done' });
    await expect(command('dead-letters', 'redrive', letter)).rejects.toThrow('No dead letter is');
  });

  it('may fail and be let go again more than once', async () => {
    const id = await spawned(dealActor, { dealId: 'a', decisionMs: 60_000, approvalMs: 60_000 });
    await stage.send(id, 'd', { type: 'DETERMINED', outcomes: { buyer: 'stop', seller: 'pass' } });
    await settle(id);
    for (let i = 0; i < 2; i++) await command('dead-letters', 'redrive', await failing(id, 'unwind'));
    await attemptAt('unwind', async () => ({ event: { type: 'UNWOUND' } }));
    await settle(id);
    expect((await stage.actor(id)).value).toBe('stopped');
  });

  it('does not run again where the actor went another way', async () => {
    const id = await spawned(dealActor, { dealId: 'a', decisionMs: 60_000, approvalMs: 60_000 });
    await stage.send(id, 'd', { type: 'DETERMINED', outcomes: { buyer: 'pass', seller: 'pass' } });
    await settle(id);
    const letter = await failing(id, 'settle');
    expect((await stage.actor(id)).value).toBe('unwinding');
    await expect(command('dead-letters', 'redrive', letter)).rejects.toThrow('what it decided stands');
  });

  it('gives the money back after all where a refund had failed', async () => {
    const id = await spawned(checkoutActor, { checkoutId: 'a', expiresInMs: 60_000 });
    await stage.send(id, 'u', { type: 'UNSERVABLE', reason: 'the handle went to another' });
    await settle(id);
    const letter = await failing(id, 'refund-payment');
    expect((await stage.actor(id)).value).toBe('failed');
    await command('dead-letters', 'redrive', letter);
    await attemptAt('refund-payment', async () => ({ event: { type: 'REFUNDED' } }));
    await settle(id);
    expect((await stage.actor(id)).value).toBe('refunded');
  });
});

describe('the commands', () => {
  it('name the id, the actor or the machine that they do not know', async () => {
    const { id } = await withPoison();
    for (const wrong of ['event-99999', 'effect-1', 'nothing', "event-1' or true --"])
      await expect(command('dead-letters', 'show', wrong)).rejects.toThrow(`No dead letter is ${wrong}`);
    await expect(command('agent', 'show', 'nobody')).rejects.toThrow('Nothing is kept of agent:nobody');
    expect(MACHINES.map((m) => m.kind)).not.toContain(courier.kind);
    await expect(command('agent', 'show', id)).rejects.toThrow('no machine of kind "courier"');
  });
});
