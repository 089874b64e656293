import { sql } from 'kysely';
import { type Abi, createWalletClient, encodeFunctionData, erc20Abi, http, publicActions } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import {
  confirmed,
  expectProblem,
  inDays,
  type WireAgent,
  type WireStage,
  wireStage,
} from '../wire/wire-stage.ts';

/** A bid in an auction of a name binds: it needs its money, no stop takes it back, and the close asks once more. */

let stage: WireStage;
let [seller, ann, bob, cyd]: PrivateKeyAccount[] = [];
let [sells, annBuys, bobBuys, cydBuys]: WireAgent[] = [];

beforeAll(async () => {
  stage = await wireStage({ AUCTION_EXTENSION_SECONDS: '1' });
  [seller, ann, bob, cyd] = await Promise.all(Array.from({ length: 4 }, () => stage.proceedingOwner()));
  [sells, annBuys, bobBuys, cydBuys] = await Promise.all([
    stage.agent(seller!),
    stage.agent(ann!),
    stage.agent(bob!),
    stage.agent(cyd!),
  ]);
  await stage.moveUsd(ann!, annBuys!.account, '400');
  await stage.moveUsd(bob!, bobBuys!.account, '400');
});
afterAll(() => stage.stop());

const askedOf = (name: string, act: string, body: object, owner: PrivateKeyAccount) =>
  stage.api.signedPost(owner, `/domains/${name}/${act}`, { ...body });
const bid = (owner: PrivateKeyAccount, agent: WireAgent, name: string, bidUsd: number) =>
  askedOf(name, 'bids', { handle: agent.handle, bidUsd }, owner);

async function listed(name: string): Promise<string> {
  const listing = { handle: sells!.handle, name, askUsd: 40 };
  return expectStatus(await stage.api.signedPost(seller!, '/domains/listings', listing), 201, 'listing')
    .listingRef;
}

/** @returns the auction's id */
async function auctioned(name: string): Promise<string> {
  await listed(name);
  const terms = { handle: sells!.handle, format: 'ascending', reserveUsd: 20, durationSeconds: 86_400 };
  return expectStatus(await askedOf(name, 'auction', terms, seller!), 201, 'the auction').auctionId;
}

const rowOf = async (name: string) => (await stage.api.get(`/domains/listings?name=${name}`)).body.items[0];
const orderOn = async (owner: PrivateKeyAccount, agent: WireAgent, name: string) =>
  (await stage.api.signedGet(owner, `/agent/${agent.handle}/orders`)).body.items.find(
    (o: { lot: string; side: string }) => o.lot === `serial:name:${name}`,
  );
const session = async (owner: PrivateKeyAccount, agent: WireAgent, action: 'pause' | 'resume') =>
  expectStatus(
    await stage.api.signedPost(owner, `/agent/${agent.handle}/session`, { action }),
    202,
    `the ${action} of ${agent.handle}`,
  );

/** Pretends that the time of an auction has passed. */
async function endNow(auctionId: string): Promise<void> {
  const now = sql<Date>`clock_timestamp()`;
  const auctions = stage.db.updateTable('auctions').set({ ends_at: now });
  await auctions.where('auction_id', '=', auctionId).execute();
  const timers = stage.db.updateTable('timers').set({ due_at: now });
  await timers.where('actor_id', '=', `auction:${auctionId}`).where('fired_at', 'is', null).execute();
}

const auctionRow = (auctionId: string) =>
  stage.db.selectFrom('auctions').selectAll().where('auction_id', '=', auctionId).executeTakeFirstOrThrow();

/** Pretends that the time of an auction has passed. @returns how it ended, when it has */
async function ended(auctionId: string) {
  await endNow(auctionId);
  return await until('the end of the auction', async () => {
    const row = await auctionRow(auctionId);
    return row.status === 'open' ? null : row;
  });
}

/** Pretends that the time of an auction has passed, which goes on for a day after it. */
async function goesOn(auctionId: string): Promise<void> {
  const day = stage.db.updateTable('auctions').set({ extension_ms: 86_400_000 });
  await day.where('auction_id', '=', auctionId).execute();
  await endNow(auctionId);
  await until('the auction to go on', async () => {
    const { ends_at } = await auctionRow(auctionId);
    return ends_at.getTime() > Date.now() + 3_600_000 ? true : null;
  });
}

