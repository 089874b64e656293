import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutantsIn, readSources } from './campaign.ts';
import { dependantsOf } from './code.ts';
import { readEquivalents, staleAmong } from './equivalents.ts';
import { apply, idOf, mutantsOf, sampleOf } from './mutants.ts';
import { diffOf, summaryOf } from './report.ts';
import { parse } from './syntax.ts';

const ROOT = join(import.meta.dirname, '../..');

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

contract Till {
    // if (1 < 2) revert("a comment");
    uint256 private constant LIMIT = 10 days;
    bytes32 private constant WORD = keccak256("a < b && c == 7");
    address private constant HOME = 0xcA11bde05977b3631167028862bE2a173976CA11;
    uint256 public total;
    mapping(address => bool) public blocked;
    event Paid(address a, address b);
    error Refused();
    modifier open() {
        if (blocked[msg.sender]) revert Refused();
        _;
    }
    function pay(uint256 amount, address to, address from) external open returns (bool) {
        if (amount /* not < */ < LIMIT && !blocked[to]) return false;
        total += amount * 2;
        delete blocked[from];
        for (uint256 i; i < 3; ++i) note(to, from);
        emit Paid(to, from);
        return total > 1;
    }
    function note(address, address) private {}
}
`;

const source = parse(ROOT, new Map([['Till.sol', Buffer.from(SOURCE)]]))[0]!;
const mutants = mutantsOf(source);
const names = mutants.map((mutant) => idOf(mutant).replace('Till.sol | Till.', ''));

describe('the mutants of a source', () => {
  test('are every small fault of its code, in order', () => {
    expect(names).toMatchSnapshot();
  });

  test('touch no comment, no string and no address', () => {
    for (const mutant of mutants) {
      const text = apply(source.bytes, mutant).toString('utf8');
      expect(text).toContain('// if (1 < 2) revert("a comment");');
      expect(text).toContain('"a < b && c == 7"');
      expect(text).toContain('0xcA11bde05977b3631167028862bE2a173976CA11');
      if (text.includes('LIMIT && ') || text.includes('LIMIT || ')) expect(text).toContain('/* not < */');
    }
  });

  test('differ from the source and from one another', () => {
    const texts = mutants.map((mutant) => apply(source.bytes, mutant).toString('utf8'));
    expect(new Set([...texts, SOURCE]).size).toBe(mutants.length + 1);
    expect(new Set(names).size).toBe(mutants.length);
  });

  test('keep their names when code is added above them, umlauts and all', () => {
    const moved = SOURCE.replace(
      'uint256 public total;',
      '/* größer */ uint256 public total; uint256 public other;',
    );
    const again = mutantsOf(parse(ROOT, new Map([['Till.sol', Buffer.from(moved)]]))[0]!);
    expect(again.map(idOf)).toEqual(mutants.map(idOf));
  });
});

describe('a sample', () => {
  test('is the same for the same seed, in the order of the source, and another for another', () => {
    const sample = sampleOf(mutants, 6, 7);
    expect(sample).toHaveLength(6);
    expect(sampleOf(mutants, 6, 7)).toEqual(sample);
    expect(sample).toEqual(mutants.filter((mutant) => sample.includes(mutant)));
    expect(sampleOf(mutants, 6, 8)).not.toEqual(sample);
  });

  test('loses none of its others with a mutant that is gone', () => {
    const [gone, ...kept] = sampleOf(mutants, 6, 7);
    const after = sampleOf(
      mutants.filter((mutant) => mutant !== gone),
      6,
      7,
    );
    expect(after).toEqual(expect.arrayContaining(kept));
  });
});

describe('a report', () => {
  const finding = { mutant: mutants.find(({ operator }) => operator === 'emit')!, kind: 'survived' } as const;

  test('shows a survivor as lines taken and put', () => {
    expect(diffOf(finding, new Map([['Till.sol', source.bytes]]))).toBe(
      [
        'Till.sol | Till.pay | emit | emit Paid(to, from); => {}',
        '--- chain/contracts/Till.sol:22',
        '-        emit Paid(to, from);',
        '+        {}',
      ].join('\n'),
    );
  });

  test('counts what does not compile as no mutant', () => {
    const kinds = ['caught', 'caught', 'listed', 'same-code', 'survived', 'does-not-compile'] as const;
    expect(summaryOf(kinds.map((kind) => ({ ...finding, kind })))).toBe(
      '5 mutants, 2 caught, 2 equivalent, 1 survived (1 of the equivalent compile to the same code; 1 more did not compile)',
    );
  });
});

describe('the list of equivalents', () => {
  test('gives a reason for each and names none that is not there', () => {
    const equivalents = readEquivalents();
    for (const reason of equivalents.values()) expect(reason.length).toBeGreaterThan(20);
    const sources = readSources(ROOT);
    const files = [...sources.keys()];
    expect(staleAmong(equivalents, files, mutantsIn(ROOT, sources, files))).toEqual([]);
    expect(staleAmong(new Map([['Ledger.sol | gone', 'because']]), ['Ledger.sol'], [])).toHaveLength(1);
  });
});

test('what a source has a part in is found through imports of one line and of several', () => {
  const sources = readSources(ROOT);
  expect(dependantsOf('libraries/Standing.sol', sources)).toEqual(
    expect.arrayContaining(['Mandates.sol', 'AssetListings.sol', 'OwnerWords.sol', 'SpendPolicy.sol']),
  );
  expect(dependantsOf('SpendPolicy.sol', sources)).toEqual(['SpendPolicy.sol']);
});
