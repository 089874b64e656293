import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentCrashPoint } from '../../../api/x402/collect.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import { gasGuard } from '../../../runtime/payments/gas-guard.ts';
import { paymentsReconciled } from '../../../runtime/payments/reconcile-payments.ts';
import { type PaymentStage, paymentStage, shop } from '../../fixtures/paid-service.ts';
import { strangersRecord } from '../../fixtures/strangers-record.ts';
import { ANY_SIGNATURE, burners } from '../../fixtures/wallets/burner-wallets.ts';
import {
  ask,
  ethersPayment,
  freshAuthorization,
  send,
  type WirePayment,
} from '../../fixtures/wallets/payers.ts';

/** What a request left unfinished when its service crashed, and nobody repeated it. */

const QUERY = '/determination?address=0x00000000000000000000000000000000000000aa';
const MINUTE = 60_000;
const DAY = 86_400_000;
let stage: PaymentStage;
beforeAll(async () => {
  stage = await paymentStage();
});
afterAll(() => stage.stop());

const table = (name: 'payments' | 'records' | 'gas_reservations') =>
  stage.database.db.selectFrom(name).selectAll().execute();

const KEYS = sessionKeys(`0x${'5e'.repeat(32)}`);

/** One run of the periodic task, this many milliseconds later. */
async function reconcile(laterMs: number): Promise<void> {
  const { db } = stage.database;
  const chains = new Map(
    [stage.home, stage.base].map(({ chainId, url }) => [chainId, { chainId, rpcUrl: url }]),
  );
  const notifier = { actor() {}, effect() {}, sweep() {} } as never;
  const now = () => new Date(Date.now() + laterMs);
  const deps = { db, notifier, now, chains, log: pino({ level: 'silent' }), sessionKeys: KEYS };
  await paymentsReconciled(deps, gasGuard(db))();
}

/** Sends a payment to a service that crashes at a point. */
async function endAt(point: PaymentCrashPoint, payment?: (accepted: WirePayment['accepted']) => WirePayment) {
  const dying = await shop(stage, {
    leaseMs: 300,
    record: strangersRecord,
    crash: (at) => {
      if (at === point) throw new Error('the process ends here');
    },
  });
  const challenge = await ask(dying.url + QUERY);
  const sent = payment
    ? payment(challenge.accepts[0]!)
    : await ethersPayment((await stage.payer()).privateKey, challenge);
  const { status } = await send(dying.url + QUERY, sent);
  await dying.stop();
  expect(status).toBe(500);
  return { payment: sent, payTo: dying.payTo };
}

async function forget(): Promise<void> {
  for (const name of ['payments', 'records', 'gas_reservations', 'gas_budgets'] as const)
    await stage.database.db.deleteFrom(name).execute();
}

describe('a payment that settled while the service crashed', () => {
  it('is released by the reconciler once, and its record is filed once, however many processes run it', async () => {
    await forget();
    const { payment, payTo } = await endAt('payment-charged');
    expect(await table('records')).toEqual([]);
    await Promise.all([reconcile(MINUTE), reconcile(MINUTE), reconcile(MINUTE)]);
    await reconcile(2 * MINUTE);
    expect(await table('payments')).toMatchObject([{ status: 'settled', record: null }]);
    expect(await table('records')).toHaveLength(1);

    const next = await shop(stage, { payTo, record: strangersRecord });
    try {
      const answers = await Promise.all([1, 2].map(() => send(next.url + QUERY, payment)));
      expect(answers.map((a) => [a.status, a.receipt?.success])).toEqual(Array(2).fill([200, true]));
      expect([next.runs(), await next.received()]).toEqual([0, 1n]);
      expect(await table('records')).toHaveLength(1);
    } finally {
      await next.stop();
    }
  });

  it('is released once when the reconciler and a payer who repeats the request run at the same time', async () => {
    await forget();
    const { payment, payTo } = await endAt('payment-charged');
    const next = await shop(stage, { payTo, record: strangersRecord });
    try {
      const [answer] = await Promise.all([send(next.url + QUERY, payment), reconcile(MINUTE)]);
      expect([answer.status, next.runs(), await next.received()]).toEqual([200, 0, 1n]);
      expect(await table('records')).toHaveLength(1);
    } finally {
      await next.stop();
    }
  });
});

describe('a payment that was never sent to the chain', () => {
  const POINTS: PaymentCrashPoint[] = [
    'payment-bound',
    'payment-worked',
    'payment-stored',
    'payment-settling',
  ];
  it.each(POINTS)(
    'left at %s waits until its validity has passed, and then leaves nothing behind',
    async (point) => {
      await forget();
      await endAt(point);
      await reconcile(MINUTE);
      expect(await table('payments')).toHaveLength(1);
      await reconcile(DAY);
      expect([await table('payments'), await table('records')]).toEqual([[], []]);
    },
  );

  it('by a contract wallet keeps its gas reserved until then, and the gas then counts as spent', async () => {
    await forget();
    const { url: rpcUrl, deployment, accounts } = stage.home;
    const wallet = await burners({
      rpcUrl,
      facilitator: accounts.facilitator.address,
      deployer: accounts.bob.address,
    }).wallet('never');
    const operatorPrivateKey = accounts.operator.privateKey;
    await fundWallet({ rpcUrl, deployment, operatorPrivateKey }, wallet, 1_000_000n);
    await endAt('payment-settling', (accepted) => ({
      x402Version: 2,
      accepted,
      payload: { signature: ANY_SIGNATURE, authorization: freshAuthorization(wallet, accepted) },
    }));
    const guard = gasGuard(stage.database.db);
    const unproven = async () => (await guard.state()).classes.find((c) => c.kind === 'unproven');
    expect(await unproven()).toMatchObject({ failed: 0, inFlight: 1, spentGas: 0 });
    await reconcile(DAY);
    expect(await unproven()).toMatchObject({ failed: 1, inFlight: 0 });
    expect((await unproven())?.spentGas).toBeGreaterThan(0);
    expect([await table('payments'), await table('gas_reservations')]).toEqual([[], []]);
  });

  it('does not count as lost while a chain does not answer', async () => {
    await forget();
    await endAt('payment-settling');
    const { db } = stage.database;
    const chains = new Map([[1002, { chainId: 1002, rpcUrl: 'http://127.0.0.1:1' }]]);
    const now = () => new Date(Date.now() + DAY);
    await paymentsReconciled(
      { db, notifier: {} as never, now, chains, log: pino({ level: 'silent' }), sessionKeys: KEYS },
      gasGuard(db),
    )();
    expect(await table('payments')).toMatchObject([{ status: 'settling' }]);
  });
});
