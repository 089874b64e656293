import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  pad,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import { inProcessFacilitator } from '../../../chain/facilitator/in-process.ts';
import { knownWallets } from '../../../chain/facilitator/known-wallets.ts';
import { payerClassifier, UNPROVEN_GAS } from '../../../chain/facilitator/payer-class.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { GAS_SETTINGS } from '../../../runtime/payments/gas-guard.ts';
import {
  facilitatorChain,
  type PaymentStage,
  paymentStage,
  type Shop,
  shop,
} from '../../fixtures/paid-service.ts';
import { strangersRecord } from '../../fixtures/strangers-record.ts';
import { ANY_SIGNATURE, type Burners, type Burns, burners } from '../../fixtures/wallets/burner-wallets.ts';
import {
  type Answer,
  ask,
  ethersPayment,
  freshAuthorization,
  send,
  type WirePayment,
} from '../../fixtures/wallets/payers.ts';

/** Wallets that approve in a call, and burn the gas of whoever sends their payment to the chain. */

const QUERY = '/determination?address=0x00000000000000000000000000000000000000aa';
let stage: PaymentStage;
let evil: Burners;
let facilitator: Address;

beforeAll(async () => {
  stage = await paymentStage();
  facilitator = stage.home.accounts.facilitator.address;
  evil = burners({ rpcUrl: stage.home.url, facilitator, deployer: stage.home.accounts.bob.address });
});
afterAll(() => stage.stop());

async function fund(address: Address): Promise<void> {
  const { url: rpcUrl, deployment, accounts } = stage.home;
  await fundWallet(
    { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey },
    address,
    1_000_000n,
  );
}

/** Valid for a long time, because these tests move the chain's clock. */
async function paymentFrom(open: Shop, from: Address, signature: Hex = ANY_SIGNATURE): Promise<WirePayment> {
  const accepted = (await ask(open.url + QUERY)).accepts[0]!;
  const authorization = { ...freshAuthorization(from, accepted), validBefore: inADay() };
  return { x402Version: 2, accepted, payload: { signature, authorization } };
}

const inADay = (): string => String(Math.floor(Date.now() / 1000) + 86_400);

const keyPayment = async (open: Shop, privateKey: Hex): Promise<WirePayment> =>
  ethersPayment(privateKey, await ask(open.url + QUERY), { authorization: { validBefore: inADay() } });

/** How much gas the facilitator's key has paid since then, and how many transactions it has sent. */
async function spentSince(): Promise<() => Promise<{ sent: number; gas: bigint }>> {
  const client = createPublicClient({ transport: http(stage.home.url) });
  const first = await client.getTransactionCount({ address: facilitator });
  const from = await client.getBlockNumber({ cacheTime: 0 });
  return async () => {
    const to = await client.getBlockNumber({ cacheTime: 0 });
    let gas = 0n;
    for (let n = from + 1n; n <= to; n++) {
      const { transactions } = await client.getBlock({ blockNumber: n, includeTransactions: true });
      for (const tx of transactions)
        if (tx.from.toLowerCase() === facilitator.toLowerCase())
          gas += (await client.getTransactionReceipt({ hash: tx.hash })).gasUsed;
    }
    return { sent: (await client.getTransactionCount({ address: facilitator })) - first, gas };
  };
}

const filed = async () =>
  (await stage.database.db.selectFrom('records').select('record_id').execute()).length;

async function forget(): Promise<void> {
  await stage.database.db.deleteFrom('gas_budgets').execute();
  await stage.database.db.deleteFrom('gas_reservations').execute();
}

async function within(run: (open: Shop) => Promise<void>, options: Parameters<typeof shop>[1] = {}) {
  await forget();
  const open = await shop(stage, { record: strangersRecord, ...options });
  try {
    await run(open);
  } finally {
    await open.stop();
  }
}

