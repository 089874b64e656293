import { createPostgresBackend, Queue, Worker } from 'bullmq';
import pg from 'pg';
import { spawnActor } from '../../../runtime/durable/actors/spawn.ts';
import { type Database, openDatabase } from '../../../store/database.ts';
import { migrate } from '../../../store/migrate.ts';
import { startChild } from '../child.ts';
import { post } from '../post.ts';
import type { BenchRow } from '../row.ts';
import { benchServer } from '../server.ts';
import { type Effort, type Subject, type Times, time } from '../timing.ts';
import { startRestate } from './restate.ts';
import { NOTE, tally } from './tally-machine.ts';
import { tallyService } from './tally-service.ts';

const KEYS = 1_000;
const EFFORT: Effort = { rounds: 5, single: 60, many: 1_000, callers: 64 };

/**
 * A durable turn, from sending an event to the begin of the effect that it asks for, against a Restate virtual object
 * that answers, both over HTTP from a third process; against BullMQ's raw add→process and against the bare transaction
 * that writes the same rows, all on the same Postgres. Nobody's durability is switched off.
 */
export async function benchMailboxes(): Promise<BenchRow[]> {
  const server = await benchServer();
  const closers: (() => Promise<unknown>)[] = [server.stop];
  const close = (end: () => Promise<unknown>): void => {
    closers.unshift(end);
  };
  try {
    await migrate(server.url);
    const ids = await spawnTallies(server.url, KEYS);
    const run = Date.now();

    const restate = await startRestate();
    close(restate.stop);
    const worker = await startChild(new URL('./tally-process.ts', import.meta.url), server.url);
    close(worker.stop);
    const [peer, overHttp] = await time(
      [
        (n) => post(`${restate.url}/tally/k${n % KEYS}/add`, { id: `r${run}-${n}` }, `r${run}-${n}`),
        (n) => post(`${worker.url}/${ids[n % KEYS]}/h${run}-${n}`, {}, `h${run}-${n}`),
      ],
      EFFORT,
    );
    await closers.shift()!();
    await closers.shift()!();

    const service = await tallyService(server.url);
    close(service.stop);
    const raw = await rawQueue(server.url);
    close(raw.stop);
    // Rows of its own: whoever writes an actor beside its turns makes every turn lose once.
    const bare = bareTransaction(server.url, await spawnTallies(server.url, KEYS, 'b'));
    close(bare.stop);
    const [queue, transaction, sent, delivered] = await time(
      [
        raw.once,
        bare.once,
        (n) => service.send(ids[n % KEYS]!, `s${run}-${n}`),
        (n) => service.deliver(ids[n % KEYS]!, `d${run}-${n}`),
      ],
      EFFORT,
    );
    return [
      { name: 'Restate virtual object, over HTTP', ...peer! },
      ...against('durable turn, over HTTP', overHttp!, peer!),
      { name: 'BullMQ raw add→process', ...queue! },
      { name: 'bare transaction of the same rows', ...transaction! },
      {
        name: 'durable turn, in process',
        ...sent!,
        ...atLeast(sent!.perSecond / queue!.perSecond, 0.5, 'BullMQ a second'),
      },
      {
        name: '… the same',
        ...atLeast(sent!.perSecond / transaction!.perSecond, 0.5, 'the bare transaction a second'),
      },
      {
        name: 'durable turn, delivered in a transaction and rung',
        ...delivered!,
        ...atLeast(delivered!.perSecond / transaction!.perSecond, 0.5, 'the bare transaction a second'),
      },
    ];
  } finally {
    for (const end of closers) await end();
  }
}

function against(name: string, ours: Times, peer: Times): BenchRow[] {
  const slower = ours.p50Ms / peer.p50Ms;
  return [
    { name, ...ours, ratio: slower, goal: 'at most 0.8 of Restate p50', ok: slower <= 0.8 },
    { name: '… a second', ...atLeast(ours.perSecond / peer.perSecond, 2, 'Restate a second') },
  ];
}

function atLeast(ratio: number, goal: number, of: string): Pick<BenchRow, 'ratio' | 'goal' | 'ok'> {
  return { ratio, goal: `at least ${goal} of ${of}`, ok: ratio >= goal };
}

/** @returns their ids */
export async function spawnTallies(databaseUrl: string, count: number, prefix = 'k'): Promise<string[]> {
  const db: Database = openDatabase(databaseUrl, { max: 1 });
  try {
    return await db.transaction().execute(async (trx) => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) {
        ids.push(await spawnActor(trx, tally, { key: `${prefix}${i}`, input: {}, now: new Date() }));
      }
      return ids;
    });
  } finally {
    await db.destroy();
  }
}

interface Stoppable {
  readonly once: Subject;
  stop(): Promise<unknown>;
}

async function rawQueue(connectionString: string): Promise<Stoppable> {
  const connection = { connectionString, migrate: true } as never;
  const factory = createPostgresBackend as never;
  const queue = new Queue('raw', { connection }, factory);
  queue.on('error', () => {});
  await queue.waitUntilReady();
  const started = new Map<number, () => void>();
  const worker = new Worker(
    'raw',
    async (job) => started.get((job.data as { n: number }).n)?.(),
    { connection, concurrency: 64 },
    factory,
  );
  worker.on('error', () => {});
  await worker.waitUntilReady();
  return {
    async once(n) {
      const processed = new Promise<void>((resolve) => started.set(n, resolve));
      await queue.add('raw', { n, note: NOTE }, { removeOnComplete: true });
      await processed;
      started.delete(n);
    },
    async stop() {
      await worker.close();
      await queue.close();
    },
  };
}

/** The rows of a turn and of its effect, written by hand: state read and written, event kept by its id, effect done. */
function bareTransaction(connectionString: string, ids: readonly string[]): Stoppable {
  const pool = new pg.Pool({ connectionString, max: 24 });
  const named = (name: string, text: string, values: unknown[]) => ({ name, text, values });
  return {
    async once(n) {
      const id = ids[n % ids.length]!;
      const eventId = `bare ${n}`;
      const event = JSON.stringify({ type: 'ADD', id: eventId });
      const client = await pool.connect();
      try {
        await client.query('begin');
        const { rows } = await client.query(
          named('b1', 'select snapshot from actors where id = $1 for update', [id]),
        );
        await client.query(
          named(
            'b2',
            'insert into mailbox (actor_id, event_id, event, created_at, consumed_at) values ($1, $2, $3, now(), now()) on conflict (actor_id, event_id) do nothing',
            [id, eventId, event],
          ),
        );
        const snapshot = rows[0].snapshot;
        snapshot.context = { ...snapshot.context, count: snapshot.context.count + 1, last: eventId };
        await client.query(
          named(
            'b3',
            'update actors set snapshot = $2, revision = revision + 1, updated_at = now() where id = $1',
            [id, JSON.stringify(snapshot)],
          ),
        );
        await client.query(
          named(
            'b4',
            "insert into effects (key, actor_id, kind, params, status, attempts, finished_at) values ($1, $2, 'tell', $3, 'done', 1, now())",
            [`${id}:${eventId}`, id, event],
          ),
        );
        await client.query('commit');
      } finally {
        client.release();
      }
    },
    stop: () => pool.end(),
  };
}
