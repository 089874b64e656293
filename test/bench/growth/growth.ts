import pg from 'pg';
import { migrate } from '../../../store/migrate.ts';
import { serviceFolder } from '../../fixtures/service.ts';
import { storyOn } from '../../fixtures/story-stage.ts';
import { type BenchRow, quantile } from '../row.ts';
import { benchServer } from '../server.ts';
import { commandSeconds, postgresSeconds } from './processes.ts';
import { seedHistory } from './seed.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const DEALS = 8;
const GOAL = 1.5;
const REST_MS = 20_000;
/** For what the deals have left to be done. */
const SETTLE_MS = 10_000;

interface Figures {
  readonly order: number[];
  readonly match: number[];
  readonly deal: number[];
  readonly anchored: number[];
  readonly rest: AtRest;
}

interface AtRest {
  readonly statementsASecond: number;
  /** Percent of a core. */
  readonly node: number;
  readonly postgres: number;
}

/**
 * What an order, a match and a deal take beside a history of a thousand and of a million listings, and what the service
 * does at rest. The same service, one after the other, each on a database of its own.
 */
export async function benchGrowth(): Promise<BenchRow[]> {
  const few = await measured(FEW);
  const many = await measured(MANY);
  const p50 = (all: number[]): number => quantile(all, 0.5);
  const rows = (['order', 'match', 'deal', 'anchored'] as const).flatMap((stage): BenchRow[] => {
    const ratio = p50(many[stage]) / p50(few[stage]);
    return [
      { name: `${WORDS[stage]}, ${FEW}`, p50Ms: p50(few[stage]), p99Ms: quantile(few[stage], 0.99) },
      {
        name: `${WORDS[stage]}, ${MANY}`,
        p50Ms: p50(many[stage]),
        p99Ms: quantile(many[stage], 0.99),
        ratio,
        goal: `at most ${GOAL}`,
        ok: ratio <= GOAL,
      },
    ];
  });
  return [...rows, ...[few, many].map(({ rest }, i) => atRestRow(i === 0 ? FEW : MANY, rest))];
}

function atRestRow(size: number, { statementsASecond, node, postgres }: AtRest): BenchRow {
  const percent = (share: number) => `${share.toFixed(1)} %`;
  const cpu = `node ${percent(node)} of a core, Postgres ${percent(postgres)}`;
  return { name: `at rest, ${size}: ${cpu}; transactions`, perSecond: statementsASecond };
}

const WORDS = {
  order: 'an order that rests',
  match: 'an order that matches',
  deal: 'matched until settled',
  anchored: 'settled until anchored',
};

async function measured(size: number): Promise<Figures> {
  const server = await benchServer();
  const folder = await serviceFolder({ guarded: false });
  const db = new pg.Client(server.url);
  try {
    await migrate(server.url);
    await seedHistory(server.url, size, Math.max(10, size / 10));
    await db.connect();
    await folder.start({ DATABASE_URL: server.url, WATCH_SECONDS: '60' });
    const story = storyOn(folder);
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
    const figures: Omit<Figures, 'rest'> = {
      order: [],
      match: [],
      deal: [],
      anchored: [],
    };
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
    for (let n = 0; n < DEALS; n++) {
      const lot = await story.list(seller, sells, { askUsd: 20 });
      const elsewhere = { listingRef: `lst_x${12 * n + 8}`, contract: lot.contract, tokenId: '0' };
      await timed(figures.order, () => story.order(buyer, buys, elsewhere, 0.1), 'resting');
      await timed(figures.match, () => story.order(buyer, buys, lot, 20), 'matched');
      await ended(db, n + 1);
    }
    const { rows } = await db.query<{ deal: number; anchored: number }>(`
      select extract(epoch from m.settled_at - m.matched_at) * 1000 as deal,
        extract(epoch from b.anchored_at - m.settled_at) * 1000 as anchored
      from deals d join matches m using (deal_id)
        join records r on r.kind = 'deal-settled' and r.body -> 'content' ->> 'dealId' = d.deal_id
        join batches b on b.batch_id = r.batch_id
      where d.seller = 'grow-seller'`);
    figures.deal.push(...rows.map((row) => Number(row.deal)));
    figures.anchored.push(...rows.map((row) => Number(row.anchored)));
    return { ...figures, rest: await atRest(db) };
  } finally {
    await db.end();
    await folder.remove();
    await server.stop();
  }
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
async function atRest(db: pg.Client): Promise<AtRest> {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const read = async () => {
    const told = await db.query<{ n: string }>(
      'select sum(xact_commit + xact_rollback) as n from pg_stat_database where datname = current_database()',
    );
    return [
      Number(told.rows[0]!.n),
      commandSeconds('runtime/handshake.ts'),
      postgresSeconds(rows[0]!.pid),
    ] as const;
  };
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const before = await read();
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const [statements, node, postgres] = (await read()).map((now, i) => (now - before[i]!) / (REST_MS / 1_000));
  return { statementsASecond: statements!, node: node! * 100, postgres: postgres! * 100 };
}
