import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { sessionKeys } from '../chain/clients/session-keys.ts';
import { settleTogether } from '../chain/clients/settle-together.ts';
import { type Forks, openForks } from '../chain/devnet/forks.ts';
import { openExplorer } from '../chain/explorer/open-explorer.ts';
import { seedKeys } from '../chain/keys/seeds.ts';
import { type KnownChain, knownChains } from '../chain/known-chains.ts';
import type { SolanaReader } from '../chain/rpc/solana/reader.ts';
import type { Signer } from '../chain/tx/signer.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { openReadReplica, type ReadReplica } from '../store/read-replica.ts';
import { expectLists } from '../store/registers/register-fetches.ts';
import { evaluateMarketEffect } from './agent/evaluate-market.ts';
import { recordOwnerEffect } from './agent/record-owner.ts';
import { relayOwnerActEffect } from './agent/relay-owner-act.ts';
import { askedReaders, chainReaders, maxHeadAge } from './chain-readers.ts';
import { followTransfersJob } from './chain-sync/follow-transfers.ts';
import { rebroadcastJob } from './chain-sync/rebroadcast.ts';
import { signerWatch } from './chain-sync/signer-watch.ts';
import { serviceSigner } from './chain-sync/signers.ts';
import { createCardGateway } from './checkout/card-gateway.ts';
import { mintAgentEffect } from './checkout/mint-agent.ts';
import { recordPurchaseEffect } from './checkout/record-purchase.ts';
import { refundPaymentEffect } from './checkout/refund-payment.ts';
import { type Config, embedded } from './config/config.ts';
import { httpAddress, independentEndpoints } from './config/hosts.ts';
import type { Secrets } from './config/secrets.ts';
import { determineEffect } from './deal/determine.ts';
import { recordDealEffect } from './deal/record-deal.ts';
import { settleEffect } from './deal/settle.ts';
import { unwindEffect } from './deal/unwind.ts';
import { goodsLookup } from './determinations/evidence/provenance/goods-lookup.ts';
import { openModels } from './determinations/models/open-models.ts';
import { readListedCodeJob } from './determinations/read-listed-code.ts';
import { forgetHistoriesJob } from './durable/actors/forget-histories.ts';
import { keptQuarantine } from './durable/isolation/quarantine.ts';
import type { EffectRunner } from './durable/jobs/effect.ts';
import type { RecurringJob } from './durable/jobs/recurring-job.ts';
import { type OpenNotifier, openWakeQueue } from './durable/queue/bullmq.ts';
import { runPeriodicTasks } from './durable/workers/leader.ts';
import { databaseClock } from './durable/workers/shared-clock.ts';
import { startWorkerPool, type WorkerPool } from './durable/workers/worker-pool.ts';
import { startCardProcessor } from './embedded/card-processor.ts';
import type { ChainEngine, Engines } from './embedded/engines.ts';
import type { ServiceKeys } from './keys/open-keys.ts';
import { ownRoles } from './keys/own-roles.ts';
import { MACHINES_BY_KIND } from './machines.ts';
import { reviewOrdersEffect } from './market/orders/review-orders.ts';
import { withdrawOrdersEffect } from './market/orders/withdraw-orders.ts';
import { closeAuctionEffect } from './names/close-auction.ts';
import { reviewAfterAuctionEffect } from './names/review-after-auction.ts';
import { openSchema } from './open-schema.ts';
import { anchorOperatorLogJob } from './operators/anchor-log.ts';
import { type GasGuard, gasGuard } from './payments/gas-guard.ts';
import { periodicTasks } from './periodic-tasks.ts';
import { anchorRecordsJob } from './records/anchor-records.ts';
import { archiveRecordsJob } from './records/archive-records.ts';
import { verdictKey } from './records/portable/verdict-key.ts';
import { refreshListsJob } from './registers/refresh.ts';
import { removalsJob } from './removals.ts';
import { type ChainAccess, HOME_CHAIN, type Services } from './services.ts';
import { announceProcess } from './telemetry/announce-process.ts';
import type { Meter } from './telemetry/metrics.ts';
import { NO_HEAD_AGE } from './telemetry/settings-apart.ts';
import { type Spans, spanned } from './telemetry/spans.ts';
import { deliverWebhooks } from './webhooks/deliver-webhooks.ts';
import { secretBoxOf, WEBHOOK_SECRETS } from './webhooks/secret-box.ts';
import { liveOwner, spreadNotificationsJob } from './webhooks/spread-notifications.ts';

