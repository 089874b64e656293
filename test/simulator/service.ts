import type { Logger } from 'pino';
import { AppError } from '../../agents/errors.ts';
import { settleTogether } from '../../chain/clients/settle-together.ts';
import { relayOwnerActEffect } from '../../runtime/agent/relay-owner-act.ts';
import { chainWatch } from '../../runtime/chain-sync/watch-chain.ts';
import { mintAgentEffect } from '../../runtime/checkout/mint-agent.ts';
import { recordPurchaseEffect } from '../../runtime/checkout/record-purchase.ts';
import { recordDealEffect } from '../../runtime/deal/record-deal.ts';
import { settleEffect } from '../../runtime/deal/settle.ts';
import { unwindEffect } from '../../runtime/deal/unwind.ts';
import type { EffectRunner } from '../../runtime/durable/jobs/effect.ts';
import { every } from '../../runtime/durable/workers/every.ts';
import { startWorker } from '../../runtime/durable/workers/worker.ts';
import { MACHINES } from '../../runtime/machines.ts';
import { reviewOrdersEffect } from '../../runtime/market/orders/review-orders.ts';
import { unfundedReviewed } from '../../runtime/market/orders/review-unfunded.ts';
import { withdrawOrdersEffect } from '../../runtime/market/orders/withdraw-orders.ts';
import { anchorRecords } from '../../runtime/records/anchor-records.ts';
import type { Services } from '../../runtime/services.ts';
import type { HeldLock } from '../../store/durable/advisory-lock.ts';
import { expireOrders } from '../../store/market/withdrawals.ts';
import { DEPLOYMENT, type SimulatedChain, signatureOf } from './chain.ts';
import { simulatedReader, simulatedSigner } from './chain-access.ts';
import { simulatedDetermination } from './determine.ts';
import type { MemoryServer } from './memory/memory-database.ts';
import { memoryQuarantine } from './memory-quarantine.ts';
import { SimulatedNode } from './node.ts';
import type { SimulatedQueue } from './notifier.ts';
import type { Process, World } from './world.ts';

/** What the processes of the service share. */
export interface Surroundings {
  readonly seed: string;
  readonly world: World;
  readonly server: MemoryServer;
  readonly chain: SimulatedChain;
  readonly queue: SimulatedQueue;
  /** How often connections to the database and calls to the chain fail. Nothing fails in the quiet phase. */
  readonly breaks: { database: number; chain: number };
  /** Whether nodes lie. */
  readonly lies: boolean;
  /** Replaces an effect by a defective one, to prove that the simulator notices. */
  readonly sabotage?: (runner: EffectRunner) => EffectRunner;
  readonly log: (line: string) => void;
  /** Called when a rule is broken. */
  readonly broken: (rule: string, detail: string) => void;
}

export interface SimulatedProcess {
  readonly process: Process;
  /** The node through which it reads the chain. */
  readonly node: SimulatedNode;
  readonly services: Services;
  /** Stops the process at its present point. Its open transactions are rolled back a little later. */
  kill(): void;
}

const ROUND_MS = 25_000;
const SWEEP_MS = 16_000;
const DECISION_SECONDS = 120;
const APPROVAL_SECONDS = 60;

export const CONFIRMATIONS = 2;

/** Starts one process with the real services on top of the simulated parts. */
export function startProcess(around: Surroundings, name: string, skewMs: number): SimulatedProcess {
  const { world, server, chain } = around;
  const process = world.process(name);
  process.skewMs = skewMs;
  const { db, transactions } = server.open({
    reach: (what) => world.reach(process, what),
    breaks: () =>
      world.random.chance(around.breaks.database) ? world.random.pick(['before', 'after'] as const) : null,
  });
  const node = new SimulatedNode(world, chain);
  const forbid = (what: string): void =>
    around.broken('no chain is read within a transaction', `${name} asks for ${what}`);
  const access = { world, chain, node, process, faulty: () => around.breaks.chain, forbid };
  const now = (): Date => new Date(world.now + process.skewMs);
  const tell =
    (level: string) =>
    (facts: object, text: string): void =>
      around.log(`${name} ${level}: ${text} ${JSON.stringify(facts)}`);
  let ids = 0;
  const signer = simulatedSigner(access);
  const home = {
    chainId: DEPLOYMENT.chainId,
    rpcUrl: 'simulated',
    deployment: DEPLOYMENT,
    readers: { viem: simulatedReader(access, 'viem'), ethers: simulatedReader(access, 'ethers') },
    operator: signer,
    minter: signer,
    recorder: signer,
    settlement: signer,
    settle: settleTogether(signer, DEPLOYMENT),
    facilitator: null,
    signers: [signer],
    funds: async () => [],
    roles: async () => [],
  };
  const services = {
    config: {
      baseUrl: 'http://simulated',
      decisionSeconds: DECISION_SECONDS,
      approvalSeconds: APPROVAL_SECONDS,
      watchSeconds: 0,
      confirmations: CONFIRMATIONS,
      pricing: 'test',
      prices: { setting: 'test', standardListing: null },
      relay: {
        agentGas: 100_000_000n,
        walletGas: 1_500_000n,
        codeGas: 3_000_000n,
        unprovenGas: 10_000_000n,
        balancePercent: 10,
      },
    },
    db,
    notifier: around.queue.notifier(process),
    quarantine: memoryQuarantine(() => world.now),
    home,
    evidence: { db, readers: new Map(), deployments: new Map(), now },
    sessionKeys: { at: sessionKey, base: 0n },
    card: card(around, process),
    signRecord: async ({ message }: { message: { hash: string } }) =>
      `0x${'5e'.repeat(33)}${message.hash.slice(2)}`,
    recordSigner: DEPLOYMENT.operator,
    now,
    newId: (prefix: string) => `${prefix}_${name}_${ids++}`,
    log: {
      debug: tell('debug'),
      info: tell('info'),
      warn: tell('warn'),
      error: tell('error'),
    } as unknown as Logger,
    crash: () => {},
  } as unknown as Services;
  return {
    process,
    node,
    services,
    kill() {
      world.kill(process);
      for (const trx of transactions)
        world.timer(SERVER, () => server.finish(trx, 'rollback'), world.random.below(3_000));
    },
  };
}

