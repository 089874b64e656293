import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import type { ChainReader, Place } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';

/** Readings of one very block: by its hash, or by its number and its hash afterwards. */

const WHO = `0x${'a11ce'.padStart(40, '0')}` as const;
const SLOT = `0x${'0'.repeat(64)}` as const;
const DECIMALS = [
  {
    type: 'function',
    name: 'decimals',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'uint8' }],
  },
] as const;

let chain: TestChain;
let old: Server;
/** A node of before EIP-1898: it takes a block's number and nothing else. */
let oldUrl: string;
/** Runs when the node of before has answered a reading of state. */
let meanwhile = async (): Promise<void> => {};

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

beforeAll(async () => {
  chain = await testChain(1002);
  const answer = async (call: Call): Promise<unknown> => {
    if (typeof call.params?.at(-1) === 'object' && call.method !== 'eth_getLogs') {
      const message = 'invalid argument 1: json: cannot unmarshal object into Go value of type string';
      return { jsonrpc: '2.0', id: call.id, error: { code: -32602, message } };
    }
    const response = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    const found: unknown = await response.json();
    if (call.method === 'eth_getBalance') await meanwhile();
    return found;
  };
  old = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const answers = await Promise.all([asked].flat().map(answer));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  oldUrl = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
});
afterAll(async () => {
  old?.closeAllConnections();
  old?.close();
  await chain?.stop();
});

/** Two wei, in a block of their own. */
async function pay(): Promise<void> {
  const from = chain.accounts.alice.address;
  await rpc(chain.url, 'anvil_impersonateAccount', [from]);
  await rpc(chain.url, 'eth_sendTransaction', [{ from, to: WHO, value: '0x2' }]);
  await rpc(chain.url, 'evm_mine', []);
}

const all = (reader: ChainReader, place: Place) =>
  Promise.all([
    reader.code(WHO, place),
    reader.nonce(WHO, place),
    reader.balance(WHO, place),
    reader.storage(WHO, SLOT, place),
    reader.read({ address: chain.deployment.usdc, abi: DECIMALS, functionName: 'decimals', block: place }),
  ]);

describe.each([
  ['viem', viemReader],
  ['ethers', ethersReader],
] as const)('the %s reader at one very block', (_, open) => {
  const reader = (rpcUrl: string) => open({ rpcUrl, chainId: 1002, retries: 0 });

  it.each(['takes hashes', 'takes none'])('reads what stands there, from a node that %s', async (node) => {
    const one = reader(node === 'takes none' ? oldUrl : chain.url);
    await pay();
    const pin = await one.head();
    const before = await one.balance(WHO, pin.number);
    const whole = ['0x', 0, before, SLOT, 6];
    expect(await all(one, pin)).toEqual(whole);
    await pay();
    expect(await all(one, pin)).toEqual(whole);
    expect(await all(one, pin.number)).toEqual(whole);
    expect(await one.balance(WHO, await one.head())).toBe(before + 2n);
  });

  it('reads nothing of a block that a reorg removed', async () => {
    const one = reader(chain.url);
    const pin = await one.head();
    await rpc(chain.url, 'anvil_reorg', [2, []]);
    const found = await Promise.allSettled([
      one.code(WHO, pin),
      one.nonce(WHO, pin),
      one.balance(WHO, pin),
      one.storage(WHO, SLOT, pin),
      one.read({ address: chain.deployment.usdc, abi: DECIMALS, functionName: 'decimals', block: pin }),
    ]);
    expect(found.map((f) => (f.status === 'rejected' ? f.reason.kind : f.value))).toEqual(
      Array.from({ length: 5 }, () => 'reorganised'),
    );
  });

  it('notices that the block went while a node that takes no hashes was asked', async () => {
    const one = reader(oldUrl);
    const pin = await one.head();
    meanwhile = async () => {
      meanwhile = async () => {};
      await rpc(chain.url, 'anvil_reorg', [2, []]);
    };
    await expect(one.balance(WHO, pin)).rejects.toMatchObject({ kind: 'reorganised' });
  });
});
