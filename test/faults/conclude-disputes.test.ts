import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replyUntil } from '../../agents/certificates/dispute.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { type ChainReader, ReaderError } from '../../chain/rpc/reader.ts';
import { concludeDisputes } from '../../runtime/certificates/conclude-disputes.ts';
import { decideDispute } from '../../runtime/certificates/rule-on-dispute.ts';
import type { Services } from '../../runtime/services.ts';
import { disputeInTheWay, fileDispute, findDispute } from '../../store/certificates/disputes.ts';
import { databaseTime } from '../../store/database.ts';
import { listQuarantine } from '../../store/durable/quarantine.ts';
import { insertPledge, livePledge } from '../../store/market/pledges.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

const DAY = 86_400_000;
const ISSUER: Address = `0x${'15'.repeat(20)}`;
const HOLDER: Address = `0x${'40'.repeat(20)}`;
const REASON = 'The frame number is of another bicycle.';

let database: Awaited<ReturnType<typeof testDatabase>>;
/** Who holds each certificate, and which are void. */
const holders = new Map<string, Address>();
const voids = new Set<string>();
/** What happens to the next transaction. */
let next: 'goes through' | 'goes through unseen' = 'goes through';
let crashes = false;
let sent = 0;
let now: Date;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const reader = {
  chainId: 1002,
  head: async () => ({ number: 1n, timestamp: 1n }),
  async read({ functionName, args }: { functionName: string; args: readonly [bigint] }) {
    const id = args[0].toString();
    if (functionName === 'serialOf') return `serial:generic:FRAME${id}`;
    if (functionName === 'nonces') return 1n;
    if (functionName === 'isVoid') return voids.has(id);
    const holder = holders.get(id);
    if (holder === undefined) throw new ReaderError('reverted', 'nobody holds it');
    return holder;
  },
} as unknown as ChainReader;
const operator = {
  address: ISSUER,
  call: async () => '0x',
  async send({ data }: { data: Hex }) {
    sent += 1;
    voids.add(BigInt(`0x${data.slice(10, 74)}`).toString());
    if (next === 'goes through unseen') throw new ChainError('unknown', 'no receipt came');
    return '0xhash';
  },
  receipt: async () => ({ status: 'success', transactionHash: '0xhash' }),
};
const services = (): Services =>
  ({
    db: database.db,
    quarantine: quietQuarantine(database.db),
    home: {
      chainId: 1002,
      deployment: { chainId: 1002, certificates: `0x${'ce'.repeat(20)}` },
      readers: { viem: reader },
      operator,
    },
    now: () => now,
    signRecord: async () => '0xsigned',
    crash() {
      if (crashes) throw new Error('the process ends here');
    },
  }) as unknown as Services;
const round = () => concludeDisputes(services());

/** A dispute of certificate `id`, filed long enough ago to be decided, and upheld now. */
async function upheld(id: number, holder: Address | null = HOLDER): Promise<string> {
  const disputeId = `dsp_${id}`;
  if (holder !== null) holders.set(String(id), holder);
  now = await databaseTime(database.db);
  const filedAt = new Date(now.getTime() - 8 * DAY);
  const filed = {
    ...{ disputeId, tokenId: String(id), assetKey: `serial:generic:FRAME${id}`, filedAt },
    ...{ wallet: `0x${'77'.repeat(20)}`, grounds: 'It is of another bicycle.', evidence: [] },
    replyUntil: replyUntil(filedAt),
  };
  await database.db.transaction().execute((trx) => fileDispute(trx, filed));
  const ruling = { ruling: 'upheld', reason: REASON } as const;
  const { decision } = await decideDispute(database.db, disputeId, ruling);
  now = decision!.at;
  return disputeId;
}
const found = async (disputeId: string) => (await findDispute(database.db, disputeId))!;
const records = async (id: number) =>
  await database.db
    .selectFrom('records')
    .select(['record_id', 'kind'])
    .where('subject', '=', `serial:generic:FRAME${id}`)
    .execute();
const inTheWay = (id: number) => disputeInTheWay(database.db, `serial:generic:FRAME${id}`, now);

it('files the record at once, and marks void when the time to appeal is over, once', async () => {
  const id = await upheld(1);
  expect(await round()).toBe(0);
  expect(await listQuarantine(database.db)).toEqual([]);
  expect(await records(1)).toEqual([
    { record_id: (await found(id)).decision?.recordId, kind: 'dispute-decision' },
  ]);
  now = new Date(now.getTime() + 7 * DAY - 1);
  expect(await round()).toBe(0);
  expect([sent, await inTheWay(1)]).toMatchObject([0, { disputeId: id }]);
  now = new Date(now.getTime() + 1);
  expect(await round()).toBe(1);
  expect([sent, voids.has('1'), await inTheWay(1)]).toEqual([1, true, null]);
  expect((await found(id)).closedAt).toEqual(now);
  expect(await round()).toBe(0);
  expect([sent, (await records(1)).length]).toEqual([1, 1]);
});

it('goes on after a crash between record and transaction, and after a transaction that nobody saw', async () => {
  const before = sent;
  const id = await upheld(2);
  now = new Date(now.getTime() + 7 * DAY);
  crashes = true;
  expect(await round()).toBe(0);
  expect([sent - before, (await records(2)).length]).toEqual([0, 1]);
  crashes = false;
  next = 'goes through unseen';
  await pausesOver(database.db);
  expect(await round()).toBe(0);
  expect([sent - before, (await found(id)).closedAt]).toEqual([1, null]);
  next = 'goes through';
  await pausesOver(database.db);
  expect(await round()).toBe(1);
  expect([sent - before, (await records(2)).length, await inTheWay(2)]).toEqual([1, 1, null]);
  expect(await listQuarantine(database.db)).toEqual([]);
});

it('burns nothing that is with the issuer, sends nothing for one that has ended, and goes on with the others', async () => {
  const before = sent;
  await upheld(3, ISSUER);
  const ended = await upheld(4, null);
  await upheld(5);
  now = new Date(now.getTime() + 7 * DAY);
  expect(await round()).toBe(2);
  expect([sent - before, voids.has('3'), voids.has('5')]).toEqual([1, false, true]);
  expect((await found(ended)).closedAt).toEqual(now);
  expect(await listQuarantine(database.db)).toMatchObject([{ kind: 'dispute', item: 'dsp_3' }]);
  expect(await inTheWay(3)).not.toBeNull();
});

it('ends a pledge that stands on the certificate alone once that is void, and none that is proved otherwise', async () => {
  for (const [id, proven] of [
    [6, false],
    [7, true],
  ] as const)
    await database.db.transaction().execute((trx) =>
      insertPledge(trx, {
        ...{ id: `plg_${id}`, assetKey: `serial:generic:FRAME${id}`, listingRef: 'loan 1', wallet: HOLDER },
        ...{ lender: `0x${'1e'.repeat(20)}`, until: null, proven, now: new Date(0) },
        source: proven ? 'operator' : 'owner',
      }),
    );
  await upheld(6);
  await upheld(7);
  const pledged = async () =>
    await Promise.all(
      [6, 7].map(async (id) => (await livePledge(database.db, `serial:generic:FRAME${id}`))?.id ?? null),
    );
  expect(await round()).toBe(0);
  expect(await pledged()).toEqual(['plg_6', 'plg_7']);
  now = new Date(now.getTime() + 7 * DAY);
  await pausesOver(database.db);
  await round();
  expect([voids.has('6'), voids.has('7')]).toEqual([true, true]);
  expect(await pledged()).toEqual([null, 'plg_7']);
});