export interface AppContainer {
  readonly services: Services;
  readonly notifier: OpenNotifier;
  /** Serves the free lists; null where the primary does. */
  readonly replica: ReadReplica | null;
  /** What failed settlements may cost. */
  readonly gas: GasGuard;
  /** The local card processor; null where a real one is configured. */
  readonly cardUrl: string | null;
  /** @param concurrency effects at once in each lane; 4 when left out */
  startWorker(concurrency?: number): Promise<void>;
  /** Takes nothing more, ends what is in hand within a bound, gives the rest back, and closes. */
  stop(): Promise<void>;
}

interface Parts {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly keys: ServiceKeys;
  readonly engines: Engines;
  readonly log: Logger;
  readonly spans: Spans;
  readonly meter: Meter;
  /** False for a process that serves no buyers: no card processor of its own, and no money given back by card. */
  readonly front: boolean;
}

type Stops = (() => Promise<void>)[];

/**
 * Everything behind the API: the store, the chains, the card processor, the queue and the worker.
 * @throws whatever kept a part from opening, after closing those that were open: they would keep the process alive
 */
export async function openAppContainer(parts: Parts): Promise<AppContainer> {
  const stops: Stops = [];
  try {
    return await openParts(parts, stops);
  } catch (error) {
    for (const end of stops.reverse()) await end().catch(() => {});
    throw error;
  }
}

