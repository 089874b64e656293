import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { attested } from '../../fixtures/attested.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/**
 * A pair whose deal was stopped is not matched again, however often its agents and owners try: the lot is free for its
 * seller and for the next best buyer. The agents of this service evaluate the market every second.
 */

let folder: ServiceFolder;
let story: Story;
let [seller, listed, clean]: PrivateKeyAccount[] = [];
let selling: Agent;
/** Its account is on a list of scams, which the seller's determination finds. */
let flagged: Agent;
let buying: Agent;

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start({ WATCH_SECONDS: '1' });
  story = storyOn(folder);
  [seller, listed, clean] = await Promise.all([
    story.proceedingOwner(),
    story.owner(),
    story.proceedingOwner(),
  ]);
  const buys = 'Buy digital products, max 150 USDC per deal and 900 USDC in total, for 30 days.';
  selling = await story.assemble(
    seller!,
    'stop-seller',
    'Sell digital products, max 500 USDC per deal, for 30 days.',
  );
  flagged = await story.assemble(listed!, 'stop-flagged', buys);
  buying = await story.assemble(clean!, 'stop-clean', buys);
  await story.importLists({ register: 'known-scam', address: flagged.account });
});
afterAll(() => folder.remove());

interface MatchRow {
  readonly matchId: string;
  readonly state: string;
  readonly clearingPriceUsd?: number;
}

const keyOf = (lot: Lot): string => `eip155:1002/erc721:${lot.contract.toLowerCase()}/${lot.tokenId}`;

async function matchesOf(lot: Lot): Promise<MatchRow[]> {
  return (await story.api.get(`/matches?limit=100&lot=${encodeURIComponent(keyOf(lot))}`)).body.items;
}

function stoppedMatch(lot: Lot): Promise<MatchRow> {
  return until('the match to be stopped', async () => {
    const [match] = await matchesOf(lot);
    return match?.state === 'stopped' ? match : null;
  });
}

async function isListed(lot: Lot): Promise<boolean> {
  const { items } = (await story.api.get(`/orders?lot=${encodeURIComponent(keyOf(lot))}`)).body;
  return items.length > 0;
}

async function restingOrder(owner: PrivateKeyAccount, agent: Agent, lot: Lot): Promise<string> {
  const { items } = (await story.api.signedGet(owner, `/agent/${agent.handle}/orders?limit=100`)).body;
  return items.find((o: { lot: string; status: string }) => o.lot === keyOf(lot) && o.status === 'resting')
    .orderId;
}

/** Everything public about a lot and its two agents. */
async function publicWords(lot: Lot): Promise<string> {
  const of = encodeURIComponent(keyOf(lot));
  const base = `http://127.0.0.1:${folder.env.PORT}`;
  const paths = [
    `/matches?lot=${of}`,
    `/orders?lot=${of}`,
    '/catalogue',
    '/close-calls',
    `/agent/${flagged.handle}`,
  ];
  const activities = [flagged, selling].map((a) => `/agent/${a.handle}/activity?limit=100`);
  const records = new Set<string>();
  for (const path of activities) {
    const { items } = (await story.api.get(path)).body;
    for (const { recordId, subject } of items)
      if (subject === keyOf(lot)) records.add(`/records/${recordId}`);
  }
  expect(records.size).toBeGreaterThan(1);
  const texts: string[] = [];
  for (const path of [...paths, ...activities, ...records]) {
    for (const accept of ['application/json', 'text/html']) {
      const answer = await fetch(`${base}${path}`, { headers: { accept } });
      texts.push(`${path} ${accept}\n${await answer.text()}`);
    }
  }
  const events = await fetch(`${base}/events?after=0&lot=${of}`, { signal: AbortSignal.timeout(3_000) });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of events.body as unknown as AsyncIterable<Uint8Array>)
      texts.push(decoder.decode(chunk));
  } catch {
    // The time for listening is over.
  }
  return texts.join('\n');
}

