import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../runtime/cli/demo/client.ts';
import { type ServiceFolder, serviceFolder } from '../fixtures/service.ts';
import { type Story, storyOn } from '../fixtures/story-stage.ts';

/** The whole service in a process of its own, ended by SIGKILL at a named point, started again on what is left. */

let folder: ServiceFolder;
afterEach(() => folder.remove());

const SELLS = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
const BUYS = 'Buy digital products, max 150 USDC per deal and 200 USDC per day, for 30 days.';

async function killed(service: { ended: Promise<number | string> }): Promise<void> {
  expect(await service.ended).toBe('SIGKILL');
}

/** Two agents, a lot at 120 with a floor of 100, and money to buy it. */
async function market(story: Story) {
  await story.importLists();
  const [seller, buyer] = await Promise.all([story.owner(), story.owner()]);
  const selling = await story.assemble(seller, 'seller-one', SELLS);
  const buying = await story.assemble(buyer, 'buyer-one', BUYS);
  const lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
  await story.give(buyer, buying.account, 300);
  return { seller, buyer, selling, buying, lot };
}

describe('a service that dies', { timeout: 180_000 }, () => {
  it('after the payment and before the mint, mints once when it is back, and records it once', async () => {
    folder = await serviceFolder();
    const first = await folder.start({ CRASH_AT: 'after-payment-before-mint' });
    const before = storyOn(folder);
    const owner = await before.owner();
    const checkout = await before.openCheckout(owner, 'phoenix', BUYS);
    await before.pay(checkout).catch(() => {});
    await killed(first);

    await folder.start();
    const story = storyOn(folder);
    const agent = await story.minted(checkout);
    await story.recorded(agent, 'agent-purchase');
    // The processor never had its answer, so it delivers the webhook again: that pays nothing more.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await story.chain().mints()).toBe(1);
    const { items } = (await story.api.get('/agent/phoenix/activity')).body;
    expect(items.filter((r: { kind: string }) => r.kind === 'agent-purchase')).toHaveLength(1);
  });

  it.each(['after-match-before-settlement', 'after-settlement-before-record'])(
    '%s, settles once and records once when it is back',
    async (point) => {
      folder = await serviceFolder();
      const first = await folder.start({ CRASH_AT: point });
      const before = storyOn(folder);
      const { buyer, selling, buying, lot } = await market(before);
      await before.order(buyer, buying, lot, 110).catch(() => {});
      await killed(first);

      await folder.start();
      const story = storyOn(folder);
      await story.recorded(buying, 'deal-settled');
      const chain = story.chain();
      expect(await chain.settlements()).toBe(1);
      expect((await chain.ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
      expect(await chain.usdcOf(selling.account)).toBe(102_900_000n);
      expect(await chain.usdcOf(buying.account)).toBe(195_000_000n);
      const { items: matches } = (await story.api.get('/matches')).body;
      expect(matches).toHaveLength(1);
      expect(matches[0].tx).toMatch(/^0x/);
      const { items } = (await story.api.get(`/agent/${buying.handle}/activity`)).body;
      expect(items.filter((r: { kind: string }) => r.kind === 'deal-settled')).toHaveLength(1);
    },
  );

  it('whenever it likes, loses nothing and does nothing twice', async () => {
    folder = await serviceFolder();
    let service = await folder.start();
    const { buyer, buying, lot, selling } = await market(storyOn(folder));
    const placed = await storyOn(folder).order(buyer, buying, lot, 110);
    expect(placed.status).toBe(201);
    for (const waitMs of [30, 120, 350]) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      service.kill('SIGKILL');
      await killed(service);
      service = await folder.start();
    }
    const story = storyOn(folder);
    await story.recorded(buying, 'deal-settled');
    expect(await story.chain().settlements()).toBe(1);
    expect(await story.chain().mints()).toBe(2);
    expect(await story.chain().usdcOf(selling.account)).toBe(102_900_000n);
    await until('every record under a root', async () => {
      const { items } = (await story.api.get(`/agent/${buying.handle}/activity`)).body;
      return items.every((r: { state: string }) => r.state === 'anchored') ? true : null;
    });
  });
});
