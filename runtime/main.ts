import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createPublicClient, http } from 'viem';
import { sha256Hex } from '../agents/canonical.ts';
import { ownerSignature } from '../api/http/auth/owner-signature.ts';
import { buildServer } from '../api/server.ts';
import { serviceRoutes } from '../api/service-routes.ts';
import { paymentGate } from '../api/x402/gate.ts';
import { offerSigner } from '../api/x402/offer-receipt.ts';
import { memberSignIn, signInNonces, signInProof } from '../api/x402/sign-in.ts';
import { paymentTerms } from '../api/x402/terms.ts';
import { authorizationReader } from '../chain/facilitator/authorization.ts';
import { classifying } from '../chain/facilitator/classifying.ts';
import type { Facilitator } from '../chain/facilitator/facilitator.ts';
import { httpFacilitator } from '../chain/facilitator/http.ts';
import { inProcessFacilitator } from '../chain/facilitator/in-process.ts';
import { knownWallets } from '../chain/facilitator/known-wallets.ts';
import { AGENT_PAYMENT_GAS, type ClassifyPayer, payerClassifier } from '../chain/facilitator/payer-class.ts';
import { payerGlance } from '../chain/facilitator/payer-glance.ts';
import { seedKeys } from '../chain/keys/seeds.ts';
import { boundedAnswers } from '../chain/rpc/bounded-answers.ts';
import { digestVerifier, signatureVerifier } from '../chain/tx/signature.ts';
import { setConfiguredKey } from '../store/http/operator-keys.ts';
import { usedSignatures } from '../store/http/used-signatures.ts';
import { logOperatorAct } from '../store/operators/operator-log.ts';
import type { ReadReplica } from '../store/read-replica.ts';
import { beneficialOwnerOf } from './agent/live-agent.ts';
import { type AppContainer, openAppContainer } from './app-container.ts';
import type { ServiceHandle } from './cli/starters.ts';
import { type Config, embedded } from './config/config.ts';
import { requireFreePort } from './config/free-port.ts';
import { openSecrets, type Secrets } from './config/secrets.ts';
import { asStartError } from './config/start-error.ts';
import { VERSION } from './config/version.ts';
import { openRedis } from './durable/queue/redis.ts';
import { type Engines, openDataDir, randomHex, startEngines } from './embedded/engines.ts';
import { lockFolder } from './embedded/folder-lock.ts';
import { dropRunning, writeRunning } from './embedded/running.ts';
import { keyFacts } from './keys/key-facts.ts';
import { openKeys } from './keys/open-keys.ts';
import type { GasState } from './payments/gas-guard.ts';
import { relayedGas } from './payments/relay-guard.ts';
import { registerHealth } from './registers/status.ts';
import { HOME_CHAIN, type Services } from './services.ts';
import { chainHealth } from './telemetry/chain-health.ts';
import { openLog } from './telemetry/log.ts';
import { openTelemetry, type Telemetry } from './telemetry/open.ts';
import { readingsOf } from './telemetry/readings.ts';

/** Of what a wallet's contract answers when it is asked for its signature, and of everything else asked beside. */
const ANSWER_BYTES = 1_048_576;

/**
 * The composition root: builds every part and passes it in, in the order in which each needs the one before, and
 * stops them in the reverse order.
 * @throws StartError, one sentence, after stopping whatever had started
 */
export async function startService(
  config: Config,
  { say, worker = true }: { say: (line: string) => void; worker?: boolean },
): Promise<ServiceHandle> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    // One that cannot be ended is no reason to leave the others running.
    const failures: unknown[] = [];
    for (const end of stops.splice(0).reverse()) await end().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    await requireFreePort(config);
    openDataDir(config.dataDir);
    if (embedded(config) || config.databaseUrl === null) {
      const unlock = lockFolder(config.dataDir);
      stops.push(async () => unlock());
    }
    const secrets = openSecrets(config, randomHex);
    const log = openLog(config);
    const telemetry = await openTelemetry(config.tracesUrl, VERSION);
    stops.push(telemetry.stop);
    const keys = await openKeys(config, secrets);
    const engines = await startEngines(config, secrets, keys, say);
    stops.push(engines.stop);
    const back = await openAppContainer({ config, secrets, keys, engines, log, ...telemetry, front: true });
    stops.push(back.stop);
    stops.push(await openHttpServer({ config, secrets, engines, back, log, telemetry }));
    say('the API listens');
    if (worker) {
      await back.startWorker();
      say('the worker serves mailboxes and effects');
    }
    if (embedded(config)) {
      const chains = Object.fromEntries(
        [...engines.chains].map(([id, c]) => [id, { rpcUrl: c.rpcUrls[0], ...c.deployment }]),
      );
      writeRunning(config.dataDir, { pid: process.pid, baseUrl: config.baseUrl, chains });
      stops.push(async () => dropRunning(config.dataDir));
    }
    return { baseUrl: config.baseUrl, facts: await factsOf(config, engines, back), stop };
  } catch (error) {
    await stop().catch(() => {});
    throw asStartError(error);
  }
}

