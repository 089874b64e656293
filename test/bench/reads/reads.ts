import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATEGORIES } from '../../../agents/categories.ts';
import { openDatabase } from '../../../store/database.ts';
import { startPostgres } from '../../../store/embedded.ts';
import { migrate } from '../../../store/migrate.ts';
import { serviceFolder } from '../../fixtures/service.ts';
import type { Load } from '../load.ts';
import { press } from '../press.ts';
import { type BenchRow, quantile } from '../row.ts';

const LOTS = 1_000;
const ROUNDS = 9;
const CONNECTIONS = 32;
const ROUND_MS = 1_500;
const GOAL = 0.6;

/**
 * `GET /orders` of the whole service, as it is started by an operator, against the same Fastify with one bare indexed
 * query: two processes on one Postgres that take turns under the same load from a third.
 */
export async function benchReads(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handshake-bench-'));
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, randomHex: (bytes) => randomBytes(bytes).toString('hex') });
  const folder = await serviceFolder({ guarded: false });
  let bare: ChildProcess | null = null;
  try {
    await migrate(server.url);
    await fillBook(server.url);
    const service = await folder.start({ DATABASE_URL: server.url });
    bare = script('bare-server.ts', server.url);
    const bareUrl = await firstLine(bare);
    const pages = ['/orders', '/orders?offset={n}'];
    const [plain, whole, plainApart, apart] = (await measure(
      pages.flatMap((page) => [`${bareUrl}${page}`, `${service.baseUrl}${page}`]),
    )) as [Figures, Figures, Figures, Figures];
    return [
      { name: 'GET /orders, bare query', ...plain },
      { name: 'GET /orders, the service', ...whole, ...held(whole, plain) },
      // Nothing is shared here: what a reading of one's own costs.
      { name: '… every caller another page, bare query', ...plainApart },
      { name: '… every caller another page, the service', ...apart, ...held(apart, plainApart) },
    ];
  } finally {
    bare?.kill('SIGTERM');
    await folder.remove();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fillBook(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1 });
  const now = Date.now();
  await db
    .insertInto('lots')
    .values(
      Array.from({ length: LOTS }, (_, i) => ({
        asset_key: `eip155:1002/erc721:0x${'a'.repeat(40)}/${i}`,
        category: CATEGORIES[i % CATEGORIES.length]!,
        chain: 'eip155:1002',
        price_to_beat: BigInt(i + 1) * 1_010_000n,
        open: true,
        updated_at: new Date(now - i * 1_000),
      })),
    )
    .execute();
  await db.destroy();
}

function held(ours: Figures, theirs: Figures): Pick<BenchRow, 'ratio' | 'goal' | 'ok'> {
  const ratio = ours.perSecond / theirs.perSecond;
  return { ratio, goal: `at least ${GOAL}`, ok: ratio >= GOAL };
}

type Figures = { perSecond: number; p50Ms: number; p99Ms: number };

/** They take turns, so that a busy moment of the machine meets both; the median of the rounds counts. */
async function measure(targets: readonly string[]): Promise<Figures[]> {
  const loads = targets.map((): Load[] => []);
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, target] of targets.entries()) {
      const load = await press(target, { connections: CONNECTIONS, milliseconds: ROUND_MS });
      // The first round warms up.
      if (round >= 0) loads[i]!.push(load);
    }
  }
  return loads.map((of) => ({
    perSecond: quantile(
      of.map((l) => l.perSecond),
      0.5,
    ),
    p50Ms: quantile(
      of.map((l) => l.p50Ms),
      0.5,
    ),
    p99Ms: quantile(
      of.map((l) => l.p99Ms),
      0.5,
    ),
  }));
}

const here = (file: string): string => new URL(file, import.meta.url).pathname;

function script(file: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', here(file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`it ended (${code}) before it said where it listens`)));
    child.stdout?.on('data', (bytes) => {
      text += String(bytes);
      const [line, ...rest] = text.split('\n');
      if (rest.length > 0) resolve(line as string);
    });
  });
}
