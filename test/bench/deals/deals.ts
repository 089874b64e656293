import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { drawFlameGraph } from '../measured/flame-graph.ts';
import { loadAverage } from '../measured/processes.ts';
import { type MeasuredService, withService } from '../measured/service.ts';
import { keepStatements, showProfile, showStatements, showWal } from '../measured/show.ts';
import { byCallers, depositAssets, listLot, mintTraders, type Trader } from '../measured/traders.ts';
import { between, resetStatements, type Usage, usage, walPosition, walSince } from '../measured/usage.ts';
import type { BenchOptions, BenchRow } from '../row.ts';
import { dealRound, type ForSale, type Round, sleep } from './round.ts';
import { costRows, stageRows } from './rows.ts';

interface Planned {
  readonly callers: number;
  readonly deals: number;
  /** Seconds from block to block; a block for each transaction when left out. */
  readonly blocks?: number;
  /** When it is ended, done or not. */
  readonly limitMs?: number;
}

const ROUNDS: readonly Planned[] = [
  { callers: 1, deals: 20 },
  { callers: 8, deals: 100 },
  { callers: 32, deals: 100 },
  { callers: 8, deals: 80, blocks: 2 },
  { callers: 8, deals: 120, blocks: 6, limitMs: 60_000 },
];
const QUICK: readonly Planned[] = [{ callers: 8, deals: 40 }];
const PROFILED: Planned = { callers: 8, deals: 40 };
const WARM: Planned = { callers: 8, deals: 30 };
const SELLERS = 10;
/** As many as ever call at once. */
const BUYERS = 32;
const ASK_USD = 20;
const REST_MS = 10_000;

/**
 * What a deal costs from the order to its anchored record, on the whole service as an operator starts it: time by
 * stages, queries, rows, bytes, WAL and CPU, by one and by many callers, and with slow blocks. One more round is
 * profiled.
 */
export async function benchDeals({ quick, profile }: BenchOptions): Promise<BenchRow[]> {
  const planned = quick ? QUICK : ROUNDS;
  return await withService({}, async (service) => {
    console.log(`On ${service.about}; load of the machine ${loadAverage()}.`);
    const { lots, buyers } = await prepared(service, [WARM, ...planned, PROFILED]);
    const round = async ({ callers, deals, blocks, limitMs }: Planned): Promise<Round> => {
      if (blocks !== undefined) await rpc(service.rpcUrl, 'evm_setIntervalMining', [blocks]);
      const told = await dealRound(service, lots.splice(0, deals), {
        buyers,
        callers,
        limitMs,
        usd: ASK_USD,
      });
      if (blocks !== undefined) {
        await rpc(service.rpcUrl, 'evm_setIntervalMining', [0]);
        await rpc(service.rpcUrl, 'evm_setAutomine', [true]);
      }
      for (const why of new Set(told.stopped)) console.log(`stopped: ${why}`);
      return told;
    };
    await round(WARM);
    const rest = await atRest(service);
    const rows: BenchRow[] = [];
    for (const plan of planned) {
      if (service.counting) await resetStatements(service.db);
      const written = await walPosition(service.db);
      const told = await round(plan);
      const name = `${plan.callers} at once${plan.blocks === undefined ? '' : `, a block every ${plan.blocks} s`}`;
      const gated = { eight: plan.callers === 8, slow: plan.blocks !== undefined };
      rows.push(...stageRows(name, told, gated));
      if (!gated.slow) rows.push(...costRows(name, told, rest, gated.eight));
      if (gated.eight && !gated.slow) {
        showTables(told);
        showWal(await walSince(service.db, written), { what: 'deal', count: told.deals.length });
        await showStatements(service, { what: 'deal', count: told.deals.length });
        const folder = profile ?? mkdtempSync(join(tmpdir(), 'handshake-profile-'));
        mkdirSync(folder, { recursive: true });
        await keepStatements(service, join(folder, 'statements.json'));
        const file = join(folder, 'deals.cpuprofile');
        const profiled = await service.profiled(file, () => round(PROFILED));
        showProfile(file, { what: 'deal', count: profiled.deals.length });
        const drawing = join(folder, 'deals.svg');
        const title = 'What the service does for a deal, from its order to its anchored record';
        drawFlameGraph(file, drawing, { title, count: profiled.deals.length });
        console.log(`Its flame graph: ${drawing}`);
      }
    }
    console.log(`Load of the machine at the end ${loadAverage()}.`);
    return rows;
  });
}

async function prepared(
  service: MeasuredService,
  rounds: readonly Planned[],
): Promise<{ lots: ForSale[]; buyers: Trader[] }> {
  await service.story.importLists();
  const count = rounds.reduce((sum, { deals }) => sum + deals, 0);
  const side = (name: string, length: number, mandate: string, usd: number) =>
    Array.from({ length }, (_, i) => ({ handle: `${name}-${i}`, mandate, usd }));
  const traders = await mintTraders(service, [
    ...side('bench-seller', SELLERS, 'Sell digital products, max 1000 USDC per deal, for 30 days.', 0),
    ...side(
      'bench-buyer',
      BUYERS,
      'Buy digital products, max 1000 USDC per deal, for 30 days.',
      count * ASK_USD,
    ),
  ]);
  const assets = await depositAssets(service, traders.slice(0, SELLERS), count);
  const lots = await byCallers(assets, 8, (asset) => listLot(service, asset, { askUsd: ASK_USD }));
  await sleep(5_000);
  return { lots, buyers: traders.slice(SELLERS) };
}

/** What goes on by itself, a second. */
async function atRest(service: MeasuredService): Promise<Usage> {
  // What was prepared leaves work for a vacuum, which would be taken for the service's.
  await service.db.query('checkpoint').catch(() => {});
  await service.db.query('vacuum analyze');
  await sleep(3_000);
  const before = await usage(service);
  await sleep(REST_MS);
  return between(before, await usage(service));
}

function showTables({ used, deals }: Round): void {
  const a = (n: number) => (n / deals.length).toFixed(2);
  const tables = [...used.byTable].map(
    ([name, { rows, bytes }]) => `${name} ${a(rows)} (${a(bytes / 1_000)} kB)`,
  );
  console.log(`Rows a deal, and what tables grew by: ${tables.join(', ')}`);
}
