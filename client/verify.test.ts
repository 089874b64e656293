import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { keccak } from '../agents/canonical.ts';
import { recordTypedData } from '../agents/records/eip712.ts';
import { merkleLeaf, merkleTree } from '../agents/records/merkle.ts';
import { makeRecord, type RecordDraft } from '../agents/records/record.ts';
import { verifyRecord } from './verify.ts';

const SERVICE = privateKeyToAccount(`0x${'22'.repeat(32)}`);

const DRAFT: RecordDraft = {
  recordId: 'rec_1',
  kind: 'determination',
  issuedAt: new Date('2026-11-21T08:00:00Z'),
  subject: `0x${'ab'.repeat(20)}`,
  summary: 'CLEAN',
  content: { record: { verdict: 'CLEAN', chainId: 1002 } },
};

async function document(since: object = {}): Promise<object> {
  const { record, hash } = makeRecord(DRAFT);
  const value = await SERVICE.signTypedData(recordTypedData(record, hash));
  const signature = { signer: SERVICE.address, value };
  return { recordId: 'rec_1', record, hash, signature, evidence: null, proof: null, ledger: null, ...since };
}

describe('a record that was filed', () => {
  it('does not hold, and is no error, with a member too many, or a time that is none', async () => {
    const trusted = { signer: SERVICE.address, unanchored: true };
    for (const other of [
      { verdict: 'CLEAN' },
      { issuedAt: 'yesterday' },
      { issuedAt: '2026-11-21T08:00:00.5Z' },
    ]) {
      const { record, hash } = makeRecord(DRAFT);
      const changed = { ...record, ...other };
      const forged = await verifyRecord({ ...(await document()), record: changed, hash }, trusted);
      expect(forged).toMatchObject({ ok: false, verdict: null });
      expect(forged.steps[0]).toEqual({ step: 'the record has the form of the specification', ok: false });
    }
  });

  it('does not hold in a document that shows other typed data, another leaf, or no path', async () => {
    const { record, hash } = makeRecord(DRAFT);
    const { message, ...rest } = recordTypedData(record, hash);
    const typedData = { ...rest, message: { ...message, issuedAt: String(message.issuedAt) } };
    const tree = merkleTree([hash, keccak('another')]);
    const proof = { leaf: merkleLeaf(hash), index: 0, siblings: tree.proof(0), root: tree.root, size: 2 };
    const served = (await document()) as { signature: object };
    const shown = async (shows: object, path: object = {}) => {
      const signature = { ...served.signature, typedData: { ...typedData, ...shows } };
      return verifyRecord(
        { ...served, signature, proof: { ...proof, ...path } },
        { signer: SERVICE.address },
      );
    };
    expect((await shown({})).ok).toBe(true);
    const failing = async (...of: Parameters<typeof shown>) =>
      (await shown(...of)).steps.filter((s) => !s.ok).map((s) => s.step);
    const typed = ['what the document shows as signed is what was signed'];
    expect(await failing({ message: { ...typedData.message, issuedAt: '0' } })).toEqual(typed);
    expect(await failing({ domain: null })).toEqual(typed);
    expect(await failing({}, { leaf: keccak('another') })).toEqual([
      "the leaf that the document shows is the record's",
    ]);
    expect(await failing({}, { siblings: [null] })).toEqual([
      'the Merkle path leads from the record to the root',
    ]);
  });

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
