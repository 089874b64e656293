import type { SimulatedChain } from './chain.ts';
import { isKeyLive, type SimulatedAgent } from './chain-state.ts';
import type { MemoryServer } from './memory/memory-database.ts';
import type { Change, Row } from './memory/rows.ts';

/** A broken rule with its detail; null: none. */
type Broken = readonly [string, string] | null;

/** What may go wrong in a history, as far as it decides what a rule can ask for. */
export interface Circumstances {
  readonly now: () => number;
  readonly reorganises: boolean;
  /** How old what a process decides by may be: of a node that lags, of a process that stood still. */
  readonly doubtMs: number;
}

/** Clocks differ by less than this. */
const SKEW_MS = 120_000;

/**
 * The rules that hold for what owners and the operator change while deals are under way: mandates, session keys, money
 * in accounts, and disputes.
 */
export class OwnerRules {
  readonly #server: MemoryServer;
  readonly #chain: SimulatedChain;
  readonly #at: Circumstances;
  /** What each account held, and from when. */
  readonly #held = new Map<string, { readonly since: number; readonly money: bigint }[]>();
  readonly #caps = new Map<bigint, bigint>();
  #liedUntil = 0;

  constructor(server: MemoryServer, chain: SimulatedChain, at: Circumstances) {
    this.#server = server;
    this.#chain = chain;
    this.#at = at;
  }

  /** A node lies until then. */
  lied(until: number): void {
    this.#liedUntil = Math.max(this.#liedUntil, until);
  }

  /** Whether somebody may still act upon a lie. */
  get isDeceived(): boolean {
    return this.#at.now() < this.#liedUntil + this.#at.doubtMs;
  }

  /** Notes what the chain says now. @returns the agents whose caps have shrunk */
  block(): readonly SimulatedAgent[] {
    const { money, agents } = this.#chain.state;
    const since = this.#at.now();
    for (const [account, amount] of money) {
      const past = this.#held.get(account) ?? [];
      if (past.length === 0) this.#held.set(account, past);
      if (past.at(-1)?.money !== amount) past.push({ since, money: amount });
    }
    const shrunk: SimulatedAgent[] = [];
    for (const [tokenId, agent] of agents) {
      const before = this.#caps.get(tokenId);
      if (before !== undefined && before !== agent.totalCap) shrunk.push(agent);
      this.#caps.set(tokenId, agent.totalCap);
    }
    return shrunk;
  }

  commit(changes: readonly Change[]): Broken {
    for (const { table, before, after } of changes) {
      if (table === 'matches' && before === null) {
        const broken = this.#covered(after!) ?? this.#undisputed(after!.asset_key, 'is matched');
        if (broken !== null) return broken;
      }
      if (table === 'listings' || table === 'certificate_disputes') {
        const lot = (after ?? before)!.asset_key;
        const isForSale = this.#rows('listings', 'asset_key', lot).some(({ status }) => status === 'live');
        const broken = isForSale ? this.#undisputed(lot, 'is for sale') : null;
        if (broken !== null) return broken;
      }
      if (table === 'effects' && after?.kind === 'review-orders' && after.status === 'done') {
        const broken = before?.status === 'done' ? null : this.#reviewed(after);
        if (broken !== null) return broken;
      }
      if (table === 'deals' && after?.state === 'failed' && before?.state !== 'failed') {
        const broken = this.#keysStood(after);
        if (broken !== null) return broken;
      }
    }
    return null;
  }

  #rows(table: string, column: string, value: unknown): Row[] {
    const rows = [...this.#server.table(table).where(column, value)].map(({ committed }) => committed);
    return rows.filter((row): row is Row => row?.[column] === value);
  }

