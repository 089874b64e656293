import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { openDatabase } from '../../../store/database.ts';
import { findPostgres } from '../../../store/embedded.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** A finding causes what the owner chose and signed, and a stop if the owner chose nothing. */

let folder: ServiceFolder;
let service: ServiceProcess;
let story: Story;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let selling: Agent;
let buying: Agent;
/** The lot of the present case; a pair that was stopped does not match over the same lot again. */
let lot: Lot;
let lots: Lot[];

beforeAll(async () => {
  folder = await serviceFolder();
  service = await folder.start({ DECISION_SECONDS: '3600', APPROVAL_SECONDS: '30' });
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
  selling = await story.assemble(
    seller,
    'flagged-seller',
    'Sell digital products, max 500 USDC per deal, for 30 days.',
  );
  // A second order of 110 fits into the day's cap only when the reservation of the first one was released.
  buying = await story.assemble(
    buyer,
    'deciding-buyer',
    'Buy digital products, max 150 USDC per deal and 150 USDC per day, for 30 days.',
  );
  lots = [];
  // Nobody in the lots' own custody is listed below, so that the only finding is about the key by which the seller acts.
  for (let n = 0; n < 4; n++)
    lots.push(await story.list(seller, selling, { askUsd: 120, floorUsd: 100 }, await story.owner()));
  [lot] = lots as [Lot];
  await story.give(buyer, buying.account, 300);
  // The key is listed only after the lots, so that only the deal's own determination can find it.
  await story.importLists({ register: 'known-scam', address: await story.sessionKeyOf(selling) });
});
afterAll(() => folder.remove());

interface Deal {
  readonly dealId: string;
  readonly state: string;
  readonly reason: string | null;
  readonly deadline: string | null;
  readonly findings: readonly {
    readonly side: string;
    readonly determination: string;
    readonly verdict: string;
    readonly effect: string;
    readonly reasons: string[];
  }[];
  readonly tx: string | null;
}

async function matched(owner: PrivateKeyAccount, agent: Agent, of: Lot, limitUsd: number): Promise<string> {
  const placed = await story.order(owner, agent, of, limitUsd);
  expect(placed.body).toMatchObject({ status: 'matched' });
  return placed.body.match.dealId;
}

async function dealAs(owner: PrivateKeyAccount, agent: Agent, dealId: string): Promise<Deal> {
  const { body } = await story.api.signedGet(owner, `/agent/${agent.handle}/deals`);
  return body.items.find((d: Deal) => d.dealId === dealId);
}

function dealIn(state: string, owner: PrivateKeyAccount, agent: Agent, dealId: string): Promise<Deal> {
  return until(`the deal to be ${state}`, async () => {
    const deal = await dealAs(owner, agent, dealId);
    return deal.state === state ? deal : null;
  });
}

function decide(owner: PrivateKeyAccount, agent: Agent, dealId: string, decision: 'proceed' | 'stop') {
  return story.api.signedPost(owner, `/deals/${dealId}/decision`, { handle: agent.handle, decision });
}

async function choose(owner: PrivateKeyAccount, onFlagged: 'stop' | 'ask'): Promise<void> {
  const answer = await story.api.signedPost(owner, '/settings', { wallet: owner.address, onFlagged });
  expect(answer.status).toBe(200);
}

/** Checks that the lot is for sale as before, and that neither the asset nor any money has moved. */
async function expectUntouched(): Promise<void> {
  const { items: rows } = (await story.api.get('/catalogue')).body;
  expect(rows.map((r: { listingRef: string }) => r.listingRef)).toContain(lot.listingRef);
  const { items: book } = (await story.api.get('/orders')).body;
  expect(book.map((r: { lot: string }) => r.lot)).toContain(lotKey());
  const chain = story.chain();
  expect(await chain.usdcOf(buying.account)).toBe(300_000_000n);
  expect(await chain.usdcOf(selling.account)).toBe(0n);
  expect((await chain.ownerOf(lot)).toLowerCase()).toBe(selling.account.toLowerCase());
  expect(await chain.settlements()).toBe(0);
}

function lotKey(): string {
  return `eip155:1002/erc721:${lot.contract.toLowerCase()}/${lot.tokenId}`;
}

