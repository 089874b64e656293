import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeRoutes } from './describe-routes.ts';
import { GENERATED, generateOperations } from './generate.ts';

it("the client's types are those of the routes: run `npm run wire` after a change", async () => {
  expect(readFileSync(GENERATED, 'utf8') === generateOperations(await describeRoutes())).toBe(true);
});