async function dealOf(dealId: string | null) {
  const deals = stage.db.selectFrom('deals').select(['buyer', 'price']);
  return await deals.where('deal_id', '=', dealId).executeTakeFirst();
}

/** Takes dollars out of an agent's account by its owner's own transaction. */
async function takeOut(owner: PrivateKeyAccount, agent: WireAgent, usd: number): Promise<void> {
  const args = [owner.address, BigInt(usd) * 1_000_000n] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  const transport = http(stage.rpcUrl);
  const wallet = createWalletClient({ account: owner, transport, pollingInterval: 20 }).extend(publicActions);
  const hash = await wallet.writeContract({
    address: agent.account,
    abi: agentAccountAbi as Abi,
    functionName: 'execute',
    args: [stage.usdc, 0n, data, 0],
    chain: null,
  });
  expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
}

describe('a bid on a name', () => {
  it('is refused where its account does not cover it with the fee, and so is a purchase', async () => {
    await listed('poor.x');
    const purchase = { handle: cydBuys!.handle, priceUsd: 40 };
    const bought = await askedOf('poor.x', 'buy', purchase, cyd!);
    expectProblem(bought, 409, 'conflict');
    expect(bought.body).toMatchObject({ needUsd: 41, haveUsd: 0 });
    const auctionId = await auctioned('poorer.x');
    await stage.moveUsd(cyd!, cydBuys!.account, '41');
    const short = await bid(cyd!, cydBuys!, 'poorer.x', 50);
    expectProblem(short, 409, 'conflict');
    expect(short.body).toMatchObject({ needUsd: 51.25, haveUsd: 41 });
    expectStatus(await bid(cyd!, cydBuys!, 'poorer.x', 30), 201, 'a bid that is covered');
    // What one bid has promised is no money for another.
    expectProblem(await askedOf('poor.x', 'buy', purchase, cyd!), 409, 'conflict');
    expect((await rowOf('poor.x'))?.askUsd).toBe(40);
    await takeOut(cyd!, cydBuys!, 41);
    expect(await ended(auctionId)).toMatchObject({ status: 'unsold' });
    expect(await orderOn(cyd!, cydBuys!, 'poorer.x')).toMatchObject({ status: 'expired' });
  });

  it('stays when its agent pauses, which learns nothing for it, and lets others bid again when it may not buy at the end', async () => {
    const auctionId = await auctioned('stay.x');
    await stage.moveUsd(cyd!, cydBuys!.account, '50');
    expectStatus(await bid(bob!, bobBuys!, 'stay.x', 60), 201, 'the bid of bob');
    const over = expectStatus(await bid(ann!, annBuys!, 'stay.x', 300), 201, 'the bid of ann');
    await session(ann!, annBuys!, 'pause');
    expect(await rowOf('stay.x')).toMatchObject({ priceToBeatUsd: over.priceToBeatUsd });
    expect(await orderOn(ann!, annBuys!, 'stay.x')).toMatchObject({ status: 'resting' });
    await session(ann!, annBuys!, 'resume');
    expectProblem(await bid(ann!, annBuys!, 'stay.x', 59.99), 409, 'conflict');
    // She keeps everybody else from bidding meanwhile.
    expectProblem(await bid(cyd!, cydBuys!, 'stay.x', 40), 409, 'conflict');
    await session(ann!, annBuys!, 'pause');
    await goesOn(auctionId);
    expect(await rowOf('stay.x')).toMatchObject({ format: 'ascending', priceToBeatUsd: 21 });
    expect(await orderOn(ann!, annBuys!, 'stay.x')).toMatchObject({ status: 'expired' });
    await session(ann!, annBuys!, 'resume');
    const again = await bid(ann!, annBuys!, 'stay.x', 59.99);
    expectProblem(again, 409, 'conflict');
    expect(again.body.detail).toContain('could not buy when this auction was to end');
    expectStatus(await bid(cyd!, cydBuys!, 'stay.x', 40), 201, 'the bid of cyd');
    const { deal_id } = await ended(auctionId);
    expect(await dealOf(deal_id)).toEqual({ buyer: bobBuys!.handle, price: 42_000_000n });
    await takeOut(cyd!, cydBuys!, 50);
  });

  it('makes no price where its money has gone, or where its mandate has shrunk below it', async () => {
    const auctionId = await auctioned('shrunk.x');
    await stage.moveUsd(cyd!, cydBuys!.account, '100');
    expectStatus(await bid(cyd!, cydBuys!, 'shrunk.x', 40), 201, 'the bid of cyd');
    expectStatus(await bid(ann!, annBuys!, 'shrunk.x', 90), 201, 'the bid of ann');
    await takeOut(cyd!, cydBuys!, 100);
    const mandate = `Buy digital products, max 15 USDC per deal, until ${inDays(30)}.`;
    await confirmed(stage, ann!, annBuys!, 'mandate', { mandate });
    expect(await orderOn(ann!, annBuys!, 'shrunk.x')).toMatchObject({ status: 'resting' });
    // It went on for others first, of whom none came.
    expect(await ended(auctionId)).toMatchObject({ status: 'unsold', extensions: 1 });
    for (const [owner, agent] of [
      [ann!, annBuys!],
      [cyd!, cydBuys!],
    ] as const)
      expect(await orderOn(owner, agent, 'shrunk.x')).toMatchObject({ status: 'expired' });
    expect(await rowOf('shrunk.x')).toMatchObject({ format: 'buy-now', askUsd: 40 });
  });
});

