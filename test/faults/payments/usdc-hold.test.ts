import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdForPayment } from '../../../runtime/checkout/buy-with-usdc.ts';
import { bookCheckoutOf, dropHold } from '../../../runtime/checkout/public.ts';
import type { Services } from '../../../runtime/services.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

/** The number of an agent follows from its checkout's id, and whoever pays in USDC chooses the nonce of the payment. */

let database: TestDatabase;
let services: Services;
beforeAll(async () => {
  database = await testDatabase();
  services = {
    db: database.db,
    config: { prices: { setting: 'test', standardListing: null } },
    now: () => new Date(),
    newId: (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`,
    sessionKeys: { base: 0n },
  } as unknown as Services;
});
afterAll(() => database?.drop());

const until = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const hold = (handle: string, nonce: string) =>
  holdForPayment(
    services,
    {
      owner: `0x${'a'.repeat(40)}`,
      handle,
      mandate: `Buy digital products, max 50 USDC per deal, until ${until}.`,
      tier: 'AGENT',
    },
    `eip155:84532:0x${'b'.repeat(40)}:${nonce}`,
    () => {},
  );
const drop = (nonce: string) =>
  database.db.transaction().execute((trx) => dropHold(trx, `eip155:84532:0x${'b'.repeat(40)}:${nonce}`));

it('has the same checkout however often one payment is sent, and books that one', async () => {
  const first = await hold('held-one', '0x01');
  expect((await hold('held-one', '0x01')).checkoutId).toBe(first.checkoutId);
  expect((await hold('held-two', '0x02')).checkoutId).not.toBe(first.checkoutId);
  const booked = await database.db
    .transaction()
    .execute((trx) => bookCheckoutOf(services, trx, `eip155:84532:0x${'b'.repeat(40)}:0x01`));
  expect(booked).toBe(first.checkoutId);
  expect((await hold('held-one', '0x01')).checkoutId).toBe(first.checkoutId);
});

it('has an id that nobody can work out from the payment', async () => {
  const first = await hold('held-three', '0x03');
  await drop('0x03');
  expect((await hold('held-three', '0x03')).checkoutId).not.toBe(first.checkoutId);
});
