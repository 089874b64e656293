import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { recordTypedData } from '../agents/records/eip712.ts';
import { makeRecord } from '../agents/records/record.ts';
import { verifyRecord } from './verify.ts';

const SERVICE = privateKeyToAccount(`0x${'22'.repeat(32)}`);

async function document(since: object = {}): Promise<object> {
  const { record, hash } = makeRecord({
    ...{ recordId: 'rec_1', kind: 'determination', subject: `0x${'ab'.repeat(20)}`, summary: 'CLEAN' },
    ...{
      issuedAt: new Date('2026-11-21T08:00:00Z'),
      content: { record: { verdict: 'CLEAN', chainId: 1002 } },
    },
  });
  const value = await SERVICE.signTypedData(recordTypedData(record, hash));
  const signature = { signer: SERVICE.address, value };
  return { recordId: 'rec_1', record, hash, signature, evidence: null, proof: null, ledger: null, ...since };
}

describe('a record that was filed', () => {
  it('does not hold in a document that names another, and is told by its own id', async () => {
    const trusted = { signer: SERVICE.address, unanchored: true };
    const forged = await verifyRecord(await document({ recordId: 'rec_2' }), trusted);
    expect(forged).toMatchObject({ ok: false, verdict: null, recordId: 'rec_1' });
    expect(forged.steps.filter((s) => !s.ok).map((s) => s.step)).toEqual([
      "the document's id is the record's",
    ]);
  });

  it('does not hold, and gives no verdict, once the service says that it took it back', async () => {
    const trusted = { signer: SERVICE.address, unanchored: true };
    expect(await verifyRecord(await document(), trusted)).toMatchObject({
      ...{ ok: true, verdict: 'CLEAN', withdrawn: null },
    });
    const retracted = await verifyRecord(
      await document({ retracted: { reason: 'a wrong list', at: '2026-11-22T08:00:00Z' } }),
      trusted,
    );
    expect(retracted).toMatchObject({ ok: false, verdict: null, withdrawn: 'retracted' });
    expect(retracted.steps.filter((s) => !s.ok).map((s) => s.step)).toEqual([
      'the service took it back: its operator retracted it (a wrong list)',
    ]);
    expect(await verifyRecord(await document({ overturned: true }), trusted)).toMatchObject({
      ...{ ok: false, verdict: null, withdrawn: 'overturned' },
    });
  });
});
