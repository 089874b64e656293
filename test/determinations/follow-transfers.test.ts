import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { fundWallet } from '../../chain/devnet/dev-wallets.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { followTransfers } from '../../runtime/chain-sync/follow-transfers.ts';
import { addTransfers, forgetTransfers, transferRange } from '../../store/chain-sync/transfers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { waywardRpc } from '../fixtures/chain/wayward-rpc.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { lyingRpc } from './lying-rpc.ts';

/** The transfers of a chain are kept block by block, as both nodes tell them, and taken back with its blocks. */

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let second: Awaited<ReturnType<typeof lyingRpc>>;
let payees = 0;
const rpc = <T>(method: string, ...params: unknown[]) => ask<T>(chain.url, method, params);
const address = (n: number): `0x${string}` => `0x${n.toString(16).padStart(40, '0')}`;

beforeAll(async () => {
  chain = await testChain(1002);
  second = await lyingRpc(chain.url);
});
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  second.lie((_, result) => result);
  await database.drop();
});
afterAll(async () => {
  await second?.stop();
  await chain?.stop();
});

const followed = () => ({
  chainId: 1002,
  deployment: chain.deployment,
  readers: {
    viem: viemReader({ rpcUrl: chain.url, chainId: 1002, retries: 0 }),
    ethers: ethersReader({ rpcUrl: second.url, chainId: 1002, retries: 0 }),
  },
});
async function follow(): Promise<void> {
  while (await followTransfers(database, followed()));
}
const mint = (to: string, amount: bigint) =>
  fundWallet(
    {
      rpcUrl: chain.url,
      deployment: chain.deployment,
      operatorPrivateKey: chain.accounts.operator.privateKey,
    },
    to as `0x${string}`,
    amount,
  );
async function pay(from: `0x${string}`, to: string, wei: bigint): Promise<void> {
  await rpc('anvil_impersonateAccount', from);
  await rpc('eth_sendTransaction', { from, to, value: toHex(wei), gas: toHex(21_000) });
}
const rows = () =>
  database.db
    .selectFrom('transfers')
    .select(['block', 'place', 'token', 'sender', 'receiver', 'amount', 'at'])
    .orderBy('block')
    .orderBy('place')
    .execute();
const to = async (who: string) =>
  (await rows()).filter((r) => r.receiver === who).map((r) => [r.token, r.sender, String(r.amount)]);

it('keeps dollars and native money from the deployment on, each once', async () => {
  const alice = chain.accounts.alice.address;
  await mint(address(0xd1), 5_000_000n);
  await pay(alice, address(0xd1), 7n);
  await follow();
  const usdc = chain.deployment.usdc.toLowerCase();
  expect(await to(address(0xd1))).toEqual([
    [usdc, address(0), '5000000'],
    [null, alice.toLowerCase(), '7'],
  ]);
  expect(await to(alice.toLowerCase())).toContainEqual([usdc, address(0), '10000000000']);
  const head = BigInt(await rpc<string>('eth_blockNumber'));
  expect(await transferRange(database.db, 1002)).toMatchObject({
    fromBlock: BigInt(chain.deployment.deployedAtBlock),
    toBlock: head,
  });
  const before = await rows();
  await follow();
  expect(await rows()).toEqual(before);
  const { timestamp } = await rpc<{ timestamp: string }>('eth_getBlockByNumber', toHex(head), false);
  expect(before.at(-1)?.at).toEqual(new Date(Number(timestamp) * 1000));
});

it('takes back what a reorganisation removed, and reads what stands in its place', async () => {
  await follow();
  const snapshot = await rpc('evm_snapshot');
  await mint(address(0xd2), 1_000_000n);
  await mint(address(0xd2), 2_000_000n);
  await follow();
  expect(await to(address(0xd2))).toHaveLength(2);
  await rpc('evm_revert', snapshot);
  await mint(address(0xd3), 3_000_000n);
  await follow();
  expect([await to(address(0xd2)), (await to(address(0xd3))).length]).toEqual([[], 1]);
  // A chain that stays shorter than it was counts, too.
  const again = await rpc('evm_snapshot');
  await mint(address(0xd4), 1n);
  await follow();
  await rpc('evm_revert', again);
  await follow();
  expect([await to(address(0xd4)), (await to(address(0xd3))).length]).toEqual([[], 1]);
});

it('reads a chain anew of which no kept block stands any more', async () => {
  await follow();
  const known = await rows();
  await database.db
    .updateTable('transfer_blocks')
    .set({ hash: `0x${'00'.repeat(32)}` })
    .execute();
  await follow();
  expect(await rows()).toEqual(known);
});

