import { expect, it } from 'vitest';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { refusedPayment } from './refused-payment.ts';

it('says in words why an agent may not pay, and what helps', () => {
  expect(refusedPayment('CategoryNotAllowed', 'CategoryNotAllowed(7, 255)')).toMatch(
    /^The chain refuses the payment: the mandate names categories, .*pays for answers \(CategoryNotAllowed\(7, 255\)\)\.$/,
  );
  expect(refusedPayment('Other', 'Other()')).toBe('The chain refuses the payment: Other().');
});

it('has words for whatever limit of a mandate the policy names', () => {
  const limits = spendPolicyAbi.flatMap((one) =>
    one.type === 'error' && /CapExceeded$|NotAllowed$|^MandateNot/.test(one.name) ? [one.name] : [],
  );
  expect(limits.length).toBeGreaterThan(8);
  for (const name of limits) expect(refusedPayment(name, 'it')).toMatch(/ \(it\)\.$/);
});
