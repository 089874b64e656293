import { keccak } from '../../agents/canonical.ts';
import { watchTransactions } from '../fixtures/no-calls-in-transactions.ts';
import { act, deliverAgain, type Outside } from './acts.ts';
import { SimulatedChain, toldOf } from './chain.ts';
import type { Forgetful } from './chain-state.ts';
import { Invariants, type Violation } from './invariants.ts';
import { MemoryServer } from './memory/memory-database.ts';
import type { Row, TableShape } from './memory/rows.ts';
import { SHAPES } from './memory/shapes.ts';
import { MOST_BEHIND_MS } from './node.ts';
import { SimulatedQueue } from './notifier.ts';
import { type Fault, type Plan, planOf } from './plan.ts';
import {
  CONFIRMATIONS,
  type SimulatedProcess,
  type Surroundings,
  startProcess,
  startWork,
} from './service.ts';
import { underSimulatedTimers } from './timers.ts';
import { World } from './world.ts';

/** Deliberate defects, to prove that the simulator notices them. None of them is in the service. */
watchTransactions();

export interface Sabotage {
  readonly shapes?: (shapes: readonly TableShape[]) => readonly TableShape[];
  readonly effects?: Surroundings['sabotage'];
  readonly chain?: Forgetful;
}

export interface History {
  readonly plan: Plan;
  readonly violation: Violation | null;
  /** The hash of everything that happened, in order; the same for every run of a seed. */
  readonly traceHash: string;
  readonly steps: number;
  /** The last events, and the service's log lines between them. */
  readonly lines: readonly string[];
  readonly counts: Readonly<
    Record<
      'agents' | 'orders' | 'matches' | 'recorded' | 'stopped' | 'failed' | 'batches' | 'crashes',
      number
    >
  >;
}

const WORKERS = 2;
const MOST_STEPS = 40_000;
/** After its last action nothing in a history takes longer than this: owners decide within two minutes. */
const REST_MS = 3_600_000;
const FAULT_MS = 1_000;
/** In so long, whatever was booked since the chain went back is looked at again. */
const LOOKED_AGAIN_MS = 30_000;

/** Runs one history from its seed, or from a reduced plan. The same plan always gives the same history. */
export async function simulate(plan: Plan | string, sabotage: Sabotage = {}): Promise<History> {
  const told = typeof plan === 'string' ? planOf(plan) : plan;
  const world = new World(told.seed);
  return await underSimulatedTimers(world, () => new Run(told, world, sabotage).go());
}

class Run {
  readonly #plan: Plan;
  readonly #world: World;
  readonly #around: Surroundings & { readonly invariants: Invariants };
  readonly #outside: Outside = { checkouts: new Map(), orders: [], lots: [], assets: 0 };
  readonly #workers: SimulatedProcess[] = [];
  #api!: SimulatedProcess;
  #underWay = 0;
  #deepSince = 0;
  #lives = 0;
  #crashes = 0;

