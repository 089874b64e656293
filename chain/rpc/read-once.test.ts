import { expect, it } from 'vitest';
import { readOnce } from './read-once.ts';
import type { ChainReader } from './reader.ts';

it('asks once for the transfers of a block until it forgets, and each time for the head and whether a block stands', async () => {
  const asked: string[] = [];
  const ask = async (what: string) => asked.push(what);
  const reader = readOnce({
    head: () => ask('head'),
    confirm: ({ number }: { number: bigint }) => ask(`confirm ${number}`),
    valueTransfers: (block: bigint) => ask(`transfers ${block}`),
  } as unknown as ChainReader);
  const all = () =>
    Promise.all([reader.head(), reader.confirm({ number: 7n, hash: '0x07' }), reader.valueTransfers(7n)]);
  await all();
  await all();
  reader.forget();
  await reader.valueTransfers(7n);
  expect(asked).toEqual(['head', 'confirm 7', 'transfers 7', 'head', 'confirm 7', 'transfers 7']);
});
