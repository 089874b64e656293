import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { privateKeyToAccount } from 'viem/accounts';
import { ethersReader } from '../chain/readers/ethers.ts';
import type { SolanaReader } from '../chain/readers/solana.ts';
import { viemReader } from '../chain/readers/viem.ts';
import { sessionKeys } from '../chain/session-keys.ts';
import type { Signer } from '../chain/signer.ts';
import { deleteChallengesExpiredBefore } from '../store/challenges.ts';
import { publishCloseCalls } from '../store/close-calls.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { deleteKeysOlderThan } from '../store/idempotency.ts';
import { deleteSignInsExpiredBefore } from '../store/memberships.ts';
import { migrate } from '../store/migrate.ts';
import { forgetEvents, sequenceEvents } from '../store/public-events.ts';
import { forgetDeliveries } from '../store/webhook-deliveries.ts';
import { expireOrders } from '../store/withdrawals.ts';
import { forgetSilentWorkers } from '../store/workers.ts';
import { anchorRecords } from './acts/anchor-records.ts';
import { followAgents } from './acts/follow-agents.ts';
import { followAssets } from './acts/follow-assets.ts';
import { followCertificates } from './acts/follow-certificates.ts';
import { ownersFollowed } from './acts/follow-owners.ts';
import { forgetHistories } from './acts/forget-histories.ts';
import { takeBackListings } from './acts/take-back-listings.ts';
import { tellMarket } from './acts/tell-market.ts';
import { chainWatch } from './acts/watch-chain.ts';
import { createCardGateway } from './card-gateway.ts';
import { type Config, embedded } from './config.ts';
import { closeAuctionEffect } from './effects/close-auction.ts';
import { determineEffect } from './effects/determine.ts';
import type { EffectRunner } from './effects/effect.ts';
import { mintAgentEffect } from './effects/mint-agent.ts';
import { recordDealEffect } from './effects/record-deal.ts';
import { recordOwnerEffect } from './effects/record-owner.ts';
import { recordPurchaseEffect } from './effects/record-purchase.ts';
import { refundPaymentEffect } from './effects/refund-payment.ts';
import { relayOwnerActEffect } from './effects/relay-owner-act.ts';
import { reviewOrdersEffect } from './effects/review-orders.ts';
import { settleEffect } from './effects/settle.ts';
import { surveyEffect } from './effects/survey.ts';
import { unwindEffect } from './effects/unwind.ts';
import { withdrawOrdersEffect } from './effects/withdraw-orders.ts';
import { startCardProcessor } from './embedded/card-processor.ts';
import type { ChainEngine, Engines } from './engines.ts';
import { goodsLookup } from './evidence/goods-lookup.ts';
import { MACHINES } from './machines.ts';
import { type OpenBell, openBellQueue } from './queue/bullmq.ts';
import { openModels } from './reasoning/open-models.ts';
import { refreshDue } from './registers/refresh.ts';
import type { Secrets } from './secrets.ts';
import { type ChainAccess, HOME_CHAIN, type Services } from './services.ts';
import { databaseClock } from './shared-clock.ts';
import { signerWatch } from './signer-watch.ts';
import { serviceSigner } from './signers.ts';
import { messageOf, StartError } from './start-error.ts';
import type { Meter } from './telemetry/metrics.ts';
import { type Spans, spanned } from './telemetry/spans.ts';
import { keepCourier, liveOwner } from './webhooks/courier.ts';
import { sealOf } from './webhooks/seal.ts';
import { type Crew, startCrew } from './workers/crew.ts';
import { every } from './workers/every.ts';
import { keepRounds } from './workers/keeper.ts';

export interface BackRoom {
  readonly services: Services;
  readonly bell: OpenBell;
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
  readonly engines: Engines;
  readonly log: Logger;
  readonly spans: Spans;
  readonly meter: Meter;
  /** False for a process that serves no buyers: no card processor of its own, and no money given back by card. */
  readonly front: boolean;
}