describe('the seller of a name in an auction', () => {
  it('does not take it out by a pause: the name leaves at the end, and nobody has it', async () => {
    const auctionId = await auctioned('leaves.x');
    expectStatus(await bid(bob!, bobBuys!, 'leaves.x', 60), 201, 'the bid of bob');
    await session(seller!, sells!, 'pause');
    expect(await rowOf('leaves.x')).toMatchObject({ format: 'ascending', priceToBeatUsd: 21 });
    expect(await ended(auctionId)).toMatchObject({ status: 'unsold' });
    expect(await rowOf('leaves.x')).toBeUndefined();
    expect(await orderOn(bob!, bobBuys!, 'leaves.x')).toMatchObject({ status: 'expired' });
    await session(seller!, sells!, 'resume');
  });

  it('sells nothing after it by a mandate that forbids it', async () => {
    const auctionId = await auctioned('unsaid.x');
    const mandate = `Buy digital products, max 100 USDC per deal, until ${inDays(30)}.`;
    await confirmed(stage, seller!, sells!, 'mandate', { mandate });
    expect(await rowOf('unsaid.x')).toMatchObject({ format: 'ascending' });
    expect(await ended(auctionId)).toMatchObject({ status: 'unsold' });
    await until('the name to be gone', async () => ((await rowOf('unsaid.x')) === undefined ? true : null));
  });

  it('does not stay at an ask that its new mandate forbids, where the deal of the winner does not settle', async () => {
    const until30 = `USDC per deal, until ${inDays(30)}.`;
    const mandated = (most: number) =>
      confirmed(stage, seller!, sells!, 'mandate', {
        mandate: `Buy and sell digital products, max ${most} ${until30}`,
      });
    await mandated(100);
    const auctionId = await auctioned('falls.x');
    // Its owner has chosen nothing, so its deals stop where something could not be judged.
    const eve = await stage.owner();
    const eveBuys = await stage.agent(eve);
    await stage.moveUsd(eve, eveBuys.account, '50');
    expectStatus(await bid(eve, eveBuys, 'falls.x', 30), 201, 'the bid of eve');
    // It allows what the auction makes, and not the ask of 40.
    await mandated(30);
    await endNow(auctionId);
    await until('the auction to have no winner', async () =>
      (await auctionRow(auctionId)).status === 'unsold' ? true : null,
    );
    const deals = stage.db.selectFrom('deals').select(['state', 'price']);
    expect(await deals.where('buyer', '=', eveBuys.handle).execute()).toEqual([
      { state: 'stopped', price: 20_000_000n },
    ]);
    await until('the name to be gone', async () => ((await rowOf('falls.x')) === undefined ? true : null));
    const listings = stage.db.selectFrom('listings').select('status');
    expect(await listings.where('asset_key', '=', 'serial:name:falls.x').execute()).toEqual([
      { status: 'dropped' },
    ]);
  });
});
