import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../runtime/cli/demo/client.ts';
import { voidCertificate } from '../../fixtures/chain/void-certificate.ts';
import { expectProblem, inDays, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

const MANDATE = `Buy and sell real-world assets, max 500 USDC per deal, until ${inDays(30)}.`;

let stage: WireStage;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let sells: WireAgent;
let buys: WireAgent;

beforeAll(async () => {
  stage = await wireStage();
  [seller, buyer] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  [sells, buys] = await Promise.all([
    stage.agent(seller, { mandate: MANDATE }),
    stage.agent(buyer, { mandate: MANDATE }),
  ]);
});
afterAll(() => stage.stop());

interface Issued {
  readonly contract: Hex;
  readonly tokenId: string;
  readonly serial: string;
}

const list = (owner: PrivateKeyAccount, { handle }: WireAgent, asset: object) =>
  stage.api.signedPost(owner, `/agent/${handle}/assets`, {
    ...{ asset, description: 'A road bicycle', askUsd: 100, negotiable: false },
    ...{ category: 'real-world-assets', gate: 'deposit' },
  });

/** Certifies a thing for the seller's agent, and hands it to the buyer's, as a deal does. */
async function soldOn(asset: object): Promise<Issued> {
  const { certificate } = expectStatus(await list(seller, sells, asset), 201, 'listing');
  const path = `/certificates/${certificate.tokenId}/transfer`;
  const { typedData } = expectStatus(
    await stage.api.signedPost(seller, path, { to: buys.account }),
    202,
    'asking',
  );
  const signature = await seller.signTypedData(typedData);
  expectStatus(await stage.api.post(`${path}/confirm`, { signature }), 200, 'handing on');
  return certificate;
}

describe('a thing that was sold by its certificate', () => {
  it.each([
    [
      'a bicycle, with its maker left out or a letter for a nought',
      { serial: 'WTU 105 K4021', maker: 'Trek' },
      [{ serial: 'WTU105K4021' }, { serial: 'WTU1O5K4O21', maker: 'Trek' }, { serial: 'WTU1O5K4O21' }],
    ],
    [
      'a recording, with a maker put to its number',
      { serial: 'USRC17607839' },
      [{ serial: 'USRC17607839', maker: 'Sony' }],
    ],
    [
      'a phone, without its check digit',
      { serial: '490154203237518' },
      [{ serial: '49015420323751', maker: 'Acme' }],
    ],
  ])('gets no second certificate under another spelling: %s', async (_, asset, others) => {
    const sold = await soldOn(asset);
    for (const other of others) {
      const refused = await list(seller, sells, other);
      expectProblem(refused, 409, 'not-listed');
      expect(refused.body).toMatchObject({
        ...{ tokenId: sold.tokenId, contract: sold.contract },
        detail: expect.stringContaining(sold.serial),
      });
    }
    // Who bought it lists the very thing by its certificate, however he names that, and is told so under another spelling.
    const own = await list(buyer, buys, others[0]!);
    expectProblem(own, 409, 'not-listed');
    expect(own.body.tokenId).toBe(sold.tokenId);
    const again = expectStatus(await list(buyer, buys, asset), 201, 'selling on');
    expect(again.certificate.tokenId).toBe(sold.tokenId);
  });

  it('does not stand in the way of another maker’s thing of that number', async () => {
    const sold = await soldOn({ serial: 'KX 77 4020', maker: 'Trek' });
    const other = expectStatus(
      await list(seller, sells, { serial: 'KX774020', maker: 'Giant' }),
      201,
      'listing',
    );
    expect(other.certificate.tokenId).not.toBe(sold.tokenId);
  });

  it('is certified anew under another spelling once the first certificate is void', async () => {
    const wrong = await soldOn({ serial: 'KX 78 4020', maker: 'Trek' });
    expectProblem(await list(seller, sells, { serial: 'KX784020' }), 409, 'not-listed');
    await voidCertificate(stage.env, wrong, 'the frame number is of another bicycle');
    expectStatus(await list(seller, sells, { serial: 'KX784020' }), 201, 'listing');
  });
});
