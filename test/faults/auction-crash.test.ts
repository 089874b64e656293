import { createPublicClient, erc721Abi, http } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { expectStatus, until } from '../../runtime/cli/demo/client.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { storyOn } from '../fixtures/story-stage.ts';

/** An auction whose service is killed at every step, including its end. */

let folder: ServiceFolder;
let database: Awaited<ReturnType<typeof testDatabase>>;
afterEach(async () => {
  await folder.remove();
  await database.drop();
});

const SELLS = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
const BUYS = 'Buy digital products, max 150 USDC per deal, for 30 days.';

async function killed(service: ServiceProcess): Promise<void> {
  expect(await service.ended).toBe('SIGKILL');
}

/** Pretends that the time of an auction has passed. */
async function endNow(auctionId: string): Promise<void> {
  const { db } = database;
  const now = new Date();
  await db.updateTable('auctions').set({ ends_at: now }).where('auction_id', '=', auctionId).execute();
  const timers = db.updateTable('timers').set({ due_at: now });
  await timers.where('actor_id', '=', `auction:${auctionId}`).execute();
}

describe('an auction', { timeout: 900_000 }, () => {
  it('survives kill -9 with its bids, ends while nothing runs, sells and settles once, and goes on once', async () => {
    [folder, database] = await Promise.all([serviceFolder(), testDatabase({ max: 2 })]);
    const settings = { DATABASE_URL: database.url };
    let service = await folder.start(settings);
    const story = storyOn(folder);
    const { api } = story;
    await story.importLists();
    const [seller, ann, bob] = await Promise.all([
      story.proceedingOwner(),
      story.proceedingOwner(),
      story.proceedingOwner(),
    ]);
    const [selling, annBuys, bobBuys] = await Promise.all([
      story.assemble(seller, 'seller-one', SELLS),
      story.assemble(ann, 'buyer-one', BUYS),
      story.assemble(bob, 'buyer-two', BUYS),
    ]);
    await story.give(ann, annBuys.account, 200);
    await story.give(bob, bobBuys.account, 200);
    const auctioned = async (name: string) => {
      const listing = { handle: selling.handle, name, askUsd: 40 };
      const listed = await api.signedPost(seller, '/domains/listings', listing);
      const terms = { handle: selling.handle, format: 'ascending', reserveUsd: 20, durationSeconds: 86_400 };
      const { token } = expectStatus(listed, 201, `listing ${name}`);
      const begun = await api.signedPost(seller, `/domains/${name}/auction`, terms);
      const { auctionId, endsAt } = expectStatus(begun, 201, `starting the auction of ${name}`);
      return { token, auctionId, endsAt };
    };
    const bid = (name: string, owner: typeof ann, handle: string, bidUsd: number) =>
      api.signedPost(owner, `/domains/${name}/bids`, { handle, bidUsd });
    const { token, auctionId, endsAt } = await auctioned('harbour.x');
    expectStatus(await bid('harbour.x', ann, annBuys.handle, 90), 201, 'the first bid');
    service.kill('SIGKILL');
    await killed(service);
    service = await folder.start(settings);
    expect((await api.get('/domains/listings')).body.items[0]).toMatchObject({ priceToBeatUsd: 21, endsAt });
    expectStatus(await bid('harbour.x', bob, bobBuys.handle, 120), 201, 'the second bid');
    service.kill('SIGKILL');
    await killed(service);
    // The auction ends while nothing runs.
    await endNow(auctionId);

    // The end is carried out at once, and the process crashes before it can report it, or before it reports that it is
    // up.
    await killed(folder.attempt({ ...settings, CRASH_AT: 'after-close-auction-run-before-commit' }));
    service = await folder.start(settings);
    await story.recorded(bobBuys, 'deal-settled');
    const chain = story.chain();
    expect(await chain.settlements()).toBe(1);
    const { items: matches } = (await api.get('/matches')).body;
    expect(matches.map((m: { clearingPriceUsd: number }) => m.clearingPriceUsd)).toEqual([94.5]);
    expect(await chain.usdcOf(annBuys.account)).toBe(200_000_000n);
    expect(await chain.usdcOf(bobBuys.account)).toBe(200_000_000n - 96_862_500n);
    expect(await chain.usdcOf(selling.account)).toBe(92_137_500n);
    const client = createPublicClient({
      transport: http(findRunning(folder.dataDir)!.chains['1002']!.rpcUrl),
    });
    const holder = await client.readContract({
      address: token.contract,
      abi: erc721Abi,
      functionName: 'ownerOf',
      args: [BigInt(token.tokenId)],
    });
    expect(holder.toLowerCase()).toBe(bobBuys.account.toLowerCase());
    expect((await api.get('/domains/listings')).body.items).toEqual([]);
    await until('both released', async () => {
      const { items } = (await api.signedGet(ann, `/agent/${annBuys.handle}/orders`)).body;
      return items[0].status === 'cancelled' ? items : null;
    });

    // The winner of a second name is on a list: its deal is unwound, and the process crashes before it can report that.
    service.kill('SIGKILL');
    await killed(service);
    service = await folder.start({ ...settings, CRASH_AT: 'after-unwind-run-before-commit' });
    const cyd = await story.proceedingOwner();
    const cydBuys = await story.assemble(cyd, 'buyer-three', BUYS);
    await story.give(cyd, cydBuys.account, 200);
    const again = await auctioned('jetty.x');
    expectStatus(await bid('jetty.x', ann, annBuys.handle, 60), 201, 'the bid that comes second');
    expectStatus(await bid('jetty.x', cyd, cydBuys.handle, 80), 201, 'the bid that falls through');
    await story.importLists({ register: 'known-scam', address: cydBuys.account });
    await endNow(again.auctionId);
    await killed(service);
    service = await folder.start(settings);
    const goesOn = await until('the auction to go on', async () => {
      const { items } = (await api.get('/domains/listings?name=jetty.x')).body;
      return items[0]?.format === 'ascending' ? items[0] : null;
    });
    // What the stopped bid kept others from is theirs to bid now.
    expect(goesOn.priceToBeatUsd).toBe(21);
    await endNow(again.auctionId);
    await story.recorded(annBuys, 'deal-settled');
    expect(await chain.settlements()).toBe(2);
    const prices = (await api.get('/matches')).body.items.map(
      (m: { clearingPriceUsd?: number; settledAt?: string }) => [
        m.clearingPriceUsd,
        m.settledAt !== undefined,
      ],
    );
    // Nobody else came, so the next bidder pays the reserve. A stopped deal shows no price.
    expect(prices).toEqual([
      [20, true],
      [undefined, false],
      [94.5, true],
    ]);
    expect(await chain.usdcOf(annBuys.account)).toBe(200_000_000n - 20_500_000n);
  });
});
