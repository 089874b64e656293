import { documentHash, keccak } from '../../agents/canonical.ts';
import type { Category } from '../../agents/categories.ts';
import { sameAddress } from '../../agents/ids.ts';
import { merkleTree, verifyMerkleProof } from '../../agents/records/merkle.ts';
import { step } from '../../runtime/durable/actors/step.ts';
import { MACHINES } from '../../runtime/machines.ts';
import type { ActorWithMail } from '../../store/durable/actors.ts';
import { type PackedRecord, packedByWhich, unpackKept } from '../../store/records/packed-columns.ts';
import { brokenBookRule } from './book-rules.ts';
import { DEAL_SETTLED, type SimulatedChain } from './chain.ts';
import { type SimulatedAgent, totalSpent } from './chain-state.ts';
import { judgeSimulated, type SimulatedEvidence } from './determine.ts';
import type { MemoryServer } from './memory/memory-database.ts';
import type { Change, Row } from './memory/rows.ts';
import { MOST_BEHIND_MS } from './node.ts';
import { type Circumstances, OwnerRules } from './owner-rules.ts';
import { StopRules } from './stop-rules.ts';

/** The violation of a rule. Shrinking keeps a smaller history only if it violates the rule with the same name. */
export class Violation extends Error {
  readonly rule: string;
  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

type Money = bigint;

const BOOKED: ReadonlySet<unknown> = new Set(['settled', 'recorded']);
/** How long a node may lag, and a little more. */
const DOUBT_MS = MOST_BEHIND_MS + 10_000;

/** Checks everything committed and everything mined after every step that changed any of it. */
export class Invariants {
  readonly #server: MemoryServer;
  readonly #chain: SimulatedChain;
  /** The first violation; a history ends with it. */
  violation: Violation | null = null;
  funded: Money = 0n;
  /** For each sold listing, the deal that sold it, once everything has ended. */
  readonly #sold = new Map<string, string>();
  readonly #births = new Map<string, Row>();
  /** The timers with which actors were started. */
  readonly #timers = new Map<string, Record<string, number>>();
  readonly #served = new Map<string, { revision: bigint; now: Date; messages: Row[] }[]>();
  /** The order in which messages were committed. */
  readonly #arrived = new Map<unknown, number>();
  readonly #arrivedAt = new Map<unknown, number>();
  #arrivals = 0;
  /** Until when a node may still describe an agent as if the chain had never booked what a reorg removed. */
  readonly #doubtful = new Map<unknown, number>();
  /** Orders that were judged in that time; if they are too much, the contract refuses them. */
  readonly #excused = new Set<unknown>();
  readonly #now: () => number;
  readonly #doubtMs: number;
  readonly #owners: OwnerRules;
  readonly #dealIds = new Map<unknown, `0x${string}`>();
  readonly #stops: StopRules;

  constructor(server: MemoryServer, chain: SimulatedChain, at: Circumstances) {
    this.#server = server;
    this.#chain = chain;
    this.#now = at.now;
    this.#doubtMs = at.doubtMs;
    this.#owners = new OwnerRules(server, chain, at);
    this.#stops = new StopRules((...where) => this.#row(...where), server);
    server.observe = (changes) => this.#guarded(() => this.#commit(changes));
    chain.observe = () => this.#guarded(() => this.#block());
  }

  #guarded(look: () => void): void {
    if (this.violation !== null) return;
    try {
      look();
    } catch (error) {
      this.violation =
        error instanceof Violation
          ? error
          : new Violation('the check itself', String((error as Error).stack));
    }
  }

  /** A node lies until then, and what is judged by it may be too much: the contract refuses it. */
  lied(until: number): void {
    this.#owners.lied(until);
  }

  fail(rule: string, detail: string): void {
    this.violation ??= new Violation(rule, detail);
  }

  #row(table: string, column: string, value: unknown): Row {
    for (const { committed } of this.#server.table(table).where(column, value))
      if (committed && committed[column] === value) return committed;
    throw new Violation('nothing is lost', `there is no row of ${table} where ${column} is ${value}`);
  }

