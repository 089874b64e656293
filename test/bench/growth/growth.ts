import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { loadAverage } from '../measured/processes.ts';
import { type MeasuredService, withService } from '../measured/service.ts';
import { showProfile, showStatements } from '../measured/show.ts';
import { between, resetStatements, usage } from '../measured/usage.ts';
import { type BenchOptions, type BenchRow, quantile } from '../row.ts';
import { seedHistory } from './seed.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const QUICK = 100_000;
const DEALS = 8;
const GOAL = 1.5;
const REST_MS = 60_000;
/** For what the deals have left to be done, and for jobs to find nothing more of it. */
const SETTLE_MS = 60_000;
const REST_QUERIES = 10;
const REST_PERCENT = 2;

interface Figures {
  readonly order: number[];
  readonly match: number[];
  readonly deal: number[];
  readonly anchored: number[];
  readonly rest: AtRest;
}

interface AtRest {
  readonly queriesASecond: number;
  /** Percent of a core. */
  readonly node: number;
  readonly postgres: number;
}

/**
 * What an order, a match and a deal take beside a history of a thousand and of a million listings, and what the service
 * does at rest. The same service, one after the other, each on a database of its own.
 */
export async function benchGrowth({ quick, profile, sizes }: BenchOptions): Promise<BenchRow[]> {
  const size = sizes.many ?? (quick ? QUICK : MANY);
  const folder = profile ?? mkdtempSync(join(tmpdir(), 'handshake-profile-'));
  const few = await measured(FEW, folder);
  const many = await measured(size, folder);
  const p50 = (all: number[]): number => quantile(all, 0.5);
  const rows = (['order', 'match', 'deal', 'anchored'] as const).flatMap((stage): BenchRow[] => {
    const ratio = p50(many[stage]) / p50(few[stage]);
    return [
      { name: `${WORDS[stage]}, ${FEW}`, p50Ms: p50(few[stage]), p99Ms: quantile(few[stage], 0.99) },
      {
        name: `${WORDS[stage]}, ${size}`,
        p50Ms: p50(many[stage]),
        p99Ms: quantile(many[stage], 0.99),
        ratio,
        goal: `at most ${GOAL}`,
        ok: ratio <= GOAL,
      },
    ];
  });
  return [...rows, ...[few, many].map(({ rest }, i) => atRestRow(i === 0 ? FEW : size, rest))];
}

function atRestRow(size: number, { queriesASecond, node, postgres }: AtRest): BenchRow {
  const percent = (share: number) => `${share.toFixed(1)} %`;
  const cpu = `node ${percent(node)} of a core, Postgres ${percent(postgres)}`;
  return {
    name: `at rest, ${size}: queries`,
    perSecond: queriesASecond,
    measured: cpu,
    goal: `${REST_QUERIES}, and ${REST_PERCENT} % in all`,
    ok: queriesASecond <= REST_QUERIES && node + postgres <= REST_PERCENT,
  };
}

const WORDS = {
  order: 'an order that rests',
  match: 'an order that matches',
  deal: 'matched until settled',
  anchored: 'settled until anchored',
};

async function measured(size: number, profiles: string): Promise<Figures> {
  const prepare = (url: string) => seedHistory(url, { size, every: 2, agents: Math.max(10, size / 10) });
  return await withService({ prepare }, async (service) => {
    console.log(`On ${service.about}, beside ${size} listings; load of the machine ${loadAverage()}.`);
    const deal = await trading(service);
    if (service.counting) await resetStatements(service.db);
    const figures: Omit<Figures, 'deal' | 'anchored' | 'rest'> = { order: [], match: [] };
    for (let n = 0; n < DEALS; n++) await deal(n, figures);
    const { rows } = await service.db.query<{ deal: number; anchored: number }>(`
      select extract(epoch from m.settled_at - m.matched_at) * 1000 as deal,
        extract(epoch from b.anchored_at - m.settled_at) * 1000 as anchored
      from deals d join matches m using (deal_id)
        join records r on r.kind = 'deal-settled' and r.record_id = 'rec_' || left(encode(sha256(convert_to('deal-settled:' || d.deal_id, 'UTF8')), 'hex'), 32)
        join batches b on b.batch_id = r.batch_id
      where d.seller = 'grow-seller'`);
    await showStatements(service, { what: 'deal', count: DEALS });
    const rest = await atRest(service);
    const file = join(profiles, `growth-${size}.cpuprofile`);
    await service.profiled(file, async () => {
      for (let n = DEALS; n < 2 * DEALS; n++) await deal(n, { order: [], match: [] });
    });
    showProfile(file, { what: 'deal', count: DEALS });
    return {
      ...figures,
      deal: rows.map((row) => Number(row.deal)),
      anchored: rows.map((row) => Number(row.anchored)),
      rest,
    };
  });
}

type Timed = { readonly order: number[]; readonly match: number[] };

/** Two agents that trade. @returns one deal: a lot listed, an order that rests elsewhere, one that matches, its record */
async function trading({ story, db }: MeasuredService): Promise<(n: number, into: Timed) => Promise<void>> {
  await story.importLists();
  const seller = await story.proceedingOwner();
  const buyer = await story.proceedingOwner();
  const sells = await story.assemble(
    seller,
    'grow-seller',
    'Sell digital products, max 1000 USDC per deal, for 30 days.',
  );
  const buys = await story.assemble(
    buyer,
    'grow-buyer',
    'Buy digital products, max 1000 USDC per deal, for 30 days.',
  );
  await story.give(buyer, buys.account, 900);
  const timed = async (
    into: number[],
    act: () => Promise<{ status: number; body: unknown }>,
    status: string,
  ) => {
    const began = performance.now();
    const answer = await act();
    into.push(performance.now() - began);
    const told = (answer.body as { status?: string }).status;
    if (told !== status) throw new Error(`${status} was expected: ${JSON.stringify(answer)}`);
  };
  return async (n, into) => {
    const lot = await story.list(seller, sells, { askUsd: 20 });
    const elsewhere = { listingRef: `lst_x${12 * n + 8}`, contract: lot.contract, tokenId: '0' };
    await timed(into.order, () => story.order(buyer, buys, elsewhere, 0.1), 'resting');
    await timed(into.match, () => story.order(buyer, buys, lot, 20), 'matched');
    await ended(db, n + 1);
  };
}

/** Waits until so many deals of the measured agents are anchored. */
async function ended(db: pg.Client, deals: number): Promise<void> {
  const until = performance.now() + 300_000;
  while (performance.now() < until) {
    const { rows } = await db.query<{ recorded: string; stopped: string | null }>(`
      select count(*) filter (where state = 'recorded') as recorded,
        max(reason) filter (where state in ('stopped', 'failed')) as stopped
      from deals where seller = 'grow-seller'`);
    if (rows[0]!.stopped !== null) throw new Error(`a deal was stopped: ${rows[0]!.stopped}`);
    if (Number(rows[0]!.recorded) >= deals) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('a deal did not end within five minutes');
}

/** What goes on when nobody asks for anything. */
async function atRest(service: MeasuredService): Promise<AtRest> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const before = await usage(service);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const used = between(before, await usage(service));
  const seconds = used.atMs / 1_000;
  return {
    queriesASecond: used.queries / seconds,
    node: used.nodeMs / seconds / 10,
    postgres: used.postgresMs / seconds / 10,
  };
}
