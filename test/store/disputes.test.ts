import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetKey } from '../../agents/assets.ts';
import { replyUntil } from '../../agents/certificates/dispute.ts';
import { MOST_DISPUTES_COUNTED } from '../../agents/determinations/provenance/provenance-evidence.ts';
import { decideDispute, holdDispute } from '../../runtime/certificates/rule-on-dispute.ts';
import { whyNotControlled } from '../../runtime/market/listings/prove-control.ts';
import type { Services } from '../../runtime/services.ts';
import { noteCertificate } from '../../store/certificates/certificates.ts';
import {
  changeDispute,
  disputeBy,
  disputeInTheWay,
  disputesOf,
  fileDispute,
  listDisputes,
} from '../../store/certificates/disputes.ts';
import { disputesOfThing, MOST_WEIGHED, openDisputesOf } from '../../store/certificates/disputes-of-thing.ts';
import { agentHolders } from '../../store/certificates/former-holders.ts';
import { databaseTime } from '../../store/database.ts';
import { liveListingOf, standingListingOf } from '../../store/market/listings.ts';
import { insertPledge } from '../../store/market/pledges.ts';
import { markSettled } from '../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const HOUR = 3_600_000;
const CAUSE = 'The police report names this frame number.';

const CONTRACT = `0x${'ce'.repeat(20)}`;
/** A chain that has the lot with its seller. */
const answers = (functionName: string) =>
  functionName === 'offerOf' ? { token: CONTRACT, minPrice: 1n, changes: 1 } : CONTRACT;

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;
let count = 0;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

/** A certificate that is noted for its serial. */
async function certified() {
  const token = stage.asset();
  const key = `serial:generic:FRAME${++count}`;
  await noteCertificate(database.db, { tokenKey: assetKey(token), assetKey: key });
  return { token, key, tokenId: (token as { tokenId: string }).tokenId };
}
const filing = async (of: { key: string; tokenId: string }, wallet = '0xstranger') => {
  const filedAt = await databaseTime(database.db);
  return {
    ...{ disputeId: stage.fresh('dsp'), tokenId: of.tokenId, assetKey: of.key, wallet },
    ...{ grounds: 'It is of another bicycle.', evidence: ['https://a.example/,{"b"}'], filedAt },
    replyUntil: replyUntil(filedAt),
  };
};
async function disputed(of: { key: string; tokenId: string }, wallet?: string): Promise<string> {
  const filed = await filing(of, wallet);
  expect(await stage.inTrx((trx) => fileDispute(trx, filed))).toBe(true);
  return filed.disputeId;
}
const hold = (id: string, hours = 72) => holdDispute(database.db, id, { cause: CAUSE, hours });
const pledge = (key: string, now: Date) =>
  stage.inTrx((trx) =>
    insertPledge(trx, {
      ...{ id: stage.fresh('plg'), assetKey: key, listingRef: stage.fresh('loan'), wallet: '0xw' },
      ...{ lender: null, until: null, source: 'owner' as const, proven: true, now },
    }),
  );