  #commit(changes: readonly Change[]): void {
    let money = false;
    for (const change of changes) {
      const { table, before, after } = change;
      if (table === 'mailbox') this.#mail(before, after);
      else if (table === 'actors') this.#actor(before, after, changes);
      else if (table === 'effects') effect(before, after);
      else if (table === 'matches' && before === null) this.#match(after!);
      else if (table === 'records' && before === null) record(after!, this.#packedBy(after!));
      else if (table === 'records') sealed(before!, after!);
      else if (table === 'reservations') this.#reservation(before, after);
      else if (table === 'agents' && before === null) this.#agent(after!);
      else if (table === 'deals') this.#over(before, after!);
      money ||= ['reservations', 'matches', 'deals', 'agents'].includes(table);
    }
    const broken = brokenBookRule(this.#server, changes, this.#now()) ?? this.#stops.commit(changes);
    if (broken !== null) throw new Violation(...broken);
    const owners = this.#owners.commit(changes);
    if (owners !== null) throw new Violation(...owners);
    if (!money) return;
    this.#takenBack();
    this.#caps();
  }

  #mail(before: Row | null, after: Row | null): void {
    if (after === null) throw new Violation('no event is lost', `${before!.event_id} is gone`);
    if (before === null) {
      this.#arrived.set(after.seq, this.#arrivals++);
      this.#arrivedAt.set(after.seq, this.#now());
      for (const { committed } of this.#server.table('mailbox').where('actor_id', after.actor_id)) {
        if (committed && committed.event_id === after.event_id && committed.seq !== after.seq)
          throw new Violation('one id is one event', `${after.actor_id} has ${after.event_id} twice`);
      }
    }
    if (before?.consumed_at && after.consumed_at !== null && before !== after)
      throw new Violation('no event is applied twice', `${after.actor_id} took ${after.event_id} again`);
    if (after.dead_lettered_at !== null)
      throw new Violation('no event is a dead letter', `${after.actor_id} ${after.event_id}: ${after.fault}`);
  }

  /** Whatever both keys signed may be sent again by anyone until its deadline. */
  #over(before: Row | null, after: Row): void {
    if (before?.state === after.state || (after.state !== 'stopped' && after.state !== 'failed')) return;
    const dealId = after.deal_id as string;
    const deadline = this.#chain.deadlines.get(keccak(dealId)) ?? 0;
    const now = Math.floor(this.#now() / 1000);
    if (now <= deadline)
      throw new Violation('nobody settles a deal that is over', `${dealId} is open for ${deadline - now} s`);
  }

