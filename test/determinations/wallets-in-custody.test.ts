import { toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineTier } from '../../runtime/determinations/determine-tier.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { assetThrough, hand, houseOn, listOf, type Placed, walletFor, walletOn } from './goods-stage.ts';

/** A contract wallet had the thing for whoever owned the wallet then. */

const LISTED = '0x00000000000000000000000000000000000bad02';
const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus'] as const;

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
let wallets = 0;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  const options = { chainId: 1002, rpcUrl: chain.url, timeoutMs: 60_000, deadlineMs: 60_000 };
  deps = {
    db: database.db,
    readers: new Map([[1002, { viem: viemReader(options), ethers: ethersReader(options) }]]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => new Date(),
    seatTimeoutMs: 60_000,
  };
});
beforeEach(async () => {
  const { db } = database;
  for (const register of ['stolen', 'recalled'] as const) await listOf(db, register, [], new Date());
  await listOf(db, 'sanctions', [LISTED], new Date());
  await listOf(db, 'known-scam', [`0x${'f'.repeat(40)}`], new Date());
});
afterAll(async () => {
  await chain?.stop();
  await database?.drop();
});

const newWallet = (): Promise<Placed> => walletOn(chain, toHex(++wallets, { size: 32 }));

/** A thing of Alice's in a new wallet. */
async function inWallet(wallet: Placed): Promise<bigint> {
  const { alice } = chain.accounts;
  const tokenId = await assetThrough(chain, [alice]);
  await hand(chain, chain.deployment.assets, tokenId, alice, wallet.address);
  return tokenId;
}

const passOn = (wallet: Placed, tokenId: bigint) =>
  wallet.call('pass', [chain.deployment.assets, chain.accounts.bob.address, tokenId]);

async function traced(tokenId: bigint, depth: Depth = '2-of-2') {
  const subject = { chainId: 1002, contract: chain.deployment.assets, tokenId: tokenId.toString() };
  const request = { tier: 'tier3', category: 'real-world-assets', facts: { subject }, depth } as const;
  const { record, hardFlags, evidence } = await determineTier(deps, request);
  expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe(record.verdict);
  const found = record.determinations.find((d) => d.id === 'provenance')!;
  return { verdict: found.verdict, hardFlags, checks: found.checks };
}

