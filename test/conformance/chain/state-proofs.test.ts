import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { provenEthersReader } from '../../../chain/rpc/ethers/proven-reader.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import type { ChainReader, Head, Hex } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { type RpcCall, type WaywardRpc, waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';

/** What a node proves of accounts (`eth_getProof`), held against what both readers are told. */

const NOBODY = `0x${'0b0d'.padStart(40, '0')}` as const;
const PAID = `0x${'a11ce'.padStart(40, '0')}` as const;
const HOLDER = `0x${'5107'.padStart(40, '0')}` as const;
const slot = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;
const WORD = `0x${'ab'.repeat(32)}` as const;

let chain: TestChain;
let node: WaywardRpc;
let proven: ChainReader;
let plain: readonly ChainReader[];
let head: Head;

beforeAll(async () => {
  chain = await testChain(1002);
  await rpc(chain.url, 'anvil_setBalance', [PAID, '0xde0b6b3a7640001']);
  await rpc(chain.url, 'anvil_setNonce', [PAID, '0x12']);
  await rpc(chain.url, 'anvil_setCode', [HOLDER, '0x6001600055']);
  await rpc(chain.url, 'anvil_setStorageAt', [HOLDER, slot(1), WORD]);
  await rpc(chain.url, 'anvil_setStorageAt', [HOLDER, slot(2), slot(7)]);
  await rpc(chain.url, 'anvil_mine', ['0x1']);
  node = await waywardRpc(chain.url);
  const options = { rpcUrl: node.url, chainId: 1002, retries: 0 };
  proven = provenEthersReader(options);
  plain = [viemReader(options), ethersReader(options)];
  head = await proven.head();
});
afterEach(() => tells((_, result) => result));
afterAll(async () => {
  await node?.stop();
  await chain?.stop();
});

/** From now on the node's results are altered. */
const tells = (alter: (method: string, result: unknown) => unknown) =>
  node.behave(async ({ method }: RpcCall, honest) => {
    const { result, ...rest } = await honest();
    return result === undefined ? rest : { result: alter(method, result) };
  });
const anew = () => provenEthersReader({ rpcUrl: node.url, chainId: 1002, retries: 0 });

const everything = async (reader: ChainReader) => {
  const accounts = [NOBODY, PAID, HOLDER, chain.deployment.usdc, chain.accounts.alice.address] as const;
  return await Promise.all(
    accounts.map(async (who) => [
      ...(await Promise.all([reader.nonce(who, head), reader.balance(who, head), reader.code(who, head)])),
      ...(await Promise.all([0, 1, 2].map((n) => reader.storage(who, slot(n), head)))),
    ]),
  );
};

