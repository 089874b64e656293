import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { describeRoutes } from '../client/describe-routes.ts';

const OWNER = readFileSync(new URL('../../docs/owner.md', import.meta.url), 'utf8');
const SHOWN = [...OWNER.matchAll(/^```http\n(POST) (\S+)\n([\s\S]+?)^```$/gm)].map(
  ([, method = '', path = '', body = '']) => ({ method, path, body }),
);

describe('a request that the page for owners shows', () => {
  it('is there for each act whose body cannot be guessed', () => {
    expect(SHOWN.map(({ path }) => path.replace('harbour-desk', '{handle}')).sort()).toEqual([
      '/agent/{handle}/assets',
      '/domains/listings',
      '/domains/{name}/auction',
      '/domains/{name}/bids',
      '/domains/{name}/buy',
      '/membership/checkout',
      '/order',
      '/pledge',
      '/settings',
    ]);
  });

  it('is one that its route takes, without a field that it does not know', async () => {
    const { paths } = await describeRoutes();
    for (const { path, body } of SHOWN) {
      const operation = paths[path.replace('harbour-desk', '{handle}')]?.post;
      const schema = operation?.requestBody?.content['application/json']?.schema as TSchema;
      expect([path, [...Value.Errors(schema, JSON.parse(body))].map(({ message }) => message)]).toEqual([
        path,
        [],
      ]);
    }
  });
});
