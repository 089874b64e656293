import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresBackend, Queue, Worker } from 'bullmq';
import { deliver } from '../../runtime/actors/mailbox.ts';
import { spawnActor } from '../../runtime/actors/spawn.ts';
import type { EffectRunner } from '../../runtime/effects/effect.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { startPostgres } from '../../store/embedded.ts';
import { migrate } from '../../store/migrate.ts';
import { courier } from '../fixtures/courier-machine.ts';
import { courierService } from '../fixtures/courier-service.ts';

/** One thing measured: milliseconds one at a time, and how many a second with many callers. */
interface TurnRow {
  readonly what: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

interface TurnBench {
  readonly rows: readonly TurnRow[];
  /** p50 of a durable turn over p50 of BullMQ's raw add→process, on the same Postgres in the same run. */
  readonly ratio: number;
  readonly goal: number;
}

const ROUNDS = 10;
const A_ROUND = 50;
const MANY = 3_000;
const CALLERS = 64;
const ACTORS = 1_000;
const GOAL = 3;

interface Subject {
  /** Runs one thing through to its end. */
  once(n: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A durable turn, from the delivery of an event to the start of the effect it asks for, against BullMQ's raw
 * add→process. Postgres keeps every promise here: nothing is switched off.
 */
export async function benchTurns(): Promise<TurnBench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handshake-bench-'));
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({
    dataDir,
    randomHex: (bytes) => randomBytes(bytes).toString('hex'),
  });
  const db = openDatabase(server.url, { max: 24 });
  try {
    await migrate(server.url);
    const ids = await spawnAll(db);
    // The two that are compared take turns, so that a busy moment of the machine meets both.
    const raw = await rawQueue(server.url);
    const direct = await durableTurns(db, server.url, ids, true);
    const [rawTimes, directTimes] = await time([raw, direct]).finally(async () => {
      await direct.close();
      await raw.close();
    });
    const queued = await durableTurns(db, server.url, ids, false);
    const [queuedTimes] = await time([queued]).finally(queued.close);
    const rows = [
      { what: 'BullMQ raw add→process', ...rawTimes! },
      { what: 'durable turn, answered where it was rung', ...directTimes! },
      { what: 'durable turn, rung through BullMQ', ...queuedTimes! },
    ];
    return { rows, ratio: directTimes!.p50Ms / rawTimes!.p50Ms, goal: GOAL };
  } finally {
    await db.destroy();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function spawnAll(db: Database): Promise<string[]> {
  return await db.transaction().execute(async (trx) => {
    const ids: string[] = [];
    for (let i = 0; i < ACTORS; i++) {
      ids.push(await spawnActor(trx, courier, { key: `a${i}`, input: {}, now: new Date() }));
    }
    return ids;
  });
}

async function durableTurns(
  db: Database,
  databaseUrl: string,
  ids: readonly string[],
  direct: boolean,
): Promise<Subject> {
  const started = new Map<string, () => void>();
  const runner: EffectRunner = {
    kind: 'carry',
    lane: 'default',
    maxAttempts: 1,
    async run({ params }) {
      started.get(String(params.parcel))?.();
      return {};
    },
  };
  const concurrency = { turns: 16, default: 16 };
  const service = await courierService({
    db,
    databaseUrl,
    redisUrl: null,
    runner,
    direct,
    concurrency,
  });
  return {
    async once(n) {
      const parcel = `${direct} ${n}`;
      const effect = new Promise<void>((resolve) => started.set(parcel, resolve));
      const actorId = ids[n % ids.length]!;
      const event = { type: 'CARRY_ONCE', parcel, key: `${parcel} of ${actorId}` };
      await db
        .transaction()
        .execute((trx) => deliver(trx, { actorId, eventId: parcel, event, now: new Date() }));
      service.bell.actor(actorId);
      await effect;
      started.delete(parcel);
    },
    close: service.stop,
  };
}

async function rawQueue(connectionString: string): Promise<Subject> {
  const connection = { connectionString, migrate: true } as never;
  const factory = createPostgresBackend as never;
  const queue = new Queue('raw', { connection }, factory);
  queue.on('error', () => {});
  await queue.waitUntilReady();
  const started = new Map<number, () => void>();
  const worker = new Worker(
    'raw',
    async (job) => started.get((job.data as { n: number }).n)?.(),
    { connection, concurrency: 16 },
    factory,
  );
  worker.on('error', () => {});
  await worker.waitUntilReady();
  return {
    async once(n) {
      const processed = new Promise<void>((resolve) => started.set(n, resolve));
      await queue.add('raw', { n }, { removeOnComplete: true });
      await processed;
      started.delete(n);
    },
    async close() {
      await worker.close();
      await queue.close();
    },
  };
}

async function time(subjects: readonly Subject[]): Promise<Omit<TurnRow, 'what'>[]> {
  const taken = subjects.map((): number[] => []);
  let n = 0;
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, subject] of subjects.entries()) {
      for (let k = 0; k < A_ROUND; k++) {
        const start = performance.now();
        await subject.once(n++);
        // The first round warms up.
        if (round >= 0) taken[i]!.push(performance.now() - start);
      }
    }
  }
  const rows: Omit<TurnRow, 'what'>[] = [];
  for (const [i, subject] of subjects.entries()) {
    const sorted = taken[i]!.sort((a, b) => a - b);
    const at = (share: number): number => Number(sorted[Math.floor(sorted.length * share)]!.toFixed(2));
    const start = performance.now();
    const last = n + MANY;
    const caller = async (): Promise<void> => {
      while (n < last) await subject.once(n++);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    const seconds = (performance.now() - start) / 1000;
    rows.push({ p50Ms: at(0.5), p99Ms: at(0.99), perSecond: Math.round(MANY / seconds) });
  }
  return rows;
}
