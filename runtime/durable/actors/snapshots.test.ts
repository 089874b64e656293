import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { transition } from 'xstate';
import { agentActor, auctionActor, checkoutActor, dealActor, MACHINES } from '../../machines.ts';
import type { DurableMachine } from './durable-machine.ts';
import { restore, SnapshotError } from './snapshots.ts';

/** Snapshots as released versions wrote them. None is ever rewritten: a new version adds files. */
const FOLDER = new URL('../../../test/fixtures/snapshots/', import.meta.url);
const files = readdirSync(FOLDER);

function stored(name: string): { kind: string; version: number; snapshot: unknown } {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

function go(machine: DurableMachine, name: string, event: { type: string }) {
  const { version, snapshot } = stored(name);
  const [next] = transition(machine.logic, restore(machine, version, snapshot), event as never);
  return next as { value: unknown; context: Record<string, unknown> };
}

describe('snapshots of released versions', () => {
  it('are kept for every machine and every version of it', () => {
    const wanted = MACHINES.flatMap((m) =>
      Array.from({ length: m.version }, (_, i) => `${m.kind}.v${i + 1}.json`),
    );
    expect([...files].sort()).toEqual(wanted.sort());
  });

  it('load, and go on from where they were', () => {
    expect(go(checkoutActor, 'checkout.v1.json', { type: 'MINTED', handle: 'a' } as never).value).toBe(
      'minted',
    );
    expect(go(agentActor, 'agent.v1.json', { type: 'DEAL_CLOSED', dealId: 'deal_1' } as never)).toMatchObject(
      {
        value: { active: 'watching' },
        context: { deals: [] },
      },
    );
    for (const name of ['agent.v2.json', 'agent.v3.json', 'agent.v4.json', 'agent.v5.json'])
      expect(go(agentActor, name, { type: 'DEAL_CLOSED', dealId: 'deal_0' } as never).value).toEqual({
        active: 'dealing',
      });
    expect(go(agentActor, 'agent.v3.json', { type: 'SURVEYED' } as never).context).not.toHaveProperty(
      'stages',
    );
    expect(go(agentActor, 'agent.v2.json', { type: 'MARKET' } as never).context).toMatchObject({
      evaluating: true,
      again: null,
      sweeps: false,
    });
    expect(go(agentActor, 'agent.v3.json', { type: 'SURVEYED' } as never).context).toMatchObject({
      evaluating: true,
      again: null,
      sweeps: true,
    });
    expect(
      go(dealActor, 'deal.v1.json', { type: 'DECIDED', side: 'buyer', decision: 'proceed' } as never).value,
    ).toBe('settling');
    expect(go(dealActor, 'deal.v2.json', { type: 'TAKEN_BACK', reason: 'refused' } as never)).toMatchObject({
      value: 'failed',
      context: { tx: null, block: null, reason: 'refused' },
    });
    const outcomes = { buyer: 'pass', seller: 'pass' };
    expect(go(dealActor, 'deal.v3.json', { type: 'DETERMINED', outcomes } as never).value).toBe('settling');
    // Nobody knows when the determinations of before were made: they are made anew.
    expect(go(dealActor, 'deal.v3.json', { type: 'DETERMINED', outcomes } as never).context).toMatchObject({
      ...{ round: 1, at: null },
    });
    for (const [name, approvalMs] of [
      ['deal.v4.json', 86_400_000],
      ['deal.v5.json', 900_000],
    ] as const)
      expect(
        go(dealActor, name, { type: 'DECIDED', side: 'buyer', decision: 'proceed' } as never),
      ).toMatchObject({
        value: 'settling',
        context: { round: 2, approvalMs, agreed: { buyer: ['wallet FLAGGED'] } },
      });
    expect(go(auctionActor, 'auction.v1.json', { type: 'WON', dealId: 'deal_1' } as never)).toMatchObject({
      value: 'won',
      context: { auctionId: 'auc_1', dealId: 'deal_1' },
    });
    expect(go(auctionActor, 'auction.v2.json', { type: 'PASSED_ON', dealId: null } as never)).toMatchObject({
      value: 'unsold',
      context: { dealId: null },
    });
  });

  it('of a deal that was over once it was recorded: a reorg may still take its settlement back', () => {
    const { snapshot } = stored('deal.v1.json');
    const recorded = { ...(snapshot as object), status: 'done', output: undefined, value: 'recorded' };
    const [taken] = transition(dealActor.logic, restore(dealActor, 1, recorded), {
      type: 'TAKEN_BACK',
      reason: 'refused',
    } as never);
    expect(taken).toMatchObject({ value: 'failed', status: 'done' });
  });

  it('are refused when a newer release wrote them, or when they are of no state the machine has', () => {
    const { snapshot } = stored('deal.v1.json');
    expect(() => restore(dealActor, dealActor.version + 1, snapshot)).toThrow(SnapshotError);
    expect(() => restore(dealActor, 1, { ...(snapshot as object), value: 'dreaming' })).toThrow();
    expect(() => restore(dealActor, 1, { ...(snapshot as object), context: {} })).toThrow();
  });
});
