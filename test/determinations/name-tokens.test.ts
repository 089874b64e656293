import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Asset, type AssetInput, assetKey } from '../../agents/assets.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import { readName } from '../../agents/names/name.ts';
import { certificatesAbi } from '../../chain/abi/certificates.ts';
import { certificateOf, issueCertificate } from '../../chain/clients/certificates.ts';
import { registerDemoName } from '../../chain/devnet/dev-wallets.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { transact } from '../../chain/tx/transact.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineTier } from '../../runtime/determinations/determine-tier.ts';
import { gatherProvenance } from '../../runtime/determinations/evidence/provenance/provenance.ts';
import { keepNameToken } from '../../runtime/names/name-asset.ts';
import type { Services } from '../../runtime/services.ts';
import { insertPledge } from '../../store/market/pledges.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { hand, listOf, signerOf } from './goods-stage.ts';

/** Names for which a provider's token stands: whoever held the token is asked about, however the name is spelled. */

const NOW = new Date();
const PATIENCE_MS = 60_000;

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  const options = { rpcUrl: chain.url, chainId: 1002, retries: 0 };
  const patient = { ...options, deadlineMs: PATIENCE_MS, timeoutMs: PATIENCE_MS };
  deps = {
    db: database.db,
    readers: new Map([[1002, { viem: viemReader(patient), ethers: ethersReader(patient) }]]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => NOW,
    seatTimeoutMs: PATIENCE_MS,
  };
});

beforeEach(async () => {
  for (const register of ['stolen', 'recalled'] as const) await listOf(database.db, register, [], NOW);
  for (const register of ['sanctions', 'known-scam'] as const) await listed(register);
});

afterAll(async () => {
  await chain?.stop();
  await database?.drop();
});

const listed = (register: 'sanctions' | 'known-scam', ...keys: string[]) =>
  listOf(database.db, register, ['0x00000000000000000000000000000000000000ff', ...keys], NOW);
const lower = (who: 'alice' | 'bob' | 'carol'): string => chain.accounts[who].address.toLowerCase();

/** Registers `label.x` with a provider for bob, who hands it to carol. */
async function throughBob(provider: 'a' | 'b', label: string): Promise<Asset & { kind: 'token' }> {
  const { url: rpcUrl, deployment, accounts } = chain;
  const dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  const contract = provider === 'a' ? deployment.namesA : deployment.namesB;
  const tokenId = await registerDemoName(dev, provider, [label, 'x'], accounts.bob.address);
  await hand(chain, contract, tokenId, accounts.bob, accounts.carol.address);
  return {
    ...{ kind: 'token', chainId: 1002, tokenId: tokenId.toString() },
    contract: contract.toLowerCase() as `0x${string}`,
  };
}

const noted = (label: string, token: Asset & { kind: 'token' }) =>
  keepNameToken({ db: database.db } as Services, readName(`${label}.x`), token);

async function traced(subject: AssetInput, over: Partial<EvidenceDeps> = {}) {
  const request = {
    tier: 'tier3',
    category: 'digital-products',
    facts: { subject },
    depth: '2-of-2',
  } as const;
  const answer = await determineTier({ ...deps, ...over }, request);
  expect(recompute(answer.evidence).verdict).toBe(answer.record.verdict);
  const found = answer.record.determinations.find((d) => d.id === 'provenance')!;
  const outcomes = Object.fromEntries(found.checks.map((c) => [c.id, c.outcome]));
  return { verdict: found.verdict, outcomes };
}
const inDeal = async (asset: Asset) =>
  judge(await gatherProvenance(deps, { depth: '2-of-2', performer: 'AGENT' }, asset, { inDeal: true }));

