import { type Address, type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MintedAgent, mintAgent } from '../../../chain/clients/agents.ts';
import {
  certificateOf,
  issueCertificate,
  readCertificate,
  relayTransfer,
  transferTypedData,
} from '../../../chain/clients/certificates.ts';
import { nextSlot, relayPause } from '../../../chain/clients/policy-relay.ts';
import { type PauseChange, setPausedTypedData } from '../../../chain/clients/policy-typed-data.ts';
import type { Relay } from '../../../chain/clients/relay-call.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../../chain/tx/signer.ts';
import { relayGuard } from '../../../runtime/payments/relay-guard.ts';
import { gasSpent, giveBackGas, takeGas } from '../../../store/payments/relay-budgets.ts';
import { type TestAccount, type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { hostileWallets } from '../../fixtures/wallets/hostile-wallets.ts';

/** What contract wallets can make the key burn that relays their owners' acts. */

const keys = sessionKeys(`0x${'5e'.repeat(32)}`);
const settings = {
  agentGas: 1_000_000n,
  walletGas: 600_000n,
  codeGas: 500_000n,
  unprovenGas: 1_500_000n,
  balancePercent: 10,
};
const DAY = 86_400_000;

let chain: TestChain;
let database: TestDatabase;
let signer: Signer;
let relay: Relay;
let wallets: ReturnType<typeof hostileWallets>;
let clock: Date;
let agents = 0;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  const reader = viemReader({ rpcUrl, chainId });
  signer = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  const guard = relayGuard({ db: database.db, now: () => clock, signer, settings });
  relay = { signer, reader, deployment, guard };
  wallets = hostileWallets(rpcUrl, accounts.carol.privateKey);
});
beforeEach(async () => {
  clock = new Date('2026-11-22T12:00:00Z');
  await database.db.deleteFrom('relay_budgets').execute();
});
afterAll(async () => {
  await chain.stop();
  await database.drop();
});

const agentOf = async (owner: Address): Promise<MintedAgent> =>
  await mintAgent(signer, chain.deployment, {
    to: owner,
    tier: 1,
    paymentRef: keccak256(toHex(`relay-budget-${++agents}`)),
    key: keys.at(agents).address,
    keyValidUntil: Math.floor(Date.now() / 1000) + 10 * 86_400,
    uri: '',
    ...bareTerms(),
  });

