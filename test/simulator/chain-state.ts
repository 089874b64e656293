import { minMicro } from '../../agents/money.ts';
import type { ChainLog } from '../../chain/rpc/reader.ts';

/** The state of the contracts, reduced to what the service reads. The contracts have their own tests. */

export interface SimulatedAgent {
  readonly tokenId: bigint;
  readonly owner: string;
  readonly account: string;
  readonly epoch: number;
  readonly paused: boolean;
  /** How many signatures of its owners it has used. */
  readonly nonce: bigint;
  /** The session keys that were granted; one that has ended is valid until 0. */
  readonly keys: ReadonlyMap<string, Grant>;
  readonly mandateHash: string;
  readonly mandateVersion: number;
  readonly expiry: number;
  readonly perDeal: bigint;
  readonly dayCap: bigint;
  readonly totalCap: bigint;
  /** Each with the total cap that it was held to. A new mandate forgets none of them. */
  readonly spends: readonly { readonly at: number; readonly amount: bigint; readonly cap: bigint }[];
}

export interface Grant {
  readonly epoch: number;
  readonly until: number;
}

export interface ChainState {
  readonly agents: Map<bigint, SimulatedAgent>;
  readonly byPayment: Map<string, bigint>;
  readonly byAccount: Map<string, bigint>;
  readonly money: Map<string, bigint>;
  readonly assets: Map<bigint, string>;
  readonly listed: Set<string>;
  readonly settled: Map<string, number>;
  readonly anchors: Map<string, number>;
}

export function emptyState(): ChainState {
  return {
    agents: new Map(),
    byPayment: new Map(),
    byAccount: new Map(),
    money: new Map(),
    assets: new Map(),
    listed: new Set(),
    settled: new Map(),
    anchors: new Map(),
  };
}

export function copyState(s: ChainState): ChainState {
  return {
    agents: new Map(s.agents),
    byPayment: new Map(s.byPayment),
    byAccount: new Map(s.byAccount),
    money: new Map(s.money),
    assets: new Map(s.assets),
    listed: new Set(s.listed),
    settled: new Map(s.settled),
    anchors: new Map(s.anchors),
  };
}

/** The effect of a transaction on the state, with the logs that it emits. */
export type Act = (state: ChainState, at: number) => Pick<ChainLog, 'address' | 'topics' | 'data'>[];

/** A contract reverted, and nothing of the transaction remains. */
export class Refused extends Error {
  readonly args: readonly unknown[];
  constructor(name: string, args: readonly unknown[] = []) {
    super(name);
    this.args = args;
  }
}

export interface Mint {
  readonly to: string;
  readonly paymentRef: string;
  readonly key: string;
  readonly mandateHash: string;
  readonly expiry: number;
  readonly perDeal: bigint;
  readonly dayCap: bigint;
  readonly totalCap: bigint;
}

export interface Settle {
  readonly dealId: string;
  readonly seller: string;
  readonly buyer: string;
  readonly tokenId: bigint;
  readonly price: bigint;
  readonly deadline: number;
  readonly sellerKey: string;
  readonly buyerKey: string;
}

/** Which contracts forget to enforce a rule, to prove that the simulator notices. */
export interface Forgetful {
  readonly payments?: boolean;
  readonly deals?: boolean;
  readonly caps?: boolean;
  readonly nonces?: boolean;
}

const UNCAPPED = 2n ** 256n - 1n;
const DAY_SECONDS = 86_400;
export const TREASURY = `0x${'77'.repeat(20)}`;

function spent(agent: SimulatedAgent, since: number): bigint {
  return agent.spends.reduce((sum, s) => (s.at > since ? sum + s.amount : sum), 0n);
}

export function totalSpent(agent: SimulatedAgent): bigint {
  return spent(agent, Number.NEGATIVE_INFINITY);
}

export function remaining(agent: SimulatedAgent, at: number) {
  const left = (cap: bigint, used: bigint): bigint => (cap === 0n ? UNCAPPED : cap > used ? cap - used : 0n);
  const day = left(agent.dayCap, spent(agent, at - DAY_SECONDS));
  const total = left(agent.totalCap, totalSpent(agent));
  const live = !agent.paused && at <= agent.expiry;
  const least = [agent.perDeal, day, total].reduce(minMicro);
  return {
    perDeal: agent.perDeal,
    day,
    week: UNCAPPED,
    month: UNCAPPED,
    total,
    spendable: live ? least : 0n,
  };
}

