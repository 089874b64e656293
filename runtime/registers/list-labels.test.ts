import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListError } from './list-content.ts';
import { readEthLabels, readPlain } from './list-labels.ts';
import { listNamed } from './settings.ts';

const address = (n: number): string => `0x${n.toString(16).padStart(40, 'e')}`;
const label = (n: number, label: string, nameTag?: string) => ({
  chainId: 1,
  address: address(n),
  label,
  nameTag,
});

describe('labels of addresses', () => {
  it('accuse those who stole or deceived, and nobody else', () => {
    const { rows, kept, left, published } = readEthLabels(
      JSON.stringify([
        label(1, 'phish-hack', 'Fake_Phishing1'),
        label(2, 'heist', 'Some Exploiter'),
        label(3, 'coinbase', 'Coinbase 1'),
        label(4, 'tornado-cash'),
        label(5, 'phish-hack'),
      ]),
    );
    expect(rows.map((r) => [r.key, r.detail.name])).toEqual([
      [address(1), 'Fake_Phishing1'],
      [address(2), 'Some Exploiter'],
      [address(5), undefined],
    ]);
    expect([kept, left, published]).toEqual([
      { 'phish-hack': 2, heist: 1 },
      { coinbase: 1, 'tornado-cash': 1 },
      null,
    ]);
  });

  it('go into the register of scams alone', () => {
    expect(listNamed('known-scam/eth-labels', 'eth-labels')).not.toBeNull();
    expect(listNamed('sanctions/eth-labels', 'eth-labels')).toBeNull();
    expect(listNamed('stolen/x', 'plain')).toBeNull();
  });
});

describe('a plain list', () => {
  it('is one address a line, with comments and what follows left out', () => {
    const text = `# a list\r\n${address(1)}\r\n\n// more\n"${address(2)}", Somebody\n${address(3)}\tand so on\n`;
    expect(readPlain(text).rows.map((r) => r.key)).toEqual([address(1), address(2), address(3)]);
  });
});

describe('what is no such list', () => {
  it.each(['', 'null', '{}', '[1]', '[{"address":"x","label":"phish"}]', '<html>'])(
    'is refused as labels: %s',
    (text) => {
      expect(() => readEthLabels(text)).toThrow(ListError);
    },
  );

  it('fails with a word of why, whatever comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const read of [readEthLabels, readPlain]) {
          try {
            read(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ListError);
          }
        }
      }),
    );
  });
});
