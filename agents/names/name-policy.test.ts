import { expect, it } from 'vitest';
import { namePolicy } from './name-policy.ts';

it('says how low a reserve may be', () => {
  const rules = { reserved: [], extensionSeconds: 300, leastSeconds: 60, mostSeconds: 600 };
  expect(namePolicy('test', rules).auctions.reserve).toContain('at least half of the ask');
});
