import { OrderBook, Side } from 'nodejs-order-book';
import { LotBook } from '../../../agents/market/lot-book.ts';
import { random } from '../../simulator/random.ts';
import { type BenchRow, quantile } from '../row.ts';

const ACTS = 200_000;
const ROUNDS = 7;
const CENT = 10_000n;

/** One seller at a time, as a lot has; every buyer is somebody else. Prices in cents. */
type Act =
  | { readonly do: 'bid'; readonly id: string; readonly price: number; readonly owner: string }
  | { readonly do: 'offer'; readonly id: string; readonly price: number }
  | { readonly do: 'cancel'; readonly id: string };

/** Bids around a market, some taken back, and a seller who comes again after each sale, now and then within reach. */
function flow(seed: string): Act[] {
  const r = random(seed);
  const acts: Act[] = [];
  const placed: string[] = [];
  for (let n = 0; n < ACTS; n++) {
    const kind = r.below(100);
    const id = `o${n}`;
    if (kind < 70 || placed.length === 0) {
      placed.push(id);
      acts.push({ do: 'bid', id, price: 5_000 + r.below(2_000), owner: `0x${n % 997}` });
    } else if (kind < 90) acts.push({ do: 'cancel', id: placed[r.below(placed.length)]! });
    else acts.push({ do: 'offer', id, price: 6_500 + r.below(1_000) });
  }
  return acts;
}

interface Played {
  readonly perSecond: number;
  /** Who met whom. */
  readonly pairs: readonly string[];
}

function ours(acts: readonly Act[]): Played {
  const book = new LotBook({ ask: 7_000n * CENT, negotiable: true });
  const pairs: string[] = [];
  let last = 0n;
  let seq = 0n;
  const start = performance.now();
  for (const act of acts) {
    if (act.do === 'cancel') book.cancel(act.id);
    else {
      const limit = BigInt(act.price) * CENT;
      const fill =
        act.do === 'offer'
          ? book.offer({ orderId: act.id, owner: '0xseller', limit })
          : book.bid({ orderId: act.id, seq: seq++, owner: act.owner, limit, openingBid: limit / 2n });
      if (fill) pairs.push(`${fill.offer.orderId} ${fill.bid.orderId}`);
    }
    // The peer has no such number; ours is written after every act, as in the service.
    last += book.priceToBeat();
  }
  const seconds = (performance.now() - start) / 1000;
  if (last === 0n) throw new Error('no price was told');
  return { perSecond: acts.length / seconds, pairs };
}

function peer(acts: readonly Act[]): Played {
  const book = new OrderBook();
  const pairs: string[] = [];
  let offered: string | null = null;
  const start = performance.now();
  for (const act of acts) {
    if (act.do === 'cancel') {
      book.cancel(act.id);
      continue;
    }
    if (act.do === 'offer' && offered !== null) book.cancel(offered);
    const side = act.do === 'offer' ? Side.SELL : Side.BUY;
    const { done, err } = book.limit({ id: act.id, side, size: 1, price: act.price });
    if (err) throw err;
    const met = done.find((o) => o.id !== act.id);
    if (act.do === 'offer') offered = met ? null : act.id;
    else if (met) offered = null;
    if (met) pairs.push(act.do === 'offer' ? `${act.id} ${met.id}` : `${met.id} ${act.id}`);
  }
  return { perSecond: acts.length / ((performance.now() - start) / 1000), pairs };
}

/** Matching in memory against `nodejs-order-book` on one flow; both must find the same pairs. */
export async function benchMatching(): Promise<BenchRow[]> {
  const rates: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++) {
    const acts = flow(`matching ${round}`);
    const [mine, theirs] =
      round % 2 === 0 ? [ours(acts), peer(acts)] : ([peer(acts), ours(acts)].reverse() as [Played, Played]);
    if (mine!.pairs.join() !== theirs!.pairs.join()) throw new Error('the two books do not match the same');
    if (round < 0) continue;
    rates[0].push(mine!.perSecond);
    rates[1].push(theirs!.perSecond);
  }
  const [mine, theirs] = rates.map((all) => quantile(all, 0.5)) as [number, number];
  return [
    { name: 'nodejs-order-book, acts on one lot', perSecond: theirs },
    {
      name: 'our book in memory',
      perSecond: mine,
      ratio: mine / theirs,
      goal: 'at least 0.5',
      ok: mine / theirs >= 0.5,
    },
  ];
}
