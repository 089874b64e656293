import { randomBytes, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createPublicClient, http } from 'viem';
import { sha256Hex } from '../agents/canonical.ts';
import { paymentGate } from '../api/payment/gate.ts';
import { memberSignIn, signInNonces } from '../api/payment/sign-in.ts';
import { paymentTerms } from '../api/payment/terms.ts';
import { ownerSignature } from '../api/plugins/owner-signature.ts';
import { buildServer } from '../api/server.ts';
import { serviceRoutes } from '../api/service-routes.ts';
import { authorizationReader } from '../chain/facilitator/authorization.ts';
import type { Facilitator } from '../chain/facilitator/facilitator.ts';
import { httpFacilitator } from '../chain/facilitator/http.ts';
import { inProcessFacilitator } from '../chain/facilitator/in-process.ts';
import { signatureVerifier } from '../chain/signature.ts';
import { challengeBook } from '../store/challenges.ts';
import { saveOperatorKey } from '../store/operator-keys.ts';
import { type BackRoom, openBackRoom } from './back-room.ts';
import { type Config, embedded } from './config.ts';
import { lockFolder } from './embedded/folder-lock.ts';
import { dropRunning, writeRunning } from './embedded/running.ts';
import { type Engines, openDataDir, randomHex, startEngines } from './engines.ts';
import { requireFreePort } from './free-port.ts';
import { registerHealth } from './registers/status.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { HOME_CHAIN, type Services } from './services.ts';
import { asStartError } from './start-error.ts';
import { openLog } from './telemetry/log.ts';
import { openTelemetry, type Telemetry } from './telemetry/open.ts';
import { readingsOf } from './telemetry/readings.ts';
import { VERSION } from './version.ts';

export interface ServiceHandle {
  readonly baseUrl: string;
  /** Name and value lines worth showing a person. */
  readonly facts: readonly (readonly [string, string])[];
  stop(): Promise<void>;
}

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
    const engines = await startEngines(config, secrets, say);
    stops.push(engines.stop);
    const back = await openBackRoom({ config, secrets, engines, log, ...telemetry, front: true });
    stops.push(back.stop);
    stops.push(await openFrontDoor({ config, secrets, engines, back, log, telemetry }));
    say('the API listens');
    if (worker) {
      await back.startWorker();
      say('the worker serves turns and effects');
    }
    if (embedded(config)) {
      const chains = Object.fromEntries(
        [...engines.chains].map(([id, c]) => [id, { rpcUrl: c.rpcUrls[0], ...c.deployment }]),
      );
      writeRunning(config.dataDir, { pid: process.pid, baseUrl: config.baseUrl, chains });
      stops.push(async () => dropRunning(config.dataDir));
    }
    return { baseUrl: config.baseUrl, facts: factsOf(config, engines, back), stop };
  } catch (error) {
    await stop().catch(() => {});
    throw asStartError(error);
  }
}

interface Door {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly engines: Engines;
  readonly back: BackRoom;
  readonly log: Logger;
  readonly telemetry: Telemetry;
}

