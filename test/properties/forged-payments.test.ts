import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentStage, paymentStage } from '../fixtures/paid-service.ts';
import { refuseAll } from './refuse-all.ts';

let stage: PaymentStage;
beforeAll(async () => {
  stage = await paymentStage();
});
afterAll(() => stage.stop());

describe('payments that are forged', () => {
  it('are refused, whatever is forged: no work is done, nothing is bound and no money moves', async () => {
    const tried = await refuseAll(stage, { count: 150, seed: 402, at: 4 });
    expect([...tried.values()].reduce((a, b) => a + b, 0)).toBe(150);
    expect(tried.size).toBeGreaterThan(15);
  });
});
