import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asset } from '../../agents/assets.ts';
import { replyUntil } from '../../agents/certificates/dispute.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { certificatesAbi } from '../../chain/abi/certificates.ts';
import { isVoidCertificate } from '../../chain/clients/certificates.ts';
import { transact } from '../../chain/tx/transact.ts';
import { concludeDisputes } from '../../runtime/certificates/conclude-disputes.ts';
import { fileCertificateDispute } from '../../runtime/certificates/dispute.ts';
import { decideDispute } from '../../runtime/certificates/rule-on-dispute.ts';
import { requireCertificate } from '../../runtime/certificates/transfer-certificate.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { gatherProvenance } from '../../runtime/determinations/evidence/provenance/provenance.ts';
import type { Services } from '../../runtime/services.ts';
import { disputesOf, fileDispute, findDispute } from '../../store/certificates/disputes.ts';
import { openDisputesOf } from '../../store/certificates/disputes-of-thing.ts';
import { databaseTime } from '../../store/database.ts';
import { insertPledge, livePledge } from '../../store/market/pledges.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { quietQuarantine } from '../fixtures/quiet-quarantine.ts';
import { certificateDeps, issuedTo } from './certificate-stage.ts';
import { hand, signerOf } from './goods-stage.ts';

/** A thing that is certified again while a certificate of it is disputed: the dispute is of the thing. */

type Who = 'alice' | 'bob' | 'carol';
const DAY = 86_400_000;

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
let now: Date;
let count = 0;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  now = await databaseTime(database.db);
  deps = await certificateDeps(chain, database.db, () => now);
});
afterAll(async () => {
  await chain?.stop();
  await database?.drop();
});

const lower = (who: Who): string => chain.accounts[who].address.toLowerCase();

const issued = (serial: string, to: Who) => issuedTo(chain, deps, serial, chain.accounts[to]);

/** Its holder ends it. */
const retire = ({ tokenId }: { tokenId: string }, by: Who) =>
  transact(signerOf(chain, chain.accounts[by]), {
    ...{ to: chain.deployment.certificates, abi: certificatesAbi, functionName: 'retire', gas: 300_000n },
    args: [BigInt(tokenId), ''],
  });

async function disputed(serial: string, { tokenId }: { tokenId: string }, wallet: string): Promise<string> {
  const disputeId = `dsp_${++count}`;
  const filedAt = new Date((await databaseTime(database.db)).getTime() - 8 * DAY + count);
  await database.db.transaction().execute((trx) =>
    fileDispute(trx, {
      ...{ disputeId, tokenId, assetKey: serial, wallet, grounds: 'It is mine.', evidence: [], filedAt },
      replyUntil: replyUntil(filedAt),
    }),
  );
  return disputeId;
}

/** Upholds a dispute and waits out the time to appeal. */
async function upheld(disputeId: string): Promise<void> {
  const ruling = { ruling: 'upheld', reason: 'The bill of sale says so.' } as const;
  const { decision } = await decideDispute(database.db, disputeId, ruling);
  now = new Date(decision!.at.getTime() + 7 * DAY);
  const viem = deps.readers.get(1002)!.viem;
  await concludeDisputes({
    ...{ db: database.db, quarantine: quietQuarantine(database.db), now: () => now, crash() {} },
    home: {
      ...{ chainId: 1002, deployment: chain.deployment, readers: { viem } },
      operator: signerOf(chain, chain.accounts.operator),
    },
    signRecord: async () => '0xsigned',
  } as unknown as Services);
  now = await databaseTime(database.db);
  expect((await findDispute(database.db, disputeId))?.closedAt).not.toBeNull();
}

async function standing(asset: Asset, inDeal = false) {
  const evidence = await gatherProvenance(deps, { depth: '2-of-2', performer: 'AGENT' }, asset, { inDeal });
  const { verdict, checks } = judge(evidence);
  expect(judge(JSON.parse(JSON.stringify(evidence))).verdict).toBe(verdict);
  return [verdict, checks.find((c) => c.id === 'certificate-standing')?.outcome];
}

async function detailOf(asset: Asset): Promise<string | undefined> {
  const evidence = await gatherProvenance(deps, { depth: '2-of-2', performer: 'AGENT' }, asset, {
    inDeal: true,
  });
  return judge(evidence).checks.find((c) => c.id === 'certificate-standing')?.detail;
}

async function isVoid({ tokenId }: { tokenId: string }): Promise<boolean> {
  const reader = deps.readers.get(1002)!.viem;
  return await isVoidCertificate(reader, chain.deployment, BigInt(tokenId), (await reader.head()).number);
}