describe('a wallet that burns the gas of a transaction and approves a call', () => {
  /** Conditions that an exact simulation sees like the transaction does. */
  const seen: Burns[] = [
    'tx.origin',
    'tx.gasprice',
    'little gas',
    'block.number',
    'block.coinbase',
    'always',
  ];
  it.each(seen)('when %s tells it so, gets no work done and costs no gas', (burns) =>
    within(async (open) => {
      const wallet = await evil.wallet(burns);
      await fund(wallet);
      const [before, spent] = [await filed(), await spentSince()];
      const answer = await send(open.url + QUERY, await paymentFrom(open, wallet));
      expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      expect([open.runs(), await filed(), (await spent()).sent]).toEqual([0, before, 0]);
    }),
  );

  /** Conditions that may differ in the next block: by chance a payment settles, fails, or is not tried. */
  const lucky: Burns[] = ['block.timestamp', 'block.prevrandao', 'tx.origin.balance'];
  it.each(lucky)(
    'when %s tells it so, costs at most its limit, and leaves no record if it does not settle',
    (burns) =>
      within(async (open) => {
        const wallet = await evil.wallet(burns);
        await fund(wallet);
        const [before, spent] = [await filed(), await spentSince()];
        let settled = 0;
        for (let n = 0; n < 6; n++) {
          const answer = await send(open.url + QUERY, await paymentFrom(open, wallet));
          if (answer.status === 200) settled += 1;
          else expect(['payment-invalid', 'settlement-failed', 'gas-budget']).toContain(answer.code);
        }
        const { sent, gas } = await spent();
        expect(gas).toBeLessThanOrEqual(BigInt(sent) * UNPROVEN_GAS);
        expect([BigInt(settled), await filed()]).toEqual([await open.received(), before + settled]);
      }),
  );
});

/**
 * Sends a payment of a wallet that burns as soon as the block is later than the simulated one, and moves the time to
 * that when the payment is sent.
 */
async function sendLate(open: Shop, wallets: readonly Address[]): Promise<Answer[]> {
  const { url } = stage.home;
  const payments = await Promise.all(wallets.map((wallet) => paymentFrom(open, wallet)));
  let answered = 0;
  await rpc(url, 'evm_setAutomine', [false]);
  try {
    const answers = payments.map(async (payment) => {
      const answer = await send(open.url + QUERY, payment);
      answered += 1;
      return answer;
    });
    const waiting = async () => BigInt((await rpc<{ pending: Hex }>(url, 'txpool_status')).pending);
    while (answered + Number(await waiting()) < wallets.length) await sleep(20);
    await rpc(url, 'evm_increaseTime', [120]);
    await rpc(url, 'evm_mine');
    return await Promise.all(answers);
  } finally {
    await rpc(url, 'evm_setAutomine', [true]);
  }
}

