import { describe, expect, it } from 'vitest';
import { CONTRACT_REFUSALS } from '../agent/contract-refusals.ts';
import { refusalWords } from './refusal-words.ts';

const data = `0x34eb8ac1${'0'.repeat(24)}${'ab'.repeat(20)}`;

describe('what is said of a wallet that did nothing', () => {
  it('ends in one stop, whatever the wallet ended with', () => {
    expect(refusalWords({ message: 'User rejected the request.' })).toBe(
      'The wallet did not do it: User rejected the request.',
    );
    expect(refusalWords({ message: '' })).toBe('The wallet did not do it: no reason was given.');
    expect(refusalWords(null)).toBe('The wallet did not do it: no reason was given.');
  });

  it.each([
    { message: `execution reverted: custom error ${data}` },
    { message: 'execution reverted', data },
    { message: 'Internal JSON-RPC error.', data: { originalError: { data } } },
  ])('names in words what a contract refused, wherever it stands: %j', (error) => {
    const said = refusalWords(error, CONTRACT_REFUSALS);
    expect(said).toBe('The wallet did not do it: the contract refuses it (not account owner).');
  });

  it('is said whatever else the wallet put beside it', () => {
    const circular: Record<string, unknown> = { reason: 'busy' };
    circular.itself = circular;
    expect(refusalWords({ message: 'Busy.', data: circular })).toBe('The wallet did not do it: Busy.');
    expect(refusalWords({ message: 'Reverted', data: { gas: 1n, data } }, CONTRACT_REFUSALS)).toBe(
      'The wallet did not do it: the contract refuses it (not account owner).',
    );
  });

  it('shows no hundreds of digits of an error that nobody here knows', () => {
    const said = refusalWords({ message: `custom error 0x12345678${'0'.repeat(640)}` }, CONTRACT_REFUSALS);
    expect(said).toBe('The wallet did not do it: custom error 0x12345678….');
  });
});

it('knows every error of the contracts that an owner calls by its own selector', () => {
  expect(CONTRACT_REFUSALS).toMatchObject({
    '0xe450d38c': 'ERC20 insufficient balance',
    '0x34eb8ac1': 'not account owner',
    '0x7e273289': 'ERC721 nonexistent token',
  });
});
