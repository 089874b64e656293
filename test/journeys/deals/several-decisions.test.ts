import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** One decision on several deals, by one signature of the owner who is asked. */

let folder: ServiceFolder;
let story: Story;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let selling: Agent;
let buying: Agent;
let lots: Lot[];

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start({ DECISION_SECONDS: '3600' });
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = await Promise.all([story.proceedingOwner(), story.owner()]);
  const asked = { wallet: buyer.address, onFlagged: 'ask', onInconclusive: 'ask' };
  await story.api.signedPost(buyer, '/settings', asked);
  selling = await story.assemble(
    seller,
    'sells-several',
    'Sell digital products, max 500 USDC per deal, for 30 days.',
  );
  buying = await story.assemble(
    buyer,
    'buys-several',
    'Buy digital products, max 150 USDC per deal, for 30 days.',
  );
  await story.give(buyer, buying.account, 600);
  lots = [];
  for (let n = 0; n < 4; n++) lots.push(await story.list(seller, selling, { askUsd: 120, floorUsd: 100 }));
});
afterAll(() => folder.remove());

interface Deal {
  readonly dealId: string;
  readonly state: string;
  readonly waitsForYou: boolean;
}

async function deals(owner: PrivateKeyAccount, agent: Agent): Promise<Deal[]> {
  return (await story.api.signedGet(owner, `/agent/${agent.handle}/deals`)).body.items;
}

/** Has a deal of this lot made, and waits until it asks the buyer's owner. */
async function waiting(lot: Lot): Promise<string> {
  const placed = await story.order(buyer, buying, lot, 110);
  expect(placed.body).toMatchObject({ status: 'matched' });
  const { dealId } = placed.body.match;
  return until('the deal to wait', async () =>
    (await deals(buyer, buying)).some((d) => d.dealId === dealId && d.waitsForYou) ? dealId : null,
  );
}

const stateOf = async (dealId: string): Promise<string | undefined> =>
  (await deals(buyer, buying)).find((d) => d.dealId === dealId)?.state;

function decisions(
  by: PrivateKeyAccount,
  decision: 'proceed' | 'stop',
  of: readonly (readonly [Agent, string])[],
) {
  return story.api.signedPost(by, '/deals/decisions', {
    wallet: by.address,
    decision,
    deals: of.map(([{ handle }, dealId]) => ({ handle, dealId })),
  });
}

describe('deals that wait for one owner', () => {
  it('are told as waiting to the owner who is asked, and not to the other side', async () => {
    const dealId = await waiting(lots[0]!);
    const other = (await deals(seller, selling)).find((d) => d.dealId === dealId);
    expect(other).toMatchObject({ state: 'awaiting-owner', waitsForYou: false });
    expect((await decisions(buyer, 'stop', [[buying, dealId]])).body).toMatchObject({ decided: [dealId] });
  });

  it('are told each by itself, with what was found, in the text that decides on them', async () => {
    const [one, two] = [await waiting(lots[1]!), await waiting(lots[2]!)];
    const body = {
      wallet: buyer.address,
      decision: 'proceed',
      deals: [one, two].map((dealId) => ({ handle: buying.handle, dealId })),
    };
    const { status, body: asked } = await story.api.post('/deals/decisions', body);
    expect(status).toBe(401);
    const { message, says } = asked.sign as { message: string; says: string };
    expect(message).toContain("Proceed with 2 deals, each told below: 'A thing' for 105.00 USD");
    const sentences = says.split('\n').slice(1);
    expect(sentences).toHaveLength(2);
    for (const [i, dealId] of [one, two].entries()) {
      expect(sentences[i]).toMatch(
        new RegExp(
          `^Proceed with deal ${dealId} of agent buys-several, .* Found: .*Price intelligence INCONCLUSIVE`,
        ),
      );
      const told = message.split('\n').filter((line) => line.startsWith('- urn:words:'));
      expect(decodeURIComponent(told[i]!.slice('- urn:words:'.length).replaceAll('_', ' '))).toBe(
        sentences[i],
      );
    }
  });

  it('go on by one signature, and one that does not wait any more is named with the reason', async () => {
    const open = (await deals(buyer, buying)).filter((d) => d.waitsForYou).map((d) => d.dealId);
    const over = (await deals(buyer, buying)).find((d) => d.state === 'stopped')!.dealId;
    expect(open).toHaveLength(2);
    const { status, body } = await decisions(
      buyer,
      'proceed',
      [...open, over].map((id) => [buying, id] as const),
    );
    expect([status, body.decided]).toEqual([200, open]);
    expect(body.refused).toEqual([{ dealId: over, reason: expect.stringContaining('was stopped') }]);
    for (const dealId of open)
      await until('the deal to settle', async () =>
        ['settled', 'recorded'].includes((await stateOf(dealId)) ?? '') ? true : null,
      );
  });

  it('are decided by nobody who does not own the agents, however they are named', async () => {
    const dealId = await waiting(lots[3]!);
    const stranger = await story.owner();
    const { body } = await decisions(stranger, 'stop', [
      [buying, dealId],
      [{ ...buying, handle: 'nobody-here' }, dealId],
    ]);
    expect(body.decided).toEqual([]);
    expect(body.refused.map((r: { reason: string }) => r.reason)).toEqual([
      'buys-several has another owner.',
      expect.stringContaining('nobody-here'),
    ]);
    expect(await stateOf(dealId)).toBe('awaiting-owner');
  });

  it('are at least one and at most ten, none of them twice', async () => {
    const named = (count: number, id = (n: number) => `deal_${n}`) => ({
      wallet: buyer.address,
      decision: 'stop',
      deals: Array.from({ length: count }, (_, n) => ({ handle: buying.handle, dealId: id(n) })),
    });
    for (const body of [named(0), named(11), named(2, () => 'deal_1')]) {
      const { status, body: told } = await story.api.post('/deals/decisions', body);
      expect([status, told.code]).toEqual([400, 'bad-request']);
      expect(told.detail).toContain('deals');
    }
  });
});