describe('a dispute', () => {
  it('is filed once by a wallet, however many of its requests come at once', async () => {
    const of = await certified();
    const all = await Promise.all(Array.from({ length: 8 }, () => filing(of)));
    const filed = await Promise.all(all.map((one) => stage.inTrx((trx) => fileDispute(trx, one))));
    expect(filed.filter(Boolean)).toHaveLength(1);
    const [only] = await disputesOf(database.db, of.tokenId);
    expect(only).toMatchObject({ evidence: ['https://a.example/,{"b"}'], reply: null, hold: null });
    expect(await disputeBy(database.db, { tokenId: of.tokenId, wallet: '0xstranger' })).toEqual(only);
  });

  it('of who held the thing is hidden by none of strangers, who do not change what is named first either', async () => {
    const of = await certified();
    const told = async () => (await openDisputesOf(database.db, of.key)).map((d) => d.disputeId);
    const strangers: string[] = [];
    for (let i = 0; i < 6; i++) strangers.push(await disputed(of, `0xdecoy${i}`));
    expect(await told()).toEqual(strangers.slice(0, 5));
    const late = { ...(await filing(of, '0xlater-holder')), heldBlock: 9n };
    const first = { ...(await filing(of, '0xfirst-holder')), heldBlock: 4n };
    for (const one of [late, first]) await stage.inTrx((trx) => fileDispute(trx, one));
    const holders = [first.disputeId, late.disputeId];
    expect(await told()).toEqual([...holders, ...strangers.slice(0, 5)]);
    await disputed(of, '0xanother');
    expect(await told()).toEqual([...holders, ...strangers.slice(0, 5)]);
    await hold(strangers[5]!);
    expect(await told()).toEqual([strangers[5], ...holders, ...strangers.slice(0, 5)]);
  });

  it('takes for bought what an agent bought in a deal that settled, and for nothing else what came in its transaction', async () => {
    const [seller, buyer] = [await stage.agent(), await stage.agent()];
    const lot = await stage.list(seller, { ask: 40_000_000n });
    const { match } = await stage.order(buyer, lot);
    const [account, tx] = [`0xaccount-of-${buyer}`, `0xsettled-${buyer}`];
    const ask = (assetKey: string, txs = [tx, '0xmoved']) =>
      agentHolders(database.db, { accounts: [account, '0xwallet'], txs, assetKey });
    expect(await ask(lot)).toEqual([{ account, owner: `0xowner-of-${buyer}`, bought: [] }]);
    const { dealId } = match!;
    await stage.inTrx((trx) => markSettled(trx, { dealId, tx, block: 1n, now: stage.now() }));
    expect((await ask(lot)).map(({ bought }) => bought)).toEqual([[tx]]);
    expect((await ask(lot, ['0xmoved'])).map(({ bought }) => bought)).toEqual([[]]);
    expect((await ask(assetKey(stage.asset()))).map(({ bought }) => bought)).toEqual([[]]);
  });

  it('of ever more holders the first five are told, and the first alone asks an owner anew, beside the operator', async () => {
    const of = await certified();
    const filed: string[] = [];
    for (let i = 0; i < 20; i++) {
      const one = { ...(await filing(of, `0xheld${i}`)), heldBlock: BigInt(i + 1) };
      await stage.inTrx((trx) => fileDispute(trx, one));
      filed.push(one.disputeId);
    }
    const told = async () => await openDisputesOf(database.db, of.key);
    expect((await told()).map((d) => d.disputeId)).toEqual(filed.slice(0, 5));
    expect((await told()).filter((d) => d.asksAnew).map((d) => d.disputeId)).toEqual([filed[0]]);
    await hold(filed[19]!);
    expect((await told()).map((d) => d.disputeId)).toEqual([filed[19], ...filed.slice(0, 5)]);
    expect((await told()).filter((d) => d.asksAnew).map((d) => d.disputeId)).toEqual([filed[19], filed[0]]);
  });

  it('is told where the thing is bought until the last word is said, the oldest first, and of that thing alone', async () => {
    const of = await certified();
    const told = async () => (await openDisputesOf(database.db, of.key)).map((d) => d.disputeId);
    expect(await told()).toEqual([]);
    const first = await disputed(of, '0xone');
    const second = await disputed(of, '0xtwo');
    await disputed(await certified());
    expect(await told()).toEqual([first, second]);
    expect(await openDisputesOf(database.db, assetKey(of.token))).toEqual([]);
    const at = await databaseTime(database.db);
    const decision = { ruling: 'rejected' as const, reason: 'It is not.', at, recordId: null };
    await stage.inTrx((trx) => changeDispute(trx, first, () => ({ decision })));
    expect(await told()).toEqual([second]);
  });

  it('shows first what the operator acted on, whatever comes after', async () => {
    const of = await certified();
    const first = await disputed(of, '0xfirst');
    await hold(first);
    for (let i = 0; i < 60; i++) await disputed(of, `0x${i}`);
    const shown = await disputesOf(database.db, of.tokenId);
    expect([shown.length, shown[0]?.disputeId]).toEqual([50, first]);
  });
});

