import { sql } from 'kysely';
import { openWakeQueue } from '../../../runtime/durable/queue/bullmq.ts';
import { openDatabase } from '../../../store/database.ts';
import { insertMessages } from '../../../store/durable/actors.ts';
import { migrate } from '../../../store/migrate.ts';
import { startChild } from '../child.ts';
import { type BenchRow, quantile } from '../row.ts';
import { benchServer } from '../server.ts';
import { spawnTallies } from './mailboxes.ts';

const KEYS = 160;
const EVENTS = 160;
const EFFECT_MS = 400;
const AT_ONCE = 4;
const ROUNDS = 3;

/**
 * Two worker processes against one, rung through BullMQ by a third that does no work: turns whose effects wait for the
 * world, as determinations and chain transactions do, so many at once in each process. What a second process adds is
 * its share of the waiting; of thinking it adds no more than the machine has processors.
 */
export async function benchShare(): Promise<BenchRow[]> {
  const server = await benchServer();
  const rates: [number[], number[]] = [[], []];
  try {
    await migrate(server.url);
    const ids = await spawnTallies(server.url, KEYS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const count of [1, 2])
        rates[count - 1]!.push(await rate(server.url, ids, count, `r${round}-${count}`));
    }
  } finally {
    await server.stop();
  }
  const [one, two] = rates.map((all) => quantile(all, 0.5)) as [number, number];
  const ratio = two / one;
  return [
    { name: `one worker, effects of ${EFFECT_MS} ms`, perSecond: one },
    { name: 'two workers', perSecond: two, ratio, goal: 'at least 1.6', ok: ratio >= 1.6 },
  ];
}

/** Effects done a second, by so many processes. */
async function rate(
  databaseUrl: string,
  ids: readonly string[],
  count: number,
  run: string,
): Promise<number> {
  const workers = await Promise.all(
    Array.from({ length: count }, () =>
      startChild(
        new URL('./tally-process.ts', import.meta.url),
        databaseUrl,
        String(EFFECT_MS),
        String(AT_ONCE),
      ),
    ),
  );
  const db = openDatabase(databaseUrl, { max: 4 });
  const notifier = await openWakeQueue({ databaseUrl, redisUrl: null, log: { warn: console.error } });
  try {
    const messages = Array.from({ length: EVENTS }, (_, n) => ({
      actorId: ids[n % ids.length]!,
      eventId: `${run}-${n}`,
      event: { type: 'ADD', id: `${run}-${n}` },
    }));
    const start = performance.now();
    await insertMessages(db, messages, new Date());
    for (const id of new Set(messages.map((m) => m.actorId))) notifier.actor(id);
    for (;;) {
      const { rows } = await sql<{ done: number }>`
        select count(*)::int as done from effects where status = 'done' and params->>'id' like ${`${run}-%`}`.execute(
        db,
      );
      if (rows[0]!.done === EVENTS) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return EVENTS / ((performance.now() - start) / 1000);
  } finally {
    await notifier.close();
    await db.destroy();
    for (const worker of workers) await worker.stop();
  }
}
