import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/** A register holds several lists: what one leaves out another names. */

const BAD = drawn('left out by one list');
let stage: Awaited<ReturnType<typeof walletStage>>;

beforeAll(async () => {
  stage = await walletStage();
  await stage.list('sanctions', [drawn('somebody sanctioned')]);
}, 240_000);
afterAll(async () => await stage?.stop());

describe('a wallet that one list leaves out', () => {
  it('is FLAGGED by another list of the register, and CLEAN where that leaves it out, too', async () => {
    await stage.list('known-scam', [drawn('another')], { source: 'one' });
    await stage.list('known-scam', [drawn('a third'), BAD], { source: 'two' });
    const { record } = await stage.on(BAD);
    expect(record.verdict).toBe('FLAGGED');
    expect(record.reasons.join()).toMatch(/known-scam\/two/);
    await stage.list('known-scam', [drawn('a third'), drawn('a fourth')], { source: 'two' });
    expect((await stage.on(BAD)).record.verdict).toBe('CLEAN');
  });
});
