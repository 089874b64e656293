import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { dealRecordId } from '../../../runtime/records/record-id.ts';
import { openDatabase } from '../../../store/database.ts';
import { findPostgres } from '../../../store/embedded.ts';
import { attested } from '../../fixtures/attested.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../../fixtures/story-stage.ts';

/** A deal that waited for its owner for hours settles by what is true then, not by what was determined before. */

let folder: ServiceFolder;
let story: Story;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let selling: Agent;
let buying: Agent;

beforeAll(async () => {
  folder = await serviceFolder();
  await folder.start({ DECISION_SECONDS: '86400' });
  story = storyOn(folder);
  await story.importLists();
  [seller, buyer] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
  selling = await story.assemble(
    seller,
    'waits-seller',
    'Sell digital products, max 500 USDC per deal, for 30 days.',
  );
  buying = await story.assemble(
    buyer,
    'waits-buyer',
    'Buy digital products, max 150 USDC per deal, ask me before anything above 100 USDC, for 30 days.',
  );
  await story.give(buyer, buying.account, 600);
});
afterAll(() => folder.remove());

interface Deal {
  readonly dealId: string;
  readonly state: string;
  readonly reason: string | null;
  readonly findings: readonly { readonly determination: string; readonly effect: string }[];
}

function dealIn(state: string, dealId: string): Promise<Deal> {
  return until(`the deal to be ${state}`, async () => {
    const { body } = await story.api.signedGet(buyer, `/agent/${buying.handle}/deals`);
    const deal = body.items.find((d: Deal) => d.dealId === dealId);
    return deal.state === state ? deal : null;
  });
}

const decide = (dealId: string) =>
  story.api.signedPost(buyer, `/deals/${dealId}/decision`, { handle: buying.handle, decision: 'proceed' });

const choose = (onFlagged: 'stop' | 'ask') =>
  story.api.signedPost(buyer, '/settings', { wallet: buyer.address, onFlagged });

/** A deal that asks its buyer for the price alone, five hours after both sides determined. */
async function waited(): Promise<{ dealId: string; lot: Lot }> {
  const lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 }, await story.owner());
  const placed = await story.order(buyer, buying, lot, 110);
  const { dealId } = placed.body.match;
  expect((await dealIn('awaiting-owner', dealId)).reason).toBe("the price needs its owner's approval");
  const db = openDatabase((await findPostgres(folder.dataDir)) as string, { max: 1 });
  // As a batch writes it: with another revision, which what this process remembers does not have.
  const { rows } = await sql`
    update actors set revision = revision + 1,
      snapshot = jsonb_set(snapshot, '{context,at}', to_jsonb((snapshot #>> '{context,at}')::bigint - 18000000))
    where id = ${`deal:${dealId}`} and snapshot #>> '{context,at}' is not null returning id`.execute(db);
  await db.destroy();
  expect(rows).toHaveLength(1);
  return { dealId, lot };
}

async function contentOf(recordId: string) {
  const { status, body } = await story.api.get(`/records/${recordId}`);
  return status === 200 ? body.record.content : null;
}

/** What a record of this kind about the deal rests on, once it is filed. */
const determinationsOf = (dealId: string, kind: string): Promise<string[]> =>
  until(`the ${kind} record`, async () => {
    const { body } = await story.api.get(`/agent/${buying.handle}/activity?limit=100`);
    for (const { recordId } of body.items.filter((r: { kind: string }) => r.kind === kind)) {
      const content = await contentOf(recordId);
      if (content?.dealId === dealId) return content.determinations as string[];
    }
    return null;
  });

async function reportStolen(key: string): Promise<void> {
  const { operatorApiKey } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8'));
  const url = `http://127.0.0.1:${folder.env.PORT}/register/stolen?source=test&${attested()}`;
  const headers = { authorization: `Bearer ${operatorApiKey}`, 'content-type': 'text/csv' };
  const answer = await fetch(url, { method: 'POST', headers, body: `key\n${key}\n` });
  expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
}

async function expectUnmoved(lot: Lot): Promise<void> {
  expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(selling.account.toLowerCase());
}

describe('a deal whose owner decides hours after it was determined', () => {
  it('is determined once more, and settles without a second question where nothing changed', async () => {
    const { dealId, lot } = await waited();
    expect((await decide(dealId)).status).toBe(202);
    await dealIn('recorded', dealId);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
    const sides = ['buyer', 'seller'] as const;
    for (const side of sides) {
      expect(await contentOf(dealRecordId(dealId, side))).not.toHaveProperty('supersedes');
      expect(await contentOf(dealRecordId(dealId, side, 2))).toMatchObject({
        ...{ dealId, supersedes: dealRecordId(dealId, side) },
      });
      expect(await contentOf(dealRecordId(dealId, side, 3))).toBeNull();
    }
    expect(await determinationsOf(dealId, 'deal-settled')).toEqual(
      sides.map((side) => dealRecordId(dealId, side, 2)).sort(),
    );
  });

  it('is stopped when its goods were reported stolen meanwhile', async () => {
    await choose('stop');
    const { dealId, lot } = await waited();
    await reportStolen(`eip155:1002/erc721:${lot.contract.toLowerCase()}/${lot.tokenId}`);
    expect((await decide(dealId)).status).toBe(202);
    const stopped = await dealIn('stopped', dealId);
    expect(stopped.reason).toContain('provenance');
    await expectUnmoved(lot);
    expect(await determinationsOf(dealId, 'flag-decision')).toEqual(
      (['buyer', 'seller'] as const).map((side) => dealRecordId(dealId, side, 2)).sort(),
    );
  });

  it('asks that owner again when a list names the other side meanwhile, and goes on when it agrees to that', async () => {
    await choose('ask');
    const { dealId, lot } = await waited();
    await story.importLists({ register: 'known-scam', address: await story.sessionKeyOf(selling) });
    expect((await decide(dealId)).status).toBe(202);
    const asked = await until('the second question', async () => {
      const deal = await dealIn('awaiting-owner', dealId);
      return deal.findings.some((f) => f.determination === 'wallet') ? deal : null;
    });
    expect(asked.reason).toContain('the buyer found: wallet');
    await expectUnmoved(lot);
    expect((await decide(dealId)).status).toBe(202);
    await dealIn('recorded', dealId);
    expect(await determinationsOf(dealId, 'flag-decision')).toEqual([dealRecordId(dealId, 'buyer', 2)]);
    expect((await story.chain().ownerOf(lot)).toLowerCase()).toBe(buying.account.toLowerCase());
  });
});