/** The last second in which a wallet that burns late approves. */
async function soon(): Promise<bigint> {
  const { timestamp } = await rpc<{ timestamp: Hex }>(stage.home.url, 'eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  return BigInt(timestamp) + 100n;
}

async function late(more: Hex | null = null): Promise<Address> {
  const wallet = await evil.wallet('once late', await soon());
  const shaped = more === null ? wallet : await evil.reshaped(wallet, more);
  await fund(shaped);
  return shaped;
}

const codesOf = (answers: readonly Answer[]) => answers.map((a) => a.code);

async function keyIsServed(open: Shop): Promise<void> {
  const { privateKey } = await stage.payer();
  const answer = await send(open.url + QUERY, await keyPayment(open, privateKey));
  expect(answer.status).toBe(200);
}

describe('a wallet that no simulation detects', () => {
  it('has its code refused once its failures have cost what the code may cost, whatever its arguments, while keys pay', () =>
    within(
      async (open) => {
        const [before, spent] = [await filed(), await spentSince()];
        const answers: Answer[] = [];
        for (let n = 0; n < 5; n++) answers.push(...(await sendLate(open, [await late()])));
        expect(codesOf(answers)).toEqual([
          'settlement-failed',
          'settlement-failed',
          'gas-budget',
          'gas-budget',
          'gas-budget',
        ]);
        expect(Number(answers[4]?.response.headers.get('retry-after'))).toBeGreaterThan(60);
        expect(open.runs()).toBe(2);
        const { sent, gas } = await spent();
        expect([sent, gas > 0n, gas <= 2n * UNPROVEN_GAS]).toEqual([2, true, true]);

        // Clones with arguments behind their code, and accounts that delegate to one, run the same code.
        const target = await late();
        const clone = await evil.clone(target, '0xabcdef');
        const delegated = privateKeyToAccount(generatePrivateKey()).address;
        await evil.delegated(delegated, target);
        for (const wallet of [clone, delegated]) {
          await fund(wallet);
          const answer = await send(open.url + QUERY, await paymentFrom(open, wallet));
          expect([answer.status, answer.code]).toEqual([503, 'gas-budget']);
        }
        await keyIsServed(open);
        expect(await filed()).toBe(before + 1);
      },
      { gas: { ...GAS_SETTINGS, codeGas: 2 * Number(UNPROVEN_GAS) } },
    ));

  it('is refused with all unproven code when it has another code each time, while keys and proven code pay', () =>
    within(
      async (open) => {
        const answers: Answer[] = [];
        for (const more of ['0x01', '0x0202', '0x030303', '0x04040404'] as const)
          answers.push(...(await sendLate(open, [await late(more)])));
        expect(codesOf(answers)).toEqual([...Array(3).fill('settlement-failed'), 'gas-budget']);
        const honest = await evil.wallet('never');
        await fund(honest);
        expect((await send(open.url + QUERY, await paymentFrom(open, honest))).code).toBe('gas-budget');
        await keyIsServed(open);

        const code = await rpc<Hex>(stage.home.url, 'eth_getCode', [honest, 'latest']);
        const codes = new Map([[keccak256(code), UNPROVEN_GAS]]);
        const classify = payerClassifier({ rpcUrl: stage.home.url, known: knownWallets({ codes }) });
        const knowing = inProcessFacilitator([
          facilitatorChain(stage.home, { classify }),
          facilitatorChain(stage.base),
        ]);
        const vouched = await shop(stage, {
          record: strangersRecord,
          facilitators: [knowing],
          payTo: open.payTo,
        });
        try {
          const answer = await send(vouched.url + QUERY, await paymentFrom(vouched, honest));
          expect(answer.status).toBe(200);
        } finally {
          await vouched.stop();
        }
      },
      { gas: { ...GAS_SETTINGS, unprovenGas: 3 * Number(UNPROVEN_GAS) } },
    ));

  it('succeeds with only a few of twenty-four payments that come at once', () =>
    within(async (open) => {
      const spent = await spentSince();
      const wallets: Address[] = [];
      for (let n = 0; n < 24; n++) wallets.push(await late(pad(toHex(n), { size: 40 })));
      const answers = await sendLate(open, wallets);
      const counted = new Map<string | undefined, number>();
      for (const code of codesOf(answers)) counted.set(code, (counted.get(code) ?? 0) + 1);
      expect(Object.fromEntries(counted)).toEqual({ 'settlement-failed': 4, 'gas-budget': 20 });
      expect(open.runs()).toBe(4);
      expect((await spent()).gas).toBeLessThanOrEqual(4n * UNPROVEN_GAS);
      await keyIsServed(open);
    }));

  it('is not accepted again soon after its failure', () =>
    within(async (open) => {
      const wallet = await late();
      expect(codesOf(await sendLate(open, [wallet]))).toEqual(['settlement-failed']);
      const again = await send(open.url + QUERY, await paymentFrom(open, wallet));
      expect(again.status).toBeGreaterThanOrEqual(402);
      // There is gas left for its code, so it is the payer that must wait.
      const other = await evil.wallet('never');
      await fund(other);
      expect((await send(open.url + QUERY, await paymentFrom(open, other))).status).toBe(200);
      expect(open.runs()).toBe(2);
    }));
});

describe('a wallet that is not deployed yet and burns', () => {
  it('is neither deployed nor served', async () => {
    const made = await evil.undeployed('tx.origin');
    const chain = facilitatorChain(stage.home, { walletFactories: [made.factory] });
    const willing = inProcessFacilitator([chain, facilitatorChain(stage.base)]);
    await within(
      async (open) => {
        await fund(made.wallet);
        const spent = await spentSince();
        const answer = await send(open.url + QUERY, await paymentFrom(open, made.wallet, made.signature));
        expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
        expect([open.runs(), (await spent()).sent]).toEqual([0, 0]);
        expect(await rpc(stage.home.url, 'eth_getCode', [made.wallet, 'latest'])).toBe('0x');
      },
      { facilitators: [willing] },
    );
  });
});

describe('a wallet that is not deployed yet', () => {
  /** What its factory's budget has spent once a payment has failed whose wallet was deployed for it. */
  async function failed(
    burns: Burns,
    spoil: (wallet: Address) => Promise<unknown>,
    prepare: (wallet: Address) => Promise<unknown> = async () => {},
  ): Promise<{ deployed: boolean; spent: unknown[]; sent: number }> {
    const made = await evil.undeployed(burns, await soon());
    const chain = facilitatorChain(stage.home, { walletFactories: [made.factory] });
    const willing = inProcessFacilitator([chain, facilitatorChain(stage.base)]);
    const { url } = stage.home;
    const seen = { deployed: false, spent: [] as unknown[], sent: 0 };
    await within(
      async (open) => {
        await fund(made.wallet);
        await prepare(made.wallet);
        const spent = await spentSince();
        const payment = await paymentFrom(open, made.wallet, made.signature);
        const waiting = async () => BigInt((await rpc<{ pending: Hex }>(url, 'txpool_status')).pending);
        await rpc(url, 'evm_setAutomine', [false]);
        try {
          let code: string | undefined;
          const answered = send(open.url + QUERY, payment).then((answer) => {
            code = answer.code;
          });
          while ((await waiting()) === 0n && code === undefined) await sleep(20);
          await spoil(made.wallet);
          await rpc(url, 'evm_setAutomine', [true]);
          await rpc(url, 'evm_mine');
          await answered;
          expect(code).toBe('settlement-failed');
        } finally {
          await rpc(url, 'evm_setAutomine', [true]);
        }
        seen.sent = (await spent()).sent;
        seen.deployed = (await rpc(url, 'eth_getCode', [made.wallet, 'latest'])) !== '0x';
        const rows = await stage.database.db
          .selectFrom('gas_budgets')
          .select('spent')
          .where('key', 'in', [`factory:${made.factory.toLowerCase()}`, 'class:unproven'])
          .execute();
        seen.spent = rows.map(({ spent: gas }) => gas);
      },
      { facilitators: [willing] },
    );
    return seen;
  }
  const whole = 600_000 + Number(UNPROVEN_GAS);

  it('whose money leaves once it was deployed has its deployment booked to its factory', async () => {
    // The money leaves in the block of the deployment, so that the transfer is not sent at all.
    const { url, deployment, accounts } = stage.home;
    const from = async (account: Address, data: Hex) => {
      await rpc(url, 'anvil_impersonateAccount', [account]);
      return await rpc<Hex>(url, 'eth_sendTransaction', [{ from: account, to: deployment.usdc, data }]);
    };
    const bob = accounts.bob.address;
    const allow = async (wallet: Address) => {
      await rpc(url, 'anvil_setBalance', [wallet, '0xde0b6b3a7640000']);
      const approval = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [bob, 1_000_000n],
      });
      const client = createPublicClient({ transport: http(url), pollingInterval: 20 });
      await client.waitForTransactionReceipt({ hash: await from(wallet, approval) });
      // Nothing is deployed to an account that has sent something.
      await rpc(url, 'anvil_setNonce', [wallet, '0x0']);
    };
    const leave = async (wallet: Address) => {
      const args = [wallet, bob, 1_000_000n] as const;
      await from(bob, encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args }));
    };
    expect(await failed('never', leave, allow)).toEqual({ deployed: true, spent: [whole, whole], sent: 1 });
  });

  it('and burns what its transfer is given is booked to its factory, too, deployment and transfer', async () => {
    // The transfer is simulated in time, and mined late.
    const { url } = stage.home;
    const waiting = async () => BigInt((await rpc<{ pending: Hex }>(url, 'txpool_status')).pending);
    const delay = async () => {
      await rpc(url, 'evm_mine');
      while ((await waiting()) === 0n) await sleep(20);
      await rpc(url, 'evm_increaseTime', [120]);
    };
    expect(await failed('once late', delay)).toEqual({ deployed: true, spent: [whole, whole], sent: 2 });
  });
});

