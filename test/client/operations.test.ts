import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { knownChains } from '../../chain/known-chains.ts';
import { DOLLARS } from '../../client/guard/dollars.ts';
import { describeRoutes } from './describe-routes.ts';
import { GENERATED, generateOperations } from './generate.ts';

it("the client's types are those of the routes: run `npm run wire` after a change", async () => {
  expect(readFileSync(GENERATED, 'utf8') === generateOperations(await describeRoutes())).toBe(true);
});

it("the guard's dollars are those that the service knows", async () => {
  const chainOf = (network: string) => Number(network.split(':')[1]);
  const known = await knownChains(DOLLARS.map(({ network }) => chainOf(network)));
  for (const { network, asset, decimals = 6 } of DOLLARS)
    expect(known.get(chainOf(network))?.dollars[0]).toMatchObject({ token: asset, decimals });
});
