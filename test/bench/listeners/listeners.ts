import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../../store/database.ts';
import { migrate } from '../../../store/migrate.ts';
import { serviceFolder } from '../../fixtures/service.ts';
import { ended } from '../child.ts';
import type { BenchRow } from '../row.ts';
import { benchServer } from '../server.ts';

const LISTENERS = 10_000;
const EVENTS = 50;
const PAUSE_MS = 200;
const GOAL_MB = 500;
/** So much must stand open in one process beside its streams. */
const DESCRIPTORS = LISTENERS + 500;

/**
 * Ten thousand streams of `GET /events` in one process of the whole service, as an operator starts it: what it weighs
 * before, with them, and at most while they are told things; and how long after its transaction an event is heard.
 */
export async function benchListeners(): Promise<BenchRow[]> {
  const server = await benchServer();
  const folder = await serviceFolder({ guarded: false });
  try {
    await migrate(server.url);
    const service = await folder.start({
      DATABASE_URL: server.url,
      EVENT_STREAMS_PER_ADDRESS: String(DESCRIPTORS),
      WATCH_SECONDS: '0',
    });
    const before = await weight(service.baseUrl);
    const path = new URL('./event-listeners.ts', import.meta.url).pathname;
    const args = ['--import', 'tsx', path, `${service.baseUrl}/events`, String(LISTENERS), String(EVENTS)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    try {
      const said = async (): Promise<string> => {
        const line = await lines.next();
        if (line.done)
          throw new Error(`the listeners ended: ${DESCRIPTORS} open files are needed (ulimit -n)`);
        return line.value;
      };
      await said();
      const listening = await weight(service.baseUrl);
      let most = listening;
      const db = openDatabase(server.url, { max: 1 });
      for (let n = 0; n < EVENTS; n++) {
        await tell(db, n);
        await sleep(PAUSE_MS);
        most = Math.max(most, await weight(service.baseUrl));
      }
      const heard = JSON.parse(await said()) as { heard: number; p50Ms: number; p99Ms: number; cut: number };
      await db.destroy();
      most = Math.max(most, await weight(service.baseUrl));
      if (heard.heard !== LISTENERS * EVENTS || heard.cut > 0) {
        throw new Error(
          `${heard.heard} of ${LISTENERS * EVENTS} events were heard, ${heard.cut} streams were cut off`,
        );
      }
      return [
        { name: 'memory with no listener, MB', ratio: before },
        { name: `… with ${LISTENERS} listeners`, ratio: listening },
        { name: '… at most, while they are told', ratio: most, goal: `below ${GOAL_MB}`, ok: most < GOAL_MB },
        { name: `from commit to ear, ${LISTENERS} ears`, p50Ms: heard.p50Ms, p99Ms: heard.p99Ms },
      ];
    } finally {
      await ended(child, 'SIGTERM');
    }
  } finally {
    await folder.remove();
    await server.stop();
  }
}

async function tell(db: ReturnType<typeof openDatabase>, n: number): Promise<void> {
  const lot = `eip155:1002/erc721:0x${'a'.repeat(40)}/told-${Date.now()}`;
  await sql`insert into lots (asset_key, category, chain, price_to_beat) values
    (${lot}, 'digital-products', 'eip155:1002', ${BigInt(n + 1) * 1_010_000n})`.execute(db);
}

/** Resident megabytes of the service's process, as it tells by itself. */
async function weight(baseUrl: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const bytes = /^handshake_process_resident_bytes (\S+)$/m.exec(text)?.[1];
  if (bytes === undefined) throw new Error('the service does not tell what it weighs');
  return Number(bytes) / 1e6;
}
