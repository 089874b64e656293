import { expect, it } from 'vitest';
import { looksLike } from './hosts.ts';

it.each([
  ['api.market.test', null],
  ['data.market.test', null],
  ['weather.example', null],
  ['supermarket.example', null],
  ['127.0.0.1', null],
  ['api.rnarket.test', 'api.market.test'],
  ['API.MARKT.TEST', 'api.market.test'],
  ['market.example', 'api.market.test'],
  ['api.market.test.pay.example', 'api.market.test'],
])('%s looks like %s', (host, meant) => {
  expect(looksLike(host, ['api.market.test:8080'])).toBe(meant);
});
