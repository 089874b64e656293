import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AssetInput } from '../../agents/assets.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineTier } from '../../runtime/determinations/determine-tier.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { assetThrough, hand } from './goods-stage.ts';
import { approve, contractOn, type LenderKind, SHAPES, tableOf } from './lineage-stage.ts';
import { lyingRpc } from './lying-rpc.ts';

const NOW = new Date();
const PATIENCE_MS = 60_000;
const LENDERS = Object.keys(SHAPES) as LenderKind[];

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let second: Awaited<ReturnType<typeof lyingRpc>>;
let deps: EvidenceDeps;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  second = await lyingRpc(chain.url);
  const options = { chainId: 1002, retries: 0, deadlineMs: PATIENCE_MS, timeoutMs: PATIENCE_MS };
  const pair = {
    viem: viemReader({ ...options, rpcUrl: chain.url }),
    ethers: ethersReader({ ...options, rpcUrl: second.url }),
  };
  deps = {
    db: database.db,
    readers: new Map([[1002, pair]]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => NOW,
    seatTimeoutMs: PATIENCE_MS,
  };
});

afterEach(async () => {
  second.lie((_, result) => result);
  await tableOf(database.db, [], NOW);
});

afterAll(async () => {
  await second?.stop();
  await chain?.stop();
  await database?.drop();
});

/** The double pledge of a token: its verdict, each check's outcome, and the details of those that are not PASS. */
async function pledgeOf(asset: AssetInput, listingRef?: string, depth: Depth = '2-of-2') {
  const facts = { asset, ...(listingRef === undefined ? {} : { listingRef }) };
  const request = { tier: 'tier2', category: 'real-world-assets', facts, depth } as const;
  const { record, evidence } = await determineTier(deps, request);
  expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe(record.verdict);
  const found = record.determinations.find((d) => d.id === 'double-pledge')!;
  return {
    verdict: found.verdict,
    outcomes: Object.fromEntries(found.checks.map((c) => [c.id, c.outcome])),
    says: found.checks
      .filter((c) => c.outcome !== 'PASS')
      .map((c) => c.detail)
      .join(' | '),
  };
}

async function thing(): Promise<{ readonly tokenId: bigint; readonly asset: AssetInput }> {
  const tokenId = await assetThrough(chain, [chain.accounts.alice]);
  const asset = { chainId: 1002, contract: chain.deployment.assets, tokenId: tokenId.toString() };
  return { tokenId, asset };
}

const lower = (who: 'alice' | 'bob'): string => chain.accounts[who].address.toLowerCase();

describe('a token in escrow at a lending contract', () => {
  it.each(LENDERS)('is FLAGGED with its loan while that is open, as a %s tells', async (kind) => {
    const { alice } = chain.accounts;
    const lender = await contractOn(chain, kind);
    const { tokenId, asset } = await thing();
    await tableOf(database.db, [{ role: 'lender', contract: lender.address, ...SHAPES[kind] }], NOW);
    // Its honest twin: with its owner, who could borrow and has not.
    expect((await pledgeOf(asset)).outcomes).toMatchObject({ 'open-loan': 'PASS', 'token-held': 'PASS' });
    await approve(chain, alice, lender.address, tokenId);
    expect((await pledgeOf(asset)).outcomes).toMatchObject({ 'open-loan': 'INCONCLUSIVE' });
    await lender.call(alice, 'borrow', [chain.deployment.assets, tokenId]);
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const) {
      const { verdict, says } = await pledgeOf(asset, undefined, depth);
      expect([verdict, says]).toEqual(['FLAGGED', expect.stringContaining(`loan 1`)]);
      expect(says).toContain(lender.address.toLowerCase());
      expect(says).toContain(kind === 'ArcadeLike' ? 'answers for loan 1' : `loan 1 of ${lower('alice')}`);
    }
    // No reference of the asker's hides it.
    expect((await pledgeOf(asset, 'lst_of_mine')).verdict).toBe('FLAGGED');
    await lender.call(alice, 'settle', [chain.deployment.assets, tokenId]);
    const ended = await pledgeOf(asset);
    // Who is asked about the token answers for it; who tells only of a loan may have prolonged it as another.
    expect(ended.outcomes['open-loan']).toBe(kind === 'BendLike' ? 'PASS' : 'INCONCLUSIVE');
    await lender.call(alice, 'give', [chain.deployment.assets, tokenId]);
    expect((await pledgeOf(asset)).verdict).toBe('CLEAN');
  });

  it('is INCONCLUSIVE where the contract does not answer as its row says, or came there without a loan', async () => {
    const { alice } = chain.accounts;
    const [bend, nftfi] = [await contractOn(chain, 'BendLike'), await contractOn(chain, 'NftfiLike')];
    const [one, other] = [await thing(), await thing()];
    await tableOf(
      database.db,
      [
        { role: 'lender', contract: bend.address, ...SHAPES.BendLike },
        { role: 'lender', contract: nftfi.address, ...SHAPES.NftfiLike },
      ],
      NOW,
    );
    await approve(chain, alice, bend.address, one.tokenId);
    await bend.call(alice, 'borrow', [chain.deployment.assets, one.tokenId]);
    await bend.call(alice, 'breakDown', [true]);
    expect(await pledgeOf(one.asset)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      says: expect.stringContaining('down for repair'),
    });
    await bend.call(alice, 'breakDown', [false]);
    expect((await pledgeOf(one.asset)).verdict).toBe('FLAGGED');
    await hand(chain, chain.deployment.assets, other.tokenId, alice, nftfi.address);
    expect(await pledgeOf(other.asset)).toMatchObject({
      verdict: 'INCONCLUSIVE',
      says: expect.stringContaining('without the begin of a loan'),
    });
  });

  it('is not CLEAN when one node hides the loan', async () => {
    const { alice } = chain.accounts;
    const lender = await contractOn(chain, 'BendLike');
    const { tokenId, asset } = await thing();
    await tableOf(database.db, [{ role: 'lender', contract: lender.address, ...SHAPES.BendLike }], NOW);
    await approve(chain, alice, lender.address, tokenId);
    await lender.call(alice, 'borrow', [chain.deployment.assets, tokenId]);
    second.lie(({ method, params }, result) =>
      method === 'eth_call' &&
      JSON.stringify(params).toLowerCase().includes(lender.address.slice(2).toLowerCase())
        ? `0x${'00'.repeat(32)}`
        : result,
    );
    expect((await pledgeOf(asset)).verdict).toBe('FLAGGED');
  });
});