  /** At some time within the doubt the buyer's account held what the match costs. */
  #covered(match: Row): Broken {
    if (this.isDeceived) return null;
    const [buy] = this.#rows('orders', 'order_id', match.buy_order);
    const [buyer] = this.#rows('agents', 'handle', buy!.handle);
    const past = this.#held.get(buyer!.account as string) ?? [];
    const from = this.#at.now() - this.#at.doubtMs;
    const isEnough = past.some(
      ({ money }, i) =>
        money >= (match.price as bigint) && (past[i + 1]?.since ?? Number.POSITIVE_INFINITY) >= from,
    );
    if (isEnough) return null;
    return [
      'a match is made where the account covers it',
      `${match.match_id}: ${match.price} of ${past.at(-1)?.money}`,
    ];
  }

  #undisputed(lot: unknown, how: string): Broken {
    const dispute = this.#rows('certificate_disputes', 'asset_key', lot).find(
      (d) =>
        d.closed_at === null &&
        (d.decision === 'upheld' || (d.decision === null && isAfter(d.held_until, this.#at.now() + SKEW_MS))),
    );
    if (dispute === undefined) return null;
    return ['what a dispute holds is not sold', `${lot} ${how}, and ${dispute.dispute_id} holds it`];
  }

  /** An owner that rotates a key leaves the old one until nothing is left that it may have signed. */
  #keysStood(deal: Row): Broken {
    if (this.#at.reorganises || !String(deal.reason).includes('KeyNotLive')) return null;
    for (const handle of [deal.buyer, deal.seller]) {
      const [agent] = this.#rows('agents', 'handle', handle);
      const chain = this.#chain.state.agents.get(agent!.token_id as bigint);
      if (chain?.epoch !== 1 || this.#isRetiring(handle)) return null;
    }
    return ['a rotation fails no deal', `${deal.deal_id}: ${deal.reason}`];
  }

  #isRetiring(handle: unknown): boolean {
    return this.#rows('owner_acts', 'handle', handle).some((act) => act.kind === 'retire');
  }

  /** @returns the first rule that is broken once everything has ended */
  atRest(): Broken {
    for (const agent of this.#server.table('agents').rows()) {
      const chain = this.#chain.state.agents.get(agent.token_id as bigint);
      // A new owner has another mandate, and the agent stands still until it is signed.
      if (chain?.epoch !== 1) continue;
      const broken =
        this.#mandateInForce(agent, chain) ?? this.#keys(agent, chain) ?? this.#withinMandate(agent, chain);
      if (broken !== null) return broken;
    }
    return null;
  }

  #mandateInForce(agent: Row, chain: SimulatedAgent): Broken {
    const inForce = this.#rows('mandates', 'handle', agent.handle).filter((m) => m.status === 'active');
    const [one] = inForce;
    if (inForce.length === 1 && one!.version === agent.mandate_version && one!.hash === chain.mandateHash)
      return null;
    const versions = inForce.map((m) => m.version).join();
    return [
      'the mandate in force is the one on chain',
      `${agent.handle}: ${versions} here, ${chain.mandateVersion} there`,
    ];
  }

  /** As soon as its orders have been gone through, unless the mandate has changed again. */
  #reviewed({ params }: Row): Broken {
    const handle = (params as { handle: string }).handle;
    const [agent] = this.#rows('agents', 'handle', handle);
    const chain = this.#chain.state.agents.get(agent!.token_id as bigint);
    if (chain?.epoch !== 1 || agent!.status !== 'active' || agent!.mandate_version !== chain.mandateVersion)
      return null;
    return this.#withinMandate(agent!, chain);
  }

  /** What a new mandate forbids is withdrawn. A lie or a fork may have an order judged by the mandate before. */
  #withinMandate({ handle }: Row, { perDeal, mandateVersion }: SimulatedAgent): Broken {
    if (this.#liedUntil > 0 || this.#at.reorganises || mandateVersion === 1 || perDeal === 0n) return null;
    const over = this.#rows('orders', 'handle', handle).find(
      (o) => o.side === 'buy' && o.status === 'resting' && (o.limit_price as bigint) > perDeal,
    );
    if (over === undefined) return null;
    return [
      'no order rests that a new mandate forbids',
      `${over.order_id}: ${over.limit_price} of ${perDeal}`,
    ];
  }

  #keys(agent: Row, chain: SimulatedAgent): Broken {
    const now = Math.floor(this.#at.now() / 1000);
    const isRetired = this.#isRetiring(agent.handle);
    if (!isRetired && !isKeyLive(chain, agent.session_key as string, now))
      return ['an agent has a live key', `${agent.handle}: ${agent.session_key}`];
    for (const act of this.#rows('owner_acts', 'handle', agent.handle)) {
      if (act.kind !== 'rotate' || act.status !== 'done') continue;
      const { oldKey } = act.detail as { oldKey: string };
      if (chain.keys.get(oldKey.toLowerCase())?.until !== 0)
        return ['a key that was rotated has ended', `${agent.handle}: ${oldKey}`];
    }
    return null;
  }
}

function isAfter(time: unknown, at: number): boolean {
  return time instanceof Date && time.getTime() > at;
}
