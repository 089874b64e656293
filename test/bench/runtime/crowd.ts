import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, openDatabase } from '../../../store/database.ts';
import { dueActors } from '../../../store/durable/actors.ts';
import { migrate } from '../../../store/migrate.ts';
import { startChild } from '../child.ts';
import { post } from '../post.ts';
import { type BenchRow, quantile } from '../row.ts';
import { benchServer } from '../server.ts';
import { spawnTallies } from './mailboxes.ts';
import { NOTE } from './tally-machine.ts';

const AWAKE = 1_000;
const SLEEPERS = 999_000;
const DUE = 200;
const FINDS = 200;
const ROUNDS = 9;
const A_ROUND = 60;

/**
 * A million actors, nearly all asleep, against a thousand: two databases on one Postgres, a worker process over each,
 * measured by turns. Sleepers are not free of history: each has an event that was served and an effect that was done.
 */
export async function benchCrowd(): Promise<BenchRow[]> {
  const server = await benchServer();
  const closers: (() => Promise<unknown>)[] = [server.stop];
  try {
    const few = await databaseOf(server.url, 'few');
    const many = await databaseOf(server.url, 'many');
    const [ids] = [await spawnTallies(few, AWAKE), await spawnTallies(many, AWAKE)];
    await putToSleep(many, SLEEPERS);
    const workers = [
      await startChild(new URL('./tally-process.ts', import.meta.url), few),
      await startChild(new URL('./tally-process.ts', import.meta.url), many),
    ];
    for (const worker of workers) closers.unshift(worker.stop);
    const turns: [number[], number[]] = [[], []];
    const finds: [number[], number[]] = [[], []];
    const dbs = [few, many].map((url) => openDatabase(url, { max: 1 })) as [Database, Database];
    for (const db of dbs) closers.unshift(() => db.destroy());
    let n = 0;
    for (let round = -1; round < ROUNDS; round++) {
      for (const [i, worker] of workers.entries()) {
        for (let k = 0; k < A_ROUND; k++, n++) {
          const start = performance.now();
          await post(`${worker.url}/${ids[n % AWAKE]}/c${n}`, {}, `c${n}`);
          if (round >= 0) turns[i]!.push(performance.now() - start);
        }
      }
    }
    const rss = await Promise.all(
      workers.map(async (w) => ((await (await fetch(`${w.url}/memory`)).json()) as { rss: number }).rss),
    );
    for (const worker of workers) await worker.stop();
    for (const db of dbs) {
      await sql`insert into mailbox (actor_id, event_id, event, created_at)
        select 'tally:k' || n, 'due', '{"type":"DONE"}', now() - interval '1 minute' from generate_series(1, ${DUE}) n`.execute(
        db,
      );
    }
    for (let k = -20; k < FINDS; k++) {
      for (const [i, db] of dbs.entries()) {
        const now = new Date();
        const start = performance.now();
        const { ids: found } = await dueActors(db, { before: now, now, limit: 1_000 });
        if (found.length !== DUE) throw new Error(`${found.length} are due, not ${DUE}`);
        if (k >= 0) finds[i]!.push(performance.now() - start);
      }
    }
    const times = (all: readonly number[]) => ({ p50Ms: quantile(all, 0.5), p99Ms: quantile(all, 0.99) });
    const slower = quantile(turns[1], 0.5) / quantile(turns[0], 0.5);
    const find = quantile(finds[1], 0.5) / quantile(finds[0], 0.5);
    const megabytes = rss[1]! / 1e6;
    return [
      { name: 'turn among a thousand actors', ...times(turns[0]) },
      {
        name: 'turn among a million',
        ...times(turns[1]),
        ratio: slower,
        goal: 'at most 1.2',
        ok: slower <= 1.2,
      },
      { name: 'who is due, of a thousand', ...times(finds[0]) },
      {
        name: 'who is due, of a million',
        ...times(finds[1]),
        ratio: find,
        goal: 'at most 1.5',
        ok: find <= 1.5,
      },
      { name: 'memory of its worker, MB', ratio: megabytes, goal: 'below 300', ok: megabytes < 300 },
    ];
  } finally {
    for (const end of closers) await end();
  }
}

async function databaseOf(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

async function putToSleep(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const snapshot = { status: 'active', value: {}, context: { count: 1, last: 'e1', note: NOTE } };
    await client.query(
      `insert into actors (id, kind, version, snapshot, revision)
       select 'tally:s' || n, 'tally', 1, $1::jsonb, 1 from generate_series(1, $2::int) n`,
      [JSON.stringify({ ...snapshot, historyValue: {}, children: {} }), count],
    );
    await client.query(
      `insert into mailbox (actor_id, event_id, event, consumed_at)
       select 'tally:s' || n, 'e1', '{"type":"ADD","id":"e1"}', now() from generate_series(1, $1::int) n`,
      [count],
    );
    await client.query(
      `insert into effects (key, actor_id, kind, params, status, attempts, finished_at)
       select 'tally:s' || n || ':1:0', 'tally:s' || n, 'tell', '{"id":"e1"}', 'done', 1, now()
       from generate_series(1, $1::int) n`,
      [count],
    );
    // As after a night: nothing is left to be written down or counted.
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    await sleep(1_000);
  } finally {
    await client.end();
  }
}
