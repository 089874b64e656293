import { afterAll, beforeAll, expect, it } from 'vitest';
import { AGENT_PAYMENT_GAS, type PayerClass } from '../../../chain/facilitator/payer-class.ts';
import { gasGuard } from '../../../runtime/payments/gas-guard.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ACCOUNT: PayerClass = {
  ...{ kind: 'known', codes: ['code:eip155:1002:0xacc0'] },
  ...{ transferGas: AGENT_PAYMENT_GAS, deployGas: 0n },
};
const paymentOf = (payer: string, n: number) => ({
  ...{ paymentId: `${payer}-${n}`, network: 'eip155:1002', payer },
  validBefore: new Date(Date.now() + 300_000),
});

it('what one account of known code has under way or fails keeps no other one from paying', async () => {
  const guard = gasGuard(database.db);
  for (let n = 0; n < 12; n++) await guard.reserve(paymentOf('0xone', n), ACCOUNT);
  await expect(guard.reserve(paymentOf('0xone', 12), ACCOUNT)).rejects.toMatchObject({ code: 'gas-budget' });
  await guard.reserve(paymentOf('0xother', 0), ACCOUNT);
});

it('what was not sent costs no gas and counts as a failure', async () => {
  const guard = gasGuard(database.db);
  const known = async () => (await guard.state()).classes.find(({ kind }) => kind === 'known')!;
  const before = await known();
  await guard.fail(null, paymentOf('0xthird', 0), { payer: ACCOUNT, sent: 'nothing' });
  expect(await known()).toMatchObject({ spentGas: before.spentGas, failed: before.failed + 1 });
  await expect(guard.reserve(paymentOf('0xthird', 1), ACCOUNT)).rejects.toMatchObject({ code: 'gas-budget' });
  await guard.fail(null, paymentOf('0xfourth', 0), { payer: ACCOUNT, sent: 'transfer' });
  expect((await known()).spentGas).toBe(before.spentGas + Number(AGENT_PAYMENT_GAS));
});
