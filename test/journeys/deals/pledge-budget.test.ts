import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../../../runtime/cli/demo/client.ts';
import { expectProblem, type WireStage, wireStage } from '../wire/wire-stage.ts';

let stage: WireStage;

beforeAll(async () => {
  stage = await wireStage({ PLEDGES_A_DAY: '2' });
});
afterAll(() => stage?.stop());

it('records so many pledges of one wallet a day, and says how long to wait', async () => {
  const [pledger, other] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  const [first, second, third, fourth] = [
    ...[await stage.mintTo(pledger.address), await stage.mintTo(pledger.address)],
    ...[await stage.mintTo(pledger.address), await stage.mintTo(other.address)],
  ];
  const body = (asset: typeof first, wallet: string) => ({
    ...{ wallet, listingRef: 'loan-1', lender: 'a bank' },
    asset: { contract: asset!.contract, tokenId: asset!.tokenId },
  });
  const pledge = (asset: typeof first) =>
    stage.api.signedPost(pledger, '/pledge', body(asset, pledger.address));
  expectStatus(await pledge(first), 201, 'the first pledge');
  expectProblem(await pledge(first), 409, 'double-pledge');
  expectStatus(await pledge(second), 201, 'the second pledge, as a refused one does not count');
  const refused = await pledge(third);
  expectProblem(refused, 429, 'rate-limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body.detail).toContain('2 pledges a day');
  const others = await stage.api.signedPost(other, '/pledge', body(fourth, other.address));
  expectStatus(others, 201, 'the pledge of another wallet');
  const operator = { authorization: `Bearer ${stage.operatorKey}` };
  expectStatus(
    await stage.api.post('/pledge', body(third, pledger.address), operator),
    201,
    'the operator’s',
  );
});
