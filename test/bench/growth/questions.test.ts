import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../client/operations.ts';
import { freeQuestions, NOT_ASKED, paidQuestions } from './questions.ts';

const asked = {
  size: 1_000,
  agents: 50,
  real: { handle: 'real-one', tokenId: '1', recordId: 'rec_1' },
  checkoutId: 'co_1',
  bookNext: 'marks.',
  contract: `0x${'b'.repeat(40)}`,
};

it('every free read and every paid determination of the interface is measured, or says why not', () => {
  const known = [...freeQuestions(asked), ...paidQuestions(asked)].map(({ operation }) => operation);
  const told = new Set<string>([...known, ...Object.keys(NOT_ASKED)]);
  const reads = Object.entries(OPERATIONS).filter(
    ([name, [method, path]]) =>
      method === 'GET' || /^tier|^safeHandshake/.test(name) || path === '/determination',
  );
  expect(reads.map(([name]) => name).filter((name) => !told.has(name))).toEqual([]);
  expect(Object.keys(NOT_ASKED).filter((name) => known.includes(name as never))).toEqual([]);
});