/** @param stops how to close what is open, in the order in which it was opened */
async function openParts(
  { config, secrets, keys, engines, log, spans, meter, front }: Parts,
  stops: Stops,
): Promise<AppContainer> {
  await openSchema(engines.databaseUrl);
  const worker = `worker_${randomUUID().replaceAll('-', '')}`;
  const db = openDatabase(engines.databaseUrl, { max: 24, forOneWrite: 6, name: worker });
  stops.push(() => db.destroy());
  const replica = config.reads && front ? openReadReplica(db, { ...config.reads, name: worker }) : null;
  if (replica !== null) stops.push(replica.stop);
  await expectLists(db, config.registers.sources);
  // One time for all processes: a machine whose clock jumped neither ends orders nor fires timers before they are due.
  const clock = await databaseClock(db, log);
  stops.push(clock.stop);
  const now = clock.now;
  const foreign = [...engines.chains.values()].filter((engine) => engine.freshen === null);
  const known = await knownChains([...foreign.map(({ chainId }) => chainId), ...config.askedRpcUrls.keys()]);
  const forks = openForks();
  stops.push(forks.stop);
  const chains = new Map(
    [...engines.chains].map(([id, engine]) => [
      id,
      chainAccess(engine, { config, keys, db, log, spans, now, known, forks }),
    ]),
  );
  const headAge = (chainId: number): number => {
    const engine = engines.chains.get(chainId);
    if (!engine) throw new Error(`the chain ${chainId} is not among the engines`);
    return maxHeadAge({ chainId, freshen: engine.freshen, known }, config) ?? NO_HEAD_AGE;
  };
  stops.push(
    await announceProcess(
      db,
      {
        ...{ id: worker, host: hostname(), pid: process.pid, confirmations: config.confirmations },
        ...{ head_age_1002: headAge(1002), head_age_84532: headAge(84532) },
      },
      log,
    ),
  );
  const home = chains.get(HOME_CHAIN);
  if (!home) throw new Error(`the chain ${HOME_CHAIN} is not among the engines`);

  const processor =
    config.stripe === null && front
      ? await startCardProcessor({
          dataDir: config.dataDir,
          secretKey: secrets.cardSecretKey,
          webhookSecret: secrets.cardWebhookSecret,
          webhookUrl: `${localUrl(config)}/webhooks/card`,
          clock: now,
          log,
        })
      : null;
  if (processor !== null) stops.push(processor.stop);
  const notifier = await openWakeQueue({ databaseUrl: engines.databaseUrl, redisUrl: config.redisUrl, log });
  let workerPool: WorkerPool | null = null;
  // The pool closes the queue that it works from.
  stops.push(async () => {
    await (workerPool === null ? notifier.close() : workerPool.stop());
  });
  const recordSigner = keys.records;
  const models = await openModels(config.reasoning);
  const services: Services = {
    config,
    db,
    notifier,
    quarantine: keptQuarantine(db, log),
    home,
    chains,
    evidence: {
      db,
      readers: new Map([
        ...[...chains].map(([id, c]) => [id, c.readers] as const),
        ...askedReaders(config.askedRpcUrls, known, { config, spans, now, forks }),
      ]),
      known,
      explorers: new Map(
        [...config.explorerUrls].map(([chainId, url]) => [chainId, openExplorer({ url, chainId })]),
      ),
      solana: await solanaAccess(config),
      deployments: new Map([...chains].map(([id, c]) => [id, c.deployment])),
      nameTokens: config.nameTokens,
      policies: config.requiredChecks,
      reasoners: models.reasoners,
      seatBudget: config.seatBudget,
      lookups: config.registers.lookups.map((lookup) =>
        goodsLookup({ ...lookup, now, perMinute: config.registers.lookupsPerMinute }),
      ),
      now,
    },
    restater: models.restater,
    sessionKeys: sessionKeys(secrets.sessionKeySeed),
    card: createCardGateway({
      secretKey: config.stripe?.secretKey ?? secrets.cardSecretKey,
      webhookSecrets: config.stripe?.webhookSecrets ?? [secrets.cardWebhookSecret],
      apiBase: processor?.url ?? config.stripe?.apiBase ?? null,
      clock: now,
    }),
    signRecord: (data) => recordSigner.signTypedData(data),
    signLists: (data) => recordSigner.signTypedData(data),
    recordSigner: recordSigner.address,
    verdictKey: verdictKey(seedKeys(secrets.sessionKeySeed)),
    webhookSecretBox: secretBoxOf(seedKeys(secrets.sessionKeySeed), WEBHOOK_SECRETS),
    cursorSecretBox: secretBoxOf(seedKeys(secrets.sessionKeySeed), 'cursors of owners'),
    now,
    newId: (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}`,
    log,
    crash: crasher(config),
  };

  const gas = gasGuard(db, config.gas);
  return {
    services,
    notifier,
    replica,
    gas,
    cardUrl: processor?.url ?? null,
    async startWorker(concurrency = 4) {
      // Whoever cannot reach the card processor leaves what is to be returned to those who can.
      const able = effectRunners(services, meter).filter(
        (r) => processor || config.stripe || r.kind !== 'refund-payment',
      );
      const runners = new Map(able.map((r) => [r.kind, r]));
      const recurring = recurringJobs(services);
      workerPool = await startWorkerPool({
        ...{
          db,
          notifier,
          runners,
          machines: MACHINES_BY_KIND,
          now,
          log,
          spans,
          meter,
          crash: services.crash,
        },
        recurring,
        rateLimits: config.effectRates,
        leader: runPeriodicTasks(db, (guarded) => periodicTasks(services, gas, recurring, guarded), log),
        self: { id: worker, host: hostname(), pid: process.pid, concurrency },
      });
    },
    async stop() {
      for (const end of stops.reverse()) await end();
    },
  };
}

function effectRunners(services: Services, meter: Meter): EffectRunner[] {
  const { db, now, config, webhookSecretBox: secretBox, crash } = services;
  return [
    deliverWebhooks({
      ...{ db, now, secretBox, crash, meter },
      allowed: { loopback: embedded(config) },
      retriesMs: config.webhookRetriesMs,
    }),
    mintAgentEffect(services),
    recordPurchaseEffect(services),
    refundPaymentEffect(services),
    withdrawOrdersEffect(services),
    evaluateMarketEffect(services),
    reviewOrdersEffect(services),
    relayOwnerActEffect(services),
    recordOwnerEffect(services),
    determineEffect(services),
    settleEffect(services),
    recordDealEffect(services),
    unwindEffect(services),
    closeAuctionEffect(services),
    reviewAfterAuctionEffect(services),
  ];
}

/** What the service does again and again, whichever worker has room. */
function recurringJobs(services: Services): RecurringJob[] {
  return [
    anchorRecordsJob(services),
    anchorOperatorLogJob(services),
    rebroadcastJob(services),
    followTransfersJob(services),
    refreshListsJob(services, services.config.registers),
    readListedCodeJob(services.evidence),
    removalsJob(services),
    forgetHistoriesJob(services),
    archiveRecordsJob(services),
    spreadNotificationsJob({
      ...services,
      ownerOf: liveOwner(services),
      alive: () => services.home.readers.viem.head(),
      wake: () => services.notifier.jobs('webhooks'),
    }),
  ];
}

function chainAccess(
  engine: ChainEngine,
  {
    config,
    keys,
    db,
    log,
    spans,
    now,
    known,
    forks,
  }: Pick<Parts, 'config' | 'keys' | 'log' | 'spans'> & {
    db: Database;
    now: () => Date;
    known: ReadonlyMap<number, KnownChain>;
    forks: Forks;
  },
): ChainAccess {
  const { chainId, rpcUrls, deployment } = engine;
  const signing = { db, engine, feeCap: config.feeCap, crash: crasher(config) };
  const byAddress = new Map<string, Signer>();
  // Roles with one key share one signer: its sends leave in one order.
  const signerOf = (role: keyof typeof keys): Signer => {
    const account = keys[role];
    const signer =
      byAddress.get(account.address) ??
      spanned(spans, `chain ${chainId} ${role}`, serviceSigner({ ...signing, account }));
    byAddress.set(account.address, signer);
    return signer;
  };
  const [operator, minter, recorder, settlement] = [
    signerOf('operator'),
    signerOf('minter'),
    signerOf('recorder'),
    signerOf('settlement'),
  ];
  const facilitator = config.facilitatorUrl === null ? signerOf('facilitator') : null;
  const readers = chainReaders({ ...engine, known }, { config, spans, now, forks });
  return {
    chainId,
    rpcUrl: rpcUrls[0],
    deployment,
    readers,
    operator,
    minter,
    recorder,
    settlement,
    settle: settleTogether(settlement, deployment),
    facilitator,
    signers: [...byAddress.values()],
    // Payments are taken on every chain; all else that the service sends goes to its home.
    funds: signerWatch({
      signers:
        chainId === HOME_CHAIN ? { operator, minter, recorder, settlement, facilitator } : { facilitator },
      log,
    }),
    roles:
      chainId === HOME_CHAIN
        ? ownRoles({ chainId, readers, deployment, operator, minter, recorder }, log)
        : async () => [],
  };
}

/** A client over each URL, the second another than the first. Both are loaded only where they are used. */
async function solanaAccess({
  solanaRpcUrls,
  solanaGenesis: genesis,
}: Config): Promise<readonly SolanaReader[]> {
  const [first, second] = solanaRpcUrls;
  if (first === undefined) return [];
  const { web3SolanaReader } = await import('../chain/rpc/solana/web3-reader.ts');
  const reader = web3SolanaReader({ rpcUrl: first, genesis });
  if (second === undefined || independentEndpoints(solanaRpcUrls) < 2) return [reader];
  const { kitSolanaReader } = await import('../chain/rpc/solana/kit-reader.ts');
  return [reader, kitSolanaReader({ rpcUrl: second, genesis })];
}

/** Where the service reaches itself, whatever name it has outside. */
function localUrl(config: Config): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return httpAddress(host, config.port);
}

function crasher(config: Config): (point: string) => void {
  return (point) => {
    if (config.crashAt === point) process.kill(process.pid, 'SIGKILL');
  };
}
