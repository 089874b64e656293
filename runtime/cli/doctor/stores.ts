import pg from 'pg';
import { countOf } from '../../../agents/figures.ts';
import { openDatabase } from '../../../store/database.ts';
import { findPostgres } from '../../../store/embedded.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../config/start-error.ts';
import { openRedis } from '../../durable/queue/redis.ts';
import { registerStatus } from '../../registers/status.ts';
import { doubtful, type Finding, leftOut, well, wrong } from './finding.ts';
import { notRunning } from './machine.ts';
import { isAtLeast } from './settings.ts';

const LEAST_POSTGRES = 15;
/** BullMQ works with no older one. https://docs.bullmq.io/guide/going-to-production */
const LEAST_REDIS = '6.2';
const PATIENCE_MS = 5_000;
const MOST_DRIFT_MS = 5_000;

/** The database, the clock beside its own, and the lists in it. */
export async function checkDatabase(config: Config, now: () => Date): Promise<Finding[]> {
  const url = config.databaseUrl ?? (await findPostgres(config.dataDir));
  if (url === null) return ['database', 'clock', 'lists'].map((of) => notRunning(of, config.dataDir));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
  try {
    await client.connect();
    const asked = now();
    const { rows } = await client.query<{ version: number; at: Date; stands: boolean }>(
      `select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as at,
        to_regclass('schema_versions') is not null as stands`,
    );
    const { version, at, stands } = rows[0]!;
    const drift = at.getTime() - asked.getTime();
    return [
      version >= LEAST_POSTGRES
        ? well(
            'database',
            `PostgreSQL ${version} answers${stands ? '' : '; it is empty, and a start fills it'}`,
          )
        : wrong('database', `it is PostgreSQL ${version}`, `use PostgreSQL ${LEAST_POSTGRES} or newer`),
      Math.abs(drift) <= MOST_DRIFT_MS
        ? well('clock', "within seconds of the database's")
        : wrong(
            'clock',
            `${Math.round(Math.abs(drift) / 1000)} s ${drift > 0 ? 'behind' : 'ahead of'} the database's`,
            'let both machines keep time (NTP)',
          ),
      ...(stands ? await checkLists(config, url, now()) : [leftOut('lists', 'the database is empty')]),
    ];
  } catch (error) {
    const remedy = 'start it, or mend DATABASE_URL: user, password, host, port, name';
    return [
      wrong('database', `it cannot be reached: ${messageOf(error)}`, remedy),
      ...['clock', 'lists'].map((of) => leftOut(of, 'the database cannot be reached')),
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkLists({ registers }: Config, url: string, now: Date): Promise<Finding[]> {
  const db = openDatabase(url, { max: 1 });
  try {
    const lists = await registerStatus(db, registers.sources, now);
    if (lists.length === 0)
      return [
        doubtful(
          'lists',
          'none is held: no address can be CLEAN',
          'set REGISTER_SOURCES, or "register import"',
        ),
      ];
    return lists.map(({ list, state, rows, asOf, fault }) => {
      const says = `${list}: ${countOf(rows, 'row')} ${asOf === null ? 'of no date' : `as of ${asOf.slice(0, 10)}`}`;
      if (state === 'fresh') return well('lists', says);
      const why = `${says}, ${state}${fault === null ? '' : ` (${fault})`}`;
      return doubtful(
        'lists',
        why,
        `"register refresh ${list}", or vouch for its date with --complete-as-of`,
      );
    });
  } finally {
    await db.destroy();
  }
}

/** Redis, where the queue is to be on one. */
export async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return well('Redis', 'not used: the queue is on the database');
  const redis = openRedis(redisUrl, {
    ...{ lazyConnect: true, maxRetriesPerRequest: 0, connectTimeout: PATIENCE_MS },
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    const told = await redis.info();
    const of = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(told)?.[1]?.trim() ?? '';
    const [version, policy] = [of('redis_version'), of('maxmemory_policy')];
    if (!isAtLeast(version, LEAST_REDIS))
      return wrong('Redis', `it is ${version}`, `use Redis ${LEAST_REDIS} or newer`);
    if (policy !== '' && policy !== 'noeviction')
      return wrong(
        'Redis',
        `${version} forgets what does not fit (${policy})`,
        'set maxmemory-policy noeviction',
      );
    return well('Redis', `${version} answers, and forgets nothing`);
  } catch (error) {
    return wrong('Redis', `it cannot be reached: ${messageOf(error)}`, 'start it, or mend REDIS_URL');
  } finally {
    redis.disconnect();
  }
}