describe('what is weighed of the disputes of a thing', () => {
  const DAY = 24 * HOUR;
  const weighed = async (of: { key: string }, holders: readonly string[] = []) =>
    await disputesOfThing(database.db, [of.key], { holders, now: await databaseTime(database.db) });
  const ids = async (of: { key: string }, holders?: readonly string[]) =>
    (await weighed(of, holders)).disputes.map((d) => d.disputeId);
  /** So many as nobody reads, each by a wallet of its own. */
  const flood = async (of: { key: string; tokenId: string }, name: string, heldBlock?: bigint) => {
    const filed: string[] = [];
    for (let i = 0; i < MOST_WEIGHED + 10; i++) {
      const one = { ...(await filing(of, `0x${name}${i}`)), heldBlock: heldBlock ?? null };
      await stage.inTrx((trx) => fileDispute(trx, one));
      filed.push(one.disputeId);
    }
    return filed;
  };
  const rule = async (id: string, ruling: 'upheld' | 'rejected') => {
    const decision = { ruling, reason: 'So it is.', at: await databaseTime(database.db), recordId: null };
    await stage.inTrx((trx) => changeDispute(trx, id, () => ({ decision })));
  };

  it('has a bound, also where everybody held it once, and says how many more there are', async () => {
    const of = await certified();
    const filed = await flood(of, 'passed');
    const holders = filed.map((_, i) => `0xpassed${i}`);
    expect((await weighed(of, holders)).disputes).toHaveLength(MOST_WEIGHED);
    expect((await weighed(of, holders)).more).toBe(10);
    const few = await certified();
    await disputed(few);
    expect(await weighed(few)).toMatchObject({ disputes: [{ assetKey: few.key }], more: 0 });
    expect(await disputesOfThing(database.db, [], { holders, now: new Date() })).toEqual({
      disputes: [],
      more: 0,
    });
  });

  it('is read in a moment where tens of thousands were filed, of whom a thousand are counted', async () => {
    const of = await certified();
    await sql`insert into certificate_disputes
      (dispute_id, token_id, asset_key, wallet, grounds, evidence, filed_at, reply_until)
      select ${`${of.tokenId}_`} || i, ${of.tokenId}, ${of.key}, '0xmany' || i, repeat(md5(i::text), 60),
        array(select repeat(md5(i::text || j), 14) from generate_series(1, 10) j),
        now() - i * interval '1 second', now()
      from generate_series(1, 20000) i`.execute(database.db);
    const robbed = { ...(await filing(of, '0xrobbed')), heldBlock: 5n };
    await stage.inTrx((trx) => fileDispute(trx, robbed));
    const told = await weighed(of, ['0xrobbed']);
    expect(told.disputes[0]!.disputeId).toBe(robbed.disputeId);
    expect(told.disputes[1]!.disputeId).toBe(`${of.tokenId}_20000`);
    expect(told.disputes).toHaveLength(MOST_WEIGHED);
    expect(told.more).toBe(MOST_DISPUTES_COUNTED + 1);
  });

  it('keeps the robbed in, whoever else held it, had it passed on, or bought an agent that held it', async () => {
    const of = await certified();
    const passed = await flood(of, 'hand');
    // An agent that had it before is sold on and on: none of its later owners ever held the thing.
    await flood(of, 'later-owner', 1n);
    const robbed = { ...(await filing(of, '0xrobbed')), heldBlock: 5n };
    await stage.inTrx((trx) => fileDispute(trx, robbed));
    const holders = ['0xrobbed', ...passed.map((_, i) => `0xhand${i}`)];
    expect((await ids(of, holders))[0]).toBe(robbed.disputeId);
    expect((await ids(of, ['0xrobbed']))[0]).toBe(robbed.disputeId);
  });

  it('puts what decides before what only tells: what was upheld, what is held, and what was rejected last', async () => {
    const of = await certified();
    const rejected = await flood(of, 'rejected');
    for (const id of rejected) await rule(id, 'rejected');
    const stranger = await disputed(of, '0xa-stranger');
    const holder = await disputed(of, '0xa-holder');
    const held = await disputed(of, '0xheld-now');
    await hold(held);
    const upheld = await disputed(of, '0xupheld');
    await rule(upheld, 'upheld');
    const told = await ids(of, ['0xa-holder']);
    expect(told.slice(0, 4)).toEqual([upheld, held, holder, stranger]);
    expect(told).toHaveLength(MOST_WEIGHED);
    // A hold that is over leaves a disclosure.
    const late = new Date((await databaseTime(database.db)).getTime() + 4 * DAY);
    const after = await disputesOfThing(database.db, [of.key], { holders: ['0xa-holder'], now: late });
    expect(after.disputes.slice(0, 2).map((d) => d.disputeId)).toEqual([upheld, holder]);
  });

  it('gives everybody one place before anybody a second, however many certificates he disputes', async () => {
    const of = await certified();
    const made: string[] = [];
    for (let i = 0; i < MOST_WEIGHED + 1; i++) {
      const another = { key: of.key, tokenId: `${of.tokenId}${i}` };
      const one = { ...(await filing(another, '0xissued-to')), heldBlock: 1n };
      await stage.inTrx((trx) => fileDispute(trx, one));
      made.push(one.disputeId);
    }
    const robbed = { ...(await filing(of, '0xrobbed')), heldBlock: 9n };
    await stage.inTrx((trx) => fileDispute(trx, robbed));
    const told = await ids(of, ['0xissued-to', '0xrobbed']);
    expect(told.slice(0, 3)).toEqual([made[0], robbed.disputeId, made[1]]);
  });
});

