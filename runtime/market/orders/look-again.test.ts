import { describe, expect, it } from 'vitest';
import { LookAgain, lookThenWrite } from './look-again.ts';

/** @returns how often it read, and the result */
async function looks(stale: number): Promise<[number, string]> {
  let looked = 0;
  const written = lookThenWrite(async () => {
    if (++looked <= stale) throw new LookAgain('The lot changed');
    return 'written';
  });
  const outcome = await written.catch((error: { code: string }) => error.code);
  return [looked, outcome];
}

describe('a write that depends on what was read', () => {
  it('is repeated up to three times when something has changed, and is then unavailable', async () => {
    expect([await looks(0), await looks(1), await looks(3)]).toEqual([
      [1, 'written'],
      [2, 'written'],
      [4, 'written'],
    ]);
    expect(await looks(4)).toEqual([4, 'unavailable']);
  });

  it('is not repeated after any other error', async () => {
    let looked = 0;
    const failing = lookThenWrite(async () => {
      looked++;
      throw new Error('the database is gone');
    });
    await expect(failing).rejects.toThrow('the database is gone');
    expect(looked).toBe(1);
  });
});
