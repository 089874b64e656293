import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificatesAlike, noteCertificate } from '../../store/certificates/certificates.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const OWN = { chainId: 1002, certificates: `0x${'CE'.repeat(20)}` };
const tokenKey = (tokenId: number, contract = OWN.certificates.toLowerCase()) =>
  `eip155:1002/erc721:${contract}/${tokenId}`;

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await sql`insert into certificates (token_key, asset_key)
    select ${tokenKey(9)} || n, 'serial:generic:TREK:FRAME' || n from generate_series(100000, 150000) n`.execute(
    db,
  );
  await sql`analyze certificates`.execute(db);
  for (const [tokenId, assetKey] of [
    [1, 'serial:generic:TREK:WTU105K4021'],
    [2, 'serial:generic:GIANT:WTU105K4021'],
    [3, 'serial:generic:TREK:WTU1O5K4O21'],
    [4, 'serial:generic:WTU105K4021'],
    [5, 'serial:generic:TREK:WTU105K4022'],
  ] as const)
    await noteCertificate(db, { tokenKey: tokenKey(tokenId), assetKey });
  const elsewhere = tokenKey(6, `0x${'ab'.repeat(20)}`);
  await noteCertificate(db, { tokenKey: elsewhere, assetKey: 'serial:generic:ACME:WTU105K4021' });
});
afterAll(() => database?.drop());

describe('certificates of what may be the same thing', () => {
  it('are found by an index under every other key, those of this contract', async () => {
    await database.db.transaction().execute(async (trx) => {
      const alike = await certificatesAlike(trx, OWN, 'serial:generic:WTU105K4021');
      expect(alike).toEqual([
        { tokenId: '1', on: 'serial:generic:TREK:WTU105K4021' },
        { tokenId: '2', on: 'serial:generic:GIANT:WTU105K4021' },
        { tokenId: '3', on: 'serial:generic:TREK:WTU1O5K4O21' },
      ]);
      const { rows } = await sql<{ scans: string }>`select seq_scan as scans from pg_stat_xact_user_tables
        where relname = 'certificates'`.execute(trx);
      expect(rows).toMatchObject([{ scans: 0n }]);
    });
  });
});