interface Door {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly engines: Engines;
  readonly back: AppContainer;
  readonly log: Logger;
  readonly telemetry: Telemetry;
}

/** The API: who may ask, what is paid for, and every route. @returns how to close it */
async function openHttpServer({
  config,
  secrets,
  engines,
  back,
  log,
  telemetry,
}: Door): Promise<() => Promise<void>> {
  const { services } = back;
  const { db, now, home } = services;
  await configureOperatorKey(services, secrets);
  const facilitator = openFacilitator(config, services);
  const payTo = config.payTo ?? home.deployment.treasury;
  // Every process has the seed, and what is made of it tells nothing of it.
  const seed = seedKeys(secrets.sessionKeySeed);
  const nonces = signInNonces(seed);
  const terms = await paymentTerms({
    baseUrl: config.baseUrl,
    payTo,
    networks: [...engines.chains.values()].map(({ chainId, rpcUrls, deployment }) => ({
      chainId,
      asset: deployment.usdc,
      name: deployment.usdcName,
      version: deployment.usdcVersion,
      readAuthorization: authorizationReader(rpcUrls[0]),
      glance: payerGlance(rpcUrls[0]),
    })),
    facilitators: [facilitator],
    now,
    signIn: nonces,
    offerSigner: offerSigner({ key: services.verdictKey, baseUrl: config.baseUrl, now }),
  });
  const clients = new Map(
    [...engines.chains.values()].map((c) => [
      c.chainId,
      createPublicClient({ transport: http(c.rpcUrls[0], { fetchFn: boundedAnswers(ANSWER_BYTES) }) }),
    ]),
  );
  const verify = signatureVerifier(clients);
  const signIn = { db, verify, nonces, baseUrl: config.baseUrl, now };
  const gate = paymentGate({
    db,
    terms,
    gas: back.gas,
    verifyDigest: digestVerifier(clients),
    now,
    newId: (prefix) => `${prefix}${randomUUID()}`,
    crash: services.crash,
    proveSignIn: signInProof(signIn),
  });
  const admit = memberSignIn(signIn);
  const requireOwner = ownerSignature({
    used: usedSignatures(db),
    verify,
    clock: now,
    beneficialOwnerOf: (wallet) => beneficialOwnerOf(services, wallet),
    seed,
    baseUrl: config.baseUrl,
  });
  const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, { maxRetriesPerRequest: 1 });
  let isLeaving = false;
  redis?.on('error', (error) => log.warn({ error: error.message }, 'the limit counters cannot be reached'));
  const app = await buildServer({
    baseUrl: config.baseUrl,
    log,
    trustProxy: config.trustProxy,
    timeouts: config.timeouts,
    limits: { reads: config.rateLimitReads, writes: config.rateLimitWrites, ...(redis ? { redis } : {}) },
    newRequestId: randomUUID,
    isLeaving: () => isLeaving,
    spans: telemetry.spans,
    meter: telemetry.meter,
    idempotency: { db, clock: now },
    routes: serviceRoutes({
      services,
      reads: back.replica?.db ?? db,
      requireOwner,
      payment: { gate, terms, payTo, admit },
      facilitator: embedded(config) ? { facilitator, gas: back.gas } : null,
      metrics: {
        text: () => telemetry.metrics.text(readingsOf(back)),
        contentType: telemetry.metrics.contentType,
      },
      readings: readingsOf(back),
      queues: back.notifier.queues,
      health: {
        version: VERSION,
        uptime: () => process.uptime(),
        isLeaving: () => isLeaving,
        checks: {
          database: async () => {
            await sql`select 1`.execute(db);
            return back.replica === null ? {} : readsOf(back.replica);
          },
          queue: async () => ({ waiting: await back.notifier.waiting() }),
          facilitator: () => facilitator.check(),
          payments: async () => paymentFacts(await back.gas.state()),
          registers: () => registerHealth(db, config.registers, now()),
          chains: Object.fromEntries(
            [...services.chains].map(([id, chain]) => [
              id,
              async () => ({
                ...(await chainHealth(chain, now)),
                ...(id === HOME_CHAIN ? await relaysOf(services) : {}),
              }),
            ]),
          ),
        },
      },
    }),
  });
  await app.listen({ host: config.host, port: config.port });
  return async () => {
    isLeaving = true;
    await sleep(1_000 * config.drainSeconds);
    await app.close();
    redis?.disconnect();
  };
}