export function mint(state: ChainState, order: Mint, forgetful: Forgetful): SimulatedAgent {
  const standing = state.byPayment.get(order.paymentRef);
  if (standing !== undefined && !forgetful.payments)
    throw new Refused('PaymentAlreadyUsed', [order.paymentRef, standing]);
  const tokenId = BigInt(state.agents.size + 1);
  const agent: SimulatedAgent = {
    tokenId,
    owner: order.to.toLowerCase(),
    account: `0x${'a0'.repeat(18)}${tokenId.toString(16).padStart(4, '0')}`,
    epoch: 1,
    paused: false,
    nonce: 0n,
    keys: new Map([[order.key.toLowerCase(), { epoch: 1, until: order.expiry }]]),
    mandateHash: order.mandateHash,
    mandateVersion: 1,
    expiry: order.expiry,
    perDeal: order.perDeal,
    dayCap: order.dayCap,
    totalCap: order.totalCap,
    spends: [],
  };
  state.agents.set(tokenId, agent);
  state.byPayment.set(order.paymentRef, tokenId);
  state.byAccount.set(agent.account, tokenId);
  return agent;
}

/** Whether a key was granted by the present owner, has not ended and is not over. */
export function isKeyLive(agent: SimulatedAgent, key: string, at: number): boolean {
  const grant = agent.keys.get(key.toLowerCase());
  return grant !== undefined && grant.epoch === agent.epoch && grant.until >= at;
}

/** @throws Refused when no agent with this number exists */
export function requireAgent(state: ChainState, tokenId: bigint): SimulatedAgent {
  const agent = state.agents.get(tokenId);
  if (!agent) throw new Refused('ERC721NonexistentToken');
  return agent;
}

export function listingKey(tokenId: bigint, asset: bigint, epoch: number): string {
  return `${tokenId}:${asset}:${epoch}`;
}

export function settle(state: ChainState, deal: Settle, at: number, forgetful: Forgetful): { fee: bigint } {
  if (state.settled.has(deal.dealId) && !forgetful.deals)
    throw new Refused('DealAlreadySettled', [deal.dealId]);
  if (at > deal.deadline) throw new Refused('DealExpired', [deal.dealId, deal.deadline]);
  const [seller, buyer] = [deal.seller, deal.buyer].map((account) => {
    const agent = state.agents.get(state.byAccount.get(account.toLowerCase()) ?? 0n);
    if (!agent) throw new Refused('NotAgent');
    return agent;
  }) as [SimulatedAgent, SimulatedAgent];
  if (seller.tokenId === buyer.tokenId) throw new Refused('SameParty');
  for (const [agent, key] of [
    [seller, deal.sellerKey],
    [buyer, deal.buyerKey],
  ] as const) {
    if (!isKeyLive(agent, key, at)) throw new Refused('KeyNotLive', [agent.tokenId, key]);
    if (agent.paused) throw new Refused('AgentPaused');
    if (at > agent.expiry) throw new Refused('MandateNotActive');
  }
  if (state.assets.get(deal.tokenId) !== seller.account) throw new Refused('AssetNotHeld');
  const listing = listingKey(seller.tokenId, deal.tokenId, seller.epoch);
  if (!state.listed.has(listing)) throw new Refused('AssetNotListed');
  const limits = remaining(buyer, at);
  if (!forgetful.caps) {
    if (deal.price > limits.perDeal) throw new Refused('PerDealCapExceeded');
    if (deal.price > limits.day) throw new Refused('DayCapExceeded');
    if (deal.price > limits.total) throw new Refused('TotalCapExceeded');
  }
  const balance = state.money.get(buyer.account) ?? 0n;
  if (balance < deal.price) throw new Refused('ERC20InsufficientBalance');
  const fee = (deal.price * 200n) / 10_000n;
  state.money.set(buyer.account, balance - deal.price);
  state.money.set(seller.account, (state.money.get(seller.account) ?? 0n) + deal.price - fee);
  state.money.set(TREASURY, (state.money.get(TREASURY) ?? 0n) + fee);
  state.assets.set(deal.tokenId, buyer.account);
  state.listed.delete(listing);
  const spend = { at, amount: deal.price, cap: buyer.totalCap };
  state.agents.set(buyer.tokenId, { ...buyer, spends: [...buyer.spends, spend] });
  state.settled.set(deal.dealId, at);
  return { fee };
}