it.each([
  ['hides a transfer', 'eth_getLogs', () => []],
  ['hides a block’s money', 'eth_getBlockByNumber', withoutTransactions],
  ['makes a failure of a payment', 'eth_getTransactionReceipt', (r: object) => ({ ...r, status: '0x0' })],
  [
    'tells another receiver',
    'eth_getLogs',
    (logs: { topics: string[] }[]) =>
      logs.map((l) => ({ ...l, topics: [...l.topics.slice(0, 2), `0x${'0'.repeat(24)}${'ee'.repeat(20)}`] })),
  ],
] as const)('keeps nothing of blocks where one node %s', async (_, method, alter) => {
  const payee = address(0xd5_00 + ++payees);
  await mint(payee, 1_000_000n);
  await pay(chain.accounts.bob.address, payee, 3n);
  second.lie((call, result) => (call.method === method && result !== null ? alter(result as never) : result));
  await expect(follow()).rejects.toMatchObject({ kind: 'disagreeing' });
  const range = await transferRange(database.db, 1002);
  second.lie((_call, result) => result);
  await follow();
  expect(await to(payee)).toHaveLength(2);
  expect((await transferRange(database.db, 1002))?.toBlock).not.toBe(range?.toBlock);
});

it('goes on where a node tells of fewer blocks at once than it is asked for', async () => {
  for (let i = 0; i < 9; i++) await mint(address(0xd7), 1_000_000n);
  const node = await waywardRpc(chain.url);
  try {
    node.behave((call, honest) => {
      const [range] = (call.params ?? []) as { fromBlock: string; toBlock: string }[];
      const isMany = call.method === 'eth_getLogs' && Number(range!.toBlock) - Number(range!.fromBlock) > 2;
      return isMany
        ? { error: { code: -32005, message: 'query returned more than 10000 results' } }
        : honest();
    });
    const { readers, ...rest } = followed();
    const ethers = ethersReader({ rpcUrl: node.url, chainId: 1002, retries: 0 });
    const asked = { ...rest, readers: { ...readers, ethers } };
    const steps: bigint[] = [];
    for (let most: bigint | undefined = 50n; most !== undefined; steps.push(most ?? 0n))
      most = await followTransfers(database, asked, most);
    // What was refused once is not asked for before each step.
    expect(steps.slice(1).every((blocks) => blocks <= 3n)).toBe(true);
    expect(node.asked().filter((method) => method === 'eth_getLogs').length).toBeLessThan(
      2 * steps.length + 8,
    );
    expect(await to(address(0xd7))).toHaveLength(9);
  } finally {
    await node.stop();
  }
});

function withoutTransactions(block: object): object {
  return { ...block, transactions: [] };
}

it('is added by one of two processes that read the same blocks', async () => {
  await follow();
  const held = (await transferRange(database.db, 1002))!;
  const range = { fromBlock: held.toBlock + 1n, toBlock: held.toBlock + 2n };
  const blocks = [{ block: range.toBlock, hash: '0xa' }];
  const both = [1, 2].map(() =>
    addTransfers(database.db, 1002, range, blocks, { transfers: [], created: [] }),
  );
  expect((await Promise.all(both)).sort()).toEqual([false, true]);
});

it('is kept from a later block on, where the operator says so, and what was held before is left behind', async () => {
  await follow();
  await mint(address(0xd6), 1n);
  await mint(address(0xd6), 2n);
  const head = BigInt(await rpc<string>('eth_blockNumber'));
  const since = async (block: bigint) => {
    while (await followTransfers(database, { ...followed(), since: block }));
    return await transferRange(database.db, 1002);
  };
  // What is held reaches up to it: nothing is missing, and nothing is thrown away.
  expect(await since(head - 1n)).toMatchObject({
    fromBlock: BigInt(chain.deployment.deployedAtBlock),
    toBlock: head,
  });
  await mint(address(0xd6), 3n);
  await mint(address(0xd6), 4n);
  expect(await since(head + 2n)).toMatchObject({ fromBlock: head + 2n, toBlock: head + 2n });
  expect(await to(address(0xd6))).toHaveLength(1);
});

it('is forgotten by whole ranges of blocks in which nothing is recent, and the range says so', async () => {
  const row = (block: bigint, year: number) => ({
    ...{ block, place: 0, tx: '0x', token: null, sender: address(1), receiver: address(2), amount: 1n },
    at: new Date(`${year}-01-01T00:00:00Z`),
  });
  const add = (fromBlock: bigint, toBlock: bigint, year: number) =>
    addTransfers(database.db, 7, { fromBlock, toBlock }, [{ block: toBlock, hash: '0x' }], {
      transfers: [row(fromBlock, year)],
      created: [],
    });
  await add(5n, 1_000_000n, 2020);
  await add(1_000_001n, 2_000_500n, 2024);
  await forgetTransfers(database.db, new Date('2022-01-01T00:00:00Z'));
  expect((await rows()).map((r) => r.block)).toEqual([1_000_001n]);
  expect(await transferRange(database.db, 7)).toMatchObject({ fromBlock: 1_000_000n, toBlock: 2_000_500n });
  await forgetTransfers(database.db, new Date('2022-01-01T00:00:00Z'));
  expect(await rows()).toHaveLength(1);
});
