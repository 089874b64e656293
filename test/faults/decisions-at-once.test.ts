import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asked } from '../../agents/deal/asked.ts';
import { Refusal } from '../../agents/errors.ts';
import { until } from '../../runtime/cli/demo/client.ts';
import { decideDeal } from '../../runtime/deal/decide-deal.ts';
import { deliver } from '../../runtime/durable/actors/mailbox.ts';
import { processMailbox } from '../../runtime/durable/actors/process-mailbox.ts';
import { spawnActor } from '../../runtime/durable/actors/spawn.ts';
import { dealActor } from '../../runtime/machines.ts';
import type { Services } from '../../runtime/services.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { findDeal } from '../../store/deal/deals.ts';
import { fireDueTimers } from '../../store/durable/timers.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

/** Owners' decisions on one deal in two processes, each with its own connection to the one database. */

let database: TestDatabase;
let second: Database;
let market: ReturnType<typeof marketStage>;

beforeAll(async () => {
  database = await testDatabase();
  second = openDatabase(database.url);
  market = marketStage(database.db);
});
afterAll(async () => {
  await second?.destroy();
  await database?.drop();
});

interface Waiting {
  readonly dealId: string;
  readonly buyer: string;
  readonly seller: string;
}

const DECISION_MS = 60_000;
const APPROVAL_MS = 20_000;

/** A deal that waits for the owners of these sides. */
const waitingFor = (...sides: readonly ('buyer' | 'seller')[]): Promise<Waiting> => waitingOver({}, ...sides);

/** The same, and what each of them is asked about. */
async function waitingOver(over: Asked, ...asked: readonly ('buyer' | 'seller')[]): Promise<Waiting> {
  const [seller, buyer] = [await market.agent(), await market.agent()];
  const { match } = await market.order(buyer, await market.list(seller), { limit: 100_000_000n });
  const { dealId } = match!;
  const now = market.now();
  await market.inTrx(async (trx) => {
    const input = { dealId, decisionMs: DECISION_MS, approvalMs: APPROVAL_MS };
    const actorId = await spawnActor(trx, dealActor, { key: dealId, input, now });
    const outcomeOf = (side: 'buyer' | 'seller') => (asked.includes(side) ? 'ask' : 'pass');
    const outcomes = { buyer: outcomeOf('buyer'), seller: outcomeOf('seller') };
    const event = { type: 'DETERMINED', outcomes, asked: over, reason: `the ${asked[0]} found: wallet` };
    await deliver(trx, { actorId, eventId: 'determined', event, now });
  });
  await processMailboxOf(dealId);
  expect((await findDeal(database.db, dealId))?.state).toBe('awaiting-owner');
  return { dealId, buyer, seller };
}

async function processMailboxOf(dealId: string): Promise<void> {
  const machines = new Map([[dealActor.kind, dealActor]]);
  const deps = { db: database.db, machines, now: market.now, crash: () => {} };
  expect((await processMailbox(deps, `deal:${dealId}`)).kind).toBe('served');
}

/** @returns null when the decision counts, otherwise the error */
async function decide(
  { dealId }: Waiting,
  handle: string,
  decision: 'proceed' | 'stop',
  db = database.db,
): Promise<string | null> {
  const services = { db, now: market.now, notifier: { actor() {} } } as unknown as Services;
  try {
    await decideDeal(services, { dealId, handle, decision }, () => {});
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'conflict') throw error;
    return error.message;
  }
}

/** The state of the deal after its actor has processed the decisions. */
async function outcomeOf({ dealId }: Waiting): Promise<string> {
  await processMailboxOf(dealId);
  const deal = await findDeal(database.db, dealId);
  return `${deal?.state} ${deal?.reason}`;
}