describe('a reader that has its node prove what it tells of accounts', () => {
  it('reads of every account what the two plain readers read', async () => {
    const found = await everything(proven);
    expect(found[2]).toEqual([0, 0n, '0x6001600055', slot(0), WORD, slot(7)]);
    for (const reader of plain) expect(await everything(reader)).toEqual(found);
  });

  it('asks for one proof of an account, whatever is read of it at once, and once for the header', async () => {
    const fresh = anew();
    tells((_, result) => result);
    await Promise.all([
      ...[fresh.code(HOLDER, head), fresh.nonce(HOLDER, head), fresh.balance(HOLDER, head)],
      ...[1, 2, 3].map((n) => fresh.storage(HOLDER, slot(n), head)),
    ]);
    await fresh.balance(PAID, head);
    const asked = node.asked();
    const of = (method: string) => asked.filter((m) => m === method).length;
    expect(of('eth_getProof')).toBe(2);
    expect(of('eth_getBlockByHash')).toBe(1);
    expect(asked.filter((m) => /getBalance|getTransactionCount|getStorageAt/.test(m))).toEqual([]);
  });

  it('reads at a block that is named by its number alone as any other does', async () => {
    expect(await proven.balance(PAID, head.number)).toBe(0xde0b6b3a7640001n);
    expect(await proven.storage(HOLDER, slot(2), head.number)).toBe(slot(7));
    expect([await proven.nonce(PAID, head.number), await proven.code(PAID, head.number)]).toEqual([18, '0x']);
  });

  it('is not misled by what stands beside the proofs', async () => {
    tells((method, result) => {
      if (method !== 'eth_getProof') return result;
      const told = result as { storageProof: object[] };
      const storageProof = told.storageProof.map((one) => ({ ...one, value: '0x99' }));
      return { ...told, balance: '0x0', nonce: '0x0', storageProof };
    });
    expect(await proven.balance(PAID, head)).toBe(0xde0b6b3a7640001n);
    expect(await proven.nonce(PAID, head)).toBe(18);
    expect(await proven.storage(HOLDER, slot(2), head)).toBe(slot(7));
  });

  /** One hex digit of a text, from the end, is another. */
  const tampered = (text: string, fromEnd: number): string => {
    const at = text.length - fromEnd;
    return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
  };
  type Proof = { accountProof: string[]; storageProof: { proof: string[] }[] };
  const inProof = (change: (proof: Proof) => void) => (method: string, result: unknown) => {
    if (method !== 'eth_getProof') return result;
    const copy = structuredClone(result) as Proof;
    change(copy);
    return copy;
  };
  const last = (nodes: string[], change: (node: string) => string) => {
    nodes[nodes.length - 1] = change(nodes.at(-1)!);
  };
  const lies: readonly (readonly [string, string, (method: string, result: unknown) => unknown])[] = [
    [
      'one byte of the code',
      'code',
      (method, result) => (method === 'eth_getCode' ? tampered(result as string, 1) : result),
    ],
    ['no code', 'code', (method, result) => (method === 'eth_getCode' ? '0x' : result)],
    [
      'one digit of the balance, in the proof',
      'state',
      inProof((p) => last(p.accountProof, (node) => tampered(node, 2 * 67))),
    ],
    [
      'one digit of the storage root, in the proof',
      'state',
      inProof((p) => last(p.accountProof, (node) => tampered(node, 2 * 40))),
    ],
    [
      'one digit of a slot, in the proof',
      'state',
      inProof((p) => last(p.storageProof[0]!.proof, (node) => tampered(node, 1))),
    ],
    ['a node of the proof left out', 'state', inProof((p) => void p.accountProof.splice(1, 1))],
    ['no proof of the slot', 'state', inProof((p) => void p.storageProof.splice(0))],
    [
      'another header',
      'header',
      (method, result) =>
        method === 'eth_getBlockByHash' ? { ...(result as object), stateRoot: WORD } : result,
    ],
  ];
  const SAYS: Readonly<Record<string, RegExp>> = {
    code: /^the code that the node tells of 0x0+5107 is not that of block \d+$/,
    state: /^the node does not prove what it tells of 0x0+5107 in block \d+$/,
    header: /^the header that the node tells of block \d+ is not that of 0x/,
  };

  it.each(lies)('tells where the node lies: %s', async (_, kind, lie) => {
    tells(lie);
    const fresh = anew();
    const read = Promise.all([fresh.code(HOLDER, head), fresh.storage(HOLDER, slot(1), head)]);
    await expect(read).rejects.toMatchObject({
      kind: 'disagreeing',
      message: expect.stringMatching(SAYS[kind]!),
    });
    tells((_, result) => result);
    expect(await fresh.storage(HOLDER, slot(1), head)).toBe(WORD);
  });

  it('says of a node that proves nothing that it does not, and asks it once', async () => {
    node.behave(async ({ method }, honest) =>
      method === 'eth_getProof'
        ? { error: { code: -32601, message: 'the method eth_getProof does not exist/is not available' } }
        : await honest(),
    );
    const fresh = provenEthersReader({ rpcUrl: node.url, chainId: 1002, retries: 3 });
    await expect(fresh.balance(PAID, head)).rejects.toMatchObject({
      ...{ kind: 'down', lasting: true, message: 'the node proves no state (eth_getProof)' },
    });
    expect(node.asked().filter((method) => method === 'eth_getProof')).toHaveLength(1);
  });
});