/** An agent needs a mandate; what it allows is of no matter here. */
const bareTerms = () => ({
  terms: {
    mandateHash: keccak256(toHex('relay-budget')),
    validAfter: 0,
    expiry: Math.floor(Date.now() / 1000) + 10 * 86_400,
    sides: 3,
    allowlistOnly: false,
    categories: 0n,
    caps: { perDeal: 5n, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
    allow: [],
    deny: [],
    offChain: [],
  },
});

async function pauses(agent: MintedAgent, by: Relay = relay, signature: Hex = `0x${'33'.repeat(65)}`) {
  const { number, timestamp } = await relay.reader.head();
  const { epoch, nonce, block } = await nextSlot(relay.reader, chain.deployment, agent.tokenId, number);
  const change: PauseChange = {
    ...{ tokenId: agent.tokenId, epoch, nonce, deadline: Number(timestamp) + 3_600 },
    paused: nonce % 2n === 0n,
  };
  return await relayPause(by, { change, since: block, signature });
}

/** What the relaying key has burnt of gas while something was done, and how often it sent. */
async function burnt(act: () => Promise<unknown>): Promise<{ gas: bigint; sent: number }> {
  const head = async () => (await relay.reader.head()).number;
  const from = await head();
  await act();
  let [gas, sent] = [0n, 0];
  for (let block = from + 1n; block <= (await head()); block++) {
    const { transactions } = await rpc<{ transactions: { hash: Hex; from: Hex }[] }>(
      ...([chain.url, 'eth_getBlockByNumber', [toHex(block), true], 10_000] as const),
    );
    for (const { hash, from: by } of transactions) {
      if (by.toLowerCase() !== signer.address.toLowerCase()) continue;
      sent += 1;
      gas += (await signer.receipt(hash)).gasUsed;
    }
  }
  return { gas, sent };
}

/** The wallet turns hostile between its simulation and its transaction: nothing can see that beforehand. */
const turning = (hostile: Address): Relay => ({
  ...relay,
  signer: {
    ...signer,
    async send(transaction) {
      await wallets.arm(hostile, true);
      return await signer.send(transaction);
    },
  },
});

async function turns(
  agent: MintedAgent,
  hostile: Address,
): Promise<{ code?: string; extra?: object; kind?: string }> {
  await wallets.arm(hostile, false);
  return await pauses(agent, turning(hostile)).then(
    () => expect.fail('it went through'),
    (error) => error as { code?: string },
  );
}

const spentOf = (subject: string, limit: bigint) =>
  gasSpent(database.db, { purpose: 'relay', subject, limit }, clock);

describe('a relayed act of a wallet that burns gas in transactions only', () => {
  it.each(['gas price', 'origin', 'gas left'] as const)(
    'is seen beforehand where it goes by the %s, and costs nothing',
    async (way) => {
      const agent = await agentOf(await wallets.hostile(way));
      const { sent } = await burnt(async () => {
        for (let i = 0; i < 3; i++) await expect(pauses(agent)).rejects.toMatchObject({ kind: 'reverted' });
      });
      expect(sent).toBe(0);
    },
  );

  it('that burns all it is given gets hardly more than it was simulated to use', async () => {
    const wallet = await wallets.hostile('all but a little');
    const agent = await agentOf(wallet);
    const { gas, sent } = await burnt(() => pauses(agent));
    expect(sent).toBe(1);
    expect(gas).toBeLessThan(300_000n);
    const spent = await spentOf(`wallet ${wallet.toLowerCase()}`, settings.walletGas);
    expect(spent).toBeLessThan(60_000n);
  });

  it('that nothing can see beforehand is bounded a day, and its owner is given the call to send himself', async () => {
    const wallet = await wallets.hostile('flag');
    const agent = await agentOf(wallet);
    const told: Awaited<ReturnType<typeof turns>>[] = [];
    const { gas } = await burnt(async () => {
      for (let i = 0; i < 12; i++) told.push(await turns(agent, wallet));
    });
    expect(gas).toBeLessThanOrEqual(settings.walletGas);
    expect(told[0]).toMatchObject({ kind: 'reverted' });
    expect(told.at(-1)).toMatchObject({
      code: 'relay-budget',
      status: 429,
      extra: {
        retryAfter: expect.any(Number),
        call: { to: chain.deployment.policy, data: expect.stringMatching(/^0x/), value: '0', chainId: 1002 },
      },
    });
    // What he is given goes through by itself, from any account.
    await wallets.arm(wallet, false);
    const { call } = told.at(-1)!.extra as { call: { to: Address; data: Hex } };
    const alice = createSigner({
      ...{ rpcUrl: chain.url, chainId: 1002 },
      privateKey: chain.accounts.alice.privateKey,
    });
    const { status } = await alice.receipt(await alice.send({ to: call.to, data: call.data, gas: 500_000n }));
    expect(status).toBe('success');
    // A day later all has come back.
    clock = new Date(clock.getTime() + DAY);
    expect(await turns(agent, wallet)).toMatchObject({ kind: 'reverted' });
  }, 120_000);

  it.each(['clone', 'proxy', 'delegated account'] as const)(
    'is known again as a %s under a fresh address',
    async (how) => {
      const hostile = await wallets.hostile('flag');
      const fresh = async (i: number): Promise<Address> => {
        if (how === 'clone') return await wallets.clone(hostile, toHex(`arguments ${i}`));
        if (how === 'proxy') return await wallets.proxy(hostile);
        const account: Address = `0x${'de'.repeat(19)}${(16 + i).toString(16)}`;
        await rpc(chain.url, 'anvil_setCode', [account, `0xef0100${hostile.slice(2)}`], 10_000);
        return account;
      };
      const told: (string | undefined)[] = [];
      const { gas } = await burnt(async () => {
        for (let i = 0; i < 8; i++) {
          const wallet = await fresh(i);
          const agent = await agentOf(wallet);
          told.push((await turns(agent, wallet)).code);
        }
      });
      expect(told.at(-1)).toBe('relay-budget');
      // The mints of the agents are not of this: each took less than 400,000.
      expect(gas - 8n * 400_000n).toBeLessThan(settings.codeGas);
      expect(told.filter((code) => code !== 'relay-budget').length * 100_000).toBeLessThan(
        Number(settings.codeGas),
      );
    },
    120_000,
  );

  it('cannot add up over wallets of ever new code, while accounts without code are served as ever', async () => {
    const limit = settings.unprovenGas;
    const [used] = [{ purpose: 'relay', subject: 'unproven code', amount: limit, limit }];
    expect(await takeGas(database.db, [used], clock)).toBeNull();
    const wallet = await wallets.hostile('flag');
    const agent = await agentOf(wallet);
    await expect(pauses(agent)).rejects.toMatchObject({ code: 'relay-budget' });
    const { alice } = chain.accounts;
    const plain = await agentOf(alice.address);
    const { number, timestamp } = await relay.reader.head();
    const next = await nextSlot(relay.reader, chain.deployment, plain.tokenId, number);
    const change: PauseChange = {
      ...{ tokenId: plain.tokenId, epoch: next.epoch, nonce: next.nonce },
      ...{ deadline: Number(timestamp) + 3_600, paused: true },
    };
    const document = JSON.parse(JSON.stringify(setPausedTypedData(chain.deployment, change)));
    const signature = await alice.signTypedData(document);
    expect(await relayPause(relay, { change, since: next.block, signature })).toMatch(/^0x/);
  });

  it('takes no more than its part of the balance of the key in a day', async () => {
    const { balance } = await signer.funds();
    const limit = balance / 10n / 1_000_000_000n;
    const subject = signer.address.toLowerCase();
    await takeGas(database.db, [{ purpose: 'relay-gwei', subject, amount: limit, limit }], clock);
    const agent = await agentOf(await wallets.hostile('flag'));
    await expect(pauses(agent)).rejects.toMatchObject({ code: 'relay-budget' });
  });

  it('of an honest contract wallet leaves nothing on its account', async () => {
    const wallet = await wallets.hostile('flag');
    const agent = await agentOf(wallet);
    for (let i = 0; i < 3; i++) await pauses(agent);
    expect(await spentOf(`wallet ${wallet.toLowerCase()}`, settings.walletGas)).toBe(0n);
  });
});

/** The next pause or resume of an agent of Alice's, signed by her. */
async function pausedBy(
  agent: MintedAgent,
  paused: boolean,
  signs: TestAccount = chain.accounts.alice,
  over: Relay = relay,
) {
  const { number, timestamp } = await relay.reader.head();
  const next = await nextSlot(relay.reader, chain.deployment, agent.tokenId, number);
  const change: PauseChange = {
    ...{ tokenId: agent.tokenId, epoch: next.epoch, nonce: next.nonce },
    ...{ deadline: Number(timestamp) + 3_600, paused },
  };
  const document = JSON.parse(JSON.stringify(setPausedTypedData(chain.deployment, change)));
  const signature = await signs.signTypedData(document);
  return await relayPause(over, { change, since: next.block, signature });
}

describe('a relayed act of a plain key', () => {
  it('counts by what it burns against its agent, whoever owns that, and a pause never waits', async () => {
    const { alice } = chain.accounts;
    const agent = await agentOf(alice.address);
    const spent = () =>
      gasSpent(
        database.db,
        { purpose: 'relay-plain', subject: `agent ${agent.tokenId}`, limit: settings.agentGas },
        clock,
      );
    await pausedBy(agent, true);
    expect(await spent()).toBe(0n);
    const { gas } = await burnt(() => pausedBy(agent, false));
    expect(await spent()).toBe(gas);
    // Such an act may take 400,000 of the 1,000,000.
    const charge = { purpose: 'relay-plain', subject: `agent ${agent.tokenId}`, amount: 600_000n };
    await takeGas(database.db, [{ ...charge, limit: settings.agentGas }], clock);
    await pausedBy(agent, true);
    const refused = await burnt(async () => {
      await expect(pausedBy(agent, false)).rejects.toMatchObject({
        code: 'relay-budget',
        extra: { call: { to: chain.deployment.policy, data: expect.stringMatching(/^0x/), chainId: 1002 } },
      });
    });
    expect(refused.sent).toBe(0);
    const other = await agentOf(alice.address);
    for (const paused of [true, false]) expect(await pausedBy(other, paused)).toMatch(/^0x/);
  });
});

describe('a relayed pause', () => {
  it('is sent once: what is paused by its owner already is paused no second time', async () => {
    const agent = await agentOf(chain.accounts.alice.address);
    const first = await burnt(() => pausedBy(agent, true));
    const again = await burnt(async () => {
      for (let i = 0; i < 3; i++) expect(await pausedBy(agent, true)).toBeNull();
      const strangers = pausedBy(agent, true, chain.accounts.bob);
      await expect(strangers).rejects.toMatchObject({ errorName: 'BadOwnerSignature' });
    });
    expect([first.sent, again.sent]).toEqual([1, 0]);
    // After its end it is sent again.
    await pausedBy(agent, false);
    expect(await pausedBy(agent, true)).toMatch(/^0x/);
  });

  it('counts by itself: the first of a day never waits, and no number of them is free', async () => {
    const agent = await agentOf(chain.accounts.alice.address);
    const little = { ...settings, agentGas: 1n };
    const guard = relayGuard({ db: database.db, now: () => clock, signer, settings: little });
    const poor = (paused: boolean) => pausedBy(agent, paused, chain.accounts.alice, { ...relay, guard });
    expect(await poor(true)).toMatch(/^0x/);
    await expect(poor(false)).rejects.toMatchObject({ code: 'relay-budget' });
    await pausedBy(agent, false);
    await expect(poor(true)).rejects.toMatchObject({
      code: 'relay-budget',
      message: expect.stringContaining(`pauses of agent ${agent.tokenId}`),
    });
    clock = new Date(clock.getTime() + DAY);
    expect(await poor(true)).toMatch(/^0x/);
  });
});

describe('a relayed transfer of a certificate', () => {
  it('counts against its holder too, who has ever new certificates for nothing', async () => {
    const { alice, bob } = chain.accounts;
    const { deployment } = chain;
    const transferred = async (serial: string) => {
      const held = { to: alice.address, serial: `serial:generic:ACME:${serial}`, approve: false };
      await issueCertificate(signer, deployment, held);
      const { number, timestamp } = await relay.reader.head();
      const { live } = await certificateOf(relay.reader, deployment, held.serial, number);
      const tokenId = live!;
      const { nonce } = (await readCertificate(relay.reader, deployment, tokenId, number))!;
      const deadline = timestamp + 3_600n;
      const parties = { from: alice.address, to: bob.address };
      const document = transferTypedData(deployment, { tokenId, ...parties, nonce, deadline });
      const signature = await alice.signTypedData(JSON.parse(JSON.stringify(document)));
      const wallet = alice.address;
      return await burnt(() =>
        relayTransfer(relay, { tokenId, to: bob.address, deadline, signature, wallet }),
      );
    };
    const { gas } = await transferred('RB0001');
    const subject = `holder ${alice.address.toLowerCase()}`;
    const budget = { purpose: 'relay-plain', subject, limit: settings.agentGas };
    expect(await gasSpent(database.db, budget, clock)).toBe(gas);
    // Such an act may take 600,000 of the 1,000,000.
    await takeGas(database.db, [{ ...budget, amount: 400_000n }], clock);
    await expect(transferred('RB0002')).rejects.toMatchObject({
      code: 'relay-budget',
      message: expect.stringContaining(subject),
    });
  });
});

describe('a gas budget', () => {
  it('is given to as many at once as it has room for, and what is not used comes back at once', async () => {
    const charge = { purpose: 'test', subject: 'one', amount: 100n, limit: 1_000n };
    const other = { ...charge, subject: 'two', limit: 10_000n };
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        takeGas(database.db, i % 2 ? [charge, other] : [other, charge], clock),
      ),
    );
    expect(taken.filter((t) => t === null)).toHaveLength(10);
    expect(taken.find((t) => t !== null)).toMatchObject({
      charge: { subject: 'one' },
      retryAfterSeconds: 8_641,
    });
    // Whoever was refused took nothing of the other either.
    expect(await gasSpent(database.db, other, clock)).toBe(1_000n);
    await giveBackGas(database.db, [{ ...charge, amount: 400n }], clock);
    expect(await gasSpent(database.db, charge, clock)).toBe(600n);
    expect(await gasSpent(database.db, charge, new Date(clock.getTime() + DAY / 2))).toBe(100n);
    expect(await gasSpent(database.db, charge, new Date(clock.getTime() + DAY))).toBe(0n);
  });
});
