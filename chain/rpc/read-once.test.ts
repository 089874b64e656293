import { expect, it } from 'vitest';
import { readOnce } from './read-once.ts';
import type { ChainReader, ReadCall } from './reader.ts';

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

it('asks again what another account asks, or what may be answered at another length', async () => {
  const asked: (string | number | undefined)[] = [];
  const reader = readOnce({
    read: async ({ from, most }: ReadCall) => asked.push(from ?? most),
  } as unknown as ChainReader);
  const call = { address: '0x01', abi: [], functionName: 'f', block: { number: 7n, hash: '0x07' } } as const;
  const all = () => [{}, { from: '0x02' }, { from: '0x03' }, { most: 1 }, { most: 2 }] as const;
  for (const more of [...all(), ...all()]) await reader.read({ ...call, ...more });
  expect(asked).toEqual([undefined, '0x02', '0x03', 1, 2]);
});