  /** A batch raises the revision by one, and serves the oldest events. */
  #actor(before: Row | null, after: Row | null, changes: readonly Change[]): void {
    if (after === null) throw new Violation('nothing is lost', `the actor ${before!.id} is gone`);
    const id = after.id as string;
    if (before === null) {
      this.#births.set(id, after);
      this.#served.set(id, []);
      const set = changes.filter((c) => c.table === 'timers' && c.after?.actor_id === id);
      this.#timers.set(id, Object.fromEntries(set.map((c) => [c.after!.timer_id, Number(c.after!.set_at)])));
      return;
    }
    if (before.snapshot === after.snapshot && before.revision === after.revision) return;
    if (after.revision !== (before.revision as bigint) + 1n)
      throw new Violation(
        'a turn is one revision',
        `${id} went from ${before.revision} to ${after.revision}`,
      );
    const messages = changes
      .filter((c) => c.table === 'mailbox' && c.after!.actor_id === id && c.after!.consumed_at !== null)
      .map((c) => c.after!)
      .sort((a, b) => ((a.seq as bigint) < (b.seq as bigint) ? -1 : 1));
    const last = messages.at(-1);
    // An event that is served as it is delivered was decided before the commit: what came meanwhile is not before it.
    const isDirect = changes.some((c) => c.before === null && c.after === last);
    for (const cell of this.#server.table('mailbox').where('actor_id', id)) {
      const row = cell.committed;
      if (!row || row.consumed_at !== null || !last || (row.seq as bigint) > (last.seq as bigint)) continue;
      if (isDirect && (this.#arrivedAt.get(row.seq) ?? 0) > this.#now() - this.#doubtMs) continue;
      if (this.#arrived.get(row.seq)! < this.#arrived.get(last.seq)!)
        throw new Violation(
          'events are served in order',
          `${id} took ${last.event_id} before ${row.event_id}`,
        );
    }
    this.#served
      .get(id)!
      .push({ revision: after.revision as bigint, now: after.updated_at as Date, messages });
  }

  #match(match: Row): void {
    const sell = this.#row('orders', 'order_id', match.sell_order);
    const buy = this.#row('orders', 'order_id', match.buy_order);
    const price = match.price as Money;
    if (price < (sell.limit_price as Money) || price > (buy.limit_price as Money))
      throw new Violation('ask ≤ price ≤ bid', `${sell.limit_price} ≤ ${price} ≤ ${buy.limit_price}`);
    if (sameAddress(sell.owner as string, buy.owner as string))
      throw new Violation('no owner trades with itself', `${match.match_id}: ${sell.owner}`);
    for (const other of this.#server.table('matches').rows()) {
      if (other.asset_key !== match.asset_key || other.match_id === match.match_id) continue;
      const { state } = this.#row('deals', 'deal_id', other.deal_id);
      if (!['settled', 'recorded', 'stopped', 'failed'].includes(state as string))
        throw new Violation('one deal a lot', `${match.match_id} while ${other.deal_id} is ${state}`);
    }
    let standing = 0;
    for (const other of this.#server.table('matches').rows()) {
      if ([other.sell_order, other.buy_order].some((o) => o === match.sell_order || o === match.buy_order))
        standing++;
    }
    if (standing !== 1)
      throw new Violation('one match a pair', `${standing} of ${match.sell_order}, ${match.buy_order}`);
  }

  #agent(agent: Row): void {
    let agents = 0;
    for (const other of this.#server.table('agents').rows())
      if (other.checkout_id === agent.checkout_id) agents++;
    const checkout = this.#row('checkouts', 'id', agent.checkout_id);
    if (agents !== 1 || checkout.paid_at === null)
      throw new Violation(
        'one mint a payment',
        `${agents} agents of ${agent.checkout_id}, paid ${checkout.paid_at}`,
      );
  }

  #reservation(before: Row | null, after: Row | null): void {
    reservation(before, after);
    const isDoubtful = (this.#doubtful.get(after!.handle) ?? 0) > this.#now();
    if (before === null && (isDoubtful || this.#owners.isDeceived)) this.#excused.add(after!.order_id);
  }

  /** Marks agents whose booked deals a reorg removed and that are not on chain again. */
  #takenBack(): void {
    const { settled } = this.#chain.state;
    for (const deal of this.#server.table('deals').rows())
      if (BOOKED.has(deal.state) && !settled.has(this.#dealId(deal.deal_id)))
        this.#doubtful.set(deal.buyer, this.#now() + DOUBT_MS);
  }

  /** Checks that the promised amounts not yet spent on chain, with what the chain has booked, stay within the cap. */
  #caps(): void {
    const { state } = this.#chain;
    for (const agent of this.#server.table('agents').rows()) {
      const chain = state.agents.get(agent.token_id as bigint);
      if (!chain || chain.totalCap === 0n) continue;
      let [held, excused] = [0n, 0n];
      for (const cell of this.#server.table('reservations').where('handle', agent.handle)) {
        const row = cell.committed;
        if (!row || row.handle !== agent.handle || row.state === 'released') continue;
        const isSettled = this.#isSettled(row.order_id as string);
        // What was promised in doubt is excused also once it is paid.
        if (this.#excused.has(row.order_id)) excused += isSettled ? (row.amount as Money) : 0n;
        else if (row.state === 'held' && !isSettled) held += row.amount as Money;
      }
      const sum = totalSpent(chain) - excused + held;
      // A new mandate may allow less than was spent before it.
      if (held > 0n && sum > chain.totalCap)
        throw new Violation('Σ reserved + spent ≤ cap', `${agent.handle}: ${sum} of ${chain.totalCap}`);
    }
  }

  /** The id that the chain knows a deal by; asked after every commit. */
  #dealId(dealId: unknown): `0x${string}` {
    const known = this.#dealIds.get(dealId);
    if (known !== undefined) return known;
    const id = keccak(dealId as string);
    this.#dealIds.set(dealId, id);
    return id;
  }

  #isSettled(buyOrder: string): boolean {
    for (const match of this.#server.table('matches').rows())
      if (match.buy_order === buyOrder) return this.#chain.state.settled.has(this.#dealId(match.deal_id));
    return false;
  }

  #block(): void {
    const { state } = this.#chain;
    this.#takenBack();
    let money = 0n;
    for (const amount of state.money.values()) {
      if (amount < 0n) throw new Violation('money is conserved', 'somebody owes');
      money += amount;
    }
    if (money > this.funded) throw new Violation('money is conserved', `${money} of ${this.funded}`);
    const payments = new Map<string, number>();
    const deals = new Map<string, number>();
    const slots = new Map<string, number>();
    for (const { transactions, logs } of this.#chain.blocks) {
      for (const { tx, refused } of transactions) {
        if (refused !== null) continue;
        for (const purpose of tx.purposes) {
          if (purpose.startsWith('mint:')) payments.set(purpose, (payments.get(purpose) ?? 0) + 1);
          if (purpose.startsWith('policy:')) slots.set(purpose, (slots.get(purpose) ?? 0) + 1);
        }
      }
      for (const { topics } of logs)
        if (topics[0] === DEAL_SETTLED) deals.set(topics[1]!, (deals.get(topics[1]!) ?? 0) + 1);
    }
    for (const [purpose, n] of payments)
      if (n > 1) throw new Violation('one mint a payment', `${n} for ${purpose}`);
    for (const [deal, n] of deals)
      if (n > 1) throw new Violation('one settlement a deal', `${n} for ${deal}`);
    for (const [purpose, n] of slots)
      if (n > 1) throw new Violation('a signature of an owner counts once', `${n} for ${purpose}`);
    for (const { owner, tokenId, spends } of state.agents.values()) {
      let sum = 0n;
      for (const { amount, cap } of spends) {
        sum += amount;
        if (cap > 0n && sum > cap)
          throw new Violation('Σ reserved + spent ≤ cap', `agent ${tokenId} of ${owner} on chain`);
      }
    }
    for (const agent of this.#owners.block()) this.#capChanged(agent);
  }

  /** What was promised under the mandate before is promised still, and what is judged by it until the change is seen. */
  #capChanged({ tokenId }: SimulatedAgent): void {
    for (const { handle, token_id: id } of this.#server.table('agents').rows()) {
      if (id !== tokenId) continue;
      this.#doubtful.set(handle, this.#now() + DOUBT_MS);
      for (const { committed: row } of this.#server.table('reservations').where('handle', handle))
        if (row !== null && row.handle === handle && row.state === 'held') this.#excused.add(row.order_id);
    }
  }

  /** The rules that must hold once everything has ended. */
  atRest(): void {
    this.#guarded(() => {
      for (const [id, batches] of this.#served) this.#replay(id, batches);
      for (const deal of this.#server.table('deals').rows()) this.#ended(deal);
      for (const reservation of this.#server.table('reservations').rows()) this.#released(reservation);
      for (const agent of this.#server.table('agents').rows()) this.#freeOfDeals(agent);
      for (const batch of this.#server.table('batches').rows()) this.#anchored(batch);
      for (const checkout of this.#server.table('checkouts').rows()) this.#minted(checkout);
      const owners = this.#owners.atRest();
      if (owners !== null) throw new Violation(...owners);
    });
  }

  /** Replays the same events, one batch after another, through the same machine; the snapshot must be the same. */
  #replay(id: string, batches: readonly { revision: bigint; now: Date; messages: Row[] }[]): void {
    const now = this.#row('actors', 'id', id);
    const birth = this.#births.get(id)!;
    const machine = MACHINES.find((m) => m.kind === birth.kind)!;
    let { snapshot } = birth;
    let timers = this.#timers.get(id) ?? {};
    for (const { revision, messages } of batches) {
      const actor: ActorWithMail = {
        id,
        kind: machine.kind,
        version: machine.version,
        snapshot,
        revision: revision - 1n,
        next_batch_at: null,
        messages: messages.map((m) => ({
          seq: String(m.seq),
          eventId: m.event_id as string,
          event: m.event as never,
        })),
        timers,
      };
      const taken = step(machine, actor, new Date(0));
      snapshot = JSON.parse(JSON.stringify(machine.logic.getPersistedSnapshot(taken.snapshot)));
      timers = taken.agenda.standing;
    }
    const [told, stored] = [documentHash(snapshot), documentHash(now.snapshot)];
    if (told !== stored || now.revision !== BigInt(batches.length))
      throw new Violation(
        'no event is lost or applied twice',
        `${id} replayed is ${JSON.stringify(snapshot)}, not ${JSON.stringify(now.snapshot)}`,
      );
  }

  #ended(deal: Row): void {
    const settled = this.#chain.state.settled.has(this.#dealId(deal.deal_id));
    if (!['recorded', 'stopped', 'failed'].includes(deal.state as string))
      throw new Violation('every deal ends', `${deal.deal_id} is ${deal.state}`);
    if (settled !== (deal.state === 'recorded'))
      throw new Violation(
        'what is booked is what the chain holds',
        `${deal.deal_id} is ${deal.state}, settled on chain: ${settled}`,
      );
    if (!settled) return;
    const match = this.#row('matches', 'deal_id', deal.deal_id);
    const { listing_ref } = this.#row('orders', 'order_id', match.sell_order);
    const sale = this.#sold.get(listing_ref as string);
    if (sale !== undefined)
      throw new Violation('one sale a listing', `${listing_ref} by ${sale} and ${deal.deal_id}`);
    this.#sold.set(listing_ref as string, deal.deal_id as string);
    const { transactions } = this.#chain.blocks.find((b) =>
      b.transactions.some((t) => t.tx.hash === deal.tx && t.refused === null),
    ) ?? { transactions: [] };
    if (transactions.length === 0 || match.tx !== deal.tx)
      throw new Violation('what is booked is what the chain holds', `${deal.deal_id} names ${deal.tx}`);
  }

  #released(reservation: Row): void {
    const order = this.#row('orders', 'order_id', reservation.order_id);
    if (reservation.state === 'held' && order.status !== 'resting' && order.status !== 'unfunded')
      throw new Violation(
        'reservations are released',
        `${order.order_id} is ${order.status} and holds ${reservation.amount}`,
      );
    if ((reservation.state === 'spent') !== (order.status === 'filled'))
      throw new Violation(
        'reservations are released',
        `${order.order_id} is ${order.status} and its money ${reservation.state}`,
      );
  }

  #freeOfDeals(agent: Row): void {
    const { snapshot } = this.#row('actors', 'id', `agent:${agent.handle}`) as {
      snapshot: { context: { deals: string[] } };
    };
    const open = snapshot.context.deals;
    if (open.length > 0)
      throw new Violation('an agent knows of no deal that is over', `${agent.handle}: ${open}`);
  }

  #anchored(batch: Row): void {
    const leaves = [...this.#server.table('records').rows()]
      .filter((r) => r.batch_id === batch.batch_id)
      .sort((a, b) => (a.leaf_index as number) - (b.leaf_index as number))
      .map((r) => r.hash as `0x${string}`);
    const tree = merkleTree(leaves);
    if (tree.root !== batch.root || !verifyMerkleProof(leaves[0]!, tree.proof(0), tree.root))
      throw new Violation('every record is recomputable', `the root of batch ${batch.batch_id}`);
    if (batch.status !== 'anchored' || !this.#chain.state.anchors.has(batch.root as string))
      throw new Violation('every record is anchored', `batch ${batch.batch_id} is ${batch.status}`);
  }

  #packedBy(row: Row): PackedRecord | null {
    const other = packedByWhich(row as unknown as PackedRecord);
    return other === null ? null : (this.#row('records', 'record_id', other) as unknown as PackedRecord);
  }

  #minted(checkout: Row): void {
    const agents = [...this.#server.table('agents').rows()].filter(
      (a) => a.checkout_id === checkout.id,
    ).length;
    const paid = checkout.paid_at !== null && checkout.status !== 'failed';
    if (agents !== (paid ? 1 : 0))
      throw new Violation('one mint a payment', `${checkout.id} is ${checkout.status} with ${agents} agents`);
  }
}

function effect(before: Row | null, after: Row | null): void {
  if (after === null) throw new Violation('nothing is lost', `the effect ${before!.key} is gone`);
  const over = before?.status === 'done' || before?.status === 'failed';
  if (over && before !== after)
    throw new Violation('an effect ends once', `${after.key} was ${before.status}`);
}

function record(row: Row, packedBy: PackedRecord | null): void {
  const { record: body, evidence } = unpackKept(row as unknown as PackedRecord, packedBy);
  if (documentHash(body) !== row.hash)
    throw new Violation('every record is recomputable', `${row.record_id}: its hash`);
  const { evidenceHash, content } = body as {
    evidenceHash: string | null;
    content: { record?: { verdict: string; category: Category; priceUsd: number } };
  };
  if ((evidence === null ? null : documentHash(evidence)) !== evidenceHash)
    throw new Violation('every record is recomputable', `${row.record_id}: the hash of its evidence`);
  if (row.kind !== 'determination' || !content.record) return;
  const { determinations } = evidence as unknown as { determinations: SimulatedEvidence[] };
  const again = judgeSimulated(determinations, content.record.category, content.record.priceUsd);
  if (again.verdict !== content.record.verdict)
    throw new Violation('every record is recomputable', `${row.record_id}: ${again.verdict}`);
  notByOneSeat(row, content.record.verdict, determinations);
}

/** Where every seat but one that lies says otherwise, a determination is not CLEAN. */
function notByOneSeat(row: Row, verdict: string, determinations: readonly SimulatedEvidence[]): void {
  for (const { id, votes, liar } of determinations) {
    const others = votes.filter((_, seat) => seat !== liar);
    if (liar !== null && others.length > 0 && !others.includes('CLEAN') && verdict === 'CLEAN')
      throw new Violation('one lying seat makes nothing CLEAN', `${row.record_id}: ${id} by ${votes}`);
  }
}

function sealed(before: Row, after: Row): void {
  if (before.hash !== after.hash || before.body !== after.body)
    throw new Violation('a record never changes', String(before.record_id));
  if (before.batch_id !== null && before.batch_id !== after.batch_id)
    throw new Violation('a record stands in one batch', String(before.record_id));
}

function reservation(before: Row | null, after: Row | null): void {
  if (after === null)
    throw new Violation('nothing is lost', `the reservation of ${before!.order_id} is gone`);
  if (before === null) return;
  // It is no longer spent, because a reorg removed the settlement for good.
  const back = before.state === 'spent' && after.state === 'released';
  const ended = before.state !== 'held' && after.state !== before.state && !back;
  if (ended || (after.amount as Money) > (before.amount as Money))
    throw new Violation(
      'a reservation only shrinks',
      `${after.order_id}: ${before.state} ${before.amount} to ${after.state} ${after.amount}`,
    );
}
