import { expect, it } from 'vitest';
import { isLoopback, looksLike } from './hosts.ts';

it.each([
  ['api.market.test', null],
  ['data.market.test', null],
  ['weather.example', null],
  ['supermarket.example', null],
  ['127.0.0.1', null],
  ['api.rnarket.test', 'api.market.test'],
  ['API.MARKT.TEST', 'api.market.test'],
  ['market.example', 'api.market.test'],
  ['127.api.rnarket.test', 'api.market.test'],
  ['api.market.test.pay.example', 'api.market.test'],
])('%s looks like %s', (host, meant) => {
  expect(looksLike(host, ['api.market.test:8080'])).toBe(meant);
});

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['localhost', true],
  ['api.localhost', true],
  ['127.pay.example', false],
  ['127.0.0.1.pay.example', false],
  ['128.0.0.1', false],
  ['pay-localhost', false],
])('%s is this machine: %s', (host, own) => {
  expect(isLoopback(host)).toBe(own);
});
