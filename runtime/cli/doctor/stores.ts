import pg from 'pg';
import { countOf } from '../../../agents/figures.ts';
import { type Database, openDatabase } from '../../../store/database.ts';
import { listProcesses } from '../../../store/durable/processes.ts';
import { listWorkers, serves } from '../../../store/durable/workers.ts';
import { findPostgres } from '../../../store/embedded.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../config/start-error.ts';
import { openRedis } from '../../durable/queue/redis.ts';
import { emptyRegisters, registerStatus } from '../../registers/status.ts';
import { settingsApart } from '../../telemetry/settings-apart.ts';
import { doubtful, type Finding, leftOut, well, wrong } from './finding.ts';
import { notRunning } from './machine.ts';
import { isAtLeast } from './settings.ts';

const LEAST_POSTGRES = 15;
/** BullMQ works with no older one. https://docs.bullmq.io/guide/going-to-production */
const LEAST_REDIS = '6.2';
const PATIENCE_MS = 5_000;
const MOST_DRIFT_MS = 5_000;

/** The database, the clock beside its own, and the lists and workers in it. */
export async function checkDatabase(config: Config, now: () => Date): Promise<Finding[]> {
  const url = config.databaseUrl ?? (await findPostgres(config.dataDir));
  if (url === null)
    return ['database', 'clock', 'lists', 'workers'].map((of) => notRunning(of, config.dataDir));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
  try {
    await client.connect();
    const asked = now();
    const { rows } = await client.query<Answer>(
      `select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as at,
        to_regclass('schema_versions') is not null as stands, pg_is_in_recovery() as recovering,
        current_setting('transaction_read_only') = 'on' as unwritable`,
    );
    const { at, stands } = rows[0]!;
    const drift = at.getTime() - asked.getTime();
    return [
      judged(rows[0]!),
      Math.abs(drift) <= MOST_DRIFT_MS
        ? well('clock', "within seconds of the database's")
        : wrong(
            'clock',
            `${Math.round(Math.abs(drift) / 1000)} s ${drift > 0 ? 'behind' : 'ahead of'} the database's`,
            'let both machines keep time (NTP)',
          ),
      ...(stands
        ? await checkRows(config, url, now())
        : ['lists', 'workers'].map((of) => leftOut(of, 'the database is empty'))),
    ];
  } catch (error) {
    const remedy = 'start it, or mend DATABASE_URL: user, password, host, port, name';
    return [
      wrong('database', `it cannot be reached: ${messageOf(error)}`, remedy),
      ...['clock', 'lists', 'workers'].map((of) => leftOut(of, 'the database cannot be reached')),
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

interface Answer {
  readonly version: number;
  readonly at: Date;
  readonly stands: boolean;
  readonly recovering: boolean;
  readonly unwritable: boolean;
}

function judged({ version, stands, recovering, unwritable }: Answer): Finding {
  if (version < LEAST_POSTGRES)
    return wrong('database', `it is PostgreSQL ${version}`, `use PostgreSQL ${LEAST_POSTGRES} or newer`);
  if (recovering)
    return wrong(
      'database',
      'it takes no writes: it is in recovery, as a replica, or as a restore that was not ended',
      'name the primary in DATABASE_URL, or end the recovery: "select pg_promote()"',
    );
  if (unwritable)
    return wrong(
      'database',
      'it takes no writes',
      'let its default_transaction_read_only be off for this role and database',
    );
  const empty = stands ? '' : '; it is empty, and a start fills it';
  return well('database', `PostgreSQL ${version} answers${empty}`);
}

async function checkRows({ registers }: Config, url: string, now: Date): Promise<Finding[]> {
  const db = openDatabase(url, { max: 1 });
  try {
    return [...(await checkLists(db, registers, now)), await checkWorkers(db), ...(await checkAlike(db))];
  } finally {
    await db.destroy();
  }
}

/** Without a worker nothing is minted, matched or settled, and the API answers all the same. */
async function checkWorkers(db: Database): Promise<Finding> {
  const serving = (await listWorkers(db)).filter(serves).length;
  if (serving > 0)
    return well('workers', `${countOf(serving, 'worker')} ${serving === 1 ? 'serves' : 'serve'}`);
  const remedy = 'start one: "worker", or "up" without --no-worker';
  return doubtful('workers', 'no worker was heard of lately: what is ordered or paid for waits', remedy);
}

/** Processes of one database that take the chains otherwise. */
async function checkAlike(db: Database): Promise<Finding[]> {
  const remedy =
    'start all processes with the same settings; embedded chains have no limit, and 0 confirmations';
  return settingsApart(await listProcesses(db)).map(({ says }) => wrong('processes', says, remedy));
}

async function checkLists(db: Database, registers: Config['registers'], now: Date): Promise<Finding[]> {
  const lists = await registerStatus(db, registers.sources, now);
  const empty = emptyRegisters(lists, registers.lookups).flatMap(({ register, says }) =>
    says === null
      ? []
      : [doubtful('lists', says, `set REGISTER_SOURCES, or "register import ${register}/…"`)],
  );
  const held = lists.map(({ list, state, rows, asOf, fault }) => {
    const says = `${list}: ${countOf(rows, 'row')} ${asOf === null ? 'of no date' : `as of ${asOf.slice(0, 10)}`}`;
    if (state === 'fresh') return well('lists', says);
    const why = `${says}, ${state}${fault === null ? '' : ` (${fault})`}`;
    const remedy =
      state === 'missing'
        ? `"register refresh ${list}" or "register import ${list}"; a start without it in REGISTER_SOURCES waits for it no more`
        : `"register refresh ${list}", or vouch for its date with --complete-as-of`;
    return doubtful('lists', why, remedy);
  });
  return [...held, ...empty];
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