/** No start fails on its operator key: what became of it is logged, and `operator-key list` shows it. */
async function configureOperatorKey({ db, log, newId }: Services, secrets: Secrets): Promise<void> {
  const set = await setConfiguredKey(db, {
    id: newId('key'),
    name: 'the configured key',
    hash: sha256Hex(secrets.operatorApiKey),
  });
  if (set.outcome === 'ended')
    log.warn('OPERATOR_API_KEY is a key that was revoked or rotated by command: it opens nothing');
  if (set.outcome === 'set' && set.replaced !== null) {
    const by = { kind: 'command', user: userInfo().username, host: hostname() } as const;
    await logOperatorAct(db, {
      by,
      act: 'start with another OPERATOR_API_KEY',
      subject: set.replaced,
      detail: {},
    });
    log.warn({ replaced: set.replaced }, 'the operator key of the configuration was replaced by this start');
  }
}

/** From where the free lists are read. A replica that lags or is away costs the primary work, and needs a look. */
function readsOf(replica: ReadReplica): Readonly<Record<string, unknown>> {
  const ageMs = replica.age();
  if (ageMs !== null) return { reads: 'replica', ageMs };
  return { reads: 'primary', status: 'degraded', detail: 'the replica is behind or away' };
}

/** What relays of contract wallets have burnt beyond their simulations, and the most that they may. */
async function relaysOf(services: Services): Promise<Readonly<Record<string, unknown>>> {
  const { spent, limit } = await relayedGas({ ...services, settings: services.config.relay });
  return { relayedGas: { spent: Number(spent), limit: Number(limit) } };
}

/** The budgets of failed settlements. That one is exhausted needs nobody: it drains by itself. */
function paymentFacts(state: GasState): Readonly<Record<string, unknown>> {
  const failed = state.classes.reduce((sum, { failed: count }) => sum + count, 0);
  const exhausted = state.classes.filter((c) => c.exhausted).map((c) => c.kind);
  const detail =
    exhausted.length === 0 ? {} : { detail: `payers of this kind wait: ${exhausted.join(', ')} code` };
  return { failedSettlements: failed, ...state, ...detail };
}

function openFacilitator(config: Config, services: Services): Facilitator {
  const chains = [...services.chains.values()];
  if (config.facilitatorUrl !== null) {
    const elsewhere = httpFacilitator({
      url: config.facilitatorUrl,
      networks: chains.map((c) => `eip155:${c.chainId}`),
    });
    return classifying(
      elsewhere,
      chains.map((chain) => ({ ...chain, classify: classifierOf(config, chain) })),
    );
  }
  return inProcessFacilitator(
    chains.flatMap((chain) => {
      const { chainId, rpcUrl, facilitator: signer } = chain;
      if (signer === null) return [];
      const { walletFactories } = config;
      return [{ chainId, rpcUrl, signer, walletFactories, classify: classifierOf(config, chain) }];
    }),
  );
}

/** Agent accounts are this service's own code, wherever they stand. */
function classifierOf(config: Config, { rpcUrl, deployment }: Services['home']): ClassifyPayer {
  return payerClassifier({
    rpcUrl,
    known: knownWallets(config.knownWallets),
    own: { implementation: deployment.accountImplementation, gas: AGENT_PAYMENT_GAS },
  });
}

/** How long a start waits for what the nodes say of its keys. */
const KEYS_MS = 2_000;

async function factsOf(
  config: Config,
  engines: Engines,
  back: AppContainer,
): Promise<(readonly [string, string])[]> {
  const chains = [...engines.chains.values()];
  const { home } = back.services;
  const known = Promise.all([home.funds(), home.roles()]).catch(() => null);
  const read = await Promise.race([known, sleep(KEYS_MS, null, { ref: false })]);
  return [
    ['interface', `${config.baseUrl}/openapi.json`],
    // The URL of somebody else's node may hold the key to it.
    ...chains.map(
      (c) => [`chain ${c.chainId}`, c.freshen === null ? new URL(c.rpcUrls[0]).host : c.rpcUrls[0]] as const,
    ),
    ...(back.cardUrl === null ? [] : [['card processor', back.cardUrl] as const]),
    ...(read === null ? [] : keyFacts(...read)),
    ['vault', `${chains[0]?.deployment.vault ?? ''} (holds the fees)`],
    ['data', config.dataDir],
  ];
}
