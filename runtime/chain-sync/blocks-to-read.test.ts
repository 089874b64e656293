import { expect, it } from 'vitest';
import { firstBlockToRead } from './blocks-to-read.ts';

it.each([
  ['nothing was read', null, 0n, 10n],
  ['what was read lies far ahead of the start', 90n, 0n, 74n],
  ['more is read again', 90n, 12n, 62n],
  ['it would begin before the start', 20n, 0n, 10n],
  ['the node is a block behind', 101n, 0n, 84n],
  ['a reorganisation made the chain shorter', 356n, 12n, 72n],
  ['the chain is another, far shorter one', 357n, 0n, 10n],
])('a round that follows the chain begins where it should when %s', (_, read, more, from) => {
  expect(firstBlockToRead({ read, head: 100n, start: 10n }, more)).toBe(from);
});