describe('a thing that was in a contract wallet', () => {
  it('is not held against its holder for whoever comes to own that wallet later', async () => {
    const wallet = await newWallet();
    const tokenId = await inWallet(wallet);
    await passOn(wallet, tokenId);
    await wallet.call('add', [LISTED]);
    expect(await traced(tokenId)).toMatchObject({ verdict: 'CLEAN', hardFlags: [] });
  });

  it('is held against whoever owned the wallet when it came, although he left it since', async () => {
    const wallet = await newWallet();
    await wallet.call('add', [LISTED]);
    const tokenId = await inWallet(wallet);
    await wallet.call('drop', []);
    await passOn(wallet, tokenId);
    for (const depth of DEPTHS)
      expect((await traced(tokenId, depth)).hardFlags).toEqual(['provenance/custody-sanctions']);
  });

  it('is held against whoever came to own the wallet while it was there, although he left it since', async () => {
    const wallet = await newWallet();
    const tokenId = await inWallet(wallet);
    await wallet.call('add', [LISTED]);
    expect((await traced(tokenId)).hardFlags).toEqual(['provenance/custody-sanctions']);
    await passOn(wallet, tokenId);
    await wallet.call('drop', []);
    expect((await traced(tokenId)).hardFlags).toEqual(['provenance/custody-sanctions']);
  });

  it('is held against whoever owned a wallet that was deployed only as the thing left it', async () => {
    const { alice, bob } = chain.accounts;
    const [token, id] = [chain.deployment.assets, await assetThrough(chain, [alice])];
    const salt = toHex(++wallets, { size: 32 });
    const wallet = await walletFor(chain, salt, LISTED, { token, to: bob.address, id });
    await hand(chain, token, id, alice, wallet.address);
    await wallet.place();
    for (const depth of DEPTHS)
      expect((await traced(id, depth)).hardFlags).toEqual(['provenance/custody-sanctions']);
    await wallet.call('mute', []);
    expect((await traced(id)).hardFlags).toEqual(['provenance/custody-sanctions']);
  });

  it('is CLEAN where nobody listed owned a wallet that was deployed after the thing came to its address', async () => {
    const { alice, bob } = chain.accounts;
    const [token, id] = [chain.deployment.assets, await assetThrough(chain, [alice])];
    const wallet = await walletFor(chain, toHex(++wallets, { size: 32 }), bob.address);
    await hand(chain, token, id, alice, wallet.address);
    await wallet.place();
    expect(await traced(id)).toMatchObject({ verdict: 'CLEAN', hardFlags: [] });
    await passOn(wallet, id);
    expect(await traced(id)).toMatchObject({ verdict: 'CLEAN', hardFlags: [] });
  });

  it('is not spoilt by a contract that begins to tell of owners after it left', async () => {
    const wallet = await newWallet();
    await wallet.call('mute', []);
    const tokenId = await inWallet(wallet);
    await passOn(wallet, tokenId);
    await wallet.call('speak', []);
    await wallet.call('add', [LISTED]);
    expect(await traced(tokenId)).toMatchObject({ verdict: 'CLEAN', hardFlags: [] });
  });

  it('is not CLEAN by passing through so many silent contracts that not all blocks of a wallet are asked', async () => {
    const { bob } = chain.accounts;
    const [token, wallet] = [chain.deployment.assets, await newWallet()];
    await wallet.call('mute', []);
    const tokenId = await inWallet(wallet);
    await passOn(wallet, tokenId);
    for (let i = 0; i < 4; i++) {
      await hand(chain, token, tokenId, bob, wallet.address);
      await passOn(wallet, tokenId);
    }
    await wallet.call('speak', []);
    await wallet.call('add', [LISTED]);
    await hand(chain, token, tokenId, bob, wallet.address);
    await passOn(wallet, tokenId);
    await wallet.call('mute', []);
    expect((await traced(tokenId)).hardFlags).toEqual(['provenance/custody-sanctions']);
    for (let i = 0; i < 58; i++) {
      const other = await newWallet();
      await other.call('mute', []);
      await hand(chain, token, tokenId, bob, other.address);
      await passOn(other, tokenId);
      if (i === 29) expect((await traced(tokenId)).hardFlags).toEqual(['provenance/custody-sanctions']);
    }
    expect((await traced(tokenId)).verdict).not.toBe('CLEAN');
  });

  it('is INCONCLUSIVE where the wallet that has it told of owners and does no more', async () => {
    const wallet = await newWallet();
    const tokenId = await inWallet(wallet);
    await wallet.call('mute', []);
    const { verdict, checks } = await traced(tokenId);
    expect(verdict).toBe('INCONCLUSIVE');
    const check = checks.find(({ id }) => id === 'custody-principals');
    expect(check?.detail).toContain('it told of no owners then');
  });

  it('is INCONCLUSIVE where the wallet fell silent since, and the node does not keep what it told', async () => {
    const wallet = await newWallet();
    const tokenId = await inWallet(wallet);
    await passOn(wallet, tokenId);
    await wallet.call('mute', []);
    await chain.restart();
    expect((await traced(tokenId)).verdict).toBe('INCONCLUSIVE');
  });

  it('is CLEAN where it was with a contract that tells of no owners, whatever state the node keeps', async () => {
    const house = await houseOn(chain);
    const tokenId = await inWallet(house);
    await passOn(house, tokenId);
    expect((await traced(tokenId)).verdict).toBe('CLEAN');
    await chain.restart();
    expect((await traced(tokenId)).verdict).toBe('CLEAN');
  });

  it('is INCONCLUSIVE where the node does not keep who owned the wallet then', async () => {
    const wallet = await newWallet();
    const tokenId = await inWallet(wallet);
    await passOn(wallet, tokenId);
    await chain.restart();
    const { verdict, checks } = await traced(tokenId);
    expect(verdict).toBe('INCONCLUSIVE');
    const check = checks.find(({ id }) => id === 'custody-principals');
    expect(check?.detail).toContain('the node does not keep the state of then');
  });
});
