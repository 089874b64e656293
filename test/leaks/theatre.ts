import { agentRoutes } from '../../api/agent/agents.ts';
import { marketRoutes } from '../../api/market/market.ts';
import { wireEvents } from '../../api/service/event-wire.ts';
import type { Services } from '../../runtime/services.ts';
import type { Database } from '../../store/database.ts';
import { publishCloseCalls } from '../../store/market/close-calls.ts';
import { cancelOrder, expireOrders } from '../../store/market/withdrawals.ts';
import { eventsAfter, sequenceEvents } from '../../store/records/public-events.ts';
import { plainRoutes, server } from '../conformance/api/server-fixture.ts';
import { markSettled, unwindDeal } from '../fixtures/closings.ts';
import { marketStage, unlessStopped } from '../fixtures/market-stage.ts';
import { BID_LIFE_MS, BUYERS, CAUSES, lasts, type Script, type Secrets } from './history.ts';

const HOUR_MS = 3_600_000;
const toWire = wireEvents({ baseUrl: 'http://handshake.test', chainId: 1002, ledger: '0xledger' });

export interface Theatre {
  /**
   * Runs a history on a lot of its own, after the previous one. @returns everything that the public can see, act by act
   */
  play(script: Script, secrets: Secrets, refusals: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** A market on a database of its own that runs histories and collects every public byte: answers, headers, events. */
export async function theatre(db: Database): Promise<Theatre> {
  const stage = marketStage(db);
  const app = await server({
    db,
    limits: { reads: 1e9, writes: 1e9 },
    routes: [
      ...plainRoutes,
      (a) => marketRoutes(a, { db }),
      (a) => agentRoutes(a, { db } as unknown as Services),
    ],
  });
  const seller = await stage.agent('seller');
  const buyers: { handle: string; owner: string }[] = [];
  for (let n = 0; n < BUYERS; n++) {
    const owner = n === BUYERS - 1 ? '0xowner-of-seller' : `0xowner-of-buyer-${n}`;
    buyers.push({ handle: await stage.agent(`buyer-${n}`, owner), owner });
  }
  let seen = 0n;
  let played = 0;

  async function events(): Promise<string> {
    await sequenceEvents(db);
    const told = (await eventsAfter(db, seen, 1_000)).map(toWire);
    seen = told.at(-1)?.id ?? seen;
    return told.map(({ frame }) => frame.toString()).join('');
  }

  async function answer(path: string): Promise<string> {
    const { statusCode, headers, body } = await app.inject(path);
    // The time of the answer, and the rest of the rate limit, are momentary.
    const { date: _, 'ratelimit-reset': __, 'ratelimit-remaining': ___, ...kept } = headers;
    return `${path}\n${statusCode} ${JSON.stringify(kept)}\n${body}`;
  }

  return {
    async play(script, secrets, refusals) {
      const id = ++played;
      const begins = new Date(Math.ceil(stage.now().getTime() / HOUR_MS) * HOUR_MS + HOUR_MS);
      stage.tick(begins.getTime() - stage.now().getTime());
      const of = (what: string, n: number | string): string => `${what}_${id}_${n}`;
      const bytes: string[] = [];
      const lot = await stage.list(seller, {
        listingRef: of('listing', 0),
        asset: { kind: 'token', chainId: 1002, contract: `0x${'a'.repeat(40)}`, tokenId: String(id) },
        ask: script.ask,
        floor: secrets.floor,
        negotiable: script.negotiable,
        featured: script.featured,
        description: `Lot ${id}`,
      });
      const look = async (what: string): Promise<void> => {
        const paths = ['/orders?limit=5', '/matches?limit=3', '/catalogue?limit=3', '/close-calls?limit=3'];
        const answers = [await events(), ...(await Promise.all(paths.map(answer)))];
        bytes.push([what, ...answers].join('\n'));
      };
      await look('list');
      let deal: string | null = null;
      let state: 'live' | 'dealing' | 'gone' = 'live';
      for (const [i, act] of script.acts.entries()) {
        const now = stage.tick(lasts(act));
        const ids = { matchId: of('match', i), dealId: of('deal', i) };
        const taken = (match: { dealId: string } | null): void => {
          if (match) [deal, state] = [match.dealId, 'dealing'];
        };
        if (act.do === 'bid' && state === 'live') {
          const { match } = await stage.order(buyers[act.buyer]!.handle, lot, {
            ...{ orderId: of('order', act.n), owner: buyers[act.buyer]!.owner, ids },
            limit: secrets.limits[act.n]!,
            openingBid: act.opening,
            expiresAt: stage.later(BID_LIFE_MS[act.short ? 'short' : 'long']),
          });
          taken(match);
        } else if (act.do === 'reprice' && state === 'live' && script.negotiable) {
          const terms = {
            orderId: of('order', act.n),
            side: 'sell' as const,
            limit: secrets.limits[act.n]!,
            ids,
          };
          taken(
            (await stage.order(seller, lot, { ...terms, expiresAt: stage.later(BID_LIFE_MS.long) })).match,
          );
        } else if (act.do === 'cancel') {
          await cancel(of('order', act.n), now);
        } else if (act.do === 'stop' && deal !== null) {
          const dealId: string = deal;
          [deal, state] = [null, 'live'];
          const undone = await stage.inTrx((trx) =>
            unwindDeal(trx, {
              dealId,
              reason: 'private',
              orderId: of('again', i),
              ids,
              allows: unlessStopped(trx),
              now,
              causes: [CAUSES[act.cause]],
            }),
          );
          taken(undone.match);
        } else if (act.do === 'settle' && deal !== null) {
          const dealId: string = deal;
          await stage.inTrx((trx) => markSettled(trx, { dealId, tx: `0x${'7'.repeat(64)}`, block: 1n, now }));
          [deal, state] = [null, 'gone'];
        } else if (act.do === 'expire') await expireOrders(db, now);
        else if (act.do === 'hour') {
          let calls = 0;
          await publishCloseCalls(db, { now, newId: () => of('call', `${i}_${calls++}`), lookBackHours: 4 });
        }
        // A refused request must leave no visible trace, however often it is tried.
        for (let n = 0; n < refusals && i % 3 === 0; n++) await refuse(lot, of('refused', `${i}_${n}`));
        await look(act.do);
      }
      for (const path of [
        '/catalogue?limit=100',
        '/orders?limit=100',
        '/matches?limit=100',
        '/close-calls?limit=100',
      ])
        bytes.push(await answer(path));
      bytes.push(await answer('/agents/directory'), await answer('/catalogue?limit=2&q=lot'));
      await clear(lot, stage.now());
      await events();
      return bytes;
    },
    async stop() {
      await app.close();
    },
  };

  /** Cancels an order for its owner, if it still rests. */
  async function cancel(orderId: string, now: Date): Promise<void> {
    const row = await db
      .selectFrom('orders')
      .select(['handle', 'status'])
      .where('order_id', '=', orderId)
      .executeTakeFirst();
    if (row?.status !== 'resting') return;
    await stage.inTrx((trx) => cancelOrder(trx, { orderId, handle: row.handle, now }));
  }

  async function refuse(lot: string, orderId: string): Promise<void> {
    const judge = (): never => {
      throw new Error('refused');
    };
    await stage.order(buyers[0]!.handle, lot, { orderId, limit: 5_000_000n, judge }).catch(() => {});
  }

  /** Expires everything that rests on this lot at once, so that the next history begins with an empty book. */
  async function clear(lot: string, now: Date): Promise<void> {
    await db
      .updateTable('orders')
      .set({ expires_at: now })
      .where('asset_key', '=', lot)
      .where('status', '=', 'resting')
      .execute();
    await expireOrders(db, new Date(now.getTime() + 3_000));
  }
}
