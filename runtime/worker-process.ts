import { type AppContainer, openAppContainer } from './app-container.ts';
import type { Config } from './config/config.ts';
import { openSecrets } from './config/secrets.ts';
import { asStartError, StartError } from './config/start-error.ts';
import { redisHosts } from './durable/queue/redis-nodes.ts';
import { openDataDir, randomHex, startEngines } from './embedded/engines.ts';
import { findRunning } from './embedded/running.ts';
import { openKeys } from './keys/open-keys.ts';
import { openLog } from './telemetry/log.ts';
import { openTelemetry } from './telemetry/open.ts';
import { NO_HEAD_AGE } from './telemetry/settings-apart.ts';

export interface WorkerProcess {
  /** Name and value lines worth showing a person. */
  readonly facts: readonly (readonly [string, string])[];
  readonly back: AppContainer;
  stop(): Promise<void>;
}

/** What a worker shares with the API and other workers, and cannot make for itself. */
const SHARED: readonly (readonly [string, (config: Config) => boolean])[] = [
  ['DATABASE_URL', (c) => c.databaseUrl !== null],
  ['RPC_URL_1002', (c) => c.rpcUrls[1002].length > 0],
  ['RPC_URL_84532', (c) => c.rpcUrls[84532].length > 0],
  ['SESSION_KEY_SEED', (c) => c.sessionKeySeed !== null],
  ['OPERATOR_PRIVATE_KEY', (c) => c.keys.operator !== null],
  ['FACILITATOR_PRIVATE_KEY', (c) => c.keys.facilitator !== null],
];

/** @throws StartError naming every setting that is missing */
export function requireShared(config: Config): void {
  const missing = SHARED.filter(([, isSet]) => !isSet(config)).map(([name]) => name);
  if (missing.length === 0) return;
  const beside = besideEmbedded(config.dataDir);
  throw new StartError(
    `A worker shares all of it with the API: set ${missing.join(', ')} as the API has them (REDIS_URL too, where it has one).${beside === null ? '' : ` ${beside}`}`,
  );
}

/** What a worker is told beside an API whose chains are its own, on this data folder. */
export function besideEmbedded(dataDir: string): string | null {
  const running = findRunning(dataDir);
  if (running === null) return null;
  const urlOf = (id: 1002 | 84532): string => `RPC_URL_${id}=${running.chains[id]?.rpcUrl}`;
  const ages = ([1002, 84532] as const).map((id) => `HEAD_AGE_${id}=${NO_HEAD_AGE}`).join(' ');
  return `The API at ${running.baseUrl} has embedded chains: beside it set ${urlOf(1002)} ${urlOf(84532)} CONFIRMATIONS_1002=0 ${ages}, and SESSION_KEY_SEED, OPERATOR_PRIVATE_KEY and FACILITATOR_PRIVATE_KEY as ${dataDir}/secrets.json has them.`;
}

/**
 * Refuses a worker that takes the embedded chains of the API on its data folder for real ones: it would wait for blocks that
 * never come.
 * @throws StartError
 */
export function requireEmbeddedAlike(config: Config): void {
  const running = findRunning(config.dataDir);
  if (running === null || config.rpcUrls[1002][0] !== running.chains[1002]?.rpcUrl) return;
  const isUnlimited = ([1002, 84532] as const).every((id) => (config.headAge.get(id) ?? 0) >= NO_HEAD_AGE);
  if (config.confirmations === 0 && isUnlimited) return;
  throw new StartError(
    `The worker would wait for blocks that do not come. ${besideEmbedded(config.dataDir)}`,
  );
}

/**
 * Takes turns and effects without an API, beside any number of others.
 * @throws StartError, one sentence, after stopping whatever had started
 */
export async function startWorkerProcess(
  config: Config,
  options: { concurrency: number; version: string },
): Promise<WorkerProcess> {
  requireShared(config);
  requireEmbeddedAlike(config);
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    openDataDir(config.dataDir);
    const secrets = openSecrets(config, randomHex);
    const log = openLog(config);
    const telemetry = await openTelemetry(config.tracesUrl, options.version);
    stops.push(telemetry.stop);
    const keys = await openKeys(config, secrets);
    const engines = await startEngines(config, secrets, keys, () => {});
    stops.push(engines.stop);
    const back = await openAppContainer({ config, secrets, keys, engines, log, ...telemetry, front: false });
    stops.push(back.stop);
    await back.startWorker(options.concurrency);
    const { host, pathname } = new URL(engines.databaseUrl);
    const facts: (readonly [string, string])[] = [
      ['database', `${host}${pathname}`],
      ['queue', config.redisUrl === null ? 'on the database' : redisHosts(config.redisUrl)],
      ['at once', `${options.concurrency} effects in each lane`],
    ];
    if (config.stripe === null)
      facts.push(['left to others', 'money that goes back to a card (STRIPE_SECRET_KEY is not set)']);
    return { facts, back, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw asStartError(error);
  }
}
