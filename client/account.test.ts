import { expect, it } from 'vitest';
import { privateKeyToAccount } from './account.ts';

it('says of what is no private key that it may not be set, and repeats none of it', () => {
  for (const key of [undefined, '', '0x12', 'a1'.repeat(32)])
    expect(() => privateKeyToAccount(key)).toThrow(
      'a private key is 0x and 64 hex digits: is PAYER_PRIVATE_KEY set?',
    );
  expect(privateKeyToAccount(`0x${'a1'.repeat(32)}`).address).toMatch(/^0x[0-9a-fA-F]{40}$/);
});