const pledged = (serial: string, id: string, wallet: string) =>
  database.db.transaction().execute((trx) =>
    insertPledge(trx, {
      ...{ id, assetKey: serial, listingRef: 'loan', wallet, lender: '0xlender', until: null, now },
      ...{ source: 'owner', proven: false },
    }),
  );

describe('a dispute of a certificate that its holder ended before it was decided', () => {
  it.each([
    ['the same serial', 'serial:generic:TREK:FRAME1', 'serial:generic:TREK:FRAME1'],
    ['another maker', 'serial:generic:TREK:FRAME2', 'serial:generic:SPECIALIZED:FRAME2'],
    ['no maker', 'serial:generic:TREK:FRAME3', 'serial:generic:FRAME3'],
  ])('voids what he had issued again under %s, and is held against it', async (_, serial, again) => {
    const first = await issued(serial, 'bob');
    const disputeId = await disputed(serial, first, lower('alice'));
    await retire(first, 'bob');
    const second = await issued(again, 'bob');
    expect((await standing(second))[0]).not.toBe('CLEAN');
    await upheld(disputeId);
    expect(await isVoid(second)).toBe(true);
    expect(await standing(second, true)).toEqual(['FLAGGED', 'FLAG']);
    // The third passes by another wallet first, and goes back to the same hands.
    const third = await issued(again, 'carol');
    expect(await standing(third, true)).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    await hand(
      chain,
      chain.deployment.certificates,
      BigInt(third.tokenId),
      chain.accounts.carol,
      chain.accounts.bob.address,
    );
    expect(await standing(third, true)).toEqual(['FLAGGED', 'FLAG']);
  });

  it('is settled by a certificate of who disputed it, whose lien stays', async () => {
    const serial = 'serial:generic:TREK:FRAME4';
    const first = await issued(serial, 'bob');
    const disputeId = await disputed(serial, first, lower('alice'));
    await retire(first, 'bob');
    const second = await issued(serial, 'alice');
    await pledged(serial, 'plg_alice', lower('alice'));
    await upheld(disputeId);
    expect(await isVoid(second)).toBe(false);
    expect(await standing(second, true)).toEqual(['CLEAN', 'PASS']);
    expect(await livePledge(database.db, serial)).toMatchObject({ id: 'plg_alice' });
  });
});

describe('the dispute of a former holder', () => {
  it('leaves a deal open however many strangers dispute beside it, and is shown before theirs', async () => {
    const serial = 'serial:generic:TREK:FRAME5';
    const token = await issued(serial, 'alice');
    await hand(
      chain,
      chain.deployment.certificates,
      BigInt(token.tokenId),
      chain.accounts.alice,
      chain.accounts.bob.address,
    );
    expect(await standing(token, true)).toEqual(['CLEAN', 'PASS']);
    const own = await disputed(serial, token, lower('alice'));
    expect(await standing(token, true)).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    for (let i = 0; i < 60; i++) await disputed(serial, token, `0x${i.toString(16).padStart(40, 'e')}`);
    expect(await standing(token, true)).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    const said = await detailOf(token);
    expect(said).toContain(own);
    expect(said).toContain('; there are 11 more disputes of the thing');
    const shown = await disputesOf(database.db, token.tokenId, [lower('alice'), lower('bob')]);
    expect([shown.length, shown[0]?.disputeId]).toEqual([50, own]);
  });

  it('counts nobody as its holder to whom it was only passed on', async () => {
    const serial = 'serial:generic:TREK:FRAME6';
    const token = await issued(serial, 'alice');
    const viem = deps.readers.get(1002)!.viem;
    const services = {
      ...{ db: database.db, now: () => now, newId: (prefix: string) => `${prefix}_holder${++count}` },
      home: { chainId: 1002, deployment: chain.deployment, readers: { viem } },
    } as unknown as Services;
    const wallets = Array.from({ length: 3 }, () => privateKeyToAddress(generatePrivateKey()));
    let from = chain.accounts.alice;
    for (const to of ['bob', 'carol', 'bob'] as const) {
      const { certificates } = chain.deployment;
      await hand(chain, certificates, BigInt(token.tokenId), from, chain.accounts[to].address);
      from = chain.accounts[to];
    }
    for (const wallet of [lower('bob'), lower('carol'), ...wallets, lower('alice')]) {
      const live = await requireCertificate(services, BigInt(token.tokenId));
      const said = { wallet: wallet.toLowerCase() as Address, grounds: 'It is mine.', evidence: [] };
      await fileCertificateDispute(services, live, said, () => {});
    }
    const told = await openDisputesOf(database.db, serial);
    expect([told.length, told[0]?.wallet]).toEqual([6, lower('alice')]);
    expect(told.map((d) => d.asksAnew)).toEqual([true, false, false, false, false, false]);
  });
});