describe('a pair that is FLAGGED', () => {
  it('makes exactly one match, shows no price of it, and leaves the lot to the second best buyer', async () => {
    const lot = await story.list(seller!, selling, { askUsd: 120, floorUsd: 80.46 });
    await story.give(listed!, flagged.account, 900);
    await importSales(lot);
    // The agent bids by itself what it thinks the lot is worth, and its owner bids as well.
    await stoppedMatch(lot);
    await until('the lot to be listed again', async () => ((await isListed(lot)) ? true : null));
    await leavesAlone(listed!, flagged, lot);
    for (const limit of [100, 110, 130]) {
      // Another order replaces its own, which must have rested for two seconds.
      await sleep(2_100);
      const again = await story.order(listed!, flagged, lot, limit);
      expect(again.body).toMatchObject({ status: 'resting', priceToBeatUsd: 120 });
    }
    const [only, ...more] = await matchesOf(lot);
    expect([only?.state, more]).toEqual(['stopped', []]);
    expect(only).not.toHaveProperty('clearingPriceUsd');
    const words = await publicWords(lot);
    expect(words.match(/.{0,60}(?:87\.73|87730000).{0,40}/g) ?? []).toEqual([]);
    await story.give(clean!, buying.account, 900);
    const settled = await until('the second best buyer to have it', async () => {
      const [match] = await matchesOf(lot);
      return match?.state === 'settled' ? match : null;
    });
    expect(settled.matchId).not.toBe(only?.matchId);
    expect(await matchesOf(lot)).toHaveLength(2);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
  });

  it("leaves its seller free to withdraw at once, even while the other's order rests", async () => {
    const lot = await story.list(seller!, selling, { askUsd: 140, floorUsd: 100 });
    // Its owner bids until the pair is matched: the agent may have bid by itself a moment before, and an order gives way
    // to another one only when it has rested for two seconds.
    await until('the pair to be matched', async () => {
      if ((await matchesOf(lot)).length > 0) return true;
      return (await story.order(listed!, flagged, lot, 110)).body.status === 'matched' ? true : null;
    });
    await stoppedMatch(lot);
    await until('the lot to be listed again', async () => ((await isListed(lot)) ? true : null));
    await leavesAlone(listed!, flagged, lot);
    await sleep(2_100);
    expect((await story.order(listed!, flagged, lot, 110)).body.status).toBe('resting');
    const orderId = await restingOrder(seller!, selling, lot);
    const taken = await story.api.signedPost(seller!, `/order/${orderId}/cancel`, { handle: selling.handle });
    expect(taken.status, JSON.stringify(taken.body)).toBe(200);
    expect(await isListed(lot)).toBe(false);
    expect((await matchesOf(lot)).map((m) => m.state)).toEqual(['stopped']);
  });
});

/** Sales of other tokens of the lot's collection, so that agents can tell how much it is worth. */
async function importSales(lot: Lot): Promise<void> {
  const { operatorApiKey } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8'));
  const rows = [96, 98, 99, 100, 100, 100, 101, 102, 103, 104].map((priceUsd, i) =>
    JSON.stringify({
      item: `eip155:1002/erc721:${lot.contract}/${900_000 + i}`,
      category: 'digital-products',
      priceUsd,
      soldAt: new Date(Date.now() - (i + 1) * 86_400_000).toISOString(),
    }),
  );
  const base = `http://127.0.0.1:${folder.env.PORT}`;
  const answer = await fetch(`${base}/register/comparables?source=test&${attested()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorApiKey}`, 'content-type': 'application/x-ndjson' },
    body: `${rows.join('\n')}\n`,
  });
  expect(answer.status, await answer.text()).toBe(201);
}

/** Waits until an agent has evaluated a lot again and says why it does not bid. */
async function leavesAlone(owner: PrivateKeyAccount, agent: Agent, lot: Lot): Promise<void> {
  await until('the agent to leave the lot alone', async () => {
    const { items } = (await story.api.signedGet(owner, `/agent/${agent.handle}/log?limit=100`)).body;
    const told = items.some(
      (i: { listingRef: string; says: string }) =>
        i.listingRef === lot.listingRef && i.says.includes('what stopped it has not changed'),
    );
    return told ? true : null;
  });
}