  constructor(plan: Plan, world: World, sabotage: Sabotage) {
    this.#plan = plan;
    this.#world = world;
    const server = new MemoryServer(() => new Date(world.now), sabotage.shapes?.(SHAPES) ?? SHAPES);
    const chain = new SimulatedChain(world, sabotage.chain ?? {});
    const has = (fault: Fault, share: number): number => (plan.faults.includes(fault) ? share : 0);
    this.#around = {
      seed: plan.seed,
      world,
      server,
      chain,
      queue: new SimulatedQueue(world, has('notifier', 0.1)),
      invariants: new Invariants(server, chain, {
        now: () => world.now,
        reorganises: has('reorganise', 1) + has('undercut', 1) > 0,
        doubtMs: 15_000 + has('lag', MOST_BEHIND_MS) + has('freeze', 50_000) + has('database', 5_000),
      }),
      lies: has('lie', 1) > 0,
      breaks: { database: has('database', 0.004), chain: has('chain', 0.015) },
      log: (line) => world.note(line),
      broken: (rule, detail) => this.#invariants.fail(rule, detail),
      ...(sabotage.effects ? { sabotage: sabotage.effects } : {}),
    };
  }

  async go(): Promise<History> {
    const { world } = { world: this.#world };
    this.#api = this.#start('api');
    for (let n = 0; n < WORKERS; n++) await this.#hire(n);
    const start = world.now;
    for (const action of this.#plan.actions) {
      const again = action.do === 'pay' && this.#plan.faults.includes('webhooks') ? 3 : 1;
      for (let i = 0; i < again; i++)
        world.timer(WORLD, () => this.#act(action), action.at + (i === 0 ? 0 : world.random.below(30_000)));
    }
    const faults = world.timer(WORLD, () => this.#misfortune(), FAULT_MS, FAULT_MS);
    const end = start + Math.max(0, ...this.#plan.actions.map((a) => a.at)) + 30_000;
    await this.#until(() => world.now >= end, 'the history ends');
    world.cancel(faults);
    await this.#calm();
    await this.#until(
      () => this.#unrest() === null,
      'everything comes to rest',
      () => String(this.#unrest()),
    );
    if (this.#invariants.violation === null) this.#invariants.atRest();
    return this.#history();
  }

  get #invariants(): Invariants {
    return this.#around.invariants;
  }

  async #until(over: () => boolean, what: string, why: () => string = () => ''): Promise<void> {
    const [latest, most] = [this.#world.now + REST_MS, this.#world.steps + MOST_STEPS];
    while (this.#invariants.violation === null && !over()) {
      const stuck = this.#world.now > latest || this.#world.steps > most;
      if (stuck || !(await this.#world.step())) {
        this.#invariants.fail(what, `it does not: ${why()}`);
        return;
      }
    }
  }

  #start(name: string): SimulatedProcess {
    const skewed = this.#plan.faults.includes('skew');
    const skew = skewed && this.#world.random.chance(0.5) ? this.#world.random.below(60_000) - 30_000 : 0;
    const started = startProcess(this.#around, `${name}${this.#lives++}`, skew);
    this.#world.current = started.process;
    return started;
  }

  async #hire(n: number): Promise<void> {
    const worker = this.#start('worker');
    this.#workers[n] = worker;
    await startWork(this.#around, worker);
  }

  #act(action: Plan['actions'][number]): void {
    const api = this.#api;
    this.#world.current = api.process;
    this.#underWay += 1;
    let ended = false;
    const end = (): void => {
      if (!ended) this.#underWay -= 1;
      ended = true;
    };
    void act(this.#around, api.services, this.#outside, action).finally(end);
    // A process that died never answers.
    this.#world.timer(WORLD, end, 120_000);
  }

  #deliverAgain(): void {
    this.#world.current = this.#api.process;
    // If the database does not answer, this gives up at once.
    deliverAgain(this.#api.services, this.#world.random).catch(() => {});
  }

  /** Each second one of this seed's faults may happen. */
  #misfortune(): void {
    const { random: r } = this.#world;
    const { faults } = this.#plan;
    const has = (fault: Fault, share: number): boolean => faults.includes(fault) && r.chance(share);
    if (has('crash', 0.03)) this.#crash(r.below(WORKERS + 1));
    if (has('freeze', 0.03)) {
      const { process } = r.pick(this.#workers);
      process.frozenUntil = this.#world.now + r.below(45_000);
      this.#world.note(`${process.name} stands still`);
    }
    if (has('lag', 0.12)) {
      const { process, node } = r.chance(0.5) ? this.#api : r.pick(this.#workers);
      node.fallBehind(r.below(MOST_BEHIND_MS));
      this.#world.note(`the node of ${process.name} falls behind`);
    }
    if (has('lie', 0.04)) {
      const { process, node } = r.chance(0.5) ? this.#api : r.pick(this.#workers);
      node.lie(r.below(15_000));
      this.#invariants.lied(this.#world.now + 15_000);
      this.#world.note(`the node of ${process.name} lies`);
    }
    // A fork takes back the very blocks in which deals have just been settled.
    if (this.#around.chain.hasSettled(CONFIRMATIONS) && has('undercut', 0.3))
      this.#around.chain.reorganise(1 + r.below(CONFIRMATIONS));
    if (has('skew', 0.02)) r.pick(this.#workers).process.skewMs = r.below(120_000) - 60_000;
    if (has('webhooks', 0.1)) this.#deliverAgain();
    if (has('reorganise', 0.04)) this.#around.chain.reorganise(1 + r.below(CONFIRMATIONS));
  }

  #crash(n: number): void {
    const victim = n < WORKERS ? this.#workers[n]! : this.#api;
    if (!victim.process.alive) return;
    this.#crashes += 1;
    this.#world.note(`${victim.process.name} dies`);
    victim.kill();
    if (n === WORKERS) this.#api = this.#start('api');
    else this.#world.timer(WORLD, () => void this.#hire(n), this.#world.random.below(8_000));
  }

  /** From here on nothing goes wrong any more, and everything that must end has to end. */
  async #calm(): Promise<void> {
    Object.assign(this.#around.breaks, { database: 0, chain: 0 });
    this.#around.queue.faulty = 0;
    for (const { process, node } of [...this.#workers, this.#api]) {
      Object.assign(process, { frozenUntil: 0, skewMs: 0 });
      node.catchUp();
    }
    this.#world.note('calm');
    this.#deepSince = this.#world.now;
  }

  /** Why the history is not finished yet; null when it is. */
  #unrest(): string | null {
    const { server, chain } = this.#around;
    // A refusal counts once it is as deep as a settlement must be, and what was booked by the word of a node that was
    // behind is looked at again some seconds later.
    if (chain.hasTried(CONFIRMATIONS + 1)) this.#deepSince = this.#world.now;
    if (this.#world.now < this.#deepSince + LOOKED_AGAIN_MS) return 'what was booked is looked at again';
    if (this.#underWay > 0) return `${this.#underWay} requests are under way`;
    if (chain.isBusy()) return 'transactions wait to be mined';
    for (const tx of chain.sent.values())
      if (tx.purposes.length > 0 && tx.block === null)
        return `${toldOf(tx.purposes)} is neither mined nor sent`;
    for (const row of server.table('mailbox').rows())
      if (row.consumed_at === null && row.dead_lettered_at === null)
        return `${row.actor_id} has not taken ${row.event_id}`;
    for (const row of server.table('effects').rows())
      if (row.status === 'pending' || row.status === 'running')
        return `the effect ${row.key} is ${row.status}: ${row.error}`;
    for (const row of server.table('owner_acts').rows())
      if (row.status === 'signed') return `what was signed (${row.id}) has not reached the chain`;
    for (const row of server.table('deals').rows())
      if (!['recorded', 'stopped', 'failed'].includes(row.state as string))
        return `${row.deal_id} is ${row.state}`;
    for (const row of server.table('deals').rows())
      if (row.state === 'recorded' && this.#mayBeSettled(row))
        return `${row.deal_id} may still be settled by what both keys signed`;
    for (const row of server.table('records').rows())
      if (row.batch_id === null) return `${row.record_id} stands in no batch`;
    for (const row of server.table('batches').rows())
      if (row.status === 'open') return `batch ${row.batch_id} is open`;
    return null;
  }

  /**
   * A booked settlement that the chain took back and refuses is given up only once nobody can settle the deal any more:
   * when a block after the deadline has its confirmations, and has been looked at.
   */
  #mayBeSettled({ deal_id, signed_until, signed_over }: Row): boolean {
    const { chain } = this.#around;
    if (signed_until === null || chain.state.settled.has(keccak(String(deal_id)))) return false;
    const last = chain.blocks.find(({ number, timestamp }) =>
      signed_over === null ? timestamp > Number(signed_until) : number >= Number(signed_over) + CONFIRMATIONS,
    );
    return last === undefined || this.#world.now < last.timestamp * 1000 + LOOKED_AGAIN_MS;
  }

  #history(): History {
    const { server } = this.#around;
    const count = (
      table: string,
      is: (row: Readonly<Record<string, unknown>>) => boolean = () => true,
    ): number => [...server.table(table).rows()].filter(is).length;
    const inState = (state: string) => count('deals', (d) => d.state === state);
    return {
      plan: this.#plan,
      violation: this.#invariants.violation,
      traceHash: this.#world.traceHash(),
      steps: this.#world.steps,
      lines: this.#world.lines,
      counts: {
        agents: count('agents'),
        orders: count('orders'),
        matches: count('matches'),
        recorded: inState('recorded'),
        stopped: inState('stopped'),
        failed: inState('failed'),
        batches: [...server.table('actors').rows()].reduce((sum, a) => sum + Number(a.revision), 0),
        crashes: this.#crashes,
      },
    };
  }
}

const WORLD = { name: 'world', skewMs: 0, alive: true, frozenUntil: 0 };
