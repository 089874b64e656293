import { describe, expect, it, vi } from 'vitest';
import { NOBODY } from '../../ids.ts';
import type { TokenCustody } from './custody.ts';
import { listedHands } from './editions.ts';

const [ALICE, BOB, CAROL, LISTED, OWNER] = ['a', 'b', 'c', 'd', 'e'].map((c) => `0x${c.repeat(40)}`) as [
  string,
  string,
  string,
  string,
  string,
];

type Move = readonly [from: string, to: string, amount: number];

const edition = (moves: readonly Move[], over: Partial<TokenCustody> = {}): TokenCustody => ({
  ...{ chain: 'eip155:1002', contract: `0x${'1'.repeat(40)}`, tokenId: '7', standard: 'erc1155' },
  ...{ fromBlock: '0', holders: [], fault: null },
  moves: moves.map(([from, to, amount], i) => ({
    ...{ block: `${i + 1}`, tx: '0x', logIndex: 0, from, to, amount: `${amount}` },
  })),
  ...over,
});

const MINT: Move = [NOBODY, ALICE, 100];

const on = (listed: readonly string[]) => ({ hits: listed.map((key) => ({ key, list: 'sanctions/x' })) });

/** How the listed address stands to it. */
function of(life: TokenCustody, listed: readonly string[] = [LISTED], rules: 1 | 2 | 3 = 3): string {
  const hands = listedHands([life], on(listed), rules === 1 ? undefined : rules);
  const found = (['against', 'open', 'told'] as const).filter((kind) => hands[kind].length > 0);
  return found.join(' ') || 'nothing';
}

describe('a listed holder of an edition', () => {
  it.each<[string, string, readonly Move[]]>([
    ['told', 'was sent a unit, and has it still', [[ALICE, LISTED, 1]]],
    [
      'told',
      'sent back what it was sent to nobody',
      [
        [ALICE, LISTED, 1],
        [LISTED, NOBODY, 1],
      ],
    ],
    [
      'open',
      'burnt what it had stolen, and the like was minted to another in the next move',
      [
        [ALICE, LISTED, 1],
        [LISTED, NOBODY, 1],
        [NOBODY, BOB, 1],
      ],
    ],
    [
      'open',
      'burnt all of it, and all was minted to another',
      [
        [ALICE, LISTED, 100],
        [LISTED, NOBODY, 100],
        [NOBODY, BOB, 100],
      ],
    ],
    [
      'open',
      'passed on some units of many',
      [
        [ALICE, LISTED, 1],
        [LISTED, BOB, 1],
      ],
    ],
    [
      'open',
      'passed on some, which went on through others',
      [
        [ALICE, LISTED, 2],
        [LISTED, BOB, 2],
        [BOB, CAROL, 1],
      ],
    ],
    [
      'against',
      'had all units before',
      [
        [ALICE, LISTED, 100],
        [LISTED, BOB, 100],
      ],
    ],
    ['against', 'has all units', [[ALICE, LISTED, 100]]],
    [
      'against',
      'had all that anybody has, after others passed on theirs to it',
      [
        [ALICE, BOB, 50],
        [ALICE, LISTED, 50],
        [BOB, LISTED, 50],
        [LISTED, BOB, 100],
        [BOB, CAROL, 10],
      ],
    ],
    ['nothing', 'is none', [[ALICE, BOB, 5]]],
  ])('is %s where it %s', (stand, _, moves) => {
    expect(of(edition([MINT, ...moves]))).toBe(stand);
  });

  it('is told of evidence of before where it burnt what it had, and the like was minted since', () => {
    const all: readonly Move[] = [MINT, [ALICE, LISTED, 1], [LISTED, NOBODY, 1], [NOBODY, BOB, 1]];
    expect(of(edition(all), [LISTED], 2)).toBe('told');
  });

  it('is the wallet that it owned, too', () => {
    const principals = [{ holder: BOB, block: '2', owners: [OWNER], unknown: null }];
    const all: readonly Move[] = [MINT, [ALICE, BOB, 100], [BOB, CAROL, 100]];
    expect(of(edition(all, { principals }), [OWNER])).toBe('against');
    expect(of(edition([MINT, [ALICE, BOB, 1]], { principals }), [OWNER])).toBe('told');
  });

  it('is in question where it sold the wallet with units in it, and told where it has the wallet still', () => {
    const units: readonly Move[] = [MINT, [ALICE, BOB, 10]];
    const now = (owner: string) => [
      { holder: BOB, block: '99', owners: [owner], unknown: null },
      { holder: BOB, block: '2', owners: [OWNER], unknown: null },
    ];
    expect(of(edition(units, { principals: now(CAROL) }), [OWNER])).toBe('open');
    expect(of(edition(units, { principals: now(OWNER) }), [OWNER])).toBe('told');
    const all: readonly Move[] = [MINT, [ALICE, BOB, 100]];
    expect(of(edition(all, { principals: now(CAROL) }), [OWNER])).toBe('against');
  });

  it('is held against it together with others on the list', () => {
    const halves: readonly Move[] = [
      [NOBODY, LISTED, 5],
      [NOBODY, OWNER, 5],
      [LISTED, BOB, 5],
      [OWNER, CAROL, 5],
    ];
    expect(of(edition(halves), [LISTED, OWNER])).toBe('against');
    expect(of(edition(halves))).toBe('open');
  });

  it('is held against a single thing, and in evidence of before against every edition', () => {
    const sent = [MINT, [ALICE, LISTED, 1]] as const;
    expect(of(edition(sent), [LISTED], 1)).toBe('against');
    const single = [
      [NOBODY, ALICE, 1],
      [ALICE, LISTED, 1],
      [LISTED, BOB, 1],
    ] as const;
    expect(of(edition(single, { standard: 'erc721' }))).toBe('against');
  });
});

describe('many listed holders of an edition', () => {
  /** To each of so many one unit, of which the last passes its own on. */
  const sentTo = (n: number): { readonly life: TokenCustody; readonly listed: readonly string[] } => {
    const listed = Array.from({ length: n }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`);
    const sent = listed.map((to): Move => [ALICE, to, 1]);
    const mint: Move = [NOBODY, ALICE, 2 * n];
    return { life: edition([mint, ...sent, [listed.at(-1)!, BOB, 1]]), listed };
  };

  /** How many entries of maps are written, as each move that is replayed writes two. */
  function workOf(act: () => void): number {
    const set = vi.spyOn(Map.prototype, 'set');
    act();
    const work = set.mock.calls.length;
    set.mockRestore();
    return work;
  }

  it('take as much work again where there are twice as many, and none where the same is asked again', () => {
    const [some, twice] = [100, 200].map((n) => {
      const { life, listed } = sentTo(n);
      const [custody, register] = [[life], on(listed)];
      const work = workOf(() => listedHands(custody, register, 3));
      expect(workOf(() => listedHands(custody, register, 3))).toBe(0);
      return work;
    });
    expect(twice! / some!).toBeLessThan(2.5);
  });

  it('are in question with the one of them who passed its units on, wherever that one stands', () => {
    const { life, listed } = sentTo(50);
    expect(of(life, listed)).toContain('open');
    expect(of(life, [...listed].reverse())).toContain('open');
    const kept = { ...life, moves: life.moves.slice(0, -1) };
    expect(of(kept, listed)).toBe('told');
  });
});
