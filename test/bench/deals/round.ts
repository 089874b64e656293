import type { Lot } from '../../fixtures/story-stage.ts';
import type { MeasuredService } from '../measured/service.ts';
import { byCallers, type Trader } from '../measured/traders.ts';
import { between, type Usage, usage } from '../measured/usage.ts';

/** When each stage of a deal ended, in milliseconds by the clock; NaN where it did not. */
export interface Course {
  readonly sent: number;
  readonly answered: number;
  readonly matched: number;
  readonly asked: number;
  readonly determined: number;
  readonly sending: number;
  readonly settled: number;
  readonly recorded: number;
  readonly anchored: number;
}

export interface Round {
  readonly deals: readonly Course[];
  /** Orders that were refused for now, and sent again. */
  readonly refused: number;
  /** Deals that did not settle, by why. */
  readonly stopped: readonly string[];
  /** Deals that settled within `settledSeconds`. */
  readonly settled: number;
  /** From the first order until the last deal was settled, or the others were given up. */
  readonly settledSeconds: number;
  readonly used: Usage;
}

export type ForSale = Lot & { seller: Trader };

interface Asked {
  readonly buyers: readonly Trader[];
  readonly callers: number;
  /** What is paid for each lot, dollars. */
  readonly usd: number;
  /** From the first order until deals that are not settled yet are given up; without limit when left out. */
  readonly limitMs?: number | undefined;
}

/** For what deals leave to be done: public events are numbered every five seconds. */
const TAIL_MS = 6_500;
const AGAIN_MS = 100;
const PATIENCE_MS = 90_000;

/** Buys each lot by so many callers at once: each sends its next order when the last was answered. */
export async function dealRound(
  service: MeasuredService,
  lots: readonly ForSale[],
  { buyers, callers, usd, limitMs = Number.POSITIVE_INFINITY }: Asked,
): Promise<Round> {
  const { db, story } = service;
  const before = await usage(service);
  const began = Date.now();
  let refused = 0;
  const sent = new Map<string, { sent: number; answered: number }>();
  await byCallers(lots, callers, async (lot, i) => {
    const buyer = buyers[(i + Math.floor(i / buyers.length)) % buyers.length]!;
    const at = Date.now();
    let answer = await story.order(buyer.owner, buyer, lot, usd);
    for (; answer.status === 503; refused++) {
      await sleep(AGAIN_MS);
      answer = await story.order(buyer.owner, buyer, lot, usd);
    }
    const { status, body } = answer;
    if (status !== 201 || body.status !== 'matched')
      throw new Error(`a match was expected: ${status} ${JSON.stringify(body)}`);
    sent.set(body.match.matchId, { sent: at, answered: Date.now() });
  });
  const whole = await ended(service, [...sent.keys()], began + limitMs);
  const until = Date.now();
  await sleep(TAIL_MS);
  const used = between(before, await usage(service));
  const { rows } = await db.query<Stages>(STAGES, [[...sent.keys()]]);
  const deals = rows.map((row): Course => ({ ...sent.get(row.match_id)!, ...timesOf(row) }));
  const settled = deals.map((deal) => deal.settled).filter((at) => at <= until);
  return {
    deals,
    settled: settled.length,
    refused,
    stopped: rows.flatMap(({ state, reason }) => (BROKEN.includes(state) ? `${state}: ${reason}` : [])),
    settledSeconds: ((whole ? Math.max(...settled) : until) - began) / 1_000,
    used,
  };
}

const BROKEN: readonly string[] = ['stopped', 'failed'];

type Named = 'matched' | 'asked' | 'determined' | 'sending' | 'settled' | 'recorded' | 'anchored';
type Stages = { match_id: string; state: string; reason: string | null } & Readonly<
  Record<Named, Date | null>
>;

const STAGES = `
  select m.match_id, d.state, d.reason, m.matched_at as matched, m.settled_at as settled,
    min(e.created_at) filter (where e.kind = 'determine') as asked,
    max(e.finished_at) filter (where e.kind = 'determine') as determined,
    min(e.created_at) filter (where e.kind = 'settle') as sending,
    max(e.finished_at) filter (where e.kind = 'record-deal') as recorded,
    (select b.anchored_at from records r join batches b using (batch_id) where r.record_id = 'rec_' || left(encode(sha256(convert_to('deal-settled:' || d.deal_id, 'UTF8')), 'hex'), 32)) as anchored
  from matches m join deals d using (deal_id) left join effects e on e.actor_id = 'deal:' || d.deal_id
  where m.match_id = any($1) group by m.match_id, d.deal_id`;

function timesOf(row: Stages): Record<Named, number> {
  const at = (time: Date | null) => time?.getTime() ?? Number.NaN;
  return {
    matched: at(row.matched),
    asked: at(row.asked),
    determined: at(row.determined),
    sending: at(row.sending),
    settled: at(row.settled),
    recorded: at(row.recorded),
    anchored: at(row.anchored),
  };
}

/**
 * Waits until these are anchored, or stopped for good. @param limit by the clock: when they are given up
 * @returns whether all of them are @throws Error when nothing has moved for a while
 */
async function ended({ db }: MeasuredService, matches: readonly string[], limit: number): Promise<boolean> {
  let least = Number.POSITIVE_INFINITY;
  let until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await db.query<{ left: string }>(
      `select count(*) filter (where state not in ('recorded', 'stopped', 'failed'))
        + (select count(*) from records where kind = 'deal-settled'
            and (batch_id is null or batch_id in (select batch_id from batches where status <> 'anchored'))) as left
        from deals where match_id = any($1)`,
      [matches],
    );
    const left = Number(rows[0]!.left);
    if (left === 0) return true;
    if (Date.now() > limit) return false;
    if (left < least) {
      least = left;
      until = performance.now() + PATIENCE_MS;
    }
    if (performance.now() > until) throw new Error(`${left} deals or records did not end`);
    await sleep(100);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
