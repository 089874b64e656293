import { describe, expect, it } from 'vitest';
import { onCurve } from './solana-curve.ts';

describe('a Solana address', () => {
  it('lies on the curve when its bytes are a point of edwards25519', () => {
    // Nought as y (the System program), and the public keys that mainnet signs with for USDC.
    for (const address of [
      '11111111111111111111111111111111',
      'BJE5MMbqXjVwjAF7oxwPYXnTXDyspzZyt4vwenNw5ruG',
      '7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar',
    ]) {
      expect([address, onCurve(address)]).toEqual([address, true]);
    }
  });

  it('lies off it when a program derives it, or when it is no address', () => {
    // The associated account that holds 5Qxk…kYky's USDC, and where C7PX…rfNi's code lies, both on mainnet.
    for (const address of [
      'Ac7YW6ktKRNX9aEFFes2NBsgYtz77PJX3CZg5KK7gx3B',
      '8Mcz1SQA518sw6XfLiV3G83mGWgZXhTS4jyeRmz51TMj',
      'nobody',
      '',
    ]) {
      expect([address, onCurve(address)]).toEqual([address, false]);
    }
  });

  it('with x = 0 and its sign set, or with y beyond the field, is no point', () => {
    // y = 1: the neutral element, whose x is 0; then the same with the sign bit; then y = p.
    expect(onCurve('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM')).toBe(true);
    expect(onCurve('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziohZ')).toBe(false);
    expect(onCurve('H242rsh5hzpvDdct56PG5YPQbKUT37EmySQLoQqrYUJr')).toBe(false);
  });
});
