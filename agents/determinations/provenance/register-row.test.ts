import { describe, expect, it, vi } from 'vitest';
import type { AppError } from '../../errors.ts';
import { type Register, rowReader } from './register-row.ts';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SOLANA = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

function keys(register: Register, format: 'csv' | 'jsonl', lines: readonly string[]): string[] {
  const read = rowReader(register, format);
  return lines.map((line, i) => read(line, i + 1)?.key).filter((k) => k !== undefined);
}

describe('a register row', () => {
  it('has its key in the spelling of look-ups, with a heading or without', () => {
    expect(keys('sanctions', 'csv', [EVM, SOLANA])).toEqual([EVM.toLowerCase(), SOLANA]);
    expect(
      keys('known-scam', 'csv', ['\uFEFFname,Address\r', `"Evil, Inc.",${EVM}\r`, '', '# note']),
    ).toEqual([EVM.toLowerCase()]);
    expect(keys('sanctions', 'jsonl', [`{"address":"${EVM}","program":"X"}`, `"${SOLANA}"`])).toEqual([
      EVM.toLowerCase(),
      SOLANA,
    ]);
  });

  it('keeps the other columns as detail', () => {
    const read = rowReader('sanctions', 'csv');
    read('address,program', 1);
    expect(read(`${EVM},SDN`, 2)?.detail).toEqual({ program: 'SDN' });
  });

  it('names stolen goods by asset key, by serial, or by contract and token', () => {
    expect(keys('stolen', 'csv', ['vin', 'wvw zzz1j-z3w386752'])).toEqual(['serial:vin:WVWZZZ1JZ3W386752']);
    expect(keys('stolen', 'csv', ['serial:generic:ab-12'])).toEqual(['serial:generic:AB12']);
    expect(keys('stolen', 'jsonl', [`{"chainId":1002,"contract":"${EVM}","tokenId":"007"}`])).toEqual([
      `eip155:1002/erc721:${EVM.toLowerCase()}/7`,
    ]);
  });

  it('names the chain of a token by chainId, or by chain as CAIP-2, whatever else chain says beside chainId', () => {
    const key = `eip155:137/erc721:${EVM.toLowerCase()}/7`;
    for (const [heading, cells] of [
      ['chainId', '137'],
      ['chain', 'eip155:137'],
      ['chain,chainId', 'polygon,137'],
      ['chain,chainId', 'eip155:137,137'],
    ]) {
      expect(keys('stolen', 'csv', [`contract,tokenId,${heading}`, `${EVM},7,${cells}`])).toEqual([key]);
    }
  });

  it('names a sale by its item, category, time and price', () => {
    const lines = ['item,category,priceUsd,soldAt', 'Nikon D5,liquidation-and-surplus,1200.50,2026-10-01'];
    expect(keys('comparables', 'csv', lines)).toEqual([
      'liquidation-and-surplus:Nikon D5@2026-10-01T00:00:00.000Z:1200.5',
    ]);
  });

  it('reads a line of nothing but quotes no more often than the line is long', () => {
    // Code that trims the cell at every quote would read it as often as it has quotes.
    for (const line of [`x${'"'.repeat(60_000)}`, `${' "'.repeat(30_000)}`, `${'""'.repeat(30_000)}`]) {
      let looked = 0;
      const trim = String.prototype.trim;
      const spy = vi.spyOn(String.prototype, 'trim').mockImplementation(function (this: string) {
        looked += this.length;
        return trim.call(this);
      });
      try {
        expect(() => keys('stolen', 'csv', [line])).toThrow();
      } finally {
        spy.mockRestore();
      }
      expect(looked).toBeLessThanOrEqual(4 * line.length);
    }
  });

  it.each<[Register, 'csv' | 'jsonl', readonly string[], string]>([
    ['sanctions', 'csv', [EVM, '0x12'], 'line 2'],
    ['sanctions', 'csv', ['address,name', `${EVM}`], 'line 2'],
    ['sanctions', 'csv', [`"${EVM}`], 'line 1'],
    ['known-scam', 'jsonl', ['{"address":'], 'line 1'],
    ['known-scam', 'jsonl', ['[1]'], 'line 1'],
    ['known-scam', 'jsonl', ['{"address":{"a":1}}'], 'line 1'],
    ['known-scam', 'jsonl', [`{"address":"${EVM}","note":"a\\u0000b"}`], 'line 1'],
    ['stolen', 'csv', ['serial,serialkind', 'AB12,car'], 'line 2'],
    ['stolen', 'csv', ['contract,tokenId', `${EVM},7`], 'line 2'],
    ['recalled', 'csv', ['contract,tokenId,chainId', `${EVM},7,`], 'line 2'],
    ['stolen', 'csv', ['contract,tokenId,chainId', `${EVM},7,0`], 'line 2'],
    ['stolen', 'csv', ['contract,tokenId,chainId', `${EVM},7,0x89`], 'line 2'],
    ['stolen', 'csv', ['contract,tokenId,chain', `${EVM},7,polygon`], 'line 2'],
    ['stolen', 'csv', ['contract,tokenId,chain,chainId', `${EVM},7,eip155:137,1`], 'line 2'],
    ['stolen', 'csv', ['asset,tokenId,chainId', `${EVM},7,1`], 'line 2'],
    ['stolen', 'csv', [`eip155:0/erc721:${EVM}/7`], 'line 1'],
    ['comparables', 'csv', ['item,category,priceUsd,soldAt', 'x,digital-products,0,2026-10-01'], 'line 2'],
    ['comparables', 'csv', ['item,category,priceUsd,soldAt', 'x,toys,1,2026-10-01'], 'line 2'],
  ])('of %s as %s that cannot be read is refused with its line number', (register, format, lines, where) => {
    expect(() => keys(register, format, lines)).toThrow(
      expect.objectContaining({ code: 'bad-request', message: expect.stringContaining(where) }) as AppError,
    );
  });
});