describe('a hold', () => {
  it('refuses a pledge under every key of the thing until it ends by itself', async () => {
    const of = await certified();
    const id = await disputed(of);
    const { hold: held } = await hold(id, 1);
    const during = new Date(held!.until.getTime() - 1);
    for (const key of [of.key, assetKey(of.token), of.key.replace('generic', 'isrc')])
      await expect(pledge(key, during)).rejects.toMatchObject({ code: 'disputed', extra: { disputeId: id } });
    expect(await disputeInTheWay(database.db, of.key, held!.until)).toBeNull();
    expect(await pledge(of.key, held!.until)).toMatchObject({ asset_key: of.key });
  });

  it('takes the listing off the market, and what is listed all the same is no match', async () => {
    const of = await certified();
    const handle = await stage.agent();
    await stage.list(handle, { asset: of.token });
    const listing = (await liveListingOf(database.db, of.key))!;
    const id = await disputed(of);
    expect(await standingListingOf(database.db, of.key)).not.toBeNull();
    const { hold: held } = await hold(id);
    expect(await standingListingOf(database.db, of.key)).toBeNull();

    const services = {
      db: database.db,
      now: () => held!.at,
      home: {
        deployment: { certificates: CONTRACT, agentNft: CONTRACT, policy: CONTRACT, usdc: CONTRACT },
        readers: { viem: { read: async (call: { functionName: string }) => answers(call.functionName) } },
      },
    } as unknown as { -readonly [K in keyof Services]: Services[K] };
    const agent = { token_id: 1n, account: CONTRACT };
    services.now = () => held!.until;
    expect(await whyNotControlled(services, listing, agent, 1n)).toBeNull();
    services.now = () => held!.at;
    expect(await whyNotControlled(services, listing, agent, 1n)).toBe('is held by a dispute');
  });

  it('leaves a deal under way alone', async () => {
    const of = await certified();
    const [seller, buyer] = [await stage.agent(), await stage.agent()];
    await stage.list(seller, { asset: of.token });
    stage.tick();
    const { match } = await stage.order(buyer, of.key, { limit: 100_000_000n });
    expect(match).not.toBeNull();
    await hold(await disputed(of));
    expect((await standingListingOf(database.db, of.key))?.status).toBe('dealing');
  });

  it('comes once a dispute, also when two operators come at once', async () => {
    const id = await disputed(await certified());
    const both = await Promise.allSettled([hold(id), hold(id)]);
    expect(both.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(hold('dsp_none')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is no longer than 72 hours in the database either', async () => {
    const id = await disputed(await certified());
    const at = await databaseTime(database.db);
    const until = new Date(at.getTime() + 72 * HOUR + 1);
    const long = stage.inTrx((trx) => changeDispute(trx, id, () => ({ hold: { cause: CAUSE, at, until } })));
    await expect(long).rejects.toThrow('check constraint');
  });
});

describe('a decision', () => {
  it('takes the dispute off what is to be decided, and what is upheld off the market', async () => {
    const of = await certified();
    await stage.list(await stage.agent(), { asset: of.token });
    const id = await disputed(of);
    const at = await databaseTime(database.db);
    const ruling = { ruling: 'upheld', reason: 'It is of another bicycle.' } as const;
    await expect(decideDispute(database.db, id, ruling)).rejects.toMatchObject({ code: 'conflict' });
    await stage.inTrx((trx) => changeDispute(trx, id, () => ({ reply: { text: 'No.', by: '0xh', at } })));
    const open = async () => (await listDisputes(database.db, 'open')).map((one) => one.disputeId);
    expect(await open()).toContain(id);
    await decideDispute(database.db, id, ruling);
    expect(await open()).not.toContain(id);
    expect(await standingListingOf(database.db, of.key)).toBeNull();
    const late = new Date(at.getTime() + 1_000 * HOUR);
    expect((await disputeInTheWay(database.db, assetKey(of.token), late))?.disputeId).toBe(id);
    const { decision } = (await listDisputes(database.db, 'all')).find((one) => one.disputeId === id)!;
    expect(decision).toMatchObject({ ruling: 'upheld', recordId: null });
  });
});