/** The API: who may ask, what is paid for, and every route. @returns how to close it */
async function openFrontDoor({
  config,
  secrets,
  engines,
  back,
  log,
  telemetry,
}: Door): Promise<() => Promise<void>> {
  const { services } = back;
  const { db, now, home } = services;
  await saveOperatorKey(db, {
    id: 'configured',
    name: 'the configured key',
    hash: sha256Hex(secrets.operatorApiKey),
    scopes: ['*'],
  });
  const facilitator = openFacilitator(config, services);
  const payTo = config.payTo ?? home.deployment.treasury;
  // Every process has the seed, and what is made of it tells nothing of it.
  const nonces = signInNonces(secrets.sessionKeySeed);
  const terms = await paymentTerms({
    baseUrl: config.baseUrl,
    payTo,
    networks: [...engines.chains.values()].map(({ chainId, rpcUrls, deployment }) => ({
      chainId,
      asset: deployment.usdc,
      name: deployment.usdcName,
      version: deployment.usdcVersion,
      readAuthorization: authorizationReader(rpcUrls[0]),
    })),
    facilitators: [facilitator],
    now,
    signIn: nonces,
  });
  const gate = paymentGate({
    db,
    terms,
    now,
    newId: (prefix) => `${prefix}${randomUUID()}`,
    crash: services.crash,
  });
  const clients = new Map(
    [...engines.chains.values()].map((c) => [
      c.chainId,
      createPublicClient({ transport: http(c.rpcUrls[0]) }),
    ]),
  );
  const verify = signatureVerifier(clients);
  const admit = memberSignIn({ db, verify, nonces, baseUrl: config.baseUrl, now });
  const requireOwner = ownerSignature({
    challenges: challengeBook(db),
    verify,
    clock: now,
    newNonce: () => randomBytes(16).toString('hex'),
    baseUrl: config.baseUrl,
  });
  const redis = config.redisUrl === null ? null : new Redis(config.redisUrl, { maxRetriesPerRequest: 1 });
  redis?.on('error', (error) => log.warn({ error: error.message }, 'the limit counters cannot be reached'));
  const app = await buildServer({
    baseUrl: config.baseUrl,
    log,
    limits: { reads: config.rateLimitReads, writes: config.rateLimitWrites, ...(redis ? { redis } : {}) },
    newRequestId: randomUUID,
    spans: telemetry.spans,
    meter: telemetry.meter,
    idempotency: { db, clock: now, requireOwner, chainId: HOME_CHAIN },
    routes: serviceRoutes({
      services,
      requireOwner,
      payment: { gate, terms, payTo, admit },
      facilitator: embedded(config) ? facilitator : null,
      metrics: {
        text: () => telemetry.metrics.text(readingsOf(back)),
        contentType: telemetry.metrics.contentType,
      },
      queues: back.bell.queues,
      health: {
        version: VERSION,
        uptime: () => process.uptime(),
        checks: {
          database: async () => {
            await sql`select 1`.execute(db);
            return {};
          },
          queue: async () => ({ waiting: await back.bell.waiting() }),
          facilitator: () => facilitator.check(),
          registers: () => registerHealth(db, config.registers.sources, now()),
          chains: Object.fromEntries([...services.chains].map(([id, chain]) => [id, () => stateOf(chain)])),
        },
      },
    }),
  });
  await app.listen({ host: config.host, port: config.port });
  return async () => {
    await app.close();
    redis?.disconnect();
  };
}

async function stateOf(chain: Services['home']): Promise<Readonly<Record<string, unknown>>> {
  const [{ number }, signers] = await Promise.all([chain.readers.viem.head(), chain.funds()]);
  const low = signers.filter((s) => s.low).map((s) => s.role);
  const state = { block: number.toString(), signers };
  if (low.length === 0) return state;
  return { ...state, status: 'degraded', detail: `low on gas: ${low.join(', ')}` };
}

function openFacilitator(config: Config, services: Services): Facilitator {
  const chains = [...services.chains.values()];
  if (config.facilitatorUrl !== null) {
    return httpFacilitator({
      url: config.facilitatorUrl,
      networks: chains.map((c) => `eip155:${c.chainId}`),
    });
  }
  return inProcessFacilitator(
    chains.flatMap(({ chainId, rpcUrl, facilitator: signer }) =>
      signer === null ? [] : [{ chainId, rpcUrl, signer, walletFactories: config.walletFactories }],
    ),
  );
}

function factsOf(config: Config, engines: Engines, back: BackRoom): (readonly [string, string])[] {
  const chains = [...engines.chains.values()];
  return [
    ['interface', `${config.baseUrl}/openapi.json`],
    ...chains.map((c) => [`chain ${c.chainId}`, c.rpcUrls[0]] as const),
    ...(back.cardUrl === null ? [] : [['card processor', back.cardUrl] as const]),
    ...chains.slice(0, 1).map((c) => ['operator', `${c.deployment.operator} (has gas)`] as const),
    ['treasury', chains[0]?.deployment.treasury ?? ''],
    ['data', config.dataDir],
  ];
}
