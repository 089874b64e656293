import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { inDays, type WireAgent, type WireListing, type WireStage, wireStage } from '../wire/wire-stage.ts';

/**
 * A new service: nothing was sold there yet, and it has only the lists for wallets. What it cannot judge stays
 * INCONCLUSIVE, and the two owners' choices decide what that causes.
 */

const UNJUDGED = ['provenance', 'price-intelligence'];

let stage: WireStage;

beforeAll(async () => {
  stage = await wireStage();
  for (const register of ['sanctions', 'known-scam']) await importList(register, 0);
});
afterAll(() => stage.stop());

/** Imports a list of one address that belongs to nobody here. @param ageDays how long ago it was complete */
async function importList(register: string, ageDays: number): Promise<void> {
  const completeAsOf = new Date(Date.now() - ageDays * 86_400_000 - 60_000).toISOString();
  const declared = `mode=replace&completeAsOf=${completeAsOf}&minimum=1&acceptShrunk=true&synthetic=true`;
  const response = await fetch(`${stage.baseUrl}/register/${register}?source=test&${declared}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: '{"address":"0x00000000000000000000000000000000deadbeef"}\n',
  });
  expect(response.status, await response.text()).toBe(201);
}

interface Pair {
  readonly seller: PrivateKeyAccount;
  readonly buyer: PrivateKeyAccount;
  readonly sells: WireAgent;
  readonly buys: WireAgent;
}

/** Two owners who chose nothing, each with an agent. @param also a further sentence of the buyer's mandate */
async function pair(also = ''): Promise<Pair> {
  const [seller, buyer] = await Promise.all([stage.owner(), stage.owner()]);
  const [sells, buys] = await Promise.all([
    stage.agent(seller, { mandate: `Sell digital products, max 500 USDC per deal, until ${inDays(30)}.` }),
    stage.agent(buyer, {
      mandate: `Buy digital products, max 300 USDC per deal, until ${inDays(30)}. ${also}`,
    }),
  ]);
  await stage.moveUsd(buyer, buys.account, '400');
  return { seller, buyer, sells, buys };
}

const choose = async (owner: PrivateKeyAccount, choice: Record<string, string>) => {
  const answer = await stage.api.signedPost(owner, '/settings', { wallet: owner.address, ...choice });
  expect(answer.status).toBe(200);
};

const orderOf = ({ buys }: Pair, { listingRef }: WireListing) => ({
  ...{ handle: buys.handle, side: 'buy', listingRef, category: 'digital-products', limitUsd: 40 },
});

interface Deal {
  readonly dealId: string;
  readonly state: string;
  readonly reason: string | null;
  readonly findings: readonly { readonly determination: string; readonly effect: string }[];
}

/** A deal over a new lot, once it has ended or waits, as its buyer reads it. */
async function deal(of: Pair, state: string): Promise<Deal> {
  const lot = await stage.listed(of.seller, of.sells, { askUsd: 40 });
  const placed = await stage.api.signedPost(of.buyer, '/order', orderOf(of, lot));
  expect(placed.body).toMatchObject({ status: 'matched' });
  return await dealIn(of, placed.body.match.dealId, state);
}

async function dealIn({ buyer, buys }: Pair, dealId: string, state: string): Promise<Deal> {
  const over = ['recorded', 'stopped', 'failed', 'awaiting-owner'];
  const found = await until(`the deal to be ${state}`, async () => {
    const { body } = await stage.api.signedGet(buyer, `/agent/${buys.handle}/deals`);
    const own = body.items.find((d: Deal) => d.dealId === dealId);
    return own !== undefined && over.includes(own.state) ? (own as Deal) : null;
  });
  expect(found.state, found.reason ?? '').toBe(state);
  return found;
}

/** The newest public record of an agent's determination on a deal. */
async function determined({ handle }: WireAgent) {
  const { body } = await stage.api.get(`/agent/${handle}/activity?limit=100`);
  const newest = body.items.find((r: { kind: string }) => r.kind === 'determination');
  const { record } = (await stage.api.get(`/records/${newest.recordId}`)).body;
  return record.content.record as {
    readonly verdict: string;
    readonly inconclusive: readonly string[];
    readonly determinations: readonly { readonly id: string; readonly verdict: string }[];
    readonly determinationsNotRun: readonly string[];
    readonly effect: string;
    readonly waivedBy: readonly object[];
  };
}

describe('the first deal of a new service', () => {
  it('stops while an owner has chosen nothing, gives the reason in a sentence, and settles once both chose to go on', async () => {
    const two = await pair();
    const unset = await deal(two, 'stopped');
    expect(unset.reason).toMatch(
      /the provenance could not be judged for the (buyer|seller) \(the register stolen is empty\), and its owner chose nothing for that, so it stops/,
    );
    expect(unset.reason).toMatch(
      /the price could not be judged for the \w+ \(no comparable sale was found\)/,
    );
    expect(await determined(two.buys)).toMatchObject({ verdict: 'FLAGGED', effect: 'stop', waivedBy: [] });

    await choose(two.buyer, { onInconclusive: 'proceed' });
    expect((await deal(two, 'stopped')).reason).toContain('could not be judged for the seller');

    await choose(two.seller, { onInconclusive: 'proceed' });
    const settled = await deal(two, 'recorded');
    expect(settled.findings.map((f) => [f.determination, f.effect])).toEqual(
      UNJUDGED.map((id) => [id, 'proceed']),
    );
    for (const [agent, owner] of [
      [two.buys, two.buyer],
      [two.sells, two.seller],
    ] as const) {
      const record = await determined(agent);
      expect(record).toMatchObject({ verdict: 'FLAGGED', effect: 'proceed', determinationsNotRun: [] });
      expect(record.inconclusive).toEqual(expect.arrayContaining(UNJUDGED));
      const verdicts = Object.fromEntries(record.determinations.map((d) => [d.id, d.verdict]));
      expect(verdicts).toMatchObject({
        wallet: 'CLEAN',
        provenance: 'INCONCLUSIVE',
        'price-intelligence': 'INCONCLUSIVE',
      });
      const wallet = owner.address.toLowerCase();
      expect(record.waivedBy).toEqual(
        UNJUDGED.map((determination) => ({ determination, by: 'setting', wallet })),
      );
    }
    // If a choice let something pass, there is no finding and no decision about it.
    const { body } = await stage.api.get(`/agent/${two.buys.handle}/activity?limit=100`);
    const decisions = body.items.filter((r: { kind: string }) => r.kind === 'flag-decision');
    expect(decisions).toHaveLength(2);
  });

  it('goes on by a clause of the mandate, which its record names with the version', async () => {
    const two = await pair('If the price or the provenance cannot be judged, go on.');
    await choose(two.seller, { onInconclusive: 'proceed' });
    await deal(two, 'recorded');
    expect((await determined(two.buys)).waivedBy).toEqual(
      UNJUDGED.map((determination) => ({ determination, by: 'mandate', version: 1 })),
    );
    // A setting that stops is stricter than the mandate and prevails.
    await choose(two.buyer, { onInconclusive: 'stop' });
    expect((await deal(two, 'stopped')).reason).toContain('its owner chose to stop then');
  });

  it('waits for the owner who wants to be asked, also when that was chosen for findings', async () => {
    const two = await pair();
    await choose(two.seller, { onInconclusive: 'proceed' });
    await choose(two.buyer, { onFlagged: 'ask' });
    const waiting = await deal(two, 'awaiting-owner');
    expect(waiting.reason).toContain('the price could not be judged for the buyer');
    expect(waiting.reason).toContain('its owner wants to be asked then');
    expect((await determined(two.buys)).effect).toBe('ask');
    const decision = { handle: two.buys.handle, decision: 'proceed' };
    const decided = await stage.api.signedPost(two.buyer, `/deals/${waiting.dealId}/decision`, decision);
    expect(decided.status).toBe(202);
    await until('the deal to settle', async () => {
      const { body } = await stage.api.signedGet(two.buyer, `/agent/${two.buys.handle}/deals`);
      return body.items[0].state === 'recorded' ? true : null;
    });
  });
});

describe('before anything is signed', () => {
  it('the page of a lot and the answer to an order say what could not be judged, and what then happens', async () => {
    const two = await pair();
    const lot = await stage.listed(two.seller, two.sells, { askUsd: 400 });
    const path = `/lots/${lot.listingRef}`;
    expect((await stage.api.get(path)).body).toMatchObject({
      listingRef: lot.listingRef,
      willNotBeJudged: UNJUDGED,
      yourSettingsThen: null,
    });
    const orders = async () => await stage.api.post('/order', orderOf(two, lot));
    for (const [choice, then] of [
      [null, 'stop'],
      [{ onFlagged: 'ask' }, 'ask'],
      [{ onInconclusive: 'proceed' }, 'proceed'],
      [{ onInconclusive: 'stop' }, 'stop'],
    ] as const) {
      if (choice !== null) await choose(two.buyer, choice);
      const said = { willNotBeJudged: UNJUDGED, yourSettingsThen: then };
      const unsigned = await orders();
      expect(unsigned.status).toBe(401);
      expect(unsigned.body).toMatchObject({ code: 'signature-required', ...said });
      expect((await stage.api.get(`${path}?handle=${two.buys.handle}`)).body).toMatchObject(said);
    }
    const placed = await stage.api.signedPost(two.buyer, '/order', orderOf(two, lot));
    expect(placed.body).toMatchObject({
      status: 'resting',
      willNotBeJudged: UNJUDGED,
      yourSettingsThen: 'stop',
    });

    const page = await fetch(`${stage.baseUrl}${path}?handle=${two.buys.handle}`, {
      headers: { accept: 'text/html' },
    });
    expect(await page.text()).toContain(
      'As things stand, the provenance and the price could not be judged for this lot. By your choices the deal then stops.',
    );
    const holders = await until('both readers to tell the holders', async () => {
      const text = await (await fetch(stage.baseUrl + path, { headers: { accept: 'text/html' } })).text();
      return text.includes('Every holder since it was made') ? text : null;
    });
    expect(holders).toContain('<strong>Made</strong>');
    expect(holders).toContain(`<a href="/agent/${two.sells.handle}">`);
    expect((await stage.api.get('/lots/lst_none')).status).toBe(404);
    expect((await stage.api.get(`${path}?handle=nobody-here`)).status).toBe(404);
  });

  it('the read-back of a mandate asks for the choice, until the mandate or the settings make it', async () => {
    const owner = await stage.owner();
    const mandate = `Buy digital products, max 300 USDC per deal, until ${inDays(30)}.`;
    const opened = async (handle: string, text: string) => {
      const body = { owner: owner.address, handle, mandate: text, tier: 'AGENT' };
      return (await stage.api.post('/agent/checkout', body)).body;
    };
    const { openChoice } = await opened('asked-about', mandate);
    expect(openChoice.question).toMatch(/could not be judged, shall it stop, ask you, or go on\?/);
    expect(openChoice.offers).toHaveLength(3);
    expect(await opened('has-answered', `${mandate} ${openChoice.offers[2]}`)).not.toHaveProperty(
      'openChoice',
    );
    await choose(owner, { onInconclusive: 'ask' });
    expect(await opened('has-chosen', mandate)).not.toHaveProperty('openChoice');
  });

  it('a mandate that would go on without a wallet, a double pledge or itself gets a question and is refused', async () => {
    const owner = await stage.owner();
    for (const clause of [
      'If the wallet cannot be judged, go on.',
      'Proceed when the double pledge check is inconclusive.',
      'If the mandate cannot be judged, ask me.',
    ]) {
      const mandate = `Buy digital products, max 300 USDC per deal, until ${inDays(30)}. ${clause}`;
      const body = { owner: owner.address, handle: 'goes-too-far', mandate, tier: 'AGENT' };
      const refused = await stage.api.post('/agent/checkout', body);
      expect([refused.status, refused.body.code]).toEqual([422, 'mandate-refused']);
      expect(refused.body.questions[0]).toMatchObject({
        reason: 'NEVER_WAIVED',
        question: expect.stringContaining('cannot be chosen'),
      });
    }
  });
});

describe('whatever is chosen', () => {
  it('a mandate that could not be checked is never waived', async () => {
    const two = await pair('Require a clean provenance check.');
    for (const owner of [two.buyer, two.seller]) await choose(owner, { onInconclusive: 'proceed' });
    const stopped = await deal(two, 'stopped');
    expect(stopped.reason).toMatch(
      /^the mandate could not be judged for the buyer \(.*\), and no choice lets a deal go on without that$/,
    );
    const record = await determined(two.buys);
    expect(record.effect).toBe('stop');
    expect(record.determinations).toContainEqual(
      expect.objectContaining({ id: 'mandate-compliance', verdict: 'INCONCLUSIVE' }),
    );
    expect(record.waivedBy).not.toContainEqual(
      expect.objectContaining({ determination: 'mandate-compliance' }),
    );
  });

  it('a wallet that could not be judged is never waived, and that is said before an order', async () => {
    const two = await pair('If anything is inconclusive, go on.');
    for (const owner of [two.buyer, two.seller]) await choose(owner, { onInconclusive: 'proceed' });
    await importList('sanctions', 30);
    try {
      const lot = await stage.listed(two.seller, two.sells, { askUsd: 40 });
      expect((await stage.api.post('/order', orderOf(two, lot))).body).toMatchObject({
        willNotBeJudged: ['wallet', ...UNJUDGED],
        yourSettingsThen: 'stop',
      });
      const stopped = await deal(two, 'stopped');
      expect(stopped.reason).toMatch(/the other side's wallet could not be judged for the \w+/);
      expect(stopped.reason).toContain('no choice lets a deal go on without that');
      const record = await determined(two.buys);
      expect(record.inconclusive).toContain('wallet');
      expect(record.waivedBy).not.toContainEqual(expect.objectContaining({ determination: 'wallet' }));
    } finally {
      await importList('sanctions', 0);
    }
  });
});
