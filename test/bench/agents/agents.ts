import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../deals/round.ts';
import { loadAverage } from '../measured/processes.ts';
import { type MeasuredService, withService } from '../measured/service.ts';
import { showProfile, showStatements } from '../measured/show.ts';
import { listLot } from '../measured/traders.ts';
import { between, resetStatements, type Usage, usage } from '../measured/usage.ts';
import { type BenchOptions, type BenchRow, quantile } from '../row.ts';
import { type Market, prepareMarket, type Sizes } from './market.ts';

const SMALL: Sizes = { agents: 1_000, lots: 100, sales: 1_000, keen: 8, listings: 30 };
const QUICK: Sizes = { agents: 200, lots: 50, sales: 500, keen: 4, listings: 12 };
const FULL: Sizes = { agents: 10_000, lots: 1_000, sales: 10_000, keen: 24, listings: 60 };
const EVERY_MS = 1_000;
const PATIENCE_MS = 90_000;
const ASK = { askUsd: 150, floorUsd: 149 };
const GOAL_MS = 5_000;
const REST_MS = 15_000;

/**
 * One new listing and one order a second in a market with many active agents: how long after a listing the agents that
 * it concerns have their orders on it, and what that takes.
 */
export async function benchAgents({ quick, full, profile, sizes: asked }: BenchOptions): Promise<BenchRow[]> {
  const sizes = { ...(full ? FULL : quick ? QUICK : SMALL), ...asked };
  // As an operator starts it: what is not set has its default.
  return await withService({ env: { WATCH_SECONDS: process.env.WATCH_SECONDS ?? '' } }, async (service) => {
    console.log(`On ${service.about}; load of the machine ${loadAverage()}; ${JSON.stringify(sizes)}.`);
    const market = await prepareMarket(service, sizes);
    const { rows: active } = await service.db.query<{ n: string; watching: string }>(
      `select count(*) as n, count(*) filter (where exists (select from timers t where t.actor_id = 'agent:' || handle))
        as watching from agents where status = 'active' and tier = 'AGENT'`,
    );
    console.log(`${active[0]!.n} agents are active, ${active[0]!.watching} with a timer.`);
    await sleep(5_000);
    const quiet = await usage(service);
    await sleep(REST_MS);
    const rest = between(quiet, await usage(service));
    if (service.counting) await resetStatements(service.db);
    const file = join(profile ?? mkdtempSync(join(tmpdir(), 'handshake-profile-')), 'agents.cpuprofile');
    const before = await usage(service);
    const listed = await service.profiled(file, () => trade(service, market));
    const waits = await answered(service, listed, sizes.keen);
    const used = between(before, await usage(service));
    await showStatements(service, { what: 'listing', count: listed.length });
    showProfile(file, { what: 'listing', count: listed.length });
    console.log(`Load of the machine at the end ${loadAverage()}.`);
    return rowsOf(waits, { listed: listed.length, used, rest });
  });
}

/** Lists and orders, once a second each. @returns the listings */
async function trade({ story, ...service }: MeasuredService, market: Market): Promise<string[]> {
  const { toList, orderer, others } = market;
  const began = performance.now();
  const listings = toList.map(async (lot, i) => {
    await sleep(i * EVERY_MS);
    const { listingRef } = await listLot({ story, ...service }, lot, { ...ASK, category: lot.category });
    return listingRef;
  });
  const orders = toList.map(async (_, i) => {
    const other = others[i % others.length];
    if (other === undefined) return;
    await sleep((i + 0.5) * EVERY_MS);
    const { status, body } = await story.order(orderer.owner, orderer, other, 0.1);
    if (status !== 201) throw new Error(`an order was refused: ${status} ${JSON.stringify(body)}`);
  });
  const [refs] = await Promise.all([Promise.all(listings), Promise.all(orders)]);
  await sleep(Math.max(0, began + toList.length * EVERY_MS - performance.now()));
  return refs;
}

/** How long each concerned agent took, in milliseconds; infinite where its order did not come. */
async function answered(
  { db }: MeasuredService,
  listed: readonly string[],
  keen: number,
): Promise<readonly number[]> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await db.query<{ ms: number }>(
      `select (extract(epoch from min(o.created_at) - l.listed_at) * 1000)::float8 as ms
        from listings l join orders o using (listing_ref)
        where l.listing_ref = any($1) and o.handle like 'keen-%' group by l.listing_ref, l.listed_at, o.handle`,
      [listed],
    );
    const missing = Math.max(0, listed.length * keen - rows.length);
    if (missing === 0 || performance.now() > until)
      return [...rows.map(({ ms }) => ms), ...Array<number>(missing).fill(Number.POSITIVE_INFINITY)];
    await sleep(250);
  }
}

function rowsOf(
  waits: readonly number[],
  { listed, used, rest }: { listed: number; used: Usage; rest: Usage },
): BenchRow[] {
  const came = waits.filter(Number.isFinite).length;
  const p95 = quantile(waits, 0.95);
  const told = Number.isFinite(p95) ? `${(p95 / 1_000).toFixed(1)} s` : 'never';
  const cores = (usage: Usage, ms: number) => `${((100 * ms) / usage.atMs).toFixed(0)} %`;
  const busy = (usage: Usage) =>
    `node ${cores(usage, usage.nodeMs)} of a core, Postgres ${cores(usage, usage.postgresMs)}`;
  return [
    {
      name: 'from a listing to the order of an agent that it concerns',
      p50Ms: quantile(waits, 0.5),
      p99Ms: quantile(waits, 0.99),
      measured: `p95 ${told}; ${came} of ${waits.length} orders came`,
      goal: `p95 under ${GOAL_MS / 1_000} s`,
      ok: p95 < GOAL_MS,
    },
    { name: 'meanwhile, queries', perSecond: used.queries / (used.atMs / 1_000), measured: busy(used) },
    { name: 'at rest, queries', perSecond: rest.queries / (rest.atMs / 1_000), measured: busy(rest) },
    { name: 'of each listing: WAL', measured: `${(used.walBytes / 1_000 / listed).toFixed(0)} kB` },
    { name: 'of each listing: rows', measured: (used.rows / listed).toFixed(0) },
  ];
}
