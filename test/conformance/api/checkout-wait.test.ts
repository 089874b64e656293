import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { replyCheckoutPage, requireCheckout } from '../../../api/checkout/checkout-state.ts';
import type { App, Reply, Request } from '../../../api/http/app.ts';
import { readConfig } from '../../../runtime/config/config.ts';
import { createCheckout } from '../../../store/checkout/checkouts.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { plainRoutes, server } from './server-fixture.ts';

describe('the page of somebody who has just paid', () => {
  let database: TestDatabase;
  let app: App;
  let url: string;
  let queries = 0;
  let closed: Promise<unknown>;

  beforeAll(async () => {
    database = await testDatabase();
    const db = database.db.withPlugin({
      transformQuery({ node }) {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const config = readConfig({});
    const state = (a: App): void => {
      a.get('/membership/checkout/:id', async (request, reply) => {
        const { id } = request.params as { id: string };
        closed = once(reply.raw, 'close');
        const found = await requireCheckout({ db }, 'membership', id);
        return await replyCheckoutPage(request as Request, reply as Reply, { db, config }, found);
      });
    };
    const room = { atOnce: 9, waiting: 0 };
    app = await server({ routes: [...plainRoutes, state], admission: { reads: room, work: room } });
    await app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    await database.db.deleteFrom('checkouts').execute();
    const expiresAt = new Date(Date.now() + 3_600_000);
    const bought = { kind: 'membership', handle: null, tier: null, depth: null, details: {} } as const;
    await database.db.transaction().execute(async (trx) => {
      for (const id of '123456789') {
        const checkout = { ...bought, id, owner: '0xowner', amount: 50_000_000n };
        await createCheckout(trx, { ...checkout, expiresAt, now: new Date() });
      }
    });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const page = (id: string, signal: AbortSignal | null = null) =>
    fetch(`${url}/membership/checkout/${id}?paid=yes`, { headers: { accept: 'text/html' }, signal });
  const paid = () => database.db.updateTable('checkouts').set({ status: 'paid' }).execute();
  const isAtOnce = (answer: Response) => answer.headers.get('refresh') !== null;

  it('waits once for each checkout and eight times in all, so that others are answered meanwhile', async () => {
    const of = async (ids: string): Promise<number> => {
      const atOnce: Promise<Response>[] = [];
      const pages = [...ids].map(async (id) => {
        const answer = await page(id);
        if (isAtOnce(answer)) atOnce.push(Promise.resolve(answer));
        return answer;
      });
      const many = ids === '123456789' ? 1 : ids.length - 1;
      await vi.waitFor(() => expect(atOnce).toHaveLength(many), { timeout: 60_000 });
      expect((await fetch(`${url}/pricing`)).status).toBe(200);
      await paid();
      for (const answer of await Promise.all(pages)) expect(answer.status).toBe(200);
      return atOnce.length;
    };
    expect(await of('111111111')).toBe(8);
    await database.db.updateTable('checkouts').set({ status: 'awaiting-payment' }).execute();
    expect(await of('123456789')).toBe(1);
  });

  it('asks nothing more once the caller has gone', async () => {
    const caller = new AbortController();
    const before = queries;
    const gone = page('1', caller.signal).catch(() => 'gone');
    await vi.waitFor(() => expect(queries).toBeGreaterThan(before + 1), { timeout: 60_000 });
    caller.abort();
    expect(await gone).toBe('gone');
    await closed;
    const then = queries;
    await sleep(1_200);
    // One may have been under way.
    expect(queries).toBeLessThanOrEqual(then + 1);
  });
});