/** How often what was sent and is not mined is looked after, and whether the chain went back. */
const CHAIN_MS = 1_500;
/** How often the gas money is read when nobody asks. */
const FUNDS_MS = 30_000;
const FOLLOW_MS = 2_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** How long a message that was taken, or given up, can be sent again. */
const DELIVERIES_MS = 30 * 24 * HOUR_MS;
/** How long a listener may stay away and still go on from its last event: as `GET /events` says. */
const EVENTS_MS = 7 * 24 * HOUR_MS;
/** A worker silent for so long is not shown any more. */
const FORGET_WORKER_S = 3_600;

/** Everything behind the API: the store, the chains, the card processor, the queue and the worker. */
export async function openBackRoom({
  config,
  secrets,
  engines,
  log,
  spans,
  meter,
  front,
}: Parts): Promise<BackRoom> {
  await openSchema(engines.databaseUrl);
  const db = openDatabase(engines.databaseUrl, { max: 24 });
  const bell = await openBellQueue({ databaseUrl: engines.databaseUrl, redisUrl: config.redisUrl, log });
  // One time for all processes: a machine whose clock jumped neither ends orders nor fires timers before they are due.
  const clock = await databaseClock(db, log);
  const now = clock.now;
  const chains = new Map(
    [...engines.chains].map(([id, engine]) => [id, chainAccess(engine, { config, secrets, db, log, spans })]),
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
  const recordSigner = privateKeyToAccount(secrets.operatorPrivateKey);
  const models = await openModels(config.reasoning);
  const services: Services = {
    config,
    db,
    bell,
    home,
    chains,
    evidence: {
      db,
      readers: new Map([...chains].map(([id, c]) => [id, c.readers])),
      solana: await solanaAccess(config),
      deployments: new Map([...chains].map(([id, c]) => [id, c.deployment])),
      reasoners: models.reasoners,
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
    recordSigner: recordSigner.address,
    webhookSeal: sealOf(secrets.sessionKeySeed, 'safe-handshake webhook secrets'),
    cursorSeal: sealOf(secrets.sessionKeySeed, 'safe-handshake cursors of owners'),
    now,
    newId: (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}`,
    log,
    crash: crasher(config),
  };

  let crew: Crew | null = null;
  return {
    services,
    bell,
    cardUrl: processor?.url ?? null,
    async startWorker(concurrency = 4) {
      // Whoever cannot reach the card processor leaves what is to be returned to those who can.
      const able = effectRunners(services).filter(
        (r) => processor || config.stripe || r.kind !== 'refund-payment',
      );
      const runners = new Map(able.map((r) => [r.kind, r]));
      const machines = new Map(MACHINES.map((m) => [m.kind, m]));
      const rounds = () => [
        every(config.anchorSeconds * 1000, () => anchorRecords(services), log),
        ...signersOf(services).map((signer) => every(CHAIN_MS, () => signer.tend(), log)),
        every(CHAIN_MS, chainWatch(services), log),
        ...[...chains.values()].map((chain) => every(FUNDS_MS, () => chain.funds(), log)),
        every(1_000, () => expireOrders(db, now()), log),
        every(FOLLOW_MS, () => followCertificates(services), log),
        every(FOLLOW_MS, () => followAgents(services), log),
        every(FOLLOW_MS, ownersFollowed(services), log),
        ...(config.watchSeconds > 0 ? [every(FOLLOW_MS, () => tellMarket(services), log)] : []),
        every(FOLLOW_MS, () => followAssets(services), log),
        every(FOLLOW_MS, () => takeBackListings(services), log),
        // What is over is published at the turn of the hour; asked again, it publishes nothing twice.
        every(MINUTE_MS, () => publishCloseCalls(db, { now: now(), newId: () => services.newId('cc') }), log),
        keepCourier({
          ...{ db, now, log, meter, crash: services.crash },
          ownerOf: liveOwner(services),
          seal: services.webhookSeal,
          allowed: { loopback: embedded(config) },
          retriesMs: config.webhookRetriesMs,
        }),
        // Those who listen have it done at once; what nobody heard is numbered too.
        every(5_000, () => sequenceEvents(db), log),
        every(MINUTE_MS, () => refreshDue({ db, now }, config.registers), log),
        every(HOUR_MS, () => forget(services), log),
        ...(config.historyDays > 0 ? [every(MINUTE_MS, forgetHistories(services), log)] : []),
      ];
      crew = await startCrew({
        ...{ db, bell, runners, machines, now, log, spans, meter, crash: services.crash },
        paces: config.effectRates,
        keeper: keepRounds(db, rounds, log),
        self: { id: services.newId('worker'), host: hostname(), pid: process.pid, concurrency },
      });
    },
    async stop() {
      if (crew) await crew.stop();
      else await bell.close();
      await processor?.stop();
      await clock.stop();
      await db.destroy();
    },
  };
}

/** @throws StartError naming where the database was looked for, without its password */
async function openSchema(databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    throw new StartError(
      `The database at ${host}${pathname} cannot be used (${messageOf(cause)}): start it, or set DATABASE_URL to another.`,
      { cause },
    );
  }
}

function effectRunners(services: Services): EffectRunner[] {
  return [
    mintAgentEffect(services),
    recordPurchaseEffect(services),
    refundPaymentEffect(services),
    withdrawOrdersEffect(services),
    surveyEffect(services),
    reviewOrdersEffect(services),
    relayOwnerActEffect(services),
    recordOwnerEffect(services),
    determineEffect(services),
    settleEffect(services),
    recordDealEffect(services),
    unwindEffect(services),
    closeAuctionEffect(services),
  ];
}

function signersOf({ chains }: Services): Signer[] {
  return [...chains.values()].flatMap((c) =>
    c.facilitator === null ? [c.operator] : [c.operator, c.facilitator],
  );
}

function chainAccess(
  engine: ChainEngine,
  { config, secrets, db, log, spans }: Pick<Parts, 'config' | 'secrets' | 'log' | 'spans'> & { db: Database },
): ChainAccess {
  const { chainId, rpcUrls, deployment } = engine;
  const freshen = engine.freshen === null ? {} : { freshen: engine.freshen };
  const [first, second = first] = rpcUrls;
  const signing = { db, engine, feeCap: config.feeCap, crash: crasher(config) };
  const operator = serviceSigner({ ...signing, privateKey: secrets.operatorPrivateKey });
  const facilitator =
    config.facilitatorUrl === null
      ? serviceSigner({ ...signing, privateKey: secrets.facilitatorPrivateKey })
      : null;
  return {
    chainId,
    rpcUrl: first,
    deployment,
    readers: {
      viem: spanned(spans, `chain ${chainId} viem`, viemReader({ rpcUrl: first, chainId, ...freshen })),
      ethers: spanned(
        spans,
        `chain ${chainId} ethers`,
        ethersReader({ rpcUrl: second, chainId, ...freshen }),
      ),
    },
    operator: spanned(spans, `chain ${chainId} operator`, operator),
    facilitator: facilitator && spanned(spans, `chain ${chainId} facilitator`, facilitator),
    funds: signerWatch({ signers: { operator, facilitator }, log }),
  };
}

/** Its client library is loaded only where it is used. */
async function solanaAccess(config: Config): Promise<SolanaReader | null> {
  if (config.solanaRpcUrl === null) return null;
  const { solanaReader } = await import('../chain/readers/solana.ts');
  return solanaReader({ rpcUrl: config.solanaRpcUrl });
}

/** What was asked for once and is of no use any more. */
async function forget({ db, now }: Services): Promise<void> {
  await deleteChallengesExpiredBefore(db, new Date(now().getTime() - HOUR_MS));
  await deleteSignInsExpiredBefore(db, new Date(now().getTime() - HOUR_MS));
  await deleteKeysOlderThan(db, new Date(now().getTime() - 24 * HOUR_MS));
  await forgetDeliveries(db, new Date(now().getTime() - DELIVERIES_MS));
  await forgetEvents(db, new Date(now().getTime() - EVENTS_MS));
  await forgetSilentWorkers(db, FORGET_WORKER_S);
}

/** Where the service reaches itself, whatever name it has outside. */
function localUrl(config: Config): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}

function crasher(config: Config): (point: string) => void {
  return (point) => {
    if (config.crashAt === point) process.kill(process.pid, 'SIGKILL');
  };
}
