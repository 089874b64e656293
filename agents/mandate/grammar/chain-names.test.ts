import { describe, expect, it } from 'vitest';
import { CHAIN_WORDS, chainNameOf } from '../terms/chains.ts';
import { readMandate } from './read.ts';

const IDS = [
  ...[1, 10, 56, 100, 137, 250, 324, 5000, 8453, 42161, 42220, 43114, 59144, 81457, 84532, 534352],
  ...[11155111, 1002],
];

describe('a chain in a mandate', () => {
  const allowed = (chain: string) => {
    const text = `Buy digital products on ${chain}, 20 USDC each, until 31 March 2027.`;
    const reading = readMandate(text, '2026-12-01T00:00:00Z');
    return reading.decision === 'ACCEPT' ? reading.mandate.chains_allow : reading.questions[0].question;
  };

  it.each(Object.keys(CHAIN_WORDS))('is read by each of its names: %s', (chain) => {
    for (const words of CHAIN_WORDS[chain]!) expect(allowed(words), words).toEqual([chain]);
  });

  it.each(IDS)('is read by its CAIP-2 name: eip155:%i', (id) => {
    expect(allowed(`eip155:${id}`)).toEqual([chainNameOf(id)]);
    expect(allowed(`chain ${id}`)).toEqual([chainNameOf(id)]);
  });
});
