import { expect, it } from 'vitest';
import type { CodeFacts } from '../../../../agents/determinations/wallet/code/account-code.ts';
import { type ChainReader, ReaderError } from '../../../../chain/rpc/reader.ts';
import { mayHaveTold } from './told-then.ts';
import { walletsThen } from './wallets-then.ts';

const HOLDER = `0x${'a'.repeat(40)}` as const;
const TARGET = `0x${'b'.repeat(40)}` as const;
const OWNER = `0x${'c'.repeat(40)}`;
const TELLS = '0x63a0e67e2b14';
const KEEPS = '0x6312345678145af4';

const facts = (over: Partial<CodeFacts> = {}): CodeFacts => ({
  ...{ size: 100, hash: null, head: '0x60', implementation: null },
  ...over,
});
const runs = (by: string) => [{ of: HOLDER, to: TARGET, by }];

it.each<[boolean, string, CodeFacts, Record<string, string>]>([
  [false, 'a contract that cannot', facts(), { [HOLDER]: KEEPS }],
  [true, 'a contract whose code can', facts(), { [HOLDER]: TELLS }],
  [false, 'a clone of what cannot', facts({ runs: runs('EIP-1167') }), { [HOLDER]: '0x', [TARGET]: KEEPS }],
  [true, 'a clone of a wallet', facts({ runs: runs('EIP-1167') }), { [HOLDER]: '0x', [TARGET]: TELLS }],
  [true, 'a proxy of a Safe', facts({ runs: runs('slot 0') }), {}],
  [true, 'a proxy that can be changed', facts({ implementation: TARGET }), {}],
  [true, 'code that was not all read', facts({ unresolved: true }), {}],
])('takes it as %s that a silent contract may have told of owners: %s', async (may, _, code, codes) => {
  const reader = { code: async (address: string) => codes[address] ?? '0x' } as unknown as ChainReader;
  expect(await mayHaveTold(reader, HOLDER, code, 9n)).toBe(may);
});

/** A chain on which a wallet tells of its owner in some blocks, has no code before one, and of which old blocks are forgotten. */
function chain({ tells = [] as bigint[], deployed = 0n, kept = 0n }) {
  const forgotten = (block: bigint) => {
    if (block < kept) throw new ReaderError('reorganised', 'the node does not have this block');
  };
  return walletsThen(
    {
      read: async ({ functionName, block }: { functionName: string; block: bigint }) => {
        forgotten(block);
        if (functionName !== 'getOwners' || !tells.includes(block)) throw new ReaderError('reverted', 'no');
        return [OWNER];
      },
      code: async (_: string, block: bigint) => {
        forgotten(block);
        return block < deployed ? '0x' : '0x60';
      },
    } as unknown as ChainReader,
    99n,
  );
}
const reading = (block: bigint, left: bigint | null) => ({ holder: HOLDER, block, left });

it('asks of a wallet that was not there yet who owned it before the thing left, or else as it left', async () => {
  const before = chain({ tells: [8n, 9n], deployed: 7n });
  expect(await before.ownersOf(reading(5n, 9n))).toMatchObject({ block: '8', owners: [OWNER] });
  const then = chain({ tells: [9n], deployed: 9n });
  expect(await then.ownersOf(reading(5n, 9n))).toMatchObject({ block: '9', owners: [OWNER] });
  const stays = chain({ tells: [99n], deployed: 50n });
  expect(await stays.ownersOf(reading(5n, null))).toMatchObject({ block: '99', owners: [OWNER] });
  const later = chain({ tells: [99n], deployed: 50n });
  expect((await later.ownersOf(reading(5n, 9n))).unknown).toBe('it was not deployed then');
});

it('looks at all blocks for whether a contract ever told, and says where none of them is kept', async () => {
  const both = [reading(5n, 9n), reading(8n, 9n)];
  expect(await chain({ tells: [8n] }).told(both)).toBe('told');
  expect(await chain({}).told(both)).toBe('silent');
  expect(await chain({ kept: 6n }).told(both)).toBe('forgotten');
  expect(await chain({ tells: [8n], kept: 6n }).told(both)).toBe('told');
});
