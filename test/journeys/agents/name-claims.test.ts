import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../runtime/cli/demo/client.ts';
import { registerName } from '../../../runtime/cli/dev.ts';
import { expectProblem, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** Other people's names: whoever comes first has a claim, and whoever holds the provider's token has a proof. */

let stage: WireStage;
let squatter: PrivateKeyAccount;
let holder: PrivateKeyAccount;
let squats: WireAgent;
let sells: WireAgent;

beforeAll(async () => {
  stage = await wireStage();
  [squatter, holder] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  [squats, sells] = await Promise.all([stage.agent(squatter), stage.agent(holder)]);
});
afterAll(() => stage.stop());

const list = (owner: PrivateKeyAccount, agent: WireAgent, name: string, terms: object = {}) =>
  stage.api.signedPost(owner, '/domains/listings', { handle: agent.handle, name, askUsd: 300, ...terms });
const rowOf = async (name: string) =>
  (await stage.api.get(`/domains/listings?name=${encodeURIComponent(name)}`)).body.items[0];
const register = (owner: PrivateKeyAccount, name: string, provider: 'a' | 'b' = 'a') =>
  registerName(stage.env, owner.address, name, provider);

describe('a name without a token', () => {
  it('is listed as its seller’s claim, unproven, here and on its page', async () => {
    expectStatus(await list(squatter, squats, 'vitalik.crypto'), 201, 'claiming a name');
    expect(await rowOf('vitalik.crypto')).toMatchObject({ control: "seller's claim, unproven" });
    const page = await fetch(`${stage.baseUrl}/names`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('seller&#39;s claim, unproven');
    expectProblem(await list(holder, sells, 'vitalik.crypto'), 409, 'double-pledge');
  });

  it('is displaced by the token of its provider, and cannot be claimed again', async () => {
    const token = await register(holder, 'vitalik.crypto');
    expectProblem(await list(holder, sells, 'vitalik.crypto'), 409, 'not-listed');
    expect((await rowOf('vitalik.crypto')).seller).toBe(squats.account.toLowerCase());
    await stage.moveToken(holder, token, sells.account);
    const listed = expectStatus(await list(holder, sells, 'vitalik.crypto'), 201, 'listing what one holds');
    expect(listed).not.toHaveProperty('certificate');
    expect(listed.token).toEqual({ contract: token.contract.toLowerCase(), tokenId: token.tokenId });
    expect(await rowOf('vitalik.crypto')).toMatchObject({
      control: 'proven',
      seller: sells.account.toLowerCase(),
    });
    const { body } = await stage.api.get('/domains/listings?name=vitalik.crypto');
    expect(body.items).toHaveLength(1);
    expectProblem(await list(squatter, squats, 'vitalik.crypto'), 409, 'double-pledge');
    await register(holder, 'kept.crypto');
    const refused = await list(squatter, squats, 'kept.crypto');
    expectProblem(refused, 409, 'not-listed');
    expect(refused.body.detail).toContain(holder.address);
  });

  it('is not kept from its holder by a pledge of the claim, and is by a pledge of the token', async () => {
    const claimed = expectStatus(
      await list(squatter, squats, 'pledged.crypto', { gate: 'owner-signed' }),
      201,
      'claiming a name',
    );
    const { items } = (await stage.api.signedGet(squatter, `/agent/${squats.handle}/orders`)).body;
    const { orderId } = items.find((o: { listingRef: string }) => o.listingRef === claimed.listingRef);
    const { handle } = squats;
    await expect
      .poll(
        async () => (await stage.api.signedPost(squatter, `/order/${orderId}/cancel`, { handle })).status,
        {
          timeout: 30_000,
          interval: 1_000,
        },
      )
      .toBe(200);
    const pledge = (owner: PrivateKeyAccount, asset: object, listingRef: string) =>
      stage.api.signedPost(owner, '/pledge', { wallet: owner.address, asset, listingRef });
    expectStatus(await pledge(squatter, claimed.token, 'loan-of-a-squatter'), 201, 'pledging a claim');

    const token = await register(holder, 'pledged.crypto');
    const own = { contract: token.contract, tokenId: token.tokenId };
    const lien = expectStatus(await pledge(holder, own, 'loan-of-the-holder'), 201, 'pledging the token');
    await stage.moveToken(holder, token, sells.account);
    const refused = await list(holder, sells, 'pledged.crypto');
    expectProblem(refused, 409, 'double-pledge');
    expect(refused.body.listingRef).toBe('loan-of-the-holder');
    const release = await stage.api.signedPost(holder, `/pledge/${lien.pledgeId}/release`, {});
    expectStatus(release, 200, 'releasing it');
    expectStatus(await list(holder, sells, 'pledged.crypto'), 201, 'listing what one holds');
  });
});

describe('a name with a token', () => {
  it('is of the first provider where two gave it out, whoever lists or pledges the token of the other', async () => {
    const [byB, byA] = [await register(squatter, 'early.x', 'b'), await register(holder, 'early.x')];
    await stage.moveToken(squatter, byB, squats.account);
    await stage.moveToken(holder, byA, sells.account);
    expectProblem(await list(squatter, squats, 'early.x'), 409, 'not-listed');
    const asset = { contract: byB.contract, tokenId: byB.tokenId };
    const lien = { wallet: squatter.address, asset, listingRef: 'loan-on-the-other' };
    expectStatus(await stage.api.signedPost(squatter, '/pledge', lien), 201, 'pledging by provider B');
    expectStatus(await list(holder, sells, 'early.x'), 201, 'listing by provider A');
    expect((await rowOf('early.x')).seller).toBe(sells.account.toLowerCase());
  });

  it('is its first lister’s where two providers gave it out: a proof does not displace a proof', async () => {
    const [byA, byB] = [await register(holder, 'both.x'), await register(squatter, 'both.x', 'b')];
    await stage.moveToken(holder, byA, sells.account);
    await stage.moveToken(squatter, byB, squats.account);
    expectStatus(await list(holder, sells, 'both.x'), 201, 'listing by provider A');
    expectProblem(await list(squatter, squats, 'both.x'), 409, 'double-pledge');
    expect((await rowOf('both.x')).seller).toBe(sells.account.toLowerCase());
  });

  it('is listed from its owner’s wallet with the approval in place, and under its name alone', async () => {
    const token = await register(holder, 'chakri', 'b');
    const early = await list(holder, sells, 'chakri', { gate: 'owner-signed' });
    expectProblem(early, 409, 'not-listed');
    expect(early.body.detail).toContain('is not approved for the settlement contract');
    await stage.approve(holder, token);
    const elsewhere = await stage.api.signedPost(holder, `/agent/${sells.handle}/assets`, {
      asset: { contract: token.contract, tokenId: token.tokenId },
      description: 'A name',
      askUsd: 300,
      negotiable: false,
      category: 'digital-products',
      gate: 'owner-signed',
    });
    expectProblem(elsewhere, 409, 'not-listed');
    expect(elsewhere.body.detail).toContain('POST /domains/listings');
    const listed = await list(holder, sells, 'chakri', { gate: 'owner-signed' });
    expect(expectStatus(listed, 201, 'listing a top-level name').token.contract).toBe(
      token.contract.toLowerCase(),
    );
  });
});
