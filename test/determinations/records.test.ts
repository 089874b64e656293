import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { verifyTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentHash, type Hex } from '../../agents/canonical.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { verifyMerkleProof } from '../../agents/records/merkle.ts';
import { makeRecord } from '../../agents/records/record.ts';
import { type IsSignedBy, verifySteps } from '../../agents/records/verify.ts';
import { archiveCommand } from '../../runtime/cli/record/record-archive.ts';
import { readDocument } from '../../runtime/cli/record/record-document.ts';
import { archivedDocuments } from '../../runtime/records/archived-document.ts';
import type { Database } from '../../store/database.ts';
import { UnreadableRow } from '../../store/parsed.ts';
import { archivedMonths, archiveRecords, dropArchived } from '../../store/records/archive.ts';
import { packedByWhich } from '../../store/records/packed-columns.ts';
import { eventsAfter, sequenceEvents } from '../../store/records/public-events.ts';
import { retractRecord } from '../../store/records/record-status.ts';
import {
  activityOf,
  closeBatch,
  insertRecord,
  insertRecords,
  latestAgentRecord,
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
  over: { summary?: string; parties?: string[]; issuedAt?: Date } = {},
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

describe('the records of both sides of a deal', () => {
  const fileBoth = async (name: string, ...more: SignedRecord[]) => {
    const both = [await signed(`rec_${name}_buyer`), await signed(`rec_${name}_seller`)];
    await db.transaction().execute((trx) => insertRecords(trx, [...both, ...more]));
    return both;
  };
  const rowOf = async (id: string) =>
    await db
      .selectFrom('records')
      .select(['body', 'evidence'])
      .where('record_id', '=', id)
      .executeTakeFirstOrThrow();
  const namedBy = async (id: string) => packedByWhich({ body: (await rowOf(id)).body! });
  const write = async (id: string, kept: { body?: Buffer | null; evidence?: Buffer | null }) =>
    await db.updateTable('records').set(kept).where('record_id', '=', id).execute();

  it('come back as they were hashed, the second packed by the first', async () => {
    for (const { record, hash, evidence } of await fileBoth('pair')) {
      const stored = (await loadRecord(db, record.recordId))!;
      expect(stored.record).toEqual(record);
      expect(documentHash(stored.record)).toBe(hash);
      expect(stored.evidence).toEqual(evidence);
      expect(documentHash(stored.evidence)).toBe(record.evidenceHash);
    }
    expect(await namedBy('rec_pair_buyer')).toBeNull();
    expect(await namedBy('rec_pair_seller')).toBe('rec_pair_buyer');
  });

  it('are not read where the first is missing or another one', async () => {
    await fileBoth('missing');
    const first = await rowOf('rec_missing_buyer');
    const others = [
      { body: null, evidence: null },
      { evidence: null },
      await rowOf('rec_pair_buyer'),
      await rowOf('rec_missing_seller'),
    ];
    for (const other of others) {
      await write('rec_missing_buyer', other);
      await expect(loadRecord(db, 'rec_missing_seller')).rejects.toThrow(UnreadableRow);
      await write('rec_missing_buyer', first);
    }
    expect((await loadRecord(db, 'rec_missing_seller'))?.record.recordId).toBe('rec_missing_seller');
  });

  it('are packed each alone where the first stands already, or is of another month', async () => {
    const [again] = await fileBoth('again');
    const third = await signed('rec_again_third');
    const filed = await db.transaction().execute((trx) => insertRecords(trx, [again!, third]));
    expect(filed).toEqual([false, true]);
    const december = await signed('rec_december', { issuedAt: new Date('2026-12-01T00:00:00Z') });
    await fileBoth('months', december);
    expect(await namedBy('rec_months_seller')).toBe('rec_months_buyer');
    for (const { record } of [third, december]) {
      expect(await namedBy(record.recordId)).toBeNull();
      expect((await loadRecord(db, record.recordId))?.record).toEqual(record);
    }
    await db.deleteFrom('records').where('record_id', '=', 'rec_december').execute();
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

  it('stand in the activity of all whom a record names, as it names them now and as it did before', async () => {
    const all = ['erin', 'frank', 'grace'];
    await insert({ ...(await signed('rec_named', { parties: all })), handle: 'erin' });
    await insert(await signed('rec_named_before'));
    const { seq } = (await loadRecord(db, 'rec_named_before'))!;
    await db
      .insertInto('record_parties')
      .values(all.map((handle) => ({ handle, seq })))
      .execute();
    for (const handle of all) {
      const page = async (after?: string) =>
        (await activityOf(db, handle, { limit: 1, offset: 0, ...(after && { after }) })).map(
          (r) => r.recordId,
        );
      expect([await page(), await page('rec_named_before'), await page('rec_named')]).toEqual([
        ['rec_named_before'],
        ['rec_named'],
        [],
      ]);
    }
    await sequenceEvents(db);
    const told = (await eventsAfter(db, 0n, 1_000)).map(({ body }) => body as Record<string, unknown>);
    const named = (id: string) =>
      new Set(told.filter(({ recordId }) => recordId === id).map(({ handle }) => handle));
    expect([...named('rec_named')].sort()).toEqual(all);
  });
});

describe('a record that was withdrawn', () => {
  it('is listed as such in what an agent did, and is not the latest of all', async () => {
    for (const n of [1, 2, 3, 4])
      await insert({ ...(await signed(`rec_dora_${n}`, { parties: ['dora'] })), handle: 'dora' });
    await retractRecord(db, 'rec_dora_4', 'The chain took it back.');
    // An appeal that failed leaves the record as it stands.
    for (const [record, appeal, overturned] of [
      ['rec_dora_3', 'rec_dora_1', true],
      ['rec_dora_2', 'rec_dora_4', false],
    ] as const)
      await db
        .insertInto('appeals')
        .values({
          ...{ record_id: record, appeal_id: appeal, overturned },
          ...{ wallet: account.address.toLowerCase(), filed_at: new Date('2026-11-21T09:00:00Z') },
        })
        .execute();
    const listed = await activityOf(db, 'dora', { limit: 10, offset: 0 });
    expect(listed.map(({ recordId, withdrawn }) => [recordId, withdrawn])).toEqual([
      ['rec_dora_4', 'retracted'],
      ['rec_dora_3', 'overturned'],
      ['rec_dora_2', undefined],
      ['rec_dora_1', undefined],
    ]);
    expect(await latestAgentRecord(db)).toEqual({ recordId: 'rec_dora_2', summary: 'CLEAN' });
  });
});

describe('the archive', () => {
  const NOVEMBER = new Date('2026-11-22T00:00:00Z');
  const isSignedBy: IsSignedBy = (address, data, signature) =>
    verifyTypedData({ address, signature, ...data });
  const HOLDS = ['rec_old_0', 'rec_old_1', 'rec_old_2'];

  it('takes what old anchored records say, in their order, and serves it with the same proof', async () => {
    const olds = await Promise.all(HOLDS.map((id) => signed(id, { parties: ['carol'] })));
    await db.transaction().execute((trx) => insertRecords(trx, olds));
    // What other tests sealed is anchored too.
    for (let more = await closeBatch(db); more !== null; more = await closeBatch(db));
    const batches = await openBatches(db);
    const before = await Promise.all(HOLDS.map((id) => loadRecord(db, id)));
    const listed = await activityOf(db, 'carol', { limit: 10, offset: 0 });
    expect(await archiveRecords(db, NOVEMBER)).toBe(0);
    const inPlace = async () =>
      await db.selectFrom('records').select('record_id').where('body', 'is not', null).execute();
    // One that is not on chain stays, and so do those after it.
    expect((await inPlace()).map((r) => r.record_id)).toEqual(expect.arrayContaining(HOLDS));
    const seen = { tx: `0x${'ab'.repeat(32)}`, block: 7n, at: new Date('2026-11-21T09:00:00Z') };
    for (const { batchId } of batches)
      await db.transaction().execute((trx) => markAnchored(trx, batchId, seen));
    expect(await archiveRecords(db, new Date('2026-11-21T07:00:00Z'))).toBe(0);
    let moved = 0;
    // One at a time: the first of a pair is in the archive before the second.
    for (let n = await archiveRecords(db, NOVEMBER, 1); n > 0; n = await archiveRecords(db, NOVEMBER, 1)) {
      moved += n;
      const left = (await inPlace()).length;
      if (left > 0) expect(await dropArchived(db, '2026-11', moved)).toBe(false);
      if (left === 1) expect((await loadRecord(db, 'rec_old_2'))?.record).toEqual(olds[2]!.record);
    }
    expect(moved).toBeGreaterThanOrEqual(HOLDS.length);
    expect(await inPlace()).toEqual([]);
    expect(await archivedMonths(db)).toEqual(['2026-11']);
    const after = await Promise.all(HOLDS.map((id) => loadRecord(db, id)));
    expect(after.map((r) => [r!.record, r!.evidence, r!.signature, r!.batch!.proof])).toEqual(
      before.map((r) => [r!.record, r!.evidence, r!.signature, r!.batch!.proof]),
    );
    expect((await activityOf(db, 'carol', { limit: 10, offset: 0 })).map((r) => r.summary)).toEqual(
      listed.map((r) => r.summary),
    );
    // Filing it again finds it, and another content of the same id is refused as before.
    expect(await insert(await signed('rec_old_0', { parties: ['carol'] }))).toBe(false);
    await expect(insert(await signed('rec_old_0', { summary: 'FLAGGED' }))).rejects.toThrow(
      'another content',
    );
  });

  it('is not taken out without a record that came while it was written', async () => {
    let written = 0;
    for await (const _ of archivedDocuments(db, '2026-11', null)) written += 1;
    expect(written).toBeGreaterThanOrEqual(HOLDS.length);
    await insert(await signed('rec_late', { parties: ['carol'] }));
    const late = await closeBatch(db);
    const seen = { tx: `0x${'cd'.repeat(32)}`, block: 8n, at: new Date('2026-11-21T10:00:00Z') };
    await db.transaction().execute((trx) => markAnchored(trx, late!.batchId, seen));
    while ((await archiveRecords(db, NOVEMBER)) > 0);
    expect(await dropArchived(db, '2026-11', written)).toBe(false);
    expect(await archivedMonths(db)).toEqual(['2026-11']);
    for (const id of [...HOLDS, 'rec_late']) expect((await loadRecord(db, id))?.record.recordId).toBe(id);
  });

  it('is written to a file whose records prove themselves, and what is taken out is told to be gone', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'archive-')), 'records.jsonl');
    const env = { DATABASE_URL: database.url, DATA_DIR: dirname(file) };
    const archive = (...words: string[]) =>
      archiveCommand(env).exitOverride().parseAsync(words, { from: 'user' });
    const said = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      await archive('2026-11', '--to', file);
      await expect(archive('2026-11', '--to', file)).rejects.toThrow('is there already');
      await expect(archive('2026-10', '--to', `${file}.2`)).rejects.toThrow('is not in the archive');
      const document = await readDocument(`${file}#rec_old_1`);
      const steps = await verifySteps(document, isSignedBy, account.address);
      expect(steps.map(({ ok }) => ok)).toEqual(steps.map(() => true));
      const forged = { ...document, record: { ...document.record, summary: 'FLAGGED' } };
      expect((await verifySteps(forged, isSignedBy)).some(({ ok }) => !ok)).toBe(true);
      await expect(readDocument(`${file}#rec_none`)).rejects.toThrow('holds no record');

      await archive('2026-11', '--to', `${file}.again`, '--take-out');
      expect(readFileSync(`${file}.again`, 'utf8')).toBe(readFileSync(file, 'utf8'));
    } finally {
      said.mockRestore();
    }
    expect(await archivedMonths(db)).toEqual([]);
    await expect(loadRecord(db, 'rec_old_1')).rejects.toThrow('was taken out of the archive');
    const { rows } = await sql<{
      act: string;
    }>`select body::jsonb ->> 'act' as act from operator_log`.execute(db);
    expect(rows).toEqual([{ act: 'record archive' }]);
  });
});