describe('an account held by a key and delegated to a burner', () => {
  it('is judged by the code that it runs', () =>
    within(async (open) => {
      const account = await stage.payer();
      await evil.delegated(account.address, await evil.wallet('tx.origin'));
      const spent = await spentSince();
      const payment = await keyPayment(open, account.privateKey);
      for (const signature of [payment.payload.signature as Hex, ANY_SIGNATURE]) {
        const answer = await send(open.url + QUERY, {
          ...payment,
          payload: { ...payment.payload, signature },
        });
        expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      }
      expect([open.runs(), (await spent()).sent]).toEqual([0, 0]);
    }));

  it('between verification and settlement has nothing sent for it', async () => {
    const account = await stage.payer();
    const target = await evil.wallet('never');
    const work = async () => {
      await evil.delegated(account.address, target);
      return { verdict: 'CLEAN' };
    };
    await within(
      async (open) => {
        const spent = await spentSince();
        const answer = await send(open.url + QUERY, await keyPayment(open, account.privateKey));
        expect([answer.status, answer.code]).toEqual([402, 'settlement-failed']);
        expect([open.runs(), (await spent()).sent, await open.received()]).toEqual([1, 0, 0n]);
      },
      { work },
    );
  });

  it('after its payment was sent is booked as the code that it ran', () =>
    within(async (open) => {
      const { url } = stage.home;
      const account = await stage.payer();
      const target = await evil.wallet('always');
      const payment = await keyPayment(open, account.privateKey);
      await rpc(url, 'evm_setAutomine', [false]);
      try {
        const answered = send(open.url + QUERY, payment);
        const waiting = async () => BigInt((await rpc<{ pending: Hex }>(url, 'txpool_status')).pending);
        while ((await waiting()) === 0n) await sleep(20);
        await evil.delegated(account.address, target);
        await rpc(url, 'evm_mine');
        expect((await answered).code).toBe('settlement-failed');
      } finally {
        await rpc(url, 'evm_setAutomine', [true]);
      }
      const booked = await stage.database.db.selectFrom('gas_budgets').select('key').execute();
      expect(booked.map(({ key }) => key)).toContain('class:unproven');
    }));
});
