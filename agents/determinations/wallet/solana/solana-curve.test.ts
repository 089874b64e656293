import { describe, expect, it } from 'vitest';
import { onCurve } from './solana-curve.ts';

describe('a Solana address', () => {
  it('lies on the curve when its bytes are a point of edwards25519', () => {
    // An address whose y is zero (the System program), and the public keys that sign for USDC on mainnet.
    for (const address of [
      '11111111111111111111111111111111',
      'BJE5MMbqXjVwjAF7oxwPYXnTXDyspzZyt4vwenNw5ruG',
      '7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar',
    ]) {
      expect([address, onCurve(address)]).toEqual([address, true]);
    }
  });

  it('lies off the curve when a program derives it, or when it is not an address', () => {
    // The associated account that holds the USDC of 5Qxk…kYky, and the address of the code of C7PX…rfNi, both on
    // mainnet.
    for (const address of [
      'Ac7YW6ktKRNX9aEFFes2NBsgYtz77PJX3CZg5KK7gx3B',
      '8Mcz1SQA518sw6XfLiV3G83mGWgZXhTS4jyeRmz51TMj',
      'nobody',
      '',
    ]) {
      expect([address, onCurve(address)]).toEqual([address, false]);
    }
  });

  it('is not a point when x is 0 and its sign is set, or when y is beyond the field', () => {
    // y = 1 is the neutral element, whose x is 0; the second is the same with the sign bit; the third has y = p.
    expect(onCurve('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM')).toBe(true);
    expect(onCurve('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziohZ')).toBe(false);
    expect(onCurve('H242rsh5hzpvDdct56PG5YPQbKUT37EmySQLoQqrYUJr')).toBe(false);
  });
});
