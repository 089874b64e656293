import { expect, it } from 'vitest';
import { type Address, NOBODY } from '../../../../agents/ids.ts';
import { readingsOf } from './custody-principals.ts';

const [ALICE, BOB, WALLET] = [0xa, 0xb, 0xc].map((n): Address => `0x${n.toString(16).padStart(40, '0')}`) as [
  Address,
  Address,
  Address,
];
const move = (block: bigint, from: Address, to: Address) => ({ block, from, to });

const blocksOf = (holder: Address, ...moves: ReturnType<typeof move>[]): bigint[] =>
  readingsOf(moves, [{ address: moves.at(-1)!.to }], 99n)
    .filter((reading) => reading.holder === holder)
    .map(({ block }) => block);

it('reads a holder as the token came, as it last was there, and now only whoever has it now', () => {
  const life = [move(1n, NOBODY, ALICE), move(5n, ALICE, WALLET), move(9n, WALLET, BOB)];
  expect(blocksOf(WALLET, ...life)).toEqual([5n, 8n]);
  expect(blocksOf(BOB, ...life)).toEqual([9n, 99n]);
  expect(blocksOf(NOBODY, ...life)).toEqual([]);
});

it('reads a holder of a moment as of that block, however often it had the token before', () => {
  const life = [
    move(1n, NOBODY, WALLET),
    move(3n, WALLET, ALICE),
    move(7n, ALICE, WALLET),
    move(7n, WALLET, BOB),
  ];
  expect(blocksOf(WALLET, ...life)).toEqual([1n, 2n, 7n]);
});
