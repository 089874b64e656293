import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentStage, paymentStage } from '../fixtures/paid-service.ts';
import { refuseAll } from './refuse-all.ts';

const COUNT = 10_000;
let stage: PaymentStage;
beforeAll(async () => {
  stage = await paymentStage();
});
afterAll(() => stage.stop());

describe('ten thousand payments that are forged', () => {
  it('are refused, every one, and other ones each time', async () => {
    const tried = await refuseAll(stage, { count: COUNT, seed: randomInt(2 ** 31), at: 8 });
    expect(tried.size).toBe(21);
    expect([...tried.values()].reduce((a, b) => a + b, 0)).toBe(COUNT);
  }, 3_600_000);
});
