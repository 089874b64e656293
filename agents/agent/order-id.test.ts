import { describe, expect, it } from 'vitest';
import { evaluationOrderId, isByItself } from './order-id.ts';

describe('the ids of the orders that an agent places by itself', () => {
  it('depend on the evaluation and the listing, and have a form that no other order has', () => {
    expect(evaluationOrderId('k', 'a')).toBe(evaluationOrderId('k', 'a'));
    expect(
      new Set([evaluationOrderId('k', 'a'), evaluationOrderId('k', 'b'), evaluationOrderId('l', 'a')]).size,
    ).toBe(3);
    expect(isByItself(evaluationOrderId('k', 'a'))).toBe(true);
    expect(isByItself('ord_5f0c1de2')).toBe(false);
  });
});
