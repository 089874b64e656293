import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { attested } from '../../fixtures/attested.ts';
import {
  confirmed,
  inDays,
  TRADES,
  type WireAgent,
  type WireListing,
  type WireStage,
  wireStage,
} from '../wire/wire-stage.ts';

/** Anybody has an agent minted for a wallet that signs nothing for it: it trades, and is in no other agent's way. */

let stage: WireStage;
let seller: PrivateKeyAccount;
let stranger: PrivateKeyAccount;
let sells: WireAgent;

const LASTS_MS = { timeoutMs: 120_000 };

beforeAll(async () => {
  stage = await wireStage({ WATCH_SECONDS: '1' });
  for (const register of ['sanctions', 'known-scam'])
    await importRows(register, ['{"address":"0x00000000000000000000000000000000deadbeef"}']);
  [seller, stranger] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  sells = await stage.agent(seller);
  const { contract } = await stage.mintTo(seller.address);
  const sold = [96, 98, 99, 100, 100, 100, 101, 102, 103, 104].map((priceUsd, n) => ({
    item: `eip155:1002/erc721:${contract}/${900_000 + n}`,
    ...{ category: 'digital-products', priceUsd },
    soldAt: new Date(Date.now() - (n + 1) * 86_400_000).toISOString(),
  }));
  await importRows(
    'comparables',
    sold.map((sale) => JSON.stringify(sale)),
  );
});
afterAll(() => stage?.stop());

async function importRows(register: string, lines: readonly string[]): Promise<void> {
  const response = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  expect(response.status, await response.text()).toBe(201);
}

const gift = (owner: PrivateKeyAccount, mandate: string) =>
  stage.agent(stranger, { owner: owner.address, mandate });

const statusesOf = async ({ handle }: WireAgent, { listingRef }: WireListing): Promise<string[]> => {
  const orders = stage.db.selectFrom('orders').select('status').where('handle', '=', handle);
  const rows = await orders.where('listing_ref', '=', listingRef).orderBy('seq').execute();
  return rows.map(({ status }) => status);
};

const comesTo = (agent: WireAgent, lot: WireListing, statuses: readonly string[]) =>
  until(
    `an order of ${agent.handle} to be ${statuses.join(' or ')}`,
    async () => ((await statusesOf(agent, lot)).some((status) => statuses.includes(status)) ? true : null),
    LASTS_MS,
  );

const listed = () => stage.listed(seller, sells, { askUsd: 100, negotiable: true, floorUsd: 80 });

describe('an agent for which its owner gave no word', () => {
  it('bids by itself, and yields to the one for which the owner did', async () => {
    const owner = await stage.proceedingOwner();
    const own = await stage.agent(owner);
    const given = await gift(owner, `Buy digital products, max 62 USDC per deal, until ${inDays(30)}.`);
    await stage.moveUsd(stranger, given.account, '62');
    const lot = await listed();
    await comesTo(given, lot, ['resting']);

    await confirmed(stage, owner, own, 'mandate', { mandate: TRADES });
    await stage.moveUsd(owner, own.account, '400');
    await comesTo(own, lot, ['matched', 'filled']);
    expect(await statusesOf(given, lot)).not.toContain('matched');
  });
});
