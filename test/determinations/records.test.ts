import { verifyTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentHash, type Hex } from '../../agents/canonical.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { verifyMerkleProof } from '../../agents/records/merkle.ts';
import { makeRecord } from '../../agents/records/record.ts';
import type { Database } from '../../store/database.ts';
import {
  activityOf,
  closeBatch,
  insertRecord,
  loadRecord,
  markAnchored,
  openBatches,
  type SignedRecord,
} from '../../store/records/records.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(async () => {
  await database?.drop();
});

async function signed(
  recordId: string,
  over: { summary?: string; parties?: string[] } = {},
): Promise<SignedRecord> {
  const evidence = { kind: 'wallet', zeta: 1, a: [3, 2, 1] };
  const { record, hash } = makeRecord({
    recordId,
    kind: 'determination',
    issuedAt: new Date('2026-11-21T08:00:00Z'),
    subject: '0xabc',
    summary: 'CLEAN',
    content: { verdict: 'CLEAN', price: 1.5, nested: { zz: null, a: 'ü' } },
    evidence,
    ...over,
  });
  const signature = await account.signTypedData(recordTypedData(record, hash));
  return { record, hash, signature, evidence, handle: null };
}

const insert = (record: SignedRecord) => db.transaction().execute((trx) => insertRecord(trx, record));

describe('a stored record', () => {
  it('comes back as it was hashed, with evidence and a signature that verify', async () => {
    const record = await signed('rec_a');
    expect(await insert(record)).toBe(true);
    const stored = (await loadRecord(db, 'rec_a'))!;
    expect(documentHash(stored.record)).toBe(record.hash);
    expect(documentHash(stored.evidence)).toBe(stored.record.evidenceHash);
    const { domain, types, primaryType, message } = recordTypedData(stored.record, stored.hash);
    const valid = await verifyTypedData({
      address: account.address,
      domain,
      types,
      primaryType,
      message,
      signature: stored.signature,
    });
    expect([valid, stored.batch]).toEqual([true, null]);
  });

  it('is one row however often it is filed, and is never overwritten by another', async () => {
    const record = await signed('rec_once');
    const filed = await Promise.all(Array.from({ length: 5 }, () => insert(record)));
    expect(filed.filter(Boolean)).toHaveLength(1);
    await expect(insert(await signed('rec_once', { summary: 'FLAGGED' }))).rejects.toThrow('another content');
  });

  it('is unknown by another id', async () => {
    expect(await loadRecord(db, 'rec_none')).toBeNull();
  });
});

describe('batches', () => {
  it('take every record once, however many seal at once, and prove each against the root', async () => {
    const ids = Array.from({ length: 21 }, (_, i) => `rec_batch_${i}`);
    for (const id of ids) await insert(await signed(id));
    const sealed = (await Promise.all([closeBatch(db, 8), closeBatch(db, 8), closeBatch(db, 8)])).filter(
      (b) => b !== null,
    );
    for (let more = await closeBatch(db); more !== null; more = await closeBatch(db)) sealed.push(more);
    const loaded = await Promise.all(ids.map((id) => loadRecord(db, id)));
    for (const record of loaded) {
      const { root, proof } = record!.batch!;
      expect(verifyMerkleProof(record!.hash, proof, root)).toBe(true);
      expect(verifyMerkleProof(documentHash({ forged: true }), proof, root)).toBe(false);
    }
    const { n } = await db
      .selectFrom('records')
      .select((eb) => eb.fn.countAll<bigint>().as('n'))
      .executeTakeFirstOrThrow();
    expect(sealed.reduce((sum, b) => sum + b.size, 0)).toBe(Number(n));
    expect((await openBatches(db)).map((b) => b.root).sort()).toEqual(sealed.map((b) => b.root).sort());
    expect(await closeBatch(db)).toBeNull();
  });

  it('are anchored once, and their records and activity say so', async () => {
    await insert(await signed('rec_act_1', { parties: ['alice', 'bob'] }));
    await insert({ ...(await signed('rec_act_2', { parties: ['alice'] })), handle: 'alice' });
    const states = async () =>
      (await activityOf(db, 'alice', { limit: 10, offset: 0 })).map((r) => `${r.recordId} ${r.state}`);
    expect(await states()).toEqual(['rec_act_2 inscribing', 'rec_act_1 inscribing']);
    const batch = (await closeBatch(db))!;
    expect(await states()).toEqual(['rec_act_2 inscribed', 'rec_act_1 inscribed']);
    const seen = { tx: `0x${'ab'.repeat(32)}` as Hex, block: 7n, at: new Date('2026-11-21T09:00:00Z') };
    const mark = () => db.transaction().execute((trx) => markAnchored(trx, batch.batchId, seen));
    expect([await mark(), await mark()]).toEqual([true, false]);
    expect(await states()).toEqual(['rec_act_2 anchored', 'rec_act_1 anchored']);
    expect((await loadRecord(db, 'rec_act_1'))?.batch).toMatchObject({
      anchored: true,
      tx: seen.tx,
      block: 7n,
    });
    expect((await activityOf(db, 'bob', { limit: 10, offset: 0 })).map((r) => r.recordId)).toEqual([
      'rec_act_1',
    ]);
  });
});
