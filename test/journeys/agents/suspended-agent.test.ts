import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { type CardDesk, cardDesk } from '../../fixtures/servers/card-desk.ts';
import { TRADES, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** An agent works as long as the money that bought it stays. */

let stage: WireStage;
let desk: CardDesk;

beforeAll(async () => {
  stage = await wireStage();
  desk = cardDesk(stage);
});
afterAll(() => stage.stop());

const stands = async (listingRef: string): Promise<boolean> => {
  const { body } = await stage.api.get('/catalogue?limit=100');
  return body.items.some((row: { listingRef: string }) => row.listingRef === listingRef);
};

describe('an agent whose money is charged back', () => {
  const statusOf = async (handle: string) => (await stage.api.get(`/agent/${handle}`)).body.status;
  const becomes = (handle: string, status: string) =>
    until(`${handle} ${status}`, async () => ((await statusOf(handle)) === status ? true : null));

  async function bought(handle: string, card?: string) {
    const owner = await stage.owner();
    const opened = expectStatus(
      await stage.api.post('/agent/checkout', {
        owner: owner.address,
        handle,
        mandate: TRADES,
        tier: 'AGENT',
      }),
      201,
      'opening',
    );
    await desk.pay(opened.checkoutUrl, card);
    await until('the mint', async () => {
      const { body } = await stage.api.get(`/agent/checkout/${opened.checkoutId}`);
      return body.status === 'minted' ? body : null;
    });
    const { account } = (await stage.api.get(`/agent/${handle}`)).body;
    return { owner, agent: { handle, account }, page: opened.checkoutUrl as string };
  }

  it('is suspended by a refund: its orders leave the book and it places no others', async () => {
    const { owner, agent, page } = await bought('refunded-seller');
    const listing = await stage.listed(owner, agent);
    await desk.refund(page);
    await becomes(agent.handle, 'suspended');
    await until('the withdrawal', async () => ((await stands(listing.listingRef)) ? null : true));
    const other = await stage.owner();
    const wanted = await stage.listed(other, await stage.agent(other));
    const order = {
      handle: agent.handle,
      side: 'buy',
      listingRef: wanted.listingRef,
      category: 'digital-products',
      limitUsd: 10,
    };
    const refused = await stage.api.signedPost(owner, '/order', order);
    expect([refused.status, refused.body.code]).toEqual([409, 'agent-not-active']);
  });

  it('is suspended by a dispute from its mint on, and reinstated when the dispute is won', async () => {
    const { agent, page } = await bought('disputed-buyer', '4000000000000259');
    await becomes(agent.handle, 'suspended');
    await desk.decide(page, 'winning_evidence');
    await becomes(agent.handle, 'active');
  });
});
