import { expect, it } from 'vitest';
import { keyFacts } from './key-facts.ts';

const [operator, minter] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];

it('names the keys that the service has, with their coin and the roles that they lack on chain', () => {
  const signers = [
    { role: 'operator', address: operator, balance: '2.5', low: false },
    { role: 'minter', address: minter, balance: '0', low: true },
  ];
  const roles = [
    { role: 'minter', address: minter, held: false },
    { role: 'issuer', address: operator, held: true },
  ] as const;
  expect(keyFacts(signers, roles)).toEqual([
    ['operator', `${operator} (2.5 coin)`],
    ['minter', `${minter} (0 coin, too little; not minter on chain now)`],
  ]);
});
