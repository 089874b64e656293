import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provesAbsence } from '../../agents/determinations/panel/sorted-tree.ts';
import { proofsOfAbsence } from '../../store/registers/register-trees.ts';
import { consult, importRegister, listsOf } from '../../store/registers/registers.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => await database?.drop());

/** Addresses in an order that is not theirs. */
const address = (n: number): string => `0x${createHash('sha256').update(`${n}`).digest('hex').slice(0, 40)}`;

async function take(source: string, keys: readonly string[], mode: 'replace' | 'add' = 'replace') {
  const rows = (async function* () {
    for (const key of keys) yield { key, detail: {} };
  })();
  await importRegister(database.db, { register: 'known-scam', source, asOf: new Date(), mode, rows });
  return (await listsOf(database.db, 'known-scam')).find((l) => l.source === source)!;
}

async function isProved(source: string, key: string): Promise<boolean> {
  const { root, rows } = (await listsOf(database.db, 'known-scam')).find((l) => l.source === source)!;
  const proofs = await proofsOfAbsence(database.db, ['known-scam'], [key]);
  const proof = proofs.find((p) => p.list === `known-scam/${source}`);
  return proof !== undefined && provesAbsence(proof, root!, rows);
}

describe('the tree of a list', () => {
  it.each([1, 2, 15, 16, 17, 255, 256, 257, 4_100])(
    'of %i addresses proves of each address whether it is not on it',
    async (size) => {
      const source = `of-${size}`;
      await take(
        source,
        Array.from({ length: size }, (_, i) => address(i)),
      );
      const others = [
        `0x${'0'.repeat(40)}`,
        `0x${'f'.repeat(40)}`,
        ...[1, 2, 3, 4, 5].map((n) => address(size + n)),
      ];
      for (const key of others) expect([key, await isProved(source, key)]).toEqual([key, true]);
      for (const n of [0, size >> 1, size - 1]) expect(await isProved(source, address(n))).toBe(false);
    },
  );

  it('changes with its rows, whether they are added or replaced, and goes with the last', async () => {
    const one = await take('changing', [address(1), address(2)]);
    const two = await take('changing', [address(3)], 'add');
    expect([one.rows, two.rows, one.root === two.root]).toEqual([2, 3, false]);
    expect(await isProved('changing', address(3))).toBe(false);
    expect((await take('changing', [address(2), address(1)])).root).toBe(one.root);
    expect(await isProved('changing', address(3))).toBe(true);
    expect((await take('changing', [])).root).toBeNull();
  });

  it('is made for lists of addresses alone', async () => {
    const rows = (async function* () {
      yield { key: 'serial:generic:A', detail: {} };
    })();
    const asOf = new Date();
    await importRegister(database.db, { register: 'stolen', source: 's', asOf, mode: 'replace', rows });
    expect((await listsOf(database.db, 'stolen'))[0]?.root).toBeNull();
  });
});

describe('what a list names no more', () => {
  it('is found no more at once, and kept as retracted with its times', async () => {
    await take('short', [address(1), address(2)]);
    await take('short', [address(2)]);
    const found = (await consult(database.db, ['known-scam'], [address(1)])).get('known-scam')!;
    expect(found.hits.filter((h) => h.source === 'short')).toEqual([]);
    const [gone] = found.retracted.filter((r) => r.source === 'short');
    expect(gone!.listedAt.getTime()).toBeLessThan(gone!.retractedAt.getTime());
    await take('short', [address(1), address(2)]);
    const again = (await consult(database.db, ['known-scam'], [address(1)])).get('known-scam')!;
    expect([again.hits.length > 0, again.retracted.length > 0]).toEqual([true, true]);
  });
});