describe('simultaneous decisions on one deal', () => {
  it.each([0, 1, 2])('count exactly once, and the deal does what the counted one said (%i)', async (n) => {
    const deal = await waitingFor('buyer');
    const decisions = Array.from({ length: 20 }, (_, i) => ((i + n) % 2 === 0 ? 'proceed' : 'stop'));
    const told = await Promise.all(
      decisions.map((decision, i) =>
        decide(deal, deal.buyer, decision as 'stop', i % 4 < 2 ? second : database.db),
      ),
    );
    const counted = decisions.filter((_, i) => told[i] === null);
    expect(counted).toHaveLength(1);
    const [stands, ends] =
      counted[0] === 'stop'
        ? [
            "The deal was stopped: the buyer's owner stopped the deal.",
            "stopped the buyer's owner stopped the deal",
          ]
        : [
            "The deal goes on: the buyer's owner decided to proceed, and it is settling.",
            'settling the buyer found: wallet',
          ];
    expect(new Set(told.filter((text) => text !== null))).toEqual(new Set([stands]));
    expect(await outcomeOf(deal)).toBe(ends);
    expect(await decide(deal, deal.buyer, counted[0] as 'stop')).toBe(stands);
  });

  it('let each owner who was asked decide once, and still stop a deal that waits for the other', async () => {
    const deal = await waitingFor('buyer', 'seller');
    const agrees = await Promise.all(
      [1, 2, 3, 4].map((i) => decide(deal, deal.buyer, 'proceed', i % 2 ? second : database.db)),
    );
    expect(agrees.filter((text) => text === null)).toHaveLength(1);
    expect(agrees).toContain("The buyer's owner decided to proceed: the deal waits for the seller's owner.");
    const ends = await Promise.all([
      decide(deal, deal.seller, 'proceed', second),
      decide(deal, deal.buyer, 'stop'),
    ]);
    expect(ends.filter((text) => text === null)).toHaveLength(1);
    expect(await outcomeOf(deal)).toBe(
      ends[0] === null ? 'settling the buyer found: wallet' : "stopped the buyer's owner stopped the deal",
    );
    const [late] = ends.filter((text) => text !== null);
    expect(late).toMatch(
      ends[0] === null
        ? /the buyer's owner and the seller's owner decided to proceed/
        : /the buyer's owner stopped/,
    );
  });

  it('do not count as the agreement of an owner who was not asked, but that owner’s stop counts', async () => {
    const deal = await waitingFor('buyer');
    expect(await decide(deal, deal.seller, 'proceed')).toBe(
      "The seller's owner was not asked: the deal waits for the buyer's owner, and only a stop would count.",
    );
    expect(await decide(deal, deal.seller, 'stop')).toBeNull();
    expect(await outcomeOf(deal)).toBe("stopped the seller's owner stopped the deal");
  });

  it('leave each owner the time that it was shown: the buyer’s is short, who asks himself alone', async () => {
    const over = { buyer: ['approval'], seller: ['approval'] };
    const deal = await waitingOver(over, 'buyer', 'seller');
    const deadline = async () => (await findDeal(database.db, deal.dealId))?.deadline?.getTime();
    const asked = market.now().getTime();
    expect(await deadline()).toBe(asked + APPROVAL_MS);
    market.tick(APPROVAL_MS / 2);
    expect(await decide(deal, deal.buyer, 'proceed')).toBeNull();
    await processMailboxOf(deal.dealId);
    expect(await deadline()).toBe(asked + DECISION_MS);
    expect(await fireDueTimers(database.db, market.tick(APPROVAL_MS), 1_000)).toContain(
      `deal:${deal.dealId}`,
    );
    expect(await outcomeOf(deal)).toMatch(/^awaiting-owner/);

    const silent = await waitingOver(over, 'buyer');
    await fireDueTimers(database.db, market.tick(APPROVAL_MS), 1_000);
    expect(await outcomeOf(silent)).toBe('stopped the owner did not decide in time');
  });

  it('do not count when they come while the time to decide expires', async () => {
    const deal = await waitingFor('buyer');
    let answer: string | null | undefined;
    const [asked] = await database.db.transaction().execute(async (trx) => {
      expect(await fireDueTimers(trx, market.later(DECISION_MS), 1_000)).toContain(`deal:${deal.dealId}`);
      const asks = decide(deal, deal.buyer, 'proceed', second).then((text) => {
        answer = text;
      });
      await until('the decision to wait for it, or to have its answer', async () => {
        const { rows } = await sql`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
        return rows.length > 0 || answer !== undefined ? true : null;
      });
      return [asks];
    });
    await asked;
    expect(answer).toBe('The deal was stopped: the owner did not decide in time.');
    expect(await outcomeOf(deal)).toBe('stopped the owner did not decide in time');
  });
});
