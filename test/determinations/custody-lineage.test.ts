import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AssetInput } from '../../agents/assets.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import { certificatesAbi } from '../../chain/abi/certificates.ts';
import { certificateOf, issueCertificate } from '../../chain/clients/certificates.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { transact } from '../../chain/tx/transact.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineTier } from '../../runtime/determinations/determine-tier.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { assetThrough, hand, listOf, signerOf } from './goods-stage.ts';
import { approve, type Contract, contractOn, tableOf } from './lineage-stage.ts';

const NOW = new Date();
const PATIENCE_MS = 60_000;
const ELSEWHERE = 31_337;

let chain: Awaited<ReturnType<typeof testChain>>;
let elsewhere: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;

beforeAll(async () => {
  [chain, elsewhere, database] = await Promise.all([testChain(), testChain(ELSEWHERE), testDatabase()]);
  const pair = ({ url: rpcUrl, chainId }: typeof chain) => {
    const options = { rpcUrl, chainId, retries: 0, deadlineMs: PATIENCE_MS, timeoutMs: PATIENCE_MS };
    return [chainId, { viem: viemReader(options), ethers: ethersReader(options) }] as const;
  };
  deps = {
    db: database.db,
    readers: new Map([pair(chain), pair(elsewhere)]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => NOW,
    seatTimeoutMs: PATIENCE_MS,
  };
});

beforeEach(async () => {
  for (const register of ['stolen', 'recalled'] as const) await listOf(database.db, register, [], NOW);
  for (const register of ['sanctions', 'known-scam'] as const) await listed(register);
  await tableOf(database.db, [], NOW);
});

afterAll(async () => {
  await Promise.all([chain?.stop(), elsewhere?.stop()]);
  await database?.drop();
});

const listed = (register: 'sanctions' | 'known-scam', ...keys: string[]) =>
  listOf(database.db, register, ['0x00000000000000000000000000000000000000ff', ...keys], NOW);
const lower = (who: 'alice' | 'bob' | 'carol'): string => chain.accounts[who].address.toLowerCase();
const keyOf = (contract: string, tokenId: bigint): string =>
  `eip155:1002/erc721:${contract.toLowerCase()}/${tokenId}`;

async function traced(subject: AssetInput, over: Partial<EvidenceDeps> = {}) {
  const request = {
    tier: 'tier3',
    category: 'real-world-assets',
    facts: { subject },
    depth: '2-of-2',
  } as const;
  const answer = await determineTier({ ...deps, ...over }, request);
  expect(recompute(JSON.parse(JSON.stringify(answer.evidence))).verdict).toBe(answer.record.verdict);
  const found = answer.record.determinations.find((d) => d.id === 'provenance')!;
  const claims = (found.trace ?? []).filter((s) => s.seat === 'rules/viem').map((s) => s.claim);
  const outcomes = Object.fromEntries(found.checks.map((c) => [c.id, c.outcome]));
  return {
    verdict: found.verdict,
    outcomes,
    claims: claims.filter((c) => c.startsWith('block ')),
    checks: found.checks,
  };
}

/** A token of alice's, and a wrapper of its collection that the table knows. */
async function wrappable(): Promise<{
  tokenId: bigint;
  asset: AssetInput;
  twin: Contract;
  wrapped: AssetInput;
}> {
  const tokenId = await assetThrough(chain, [chain.accounts.alice]);
  const contract = chain.deployment.assets;
  const twin = await contractOn(chain, 'Twin', [contract, 500n]);
  await tableOf(
    database.db,
    [
      {
        ...{ role: 'wrapper', contract: twin.address, underlying: contract },
        calls: 'originOf(uint256 tokenId)(uint256 underlyingId)',
        twin: 'twinOf(address collection,uint256 tokenId)(uint256 twinId)',
      },
    ],
    NOW,
  );
  return {
    ...{ tokenId, twin, asset: { chainId: 1002, contract, tokenId: tokenId.toString() } },
    wrapped: { chainId: 1002, contract: twin.address, tokenId: (tokenId + 500n).toString() },
  };
}

describe('the provenance of a token that was wrapped', () => {
  it('goes through whoever held its twin, however often that was minted, whichever is asked about', async () => {
    const { alice, bob, carol } = chain.accounts;
    const { tokenId, asset, twin, wrapped } = await wrappable();
    // Alice wraps it, bob gets the twin and takes it out; so does carol after him, and the twin of hers stays.
    for (const [from, to] of [
      [alice, bob],
      [bob, carol],
    ] as const) {
      await approve(chain, from, twin.address, tokenId);
      await twin.call(from, 'wrap', [tokenId]);
      await twin.call(from, 'transferFrom', [from.address, to.address, tokenId + 500n]);
      await twin.call(to, 'unwrap', [tokenId + 500n]);
    }
    const own = await traced(asset);
    expect([own.verdict, own.outcomes['lineage-read']]).toEqual(['CLEAN', 'PASS']);
    expect(own.claims).toHaveLength(1 + 4 + 6);
    const meant = own.claims.flatMap((c) => c.split(/: (?=locked|out|minted|burnt)/)[1]?.split(' ')[0] ?? []);
    expect(meant.slice(0, 4).sort()).toEqual(['burnt', 'locked', 'minted', 'out']);
    // The moves of the original alone never show bob's or carol's hands on the twin.
    await listed('known-scam', lower('bob'));
    expect((await traced(asset)).outcomes['custody-known-scam']).toBe('FLAG');
    await approve(chain, carol, twin.address, tokenId);
    await twin.call(carol, 'wrap', [tokenId]);
    expect((await traced(wrapped)).outcomes['custody-known-scam']).toBe('FLAG');
    await listed('known-scam');
    const twice = await traced(wrapped);
    expect([twice.verdict, twice.outcomes['lineage-read']]).toEqual(['CLEAN', 'PASS']);
  });

  it('is FLAGGED under its other name when one of them is reported stolen', async () => {
    const { alice } = chain.accounts;
    const { tokenId, twin, wrapped, asset } = await wrappable();
    await approve(chain, alice, twin.address, tokenId);
    await twin.call(alice, 'wrap', [tokenId]);
    expect((await traced(wrapped)).verdict).toBe('CLEAN');
    await listOf(database.db, 'stolen', [keyOf(chain.deployment.assets, tokenId)], NOW);
    expect((await traced(wrapped)).outcomes['list-stolen']).toBe('FLAG');
    await listOf(database.db, 'stolen', [keyOf(twin.address, tokenId + 500n)], NOW);
    expect((await traced(asset)).outcomes['list-stolen']).toBe('FLAG');
  });

  it('is followed over a bridge to the chain of its original, and is INCONCLUSIVE where that is not read', async () => {
    const { bob } = chain.accounts;
    const { tokenId, asset } = await wrappable();
    const twin = await contractOn(elsewhere, 'Twin', [chain.deployment.assets, 0n]);
    await twin.call(elsewhere.accounts.carol, 'claim', [tokenId]);
    // Bob's wallet stands for the contract of the bridge.
    const row = { role: 'bridge', chainId: ELSEWHERE, contract: twin.address, underlyingChainId: 1002 };
    await tableOf(database.db, [{ ...row, underlying: chain.deployment.assets, locker: bob.address }], NOW);
    const bridged = { chainId: ELSEWHERE, contract: twin.address, tokenId: tokenId.toString() };
    const early = await traced(bridged);
    expect([early.verdict, early.outcomes['lineage-read']]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    await hand(chain, chain.deployment.assets, tokenId, chain.accounts.alice, bob.address);
    for (const one of [bridged, asset]) expect((await traced(one)).verdict).toBe('CLEAN');
    await listed('sanctions', lower('alice'));
    expect((await traced(bridged)).outcomes['custody-sanctions']).toBe('FLAG');
    await listed('sanctions', lower('carol'));
    expect((await traced(asset)).outcomes['custody-sanctions']).toBe('FLAG');
    await listed('sanctions');
    const readers = new Map([[1002, deps.readers.get(1002)!]]);
    expect((await traced(asset, { readers })).verdict).toBe('INCONCLUSIVE');
  });
});

it('is held against the owners of a contract wallet that held the token', async () => {
  const safe = await contractOn(chain, 'SafeLike', [chain.accounts.bob.address]);
  const { tokenId, asset } = await wrappable();
  await hand(chain, chain.deployment.assets, tokenId, chain.accounts.alice, safe.address);
  expect((await traced(asset)).outcomes).toMatchObject({
    'custody-principals': 'PASS',
    'custody-known-scam': 'PASS',
  });
  await listed('known-scam', lower('bob'));
  expect((await traced(asset)).outcomes['custody-known-scam']).toBe('FLAG');
});

describe('the provenance of a certificate', () => {
  const VIN = '1M8GDM9AXKP042788';
  const subject = { serial: VIN };

  async function issued(to: 'alice' | 'bob' | 'carol'): Promise<bigint> {
    const { deployment, accounts } = chain;
    const serial = `serial:vin:${VIN}`;
    await issueCertificate(signerOf(chain, accounts.operator), deployment, {
      ...{ to: accounts[to].address, serial, approve: false },
    });
    const reader = deps.readers.get(1002)!.viem;
    return (await certificateOf(reader, deployment, serial, (await reader.head()).number)).live!;
  }
  const retire = async (tokenId: bigint) =>
    await transact(signerOf(chain, chain.accounts.operator), {
      ...{ to: chain.deployment.certificates, abi: certificatesAbi, functionName: 'retire', gas: 300_000n },
      args: [tokenId, 'it was not his'],
    });
  const standing = async () => {
    const { verdict, outcomes } = await traced(subject);
    return [verdict, outcomes['certificate-standing']];
  };

  it('is FLAGGED while void, and when it is issued anew to who held the void one, and to nobody else', async () => {
    const first = await issued('bob');
    expect(await standing()).toEqual(['CLEAN', 'PASS']);
    await retire(first);
    expect(await standing()).toEqual(['FLAGGED', 'FLAG']);
    const second = await issued('alice');
    expect(await standing()).toEqual(['CLEAN', 'PASS']);
    await retire(second);
    await issued('bob');
    expect(await standing()).toEqual(['FLAGGED', 'FLAG']);
  });

  it('is INCONCLUSIVE while disputed or held, FLAGGED once that is upheld, and CLEAN once it is rejected', async () => {
    const reader = deps.readers.get(1002)!.viem;
    const { number } = await reader.head();
    const { live } = await certificateOf(reader, chain.deployment, `serial:vin:${VIN}`, number);
    await retire(live!);
    const tokenId = (await issued('carol')).toString();
    const dispute = {
      dispute_id: 'dsp_1',
      token_id: tokenId,
      asset_key: `serial:vin:${VIN}`,
      wallet: lower('alice'),
    };
    await database.db
      .insertInto('certificate_disputes')
      .values({ ...dispute, grounds: 'It is mine.', evidence: [], filed_at: NOW, reply_until: NOW })
      .execute();
    const set = async (row: Record<string, unknown>) =>
      await database.db.updateTable('certificate_disputes').set(row).execute();
    expect(await standing()).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    await set({ cause: 'A cause of it.', held_at: NOW, held_until: new Date(NOW.getTime() + 3_600_000) });
    expect(await standing()).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    await set({ decision: 'upheld', reason: 'Because of it.', decided_at: NOW });
    expect(await standing()).toEqual(['FLAGGED', 'FLAG']);
    await set({ decision: 'rejected' });
    expect(await standing()).toEqual(['CLEAN', 'PASS']);
  });
});
