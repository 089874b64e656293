import type { AnyMachineSnapshot } from 'xstate';
import { AGENT_EFFECTS, agentMachine } from '../agents/agent/agent.ts';
import {
  agentFromV1,
  agentFromV2,
  agentFromV3,
  agentFromV4,
  agentFromV5,
} from '../agents/agent/agent-context.ts';
import { CHECKOUT_EFFECTS, checkoutMachine } from '../agents/checkout/checkout.ts';
import { DEAL_EFFECTS, dealFromV1, dealFromV3, dealFromV4, dealMachine } from '../agents/deal/deal.ts';
import { AUCTION_EFFECTS, auctionFromV1, auctionMachine } from '../agents/names/auction.ts';
import { projectAgent, shownOfAgent } from './agent/agent-projection.ts';
import { projectCheckout } from './checkout/checkout-projection.ts';
import { projectDeal } from './deal/deal-projection.ts';
import type { DurableMachine, Machines } from './durable/actors/durable-machine.ts';
import { projectAuction } from './names/auction-projection.ts';

/** The machines as the runtime carries them: their snapshot version, the effects they may ask for, their rows. */

export const checkoutActor: DurableMachine = {
  kind: 'checkout',
  version: 1,
  logic: checkoutMachine,
  effects: CHECKOUT_EFFECTS,
  validate: requireContext('checkoutId'),
  migrate: {},
  project: (trx, { key }, snapshot) => projectCheckout(trx, key, String(snapshot.value)),
};

export const agentActor: DurableMachine = {
  kind: 'agent',
  version: 6,
  logic: agentMachine,
  effects: AGENT_EFFECTS,
  validate: requireContext('handle'),
  migrate: { 1: agentFromV1, 2: agentFromV2, 3: agentFromV3, 4: agentFromV4, 5: agentFromV5 },
  project: (trx, { key }, snapshot, now) => projectAgent(trx, key, snapshot, now),
  shows: shownOfAgent,
};

export const dealActor: DurableMachine = {
  kind: 'deal',
  version: 5,
  logic: dealMachine,
  effects: DEAL_EFFECTS,
  validate: requireContext('dealId'),
  // Version 2 asked for the determinations of each side by themselves; its snapshots are the same.
  migrate: { 1: dealFromV1, 2: (snapshot) => snapshot, 3: dealFromV3, 4: dealFromV4 },
  // The match writes the deal's row as it is at first.
  shownAtBirth: true,
  project: (trx, { key }, snapshot, now) => projectDeal(trx, key, snapshot, now),
};

export const auctionActor: DurableMachine = {
  kind: 'auction',
  version: 2,
  logic: auctionMachine,
  effects: AUCTION_EFFECTS,
  validate: requireContext('auctionId'),
  migrate: { 1: auctionFromV1 },
  project: (trx, { key }, snapshot, now) => projectAuction(trx, key, snapshot, now),
};

export const MACHINES: readonly DurableMachine[] = [checkoutActor, agentActor, dealActor, auctionActor];

export const MACHINES_BY_KIND: Machines = new Map(MACHINES.map((machine) => [machine.kind, machine]));

function requireContext(member: string) {
  return (snapshot: unknown): void => {
    const context = (snapshot as AnyMachineSnapshot | null)?.context as Record<string, unknown> | undefined;
    if (typeof context?.[member] !== 'string') throw new Error(`a snapshot without context.${member}`);
  };
}
