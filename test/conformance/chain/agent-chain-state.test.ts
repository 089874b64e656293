import { type Address, erc721Abi, type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainStateQuery, readAgentChainState } from '../../../chain/clients/agent-chain-state.ts';
import {
  type MintedAgent,
  mintAgent,
  readAgentEpoch,
  readAgentOwner,
  readBalance,
  readLimits,
} from '../../../chain/clients/agents.ts';
import { sessionKeys } from '../../../chain/clients/session-keys.ts';
import { ultimateOwner } from '../../../chain/clients/ultimate-owner.ts';
import { MULTICALL3, MULTICALL3_CODE } from '../../../chain/deploy/multicall3-code.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../../chain/tx/signer.ts';
import { transact } from '../../../chain/tx/transact.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';

const USD = 1_000_000n;
const reference = (name: string) => keccak256(toHex(name));

let chain: TestChain;
let operator: Signer;
let alice: Signer;
let outer: MintedAgent;
let inner: MintedAgent;

async function mint(to: Hex, name: string, index: number): Promise<MintedAgent> {
  const now = Number((await readers()[0]!.head()).timestamp);
  const caps = {
    ...{ perDeal: 50n * USD, dayCap: 100n * USD, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
  };
  return await mintAgent(operator, chain.deployment, {
    to,
    tier: 1,
    paymentRef: reference(name),
    key: sessionKeys(`0x${'5f'.repeat(32)}`).at(index).address,
    keyValidUntil: now + 86_400,
    uri: 'http://127.0.0.1/agent/test',
    terms: {
      mandateHash: reference('mandate'),
      validAfter: 0,
      expiry: now + 86_400,
      sides: 3,
      allowlistOnly: false,
      categories: 0xffn,
      caps,
      allow: [],
      deny: [],
      offChain: [],
    },
  });
}

function readers(): ChainReader[] {
  const options = { rpcUrl: chain.url, chainId: chain.chainId };
  return [viemReader(options), ethersReader(options)];
}

/** Notes which blocks are asked about. */
function noting(reader: ChainReader) {
  const asked: unknown[] = [];
  const noted: ChainReader = {
    ...reader,
    async read(call) {
      asked.push(call.block);
      return await reader.read(call);
    },
  };
  return { reader: noted, asked };
}

/** Any address can stand for the agent's account: what it holds is read all the same. */
const account = (): Address => chain.accounts.alice.address;

const together = (reader: ChainReader, tokenId: bigint, likely: Address) =>
  readAgentChainState(reader, chainStateQuery(chain.deployment, { tokenId, account: account(), likely }));

/** The same, question by question, at the head. */
async function oneByOne(reader: ChainReader, tokenId: bigint) {
  const { number: block } = await reader.head();
  const owner = await readAgentOwner(reader, chain.deployment, tokenId, block);
  return {
    block,
    owner,
    beneficialOwner: await ultimateOwner(reader, owner, block),
    epoch: await readAgentEpoch(reader, chain.deployment, tokenId, block),
    limits: await readLimits(reader, chain.deployment, tokenId, block),
    balance: await readBalance(reader, chain.deployment, account(), block),
  };
}

beforeAll(async () => {
  chain = await testChain();
  const { accounts, url: rpcUrl, chainId } = chain;
  const signer = (privateKey: Hex) => createSigner({ rpcUrl, chainId, privateKey });
  [operator, alice] = [signer(accounts.operator.privateKey), signer(accounts.alice.privateKey)];
  outer = await mint(alice.address, 'outer', 0);
  inner = await mint(alice.address, 'inner', 1);
});

afterAll(() => chain?.stop());

describe('whose an agent is and what it may spend, asked together', () => {
  it('is what the chain says question by question, and needs no other', async () => {
    for (const plain of readers()) {
      const { reader, asked } = noting(plain);
      const found = await together(reader, outer.tokenId, alice.address);
      expect(asked).toEqual(['latest']);
      expect(found).toEqual(await oneByOne(plain, outer.tokenId));
    }
  });

  it('is of the owner that the chain names, whoever was thought to own it', async () => {
    for (const reader of readers()) {
      for (const likely of [chain.accounts.bob.address, chain.deployment.policy, outer.account, MULTICALL3]) {
        expect(await together(reader, outer.tokenId, likely)).toEqual(await oneByOne(reader, outer.tokenId));
      }
    }
  });

  it('tells who stands behind an account that owns it', async () => {
    const args = [alice.address, outer.account, inner.tokenId] as const;
    const call = { abi: erc721Abi, functionName: 'transferFrom', args, gas: 300_000n } as const;
    await transact(alice, { to: chain.deployment.agentNft, ...call });
    for (const reader of readers()) {
      for (const likely of [outer.account, alice.address]) {
        const found = await together(reader, inner.tokenId, likely);
        expect(found).toEqual(await oneByOne(reader, inner.tokenId));
        expect(found).toMatchObject({
          owner: outer.account,
          epoch: 2,
          beneficialOwner: alice.address.toLowerCase(),
        });
      }
    }
  });

  it('is asked at the head by number where a block comes in between, or the chain has no Multicall3', async () => {
    const [plain] = readers() as [ChainReader];
    const before = await plain.head();
    const late: ChainReader = { ...plain, head: async () => before };
    await rpc(chain.url, 'evm_mine');
    const raced = noting(late);
    const found = await together(raced.reader, outer.tokenId, alice.address);
    expect(found.block).toBe(before.number);
    expect(raced.asked).toContain(before.number);

    // None, one that answers nothing, one that answers a single word, and one that refuses.
    const codes = ['0x', '0x5f5ff3', '0x60205ff3', '0x5f5ffd'];
    try {
      for (const code of codes) {
        await rpc(chain.url, 'anvil_setCode', [MULTICALL3, code]);
        for (const reader of readers()) {
          const found = await together(reader, outer.tokenId, alice.address);
          expect([code, found]).toEqual([code, await oneByOne(reader, outer.tokenId)]);
        }
      }
    } finally {
      await rpc(chain.url, 'anvil_setCode', [MULTICALL3, MULTICALL3_CODE]);
    }
  });

  it('is read by number where any part of the answer is shorter, longer or no owner', async () => {
    type Told = { success: boolean; returnData: Hex }[];
    const told =
      (plain: ChainReader, change: (answers: Told) => Told): ChainReader['read'] =>
      async (call) => {
        const found = await plain.read(call);
        return call.block === 'latest' ? change(found as Told) : found;
      };
    const at =
      (i: number, to: (data: Hex) => Hex) =>
      (answers: Told): Told =>
        answers.map((a, n) => (n === i ? { ...a, returnData: to(a.returnData) } : a));
    const changes = [
      () => [],
      (answers: Told) => answers.slice(0, -1),
      ...[0, 1, 2, 3, 4].flatMap((i) => [
        at(i, () => '0x'),
        at(i, (data) => data.slice(0, -64) as Hex),
        at(i, (data) => `${data}${'0'.repeat(64)}`),
        at(i, (data) => `${data}00`),
      ]),
      at(2, (data) => `0x01${data.slice(4)}`),
    ];
    for (const plain of readers()) {
      const honest = await oneByOne(plain, outer.tokenId);
      for (const [n, change] of changes.entries()) {
        const noted = noting({ ...plain, read: told(plain, change) });
        const found = await together(noted.reader, outer.tokenId, alice.address);
        expect([n, found]).toEqual([n, honest]);
        expect([n, noted.asked.slice(1).every((block) => block === honest.block)]).toEqual([n, true]);
        expect(noted.asked.length).toBeGreaterThan(1);
      }
    }
  });

  it('is refused of an agent that is not there, and nobody’s where the node does not answer', async () => {
    for (const reader of readers()) {
      await expect(together(reader, 999n, alice.address)).rejects.toMatchObject({
        kind: 'reverted',
      });
    }
    const away = viemReader({ rpcUrl: 'http://127.0.0.1:1', chainId: chain.chainId, retries: 0 });
    await expect(together(away, outer.tokenId, alice.address)).rejects.toMatchObject({ kind: 'down' });
  });
});