describe('the provenance of a name with a token of its provider', () => {
  it.each(['a', 'b'] as const)(
    'is that of the token also once the name is known, at provider %s',
    async (provider) => {
      const label = `walked-${provider}`;
      const token = await throughBob(provider, label);
      const { kind: _, ...subject } = token;
      const spellings = [subject, { serial: `${label}.x`, serialKind: 'name' }] as const;
      await noted(label, token);
      for (const spelled of spellings) expect((await traced(spelled)).verdict).toBe('CLEAN');
      expect((await inDeal(token)).verdict).toBe('CLEAN');
      await listed('known-scam', lower('bob'));
      for (const spelled of spellings) {
        const { verdict, outcomes } = await traced(spelled);
        expect([verdict, outcomes['custody-known-scam']]).toEqual(['FLAGGED', 'FLAG']);
      }
      expect((await inDeal(token)).verdict).toBe('FLAGGED');
    },
  );

  it('is found from the bare name before anybody here named its token', async () => {
    const token = await throughBob('a', 'unheard');
    const subject = { serial: 'unheard.x', serialKind: 'name' } as const;
    expect((await traced(subject)).verdict).toBe('CLEAN');
    await listed('sanctions', lower('bob'));
    expect((await traced(subject)).outcomes['custody-sanctions']).toBe('FLAG');
    await listed('sanctions');
    await listOf(database.db, 'stolen', [assetKey(token)], NOW);
    expect((await traced(subject)).outcomes['list-stolen']).toBe('FLAG');
  });

  it('is that of the configured contract alone, which nobody replaces by another token', async () => {
    const token = await throughBob('b', 'configured');
    await throughBob('a', 'configured');
    const nameTokens = new Map([['x', token.contract]]);
    const subject = { serial: 'configured.x', serialKind: 'name' } as const;
    await listed('known-scam', lower('bob'));
    expect((await traced(subject, { nameTokens })).outcomes['custody-known-scam']).toBe('FLAG');
    const nowhere = { serial: 'never-registered.x', serialKind: 'name' } as const;
    expect((await traced(nowhere, { nameTokens })).outcomes['chain-of-custody']).toBe('INCONCLUSIVE');
    expect((await traced(nowhere)).outcomes['chain-of-custody']).toBe('PASS');
  });

  it('is not that of a certificate that somebody without the token once had issued for the name', async () => {
    const token = await throughBob('a', 'squatted');
    await noted('squatted', token);
    const { deployment, accounts } = chain;
    const operator = signerOf(chain, accounts.operator);
    const serial = 'serial:name:squatted.x';
    await issueCertificate(operator, deployment, { to: accounts.alice.address, serial, approve: false });
    const reader = deps.readers.get(1002)!.viem;
    const { live } = await certificateOf(reader, deployment, serial, (await reader.head()).number);
    await transact(operator, {
      ...{ to: deployment.certificates, abi: certificatesAbi, functionName: 'retire', gas: 300_000n },
      args: [live, 'the name is of who has its token'],
    });
    const { kind: _, ...subject } = token;
    for (const spelled of [subject, { serial: 'squatted.x', serialKind: 'name' }] as const)
      expect((await traced(spelled)).verdict).toBe('CLEAN');
    // Whoever asks about the certificate itself is told of it.
    const certificate = { chainId: 1002, contract: deployment.certificates, tokenId: `${live}` };
    expect((await traced(certificate)).verdict).toBe('FLAGGED');
  });
});

describe('the pledge of a name by its token', () => {
  it('stays in the evidence when the name becomes known, under every key, and before', async () => {
    const token = await throughBob('a', 'pledged');
    const { kind: _, ...asset } = token;
    const spellings = [asset, { serial: 'pledged.x', serialKind: 'name' }] as const;
    const verdicts = async () => {
      const found = [];
      for (const spelled of spellings) {
        const request = { tier: 'tier2', category: 'digital-products', depth: '2-of-2' } as const;
        const { record, evidence } = await determineTier(deps, { ...request, facts: { asset: spelled } });
        expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe(record.verdict);
        found.push(record.verdict);
      }
      return found;
    };
    expect(await verdicts()).toEqual(['CLEAN', 'CLEAN']);
    const lien = { id: 'plg_1', listingRef: 'loan-1', wallet: lower('carol'), lender: lower('alice') };
    await database.db.transaction().execute((trx) =>
      insertPledge(trx, {
        ...{ ...lien, assetKey: assetKey(token), until: null, source: 'owner', proven: true, now: NOW },
      }),
    );
    expect(await verdicts()).toEqual(['FLAGGED', 'FLAGGED']);
    await noted('pledged', token);
    expect(await verdicts()).toEqual(['FLAGGED', 'FLAGGED']);
  });

  it('counts for the token that was pledged, and not for the name of which another provider’s token is', async () => {
    const other = await throughBob('b', 'of-the-first');
    const lien = { id: 'plg_2', listingRef: 'loan-2', wallet: lower('carol'), lender: lower('alice') };
    await database.db.transaction().execute((trx) =>
      insertPledge(trx, {
        ...{ ...lien, assetKey: assetKey(other), until: null, source: 'owner', proven: true, now: NOW },
      }),
    );
    const verdictOn = async (spelled: AssetInput) => {
      const request = { tier: 'tier2', category: 'digital-products', depth: '2-of-2' } as const;
      return (await determineTier(deps, { ...request, facts: { asset: spelled } })).record.verdict;
    };
    const { kind: _, ...otherAsset } = other;
    const bare = { serial: 'of-the-first.x', serialKind: 'name' } as const;
    // Nobody has it of the first provider yet.
    expect([await verdictOn(otherAsset), await verdictOn(bare)]).toEqual(['FLAGGED', 'FLAGGED']);
    const token = await throughBob('a', 'of-the-first');
    await noted('of-the-first', token);
    const { kind: __, ...own } = token;
    expect([await verdictOn(otherAsset), await verdictOn(bare), await verdictOn(own)]).toEqual([
      'FLAGGED',
      'CLEAN',
      'CLEAN',
    ]);
  });
});