/** Each case is independent: whichever runs first makes this deal. */
let stopped: Promise<Deal> | null = null;
function stoppedUnasked(): Promise<Deal> {
  stopped ??= matched(buyer, buying, lot, 110).then((dealId) => dealIn('stopped', buyer, buying, dealId));
  return stopped;
}

/** Waits for one more record of a decision than before. */
function oneMoreThan(before: readonly unknown[]): Promise<true> {
  return until('its record', async () =>
    (await decisionsOf(buying)).length === before.length + 1 ? true : null,
  );
}

async function decisionsOf(agent: Agent): Promise<{ recordId: string; subject: string }[]> {
  const { items } = (await story.api.get(`/agent/${agent.handle}/activity?limit=100`)).body;
  return items.filter((r: { kind: string }) => r.kind === 'flag-decision');
}

describe('a deal in which one side is FLAGGED', () => {
  it('stops if its owner never chose anything, and leaves everything as it was before the match', async () => {
    const setting = await story.api.get(`/settings/${buyer.address}`);
    expect(setting.body.onFlagged).toBe('stop');

    const deal = await stoppedUnasked();
    expect(deal.reason).toBe('the buyer found: wallet');
    expect(deal.tx).toBeNull();
    await until('the lot to be listed again', async () => {
      const { items } = (await story.api.get('/orders')).body;
      return items.some((r: { lot: string }) => r.lot === lotKey()) ? true : null;
    });
    await expectUntouched();
  });

  it('leaves a public record with both agents that reports the stop without an amount', async () => {
    await stoppedUnasked();
    const [stop] = await until('the record', async () => {
      const found = await decisionsOf(buying);
      return found.length > 0 ? found : null;
    });
    expect(stop?.subject).toBe(lotKey());
    expect((await decisionsOf(selling)).map((r) => r.recordId)).toEqual([stop?.recordId]);
    const { record } = (await story.api.get(`/records/${stop?.recordId}`)).body;
    expect(record.content).toMatchObject({ decision: 'stop', lot: lotKey() });
    const told = JSON.stringify([record.summary, record.content]);
    expect(told).not.toMatch(/(?<![0-9a-f])(?:100|105|110|120|150)(?![0-9a-f])/);
    expect(told).not.toMatch(/usd/i);
  });

  it('ignores a choice that its owner did not sign', async () => {
    const choice = { wallet: buyer.address, onFlagged: 'ask' };
    expect((await story.api.post('/settings', choice)).status).toBe(401);
    expect((await story.api.signedPost(seller, '/settings', choice)).body.code).toBe('signature-invalid');
    expect((await story.api.get(`/settings/${buyer.address}`)).body.onFlagged).toBe('stop');
  });

  it('waits if its owner chose to be asked, shows only that owner the findings, and unwinds on stop', async () => {
    await choose(buyer, 'ask');
    const before = await decisionsOf(buying);
    const dealId = await matched(buyer, buying, lot, 110);
    const deal = await dealIn('awaiting-owner', buyer, buying, dealId);
    const [found, ...others] = deal.findings.toSorted((a, b) => (a.verdict < b.verdict ? -1 : 1));
    expect(found).toMatchObject({
      side: 'buyer',
      determination: 'wallet',
      verdict: 'FLAGGED',
      effect: 'ask',
    });
    expect(found?.reasons.join()).toMatch(/known-scam/);
    for (const other of others) expect(other).toMatchObject({ verdict: 'INCONCLUSIVE', effect: 'proceed' });
    expect(Date.parse(deal.deadline as string)).toBeGreaterThan(Date.now());

    const path = `/agent/${buying.handle}/deals`;
    expect((await story.api.get(path)).status).toBe(401);
    expect((await story.api.signedGet(seller, path)).status).toBe(401);
    const theirs = (await dealAs(seller, selling, dealId)).findings;
    expect(theirs.filter((f) => f.side === 'buyer' || f.verdict === 'FLAGGED')).toEqual([]);
    const decision = { handle: buying.handle, decision: 'proceed' };
    expect((await story.api.post(`/deals/${dealId}/decision`, decision)).status).toBe(401);
    expect((await story.api.signedPost(seller, `/deals/${dealId}/decision`, decision)).status).toBe(401);
    // The other side was not asked, so its agreement is no decision.
    const unasked = await decide(seller, selling, dealId, 'proceed');
    expect([unasked.status, unasked.body.code]).toEqual([409, 'conflict']);
    expect(unasked.body.detail).toContain("the deal waits for the buyer's owner");
    expect((await dealAs(buyer, buying, dealId)).state).toBe('awaiting-owner');

    expect((await decide(buyer, buying, dealId, 'stop')).status).toBe(202);
    const stopped = await dealIn('stopped', buyer, buying, dealId);
    expect(stopped.reason).toBe("the buyer's owner stopped the deal");
    expect(stopped.deadline).toBeNull();
    await oneMoreThan(before);
    await expectUntouched();
    expect((await decide(buyer, buying, dealId, 'proceed')).body.code).toBe('conflict');
    expect(await story.chain().settlements()).toBe(0);
  });

  it('also stops when the side that was not asked wants it to', async () => {
    lot = lots[1]!;
    await choose(buyer, 'ask');
    const before = await decisionsOf(buying);
    const dealId = await matched(buyer, buying, lot, 110);
    await dealIn('awaiting-owner', buyer, buying, dealId);
    expect((await decide(seller, selling, dealId, 'stop')).status).toBe(202);
    const stopped = await dealIn('stopped', buyer, buying, dealId);
    expect(stopped.reason).toBe("the seller's owner stopped the deal");
    await oneMoreThan(before);
    await expectUntouched();
  });

  it('unwinds when the time to decide is over, even across a restart', { timeout: 400_000 }, async () => {
    lot = lots[2]!;
    await choose(buyer, 'ask');
    const before = await decisionsOf(buying);
    const dealId = await matched(buyer, buying, lot, 110);
    const waiting = await dealIn('awaiting-owner', buyer, buying, dealId);
    const left = Date.parse(waiting.deadline as string) - Date.now();
    expect([left > 0, left <= 3_600_000]).toEqual([true, true]);
    service.kill('SIGKILL');
    await service.ended;
    // The hour passes while no service runs; the database survives a service that was killed.
    const db = openDatabase((await findPostgres(folder.dataDir)) as string, { max: 1 });
    const { numUpdatedRows } = await db
      .updateTable('timers')
      .set({ due_at: new Date() })
      .where('actor_id', '=', `deal:${dealId}`)
      .where('timer_id', 'like', '%decision%')
      .where('fired_at', 'is', null)
      .executeTakeFirst();
    await db.destroy();
    expect(numUpdatedRows).toBe(1n);
    service = await folder.start({ APPROVAL_SECONDS: '30' });
    const stopped = await dealIn('stopped', buyer, buying, dealId);
    expect(stopped.reason).toBe('the owner did not decide in time');
    await oneMoreThan(before);
    await expectUntouched();
  });

  it('settles when its owner proceeds', async () => {
    lot = lots[3]!;
    await choose(buyer, 'ask');
    const before = await decisionsOf(buying);
    const dealId = await matched(buyer, buying, lot, 110);
    await dealIn('awaiting-owner', buyer, buying, dealId);
    // Records are dated by the second.
    const waited = Math.floor(Date.now() / 1000) * 1000;
    await until('another second', async () => (Date.now() >= waited + 1_000 ? true : null));
    expect((await decide(buyer, buying, dealId, 'proceed')).status).toBe(202);
    const done = await dealIn('recorded', buyer, buying, dealId);
    expect(done.tx).toMatch(/^0x[0-9a-f]{64}$/);
    const chain = story.chain();
    expect(await chain.usdcOf(buying.account)).toBe(195_000_000n);
    expect(await chain.usdcOf(selling.account)).toBe(102_900_000n);
    expect((await chain.ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
    // That an owner went on despite a finding is as public as a stop.
    await oneMoreThan(before);
    const [went] = await decisionsOf(buying);
    const { items } = (await story.api.get(`/agent/${buying.handle}/activity?limit=100`)).body;
    const sale = items.find((r: { kind: string }) => r.kind === 'deal-settled');
    for (const id of [went?.recordId, sale.recordId]) {
      const { record } = (await story.api.get(`/records/${id}`)).body;
      expect(Date.parse(record.issuedAt)).toBeGreaterThan(waited);
    }
    const { record } = (await story.api.get(`/records/${went?.recordId}`)).body;
    expect(record.content).toMatchObject({ dealId, decision: 'proceed', lot: lotKey() });
    expect(record.content.determinations).toHaveLength(1);
  });
});

describe('a mandate that asks above a price', () => {
  it('lets a deal up to that price settle, and has its owner approve a higher one once, although nothing was found', async () => {
    const [maker, careful] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
    const clean = await story.assemble(
      maker,
      'clean-seller',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    const asking = await story.assemble(
      careful,
      'careful-buyer',
      'Buy digital products, max 150 USDC per deal, ask me before anything above 100 USDC, for 30 days.',
    );
    await story.give(careful, asking.account, 300);

    const cheap = await story.list(maker, clean, { askUsd: 95, floorUsd: 90 });
    const below = await matched(careful, asking, cheap, 95);
    const passed = (await dealIn('recorded', careful, asking, below)).findings;
    expect(passed.filter((f) => f.effect !== 'proceed')).toEqual([]);

    const dear = await story.list(maker, clean, { askUsd: 120, floorUsd: 100 });
    const above = await matched(careful, asking, dear, 110);
    const waiting = await dealIn('awaiting-owner', careful, asking, above);
    expect(waiting.reason).toBe("the price needs its owner's approval");
    expect((await story.chain().ownerOf(dear)).toLowerCase()).toBe(clean.account.toLowerCase());

    expect((await decide(careful, asking, above, 'proceed')).status).toBe(202);
    await dealIn('recorded', careful, asking, above);
    expect((await story.chain().ownerOf(dear)).toLowerCase()).toBe(asking.account.toLowerCase());

    // Approvals and refusals arrive at the same time, many times over: the one that counts decides.
    const contested = await story.list(maker, clean, { askUsd: 120, floorUsd: 100 });
    await story.give(careful, asking.account, 200);
    const dealId = await matched(careful, asking, contested, 110);
    await dealIn('awaiting-owner', careful, asking, dealId);
    const said = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0 ? ('proceed' as const) : ('stop' as const),
    );
    const answers = await Promise.all(said.map((decision) => decide(careful, asking, dealId, decision)));
    expect(answers.map((a) => a.status).sort()).toEqual([202, ...Array(19).fill(409)]);
    const { decision } = answers.find((a) => a.status === 202)?.body ?? {};
    for (const { status, body } of answers) {
      if (status === 409)
        expect([body.code, body.detail]).toEqual([
          'conflict',
          expect.stringContaining(
            decision === 'stop'
              ? "the buyer's owner stopped the deal"
              : "the buyer's owner decided to proceed",
          ),
        ]);
    }
    await dealIn(decision === 'stop' ? 'stopped' : 'recorded', careful, asking, dealId);
    // Nothing was found on any of these deals, so approving a price, or not, is no decision on a finding.
    expect(await decisionsOf(asking)).toEqual([]);
    const holder = decision === 'stop' ? clean.account : asking.account;
    expect((await story.chain().ownerOf(contested)).toLowerCase()).toBe(holder.toLowerCase());
  });

  it('keeps nobody else from a lot for long whose buyer only asks himself, and never answers', async () => {
    const owners = [story.proceedingOwner(), story.proceedingOwner(), story.proceedingOwner()] as const;
    const [maker, silent, ready] = await Promise.all(owners);
    const sells = await story.assemble(
      maker,
      'stalled-seller',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    const stalls = await story.assemble(
      silent,
      'silent-buyer',
      'Buy digital products, max 150 USDC per deal, ask me before anything above 1 USDC, for 30 days.',
    );
    const buys = await story.assemble(
      ready,
      'ready-buyer',
      'Buy digital products, max 150 USDC per deal, for 30 days.',
    );
    await story.give(silent, stalls.account, 100);
    await story.give(ready, buys.account, 120);
    const dear = await story.list(maker, sells, { askUsd: 120, floorUsd: 100 });
    const stalled = await matched(silent, stalls, dear, 100);
    const { deadline } = await dealIn('awaiting-owner', silent, stalls, stalled);
    expect(Date.parse(deadline as string) - Date.now()).toBeLessThanOrEqual(30_000);

    expect((await dealIn('stopped', silent, stalls, stalled)).reason).toBe(
      'the owner did not decide in time',
    );
    await until('the lot to be for sale again', async () =>
      (await story.api.get(`/lots/${dear.listingRef}`)).status === 200 ? true : null,
    );
    await matched(ready, buys, dear, 120);
    await until('the lot to be theirs who were ready', async () =>
      (await story.chain().ownerOf(dear)).toLowerCase() === buys.account.toLowerCase() ? true : null,
    );
  });
});
