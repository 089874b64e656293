import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asset, parseAssetKey } from '../../agents/assets.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { certificatesAbi } from '../../chain/abi/certificates.ts';
import { markVoid } from '../../chain/clients/certificates.ts';
import { transact } from '../../chain/tx/transact.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { gatherProvenance } from '../../runtime/determinations/evidence/provenance/provenance.ts';
import { databaseTime } from '../../store/database.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { certificateDeps, issuedTo } from './certificate-stage.ts';
import { signerOf } from './goods-stage.ts';

/** A thing of which another certificate lives already, under another spelling of its number. */

type Who = 'alice' | 'bob';

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  const now = await databaseTime(database.db);
  deps = await certificateDeps(chain, database.db, () => now);
});
afterAll(async () => {
  await chain?.stop();
  await database?.drop();
});

const issued = (serial: string, to: Who) => issuedTo(chain, deps, serial, chain.accounts[to]);

async function judged(asset: Asset, by = deps) {
  const mode = { depth: '2-of-2', performer: 'AGENT' } as const;
  const evidence = await gatherProvenance(by, mode, asset, { inDeal: true });
  const { verdict, checks } = judge(evidence);
  expect(judge(JSON.parse(JSON.stringify(evidence))).verdict).toBe(verdict);
  const check = checks.find((c) => c.id === 'certificate-standing');
  return { verdict, outcome: check?.outcome, detail: check?.detail };
}

const CLEAN = { verdict: 'CLEAN', outcome: 'PASS' };
const OPEN = { verdict: 'INCONCLUSIVE', outcome: 'INCONCLUSIVE' };

describe('a certificate beside an earlier one of what may be the same thing', () => {
  it.each([
    ['no maker', 'serial:generic:TREK:WTU105K4021', 'serial:generic:WTU105K4021'],
    ['another maker', 'serial:generic:TREK:WTU106K4021', 'serial:generic:GIANT:WTU106K4021'],
    ['a letter for a nought', 'serial:generic:TREK:WTU107K4021', 'serial:generic:TREK:WTU1O7K4O21'],
    ['one nought of two a letter', 'serial:generic:TREK:WTU1O9K5021', 'serial:generic:TREK:WTU109K5021'],
    ['a maker put to a recording', 'serial:isrc:USRC17607839', 'serial:generic:SONY:USRC17607839'],
  ])('is INCONCLUSIVE, and the earlier one CLEAN as before: %s', async (_, serial, again) => {
    const first = await issued(serial, 'alice');
    const second = await issued(again, 'bob');
    const found = await judged(second);
    expect(found).toMatchObject(OPEN);
    expect(found.detail).toContain(`certificate ${first.tokenId}`);
    expect(found.detail).toContain(serial);
    expect(await judged(first)).toMatchObject(CLEAN);
    expect(await judged(parseAssetKey(serial))).toMatchObject(CLEAN);
  });

  it('stands once the earlier one ended or is void', async () => {
    const { deployment, accounts } = chain;
    const ends = await issued('serial:generic:TREK:WTU108K4021', 'alice');
    const wrong = await issued('serial:generic:GIANT:WTU108K4021', 'alice');
    const third = await issued('serial:generic:WTU108K4021', 'bob');
    expect(await judged(third)).toMatchObject(OPEN);
    await transact(signerOf(chain, accounts.alice), {
      ...{ to: deployment.certificates, abi: certificatesAbi, functionName: 'retire', gas: 300_000n },
      args: [BigInt(ends.tokenId), ''],
    });
    expect(await judged(third)).toMatchObject(OPEN);
    const reason = 'the frame number is of another bicycle';
    await markVoid(signerOf(chain, accounts.operator), deployment, {
      tokenId: BigInt(wrong.tokenId),
      reason,
    });
    expect(await judged(third)).toMatchObject(CLEAN);
  });

  it('is no less doubted where a node does not tell in which block the earlier one was issued', async () => {
    const serial = 'serial:generic:TREK:WTU105K4022';
    const first = await issued(serial, 'alice');
    const second = await issued('serial:generic:WTU105K4022', 'bob');
    const { viem, ethers } = deps.readers.get(1002)!;
    // Of the mints of several at once, it leaves out what it no longer has.
    const silent = (reader: typeof viem): typeof viem => ({
      ...reader,
      logs: async (query) => (Array.isArray(query.topics[3]) ? [] : await reader.logs(query)),
    });
    const readers = new Map([[1002, { viem: silent(viem), ethers: silent(ethers) }]]);
    const found = await judged(second, { ...deps, readers });
    expect(found.verdict).toBe('INCONCLUSIVE');
    expect(await judged(first)).toMatchObject(CLEAN);
  });

  it('is told where a number is asked about that has none of its own', async () => {
    const only = await issued('serial:generic:TREK:WTU109K4021', 'alice');
    const { detail, ...found } = await judged(parseAssetKey('serial:generic:WTU109K4021'));
    expect(found).toEqual(OPEN);
    expect(detail).toContain(`certificate ${only.tokenId}`);
  });
});
