import { expect, it } from 'vitest';
import { memory, ofUrl } from './memory.ts';

const DAY_MS = 86_400_000;

it('knows the price of a URL without a query apart from those of its path', () => {
  const past = memory(() => 0);
  const path = 'GET https://shop.example/data';
  const pay = (place: string, price: bigint) => {
    const host = 'shop.example';
    past.keep({ at: 0, host, hostname: host, places: [place], paths: [path], payTo: '0xaa', price });
  };
  pay(`${path}?p=2`, 900_000n);
  expect([past.priceOf(path), past.payeeOf(path)]).toEqual([null, '0xaa']);
  pay(path, 10_000n);
  pay(`${path}?p=2`, 900_000n);
  expect(past.priceOf(path)).toBe(10_000n);
  past.forget(ofUrl('https://shop.example/data'));
  expect([past.priceOf(path), past.payeeOf(path)]).toEqual([null, null]);
  expect(past.priceOf(`${path}?p=2`)).toBe(900_000n);
});

it('keeps what was paid in the last day, and the newest of before', () => {
  let at = 0;
  const past = memory(() => at);
  const pay = (n: number) => {
    const place = `GET https://shop.example/${n}`;
    const host = 'shop.example';
    const paid = { at, host, hostname: host, places: [place], paths: [place], payTo: '0xaa', price: 1n };
    past.keep(paid);
  };
  const known = (n: number) => past.payeeOf(`GET https://shop.example/${n}`) !== null;
  for (let n = 0; n < 1_500; n++) pay(n);
  expect(known(0)).toBe(true);
  at = DAY_MS;
  pay(1);
  pay(1_500);
  expect([0, 1, 501, 502, 1_500].map(known)).toEqual([false, true, false, true, true]);
});

it('takes back what was booked also when its URL was forgotten meanwhile', () => {
  const past = memory(() => 0);
  const [host, place] = ['shop.example', 'GET https://shop.example/data'];
  const paid = { at: 0, host, hostname: host, places: [place], paths: [place], payTo: '0xaa', price: 5n };
  const other = { ...paid };
  past.book(paid);
  past.book(other);
  past.forget(ofUrl('https://shop.example/data'));
  expect(past.since(DAY_MS)).toEqual(Array(2).fill({ ...paid, places: [] }));
  past.release(paid);
  expect(past.since(DAY_MS)).toHaveLength(1);
  past.release(other);
  expect(past.since(DAY_MS)).toEqual([]);
});