const SERVER: Process = { name: 'database', skewMs: 0, alive: true, frozenUntil: 0 };

/** Lets a process run mailbox batches, effects and periodic tasks, like the service's app container. */
export async function startWork(
  around: Surroundings,
  { services, process, node }: SimulatedProcess,
): Promise<void> {
  const { log, now, db } = services;
  const whole = around.sabotage ?? ((runner: EffectRunner) => runner);
  const runners = [
    mintAgentEffect(services),
    recordPurchaseEffect(services),
    withdrawOrdersEffect(services),
    relayOwnerActEffect(services),
    reviewOrdersEffect(services),
    simulatedDetermination(services, around),
    settleEffect(services),
    recordDealEffect(services),
    unwindEffect(services),
  ].map(whole);
  await startWorker({
    db,
    notifier: services.notifier as never,
    runners: new Map(runners.map((r) => [r.kind, r])),
    machines: new Map(MACHINES.map((m) => [m.kind, m])),
    now,
    log,
    crash: () => {},
    sweepMs: SWEEP_MS,
  });
  every(ROUND_MS, () => anchorRecords(services), log);
  every(ROUND_MS, () => services.home.operator.rebroadcastPending(), log);
  every(ROUND_MS, chainWatch(services, forkSight(around, process, node), alone(around, process)), log);
  every(ROUND_MS, () => expireOrders(db, now()), log);
  every(ROUND_MS, unfundedReviewed(services), log);
}

const repairing = new WeakMap<World, Process>();

/** The advisory lock under which settlements are sent again: free again once who has it is dead. */
function alone({ world }: Surroundings, process: Process) {
  return async <T>(act: (held: HeldLock) => Promise<T>): Promise<T | null> => {
    await world.reach(process, 'take a lock');
    const by = repairing.get(world);
    if (by?.alive) return null;
    repairing.set(world, process);
    try {
      // A process here dies and does not hang: what it holds is its own while it lives.
      return await act({ stillMine: async () => process.alive, fence: async () => {} });
    } finally {
      if (repairing.get(world) === process) repairing.delete(world);
    }
  };
}

/** Does the service's own check whether the block that was seen last still exists. */
function forkSight({ world, chain }: Surroundings, process: Process, node: SimulatedNode) {
  let seen: { number: number; hash: string } | null = null;
  return async () => {
    await world.reach(process, 'look at the chain');
    const { number, hash } = node.head;
    const wentBack = seen === null || chain.blocks[seen.number]?.hash !== seen.hash;
    seen = { number, hash };
    return { head: BigInt(number), wentBack };
  };
}

function sessionKey(index: number) {
  const address = `0x${'5e'.repeat(18)}${index.toString(16).padStart(4, '0')}`;
  return {
    address,
    signTypedData: async ({ message }: { message: { dealId: string } }) =>
      signatureOf(address, message.dealId),
  };
}

function card({ world }: Surroundings, process: Process) {
  return {
    async createCheckoutSession({ checkoutId }: { checkoutId: string }) {
      await world.reach(process, 'open a card session');
      return { sessionId: `cs_${checkoutId}`, url: `http://simulated/pay/${checkoutId}` };
    },
    verifyWebhook(body: Uint8Array) {
      const event = JSON.parse(new TextDecoder().decode(body));
      if (event.forged)
        throw new AppError('webhook-signature-invalid', 'No current secret made this signature.');
      return { ...event, amountMicro: BigInt(event.amountMicro) };
    },
  };
}