describe('a twin of a token', () => {
  it('is FLAGGED with what it stands for, and that with its twin, whichever is asked about', async () => {
    const { alice } = chain.accounts;
    const lender = await contractOn(chain, 'BendLike');
    const { tokenId, asset } = await thing();
    const twin = await contractOn(chain, 'Twin', [chain.deployment.assets, 1_000n]);
    const twinId = tokenId + 1_000n;
    const wrapped = { chainId: 1002, contract: twin.address, tokenId: twinId.toString() };
    const wrapper = {
      ...{ role: 'wrapper', contract: twin.address },
      calls: 'underlying()(address underlying);originOf(uint256 tokenId)(uint256 underlyingId)',
      twin: 'twinOf(address collection,uint256 tokenId)(uint256 twinId)',
    };
    await tableOf(
      database.db,
      [wrapper, { role: 'lender', contract: lender.address, ...SHAPES.BendLike }],
      NOW,
    );
    await approve(chain, alice, twin.address, tokenId);
    await twin.call(alice, 'wrap', [tokenId]);
    // Its honest twin: wrapped, and no more than that.
    for (const one of [asset, wrapped]) {
      const { verdict, says } = await pledgeOf(one);
      expect([verdict, says]).toEqual(['CLEAN', '']);
    }
    await lender.call(alice, 'borrow', [twin.address, twinId]);
    const told = [await pledgeOf(asset), await pledgeOf(wrapped)];
    expect(told.map((t) => t.verdict)).toEqual(['FLAGGED', 'FLAGGED']);
    expect(told[0]!.says).toContain(`${twin.address.toLowerCase()}/${twinId} answers for loan 1`);
  });

  it('is found by what was pledged here under the other name, whatever reference is asked with', async () => {
    const { alice } = chain.accounts;
    const { tokenId, asset } = await thing();
    const twin = await contractOn(chain, 'Twin', [chain.deployment.assets, 0n]);
    const wrapped = { chainId: 1002, contract: twin.address, tokenId: tokenId.toString() };
    const row = { role: 'wrapper', contract: twin.address, underlying: chain.deployment.assets };
    await approve(chain, alice, twin.address, tokenId);
    await twin.call(alice, 'wrap', [tokenId]);
    await database.db
      .insertInto('pledges')
      .values({
        ...{ id: `plg_${tokenId}`, listing_ref: 'loan-7', wallet: lower('alice'), lender: lower('bob') },
        asset_key: `eip155:1002/erc721:${chain.deployment.assets.toLowerCase()}/${asset.tokenId}`,
        ...{ source: 'operator', until: null, created_at: NOW, proven: true },
      })
      .execute();
    expect((await pledgeOf(wrapped)).verdict).toBe('CLEAN');
    await tableOf(database.db, [row], NOW);
    for (const ref of [undefined, 'loan-7', 'lst_1']) {
      const { verdict, says } = await pledgeOf(wrapped, ref);
      expect([verdict, says]).toEqual([
        'FLAGGED',
        expect.stringContaining('pledge loan-7 on eip155:1002/erc721:'),
      ]);
    }
  });

  it('is INCONCLUSIVE where its original lies elsewhere', async () => {
    const { tokenId } = await thing();
    const twin = await contractOn(chain, 'Twin', [chain.deployment.assets, 7n]);
    await tableOf(
      database.db,
      [
        {
          ...{ role: 'bridge', contract: twin.address, underlying: chain.deployment.assets },
          calls: 'originOf(uint256 tokenId)(uint256 underlyingId)',
          twin: 'twinOf(address collection,uint256 tokenId)(uint256 twinId)',
        },
      ],
      NOW,
    );
    await twin.call(chain.accounts.bob, 'claim', [tokenId]);
    const told = await pledgeOf({
      chainId: 1002,
      contract: twin.address,
      tokenId: (tokenId + 7n).toString(),
    });
    expect([told.verdict, told.says]).toEqual([
      'INCONCLUSIVE',
      expect.stringContaining(`which ${lower('alice')} holds`),
    ]);
  });
});
