import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOBODY } from '../../ids.ts';
import { judge } from '../panel/judge.ts';
import type { RegisterState } from '../panel/lists.ts';
import { panelFor } from '../panel/panel.ts';
import type { Depth, DeterminationEvidence, Verdict } from '../panel/types.ts';
import { type CustodyMove, everyHolder, holesIn, outOfBalance, type TokenCustody } from './custody.ts';
import type {
  CertificateDispute,
  ProvenanceCommon,
  ProvenanceFacts,
  RegisterLookup,
} from './provenance-evidence.ts';

const AT = '2026-12-01T00:00:00.000Z';
const CHAIN = 'eip155:1002';
const VIN = 'serial:vin:1HGCM82633A004352';
const [ALICE, BOB, CAROL] = ['a', 'b', 'c'].map((c) => `0x${c.repeat(40)}`) as [string, string, string];

const move = (block: number, from: string, to: string, amount = '1'): CustodyMove => ({
  block: String(block),
  tx: `0x${block.toString(16).padStart(64, '0')}`,
  logIndex: 0,
  from,
  to,
  amount,
});
const WALK = [move(1, NOBODY, ALICE), move(5, ALICE, BOB), move(9, BOB, CAROL)];

const token = (moves: readonly CustodyMove[] = WALK, over: Partial<TokenCustody> = {}): TokenCustody => ({
  chain: CHAIN,
  contract: `0x${'1'.repeat(40)}`,
  tokenId: '17',
  standard: 'erc721',
  fromBlock: '0',
  moves,
  holders: [{ address: CAROL, amount: '1' }],
  fault: null,
  ...over,
});

const register = (
  name: RegisterState['register'],
  keys: readonly string[],
  over: Partial<RegisterState> = {},
): RegisterState => ({
  register: name,
  maxAgeDays: 30,
  lists: [{ name: `${name}/x`, asOf: AT, rows: 2 }],
  lookedUp: [...keys].sort(),
  hits: [],
  ...over,
});

const common = (over: Partial<ProvenanceCommon> = {}): ProvenanceCommon => ({
  assetKey: VIN,
  lot: VIN,
  stolen: register('stolen', [VIN]),
  recalled: register('recalled', [VIN]),
  lookups: [],
  sanctions: register('sanctions', [ALICE, BOB, CAROL]),
  knownScam: register('known-scam', [ALICE, BOB, CAROL]),
  chain: CHAIN,
  ...over,
});

function evidence(
  shared: ProvenanceCommon = common(),
  facts: ProvenanceFacts = { custody: [token()], fault: null },
  depth: Depth = '2-of-2',
  ethers: ProvenanceFacts = facts,
): DeterminationEvidence<ProvenanceCommon, ProvenanceFacts> {
  return {
    id: 'provenance',
    rules: 1,
    at: AT,
    performer: 'AGENT',
    depth,
    common: shared,
    blocks: { [CHAIN]: { number: '9', hash: '0x09', at: AT } },
    seats: panelFor(depth).seats.map(({ seat, method, client }) => ({
      seat,
      method,
      source: `${client} over 127.0.0.1:1`,
      limit: 'a test',
      facts: client === 'all' ? null : client === 'ethers' ? ethers : facts,
      fault: null,
    })),
    latencyMs: 1,
  };
}

const lookup = (over: Partial<RegisterLookup>): RegisterLookup => ({
  register: 'stolen',
  name: 'stolen.example',
  key: VIN,
  asOf: AT,
  answer: 'not-listed',
  reference: null,
  fault: null,
  ...over,
});

const stale = { lists: [{ name: 'x', asOf: '2026-01-01T00:00:00.000Z', rows: 1 }] };
const empty = { lists: [] };
const hit = (key: string) => ({ hits: [{ key, list: 'list/x' }] });

describe('provenance', () => {
  it.each<[string, Partial<ProvenanceCommon>, ProvenanceFacts | null, Verdict]>([
    ['all is known and nothing is found', {}, null, 'CLEAN'],
    ['it is reported stolen', { stolen: register('stolen', [VIN], hit(VIN)) }, null, 'FLAGGED'],
    ['it is recalled', { recalled: register('recalled', [VIN], hit(VIN)) }, null, 'FLAGGED'],
    ['an old list has it', { stolen: register('stolen', [VIN], { ...stale, ...hit(VIN) }) }, null, 'FLAGGED'],
    [
      'the list of stolen goods is too old',
      { stolen: register('stolen', [VIN], stale) },
      null,
      'INCONCLUSIVE',
    ],
    [
      'nobody keeps a list of stolen goods',
      { stolen: register('stolen', [VIN], empty) },
      null,
      'INCONCLUSIVE',
    ],
    [
      'nobody keeps a list of recalls',
      { recalled: register('recalled', [VIN], empty) },
      null,
      'INCONCLUSIVE',
    ],
    [
      'others keep it and do not list it',
      { stolen: register('stolen', [VIN], empty), lookups: [lookup({})] },
      null,
      'CLEAN',
    ],
    [
      'a list never came, though others answer',
      { stolen: register('stolen', [VIN], { ...empty, missing: ['stolen/y'] }), lookups: [lookup({})] },
      null,
      'INCONCLUSIVE',
    ],
    ['others list it', { lookups: [lookup({ answer: 'listed' })] }, null, 'FLAGGED'],
    ['others do not answer', { lookups: [lookup({ answer: null, fault: 'late' })] }, null, 'INCONCLUSIVE'],
    [
      'others answer for another thing',
      { stolen: register('stolen', [VIN], empty), lookups: [lookup({ key: 'serial:vin:OTHER' })] },
      null,
      'INCONCLUSIVE',
    ],
    [
      'a holder is sanctioned',
      { sanctions: register('sanctions', [ALICE, BOB, CAROL], hit(ALICE)) },
      null,
      'FLAGGED',
    ],
    [
      'a holder is a scammer',
      { knownScam: register('known-scam', [ALICE, BOB, CAROL], hit(BOB)) },
      null,
      'FLAGGED',
    ],
    [
      'a holder was not looked up',
      { sanctions: register('sanctions', [ALICE, CAROL]) },
      null,
      'INCONCLUSIVE',
    ],
    [
      'the sanctions are too old',
      { sanctions: register('sanctions', [ALICE, BOB, CAROL], stale) },
      null,
      'INCONCLUSIVE',
    ],
    ['custody could not be read', {}, { custody: null, fault: 'down' }, 'INCONCLUSIVE'],
    ['a move is missing', {}, { custody: [token([WALK[0]!, WALK[2]!])], fault: null }, 'INCONCLUSIVE'],
    ['the mint is missing', {}, { custody: [token(WALK.slice(1))], fault: null }, 'INCONCLUSIVE'],
    ['the last move is missing', {}, { custody: [token(WALK.slice(0, 2))], fault: null }, 'INCONCLUSIVE'],
    ['no move was found', {}, { custody: [token([])], fault: null }, 'INCONCLUSIVE'],
    [
      'the walk ended early',
      {},
      { custody: [token(WALK, { fault: 'too far' })], fault: null },
      'INCONCLUSIVE',
    ],
    [
      'it answers by no standard',
      {},
      { custody: [token([], { standard: null })], fault: null },
      'INCONCLUSIVE',
    ],
    ['no token ever stood for it', {}, { custody: [], fault: null }, 'CLEAN'],
    ['its VIN cannot exist', { lot: 'serial:vin:1HGCM82643A004352' }, null, 'INCONCLUSIVE'],
  ])('has both seats agree when %s', (_, over, facts, verdict) => {
    const shared = common(over);
    const keyed =
      over.lot === undefined
        ? shared
        : {
            ...shared,
            stolen: register('stolen', [VIN, over.lot]),
            recalled: register('recalled', [VIN, over.lot]),
          };
    const wanted = over.lot === undefined ? verdict : 'FLAGGED';
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const) {
      const found = judge(evidence(keyed, facts ?? undefined, depth));
      expect([depth, found.verdict]).toEqual([depth, wanted]);
      const votes = found.panel.votes.filter((v) => v.method !== 'adversarial').map((v) => v.vote);
      expect(new Set(votes)).toEqual(new Set([wanted]));
    }
  });

  it('walks a token that ended and was minted again through both of its lives', () => {
    const lives = [...WALK, move(10, CAROL, NOBODY), move(12, NOBODY, BOB)];
    expect(holesIn(token(lives, { holders: [{ address: BOB, amount: '1' }] }))).toEqual([]);
    expect(holesIn(token(lives.slice(0, 4), { holders: [] }))).toEqual([]);
    expect(everyHolder([token(lives)])).toEqual([ALICE, BOB, CAROL]);
  });

  it('compares the moves of shared tokens with what everybody holds now', () => {
    const moves = [move(1, NOBODY, ALICE, '10'), move(2, ALICE, BOB, '4')];
    const held = (alice: string, bob: string): TokenCustody =>
      token(moves, {
        standard: 'erc1155',
        holders: [
          { address: ALICE, amount: alice },
          { address: BOB, amount: bob },
        ],
      });
    expect([holesIn(held('6', '4')), outOfBalance(held('6', '4'))]).toEqual([[], 0]);
    for (const wrong of [held('5', '4'), held('6', '5')]) {
      expect(holesIn(wrong)).toHaveLength(1);
      expect(outOfBalance(wrong)).toBe(1);
    }
    const unpaid = token([move(1, ALICE, BOB, '4')], {
      standard: 'erc1155',
      holders: [{ address: BOB, amount: '4' }],
    });
    expect(holesIn(unpaid)[0]).toContain('parted with 4 more than ever came');
  });

  it('says in every record, at every depth and for every performer, what it does not search', () => {
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const) {
      for (const check of judge(evidence(undefined, undefined, depth)).checks) {
        if (/^list-|^chain-of/.test(check.id))
          expect(JSON.stringify(check)).toContain('not a search of national police databases');
      }
    }
    const executor = judge({ ...evidence(), depth: null, performer: 'EXECUTOR' });
    expect(executor.verdict).toBe('CLEAN');
    expect(JSON.stringify(executor.checks)).toContain('not a search of national police databases');
  });

  it('traces every single move, and whether a list names who took it', () => {
    const dirty = common({ knownScam: register('known-scam', [ALICE, BOB, CAROL], hit(BOB)) });
    const steps = judge(evidence(dirty), { trace: true }).trace ?? [];
    const moves = steps.filter((s) => s.claim.startsWith('block '));
    expect(moves.map((s) => s.outcome)).toEqual(['on no list', 'on list/x', 'on list/x']);
    expect(moves[1]).toMatchObject({ seat: 'rules/viem', input: `log 0 of ${WALK[1]?.tx} on ${CHAIN}` });
    expect(judge(evidence(dirty)).trace).toBeUndefined();
  });

  it('is INCONCLUSIVE when two readers walked different lives', () => {
    const other = token([WALK[0]!, move(5, ALICE, CAROL)]);
    const found = judge(
      evidence(undefined, { custody: [token()], fault: null }, '2-of-2', { custody: [other], fault: null }),
    );
    expect(found.verdict).toBe('INCONCLUSIVE');
    expect(found.checks.find((c) => c.id === 'readings-agree')?.outcome).toBe('INCONCLUSIVE');
  });

  it('judges what an earlier release kept as that release did', () => {
    const kept = { assetKey: VIN, stolen: register('stolen', [VIN]) };
    expect(judge(evidence(kept, {})).verdict).toBe('INCONCLUSIVE');
    // That release did not check check digits, and its verdicts must not change.
    const wrong = 'serial:vin:1HGCM82643A004352';
    expect(judge(evidence({ assetKey: wrong, stolen: register('stolen', [wrong]) }, {})).verdict).toBe(
      'INCONCLUSIVE',
    );
    expect(judge(evidence({ ...kept, stolen: register('stolen', [VIN], hit(VIN)) }, {})).verdict).toBe(
      'FLAGGED',
    );
  });
});

const anyRegister = (name: RegisterState['register'], keys: readonly string[]) =>
  fc
    .record({
      age: fc.constantFrom(AT, '2026-01-01T00:00:00.000Z'),
      rows: fc.constantFrom(0, 2, 2, 2),
      lookedUp: fc.subarray([...keys]).chain((some) => fc.constantFrom(some, [...keys])),
      hits: fc.subarray([...keys], { maxLength: 1 }).chain((some) => fc.constantFrom(some, [])),
    })
    .map(({ age, rows, lookedUp, hits }) =>
      register(name, lookedUp, {
        lists: [{ name: `${name}/x`, asOf: age, rows }],
        hits: hits.map((key) => ({ key, list: `${name}/x` })),
      }),
    );
const anyLookup = fc
  .record({
    register: fc.constantFrom('stolen' as const, 'recalled' as const),
    answer: fc.constantFrom('listed' as const, 'not-listed' as const, 'not-listed' as const, null),
  })
  .map(lookup);
const anyCustody = fc.option(
  fc.array(
    fc
      .record({ moves: fc.subarray(WALK), holder: fc.constantFrom(ALICE, CAROL, CAROL, null) })
      .map(({ moves, holder }) =>
        token(moves, { holders: holder === null ? [] : [{ address: holder, amount: '1' }] }),
      ),
    { maxLength: 2 },
  ),
);
const holders = [ALICE, BOB, CAROL];
const anyEvidence = fc
  .record({
    stolen: anyRegister('stolen', [VIN]),
    recalled: anyRegister('recalled', [VIN]),
    sanctions: anyRegister('sanctions', holders),
    knownScam: anyRegister('known-scam', holders),
    lookups: fc.array(anyLookup, { maxLength: 3 }),
    custody: anyCustody,
    depth: fc.constantFrom('1-of-1' as const, '2-of-2' as const, 'superconsensus' as const),
  })
  .map(({ custody, depth, ...shared }) => evidence(common(shared), { custody, fault: null }, depth));

describe('provenance, whatever the facts', () => {
  it('is CLEAN only when every check passed', () => {
    fc.assert(
      fc.property(anyEvidence, (e) => {
        const { verdict, checks } = judge(e);
        if (verdict === 'CLEAN') expect(checks.filter((c) => c.outcome !== 'PASS')).toEqual([]);
      }),
    );
  });

  it('stays FLAGGED when one more adverse fact is added', () => {
    const adverse = fc.constantFrom<(c: ProvenanceCommon) => ProvenanceCommon>(
      (c) => ({ ...c, stolen: { ...c.stolen, hits: [...c.stolen.hits, { key: VIN, list: 'stolen/new' }] } }),
      (c) => ({
        ...c,
        recalled: { ...c.recalled!, hits: [...c.recalled!.hits, { key: VIN, list: 'recalled/new' }] },
      }),
      (c) => ({
        ...c,
        knownScam: { ...c.knownScam!, hits: [...c.knownScam!.hits, { key: BOB, list: 'scam/new' }] },
      }),
      (c) => ({ ...c, lookups: [...c.lookups!, lookup({ answer: 'listed' })] }),
      (c) => ({ ...c, lookups: [...c.lookups!, lookup({ answer: null, fault: 'late' })] }),
      (c) => ({ ...c, sanctions: { ...c.sanctions!, lookedUp: [] } }),
    );
    fc.assert(
      fc.property(anyEvidence, adverse, (e, worse) => {
        const [before, after] = [judge(e).verdict, judge({ ...e, common: worse(e.common) }).verdict];
        if (before === 'FLAGGED') expect(after).toBe('FLAGGED');
        if (before === 'INCONCLUSIVE') expect(after).not.toBe('CLEAN');
      }),
    );
  });

  it('does not depend on the order of facts', () => {
    const turned = <T>(list: readonly T[] | undefined): T[] => [...(list ?? [])].reverse();
    const turnedRegister = (r: RegisterState): RegisterState => ({
      ...r,
      lists: turned(r.lists),
      lookedUp: turned(r.lookedUp),
      hits: turned(r.hits),
    });
    fc.assert(
      fc.property(anyEvidence, (e) => {
        const { stolen, recalled, sanctions, knownScam, lookups } = e.common;
        const shared: ProvenanceCommon = {
          ...e.common,
          stolen: turnedRegister(stolen),
          recalled: turnedRegister(recalled!),
          sanctions: turnedRegister(sanctions!),
          knownScam: turnedRegister(knownScam!),
          lookups: turned(lookups),
        };
        const seats = e.seats.map((s) => ({
          ...s,
          facts: s.facts && {
            ...s.facts,
            custody: s.facts.custody?.map((c) => ({ ...c, moves: turned(c.moves) })) ?? null,
          },
        }));
        const [one, other] = [judge(e), judge({ ...e, common: shared, seats })];
        expect(other.verdict).toBe(one.verdict);
        expect(other.checks.map((c) => [c.id, c.outcome])).toEqual(one.checks.map((c) => [c.id, c.outcome]));
      }),
    );
  });

  it('finds every single missing move, by steps and by sums', () => {
    const path = fc.array(fc.constantFrom(...holders), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(path, fc.nat(), (hands, n) => {
        const moves = hands.map((to, i) => move(i + 1, hands[i - 1] ?? NOBODY, to));
        const whole = token(moves, { holders: [{ address: hands.at(-1)!, amount: '1' }] });
        expect([holesIn(whole), outOfBalance(whole)]).toEqual([[], 0]);
        const missing = n % moves.length;
        if (moves[missing]!.from === moves[missing]!.to) return;
        const broken = { ...whole, moves: moves.filter((_, i) => i !== missing) };
        expect(holesIn(broken).length).toBeGreaterThan(0);
        expect(outOfBalance(broken)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a certificate', () => {
  const certificate = token(WALK, { void: false });
  const dispute = (over: Partial<CertificateDispute> = {}): CertificateDispute => ({
    ...{ disputeId: 'dsp_1', tokenId: '17', by: `0x${'d'.repeat(40)}`, state: 'disclosed', ruling: null },
    ...{ filedAt: AT, closed: false, ...over },
  });
  const verdictOf = (
    disputes: readonly CertificateDispute[],
    scope?: 'deal',
    lives = [certificate],
  ): Verdict =>
    judge(
      evidence(common({ disputes, ...(scope === undefined ? {} : { scope }) }), {
        custody: lives,
        fault: null,
      }),
    ).verdict;

  it('is left open by what a stranger discloses, but not in a deal, where only a holder of before stops anything', () => {
    expect(verdictOf([])).toBe('CLEAN');
    expect(verdictOf([dispute()])).toBe('INCONCLUSIVE');
    expect(verdictOf([dispute()], 'deal')).toBe('CLEAN');
    expect(verdictOf([dispute({ by: ALICE })], 'deal')).toBe('INCONCLUSIVE');
    expect(verdictOf([dispute({ state: 'held' })], 'deal')).toBe('INCONCLUSIVE');
    expect(verdictOf([dispute({ state: 'upheld', ruling: 'upheld' })], 'deal')).toBe('FLAGGED');
    expect(verdictOf([dispute({ state: 'appealed', ruling: 'upheld' })])).toBe('FLAGGED');
    expect(verdictOf([dispute({ state: 'appealed', ruling: 'rejected' })])).toBe('INCONCLUSIVE');
    for (const done of [dispute({ state: 'rejected', ruling: 'rejected' }), dispute({ closed: true })])
      expect(verdictOf([done])).toBe('CLEAN');
    expect(verdictOf([dispute({ tokenId: '16', state: 'upheld', ruling: 'upheld' })])).toBe('CLEAN');
  });

  it('tells of a dispute that stops nothing, and says never beside it that the certificate is not disputed', () => {
    const detailOf = (disputes: CertificateDispute[]) =>
      judge(
        evidence(common({ disputes, scope: 'deal' }), { custody: [certificate], fault: null }),
      ).checks.find((c) => c.id === 'certificate-standing')?.detail;
    expect(detailOf([])).toBe('neither void nor disputed');
    const by = `0x${'d'.repeat(40)}`;
    expect(detailOf([dispute()])).toBe(`not void; disputed by ${by}, not decided (dsp_1, filed at ${AT})`);
    expect(detailOf([dispute({ state: 'rejected', ruling: 'rejected' })])).toBe(
      `not void; the dispute dsp_1 of ${by}, filed at ${AT}, was rejected`,
    );
  });

  it('says how many more disputes there are than those that were weighed, whatever these cause', () => {
    const detailOf = (disputes: CertificateDispute[], moreDisputes: number) =>
      judge(
        evidence(common({ disputes, moreDisputes, scope: 'deal' }), { custody: [certificate], fault: null }),
      ).checks.find((c) => c.id === 'certificate-standing')?.detail;
    const ends = '; there are 7 more disputes of the thing, none of which counts for more than these';
    for (const one of [dispute(), dispute({ by: ALICE }), dispute({ state: 'upheld', ruling: 'upheld' })]) {
      expect(detailOf([one], 7)?.endsWith(ends)).toBe(true);
    }
    expect(detailOf([dispute()], 1)).toContain('; there is 1 more dispute of the thing, none');
    expect(detailOf([dispute()], 1_000)).toContain('; there are 1000 more disputes of the thing, none');
    expect(detailOf([dispute()], 1_001)).toContain(
      '; there are more than 1,000 more disputes of the thing, none',
    );
  });

  it('is FLAGGED while void, and not by one before it that was void and somebody else’s', () => {
    const voidOf = (last: string) =>
      token([move(1, NOBODY, last)], {
        tokenId: '16',
        void: true,
        holders: [{ address: last, amount: '1' }],
      });
    expect(verdictOf([], undefined, [token(WALK, { void: true })])).toBe('FLAGGED');
    expect(verdictOf([], undefined, [voidOf(BOB), certificate])).toBe('CLEAN');
    expect(verdictOf([], undefined, [voidOf(ALICE), certificate])).toBe('FLAGGED');
  });

  describe('of a thing of which another certificate was found wrong', () => {
    const BY = `0x${'d'.repeat(40)}`;
    const upheld = dispute({ tokenId: '16', state: 'upheld', ruling: 'upheld', closed: true });
    const heldBy = (who: string, tokenId: string, over: Partial<TokenCustody> = {}): TokenCustody =>
      token([move(1, NOBODY, who)], {
        ...{ tokenId, void: false, holders: [{ address: who, amount: '1' }], ...over },
      });
    const judged = (
      own: TokenCustody | null,
      wrong: TokenCustody | null,
      {
        alike = false,
        disputes = [upheld],
        rules = 2,
      }: Partial<{ alike: boolean; disputes: CertificateDispute[]; rules: 1 | 2 }> = {},
    ) => {
      const walked = [...(wrong === null || alike ? [] : [wrong]), ...(own === null ? [] : [own])];
      const looked = [ALICE, BOB, CAROL, BY];
      const shared = common({
        ...{ disputes, ...(rules === 1 ? {} : { disputeRules: 2 as const }) },
        ...{ sanctions: register('sanctions', looked), knownScam: register('known-scam', looked) },
      });
      const facts = { custody: walked, ...(alike && wrong !== null ? { alike: [wrong] } : {}), fault: null };
      const found = judge(evidence(shared, facts));
      return [found.verdict, found.checks.find((c) => c.id === 'certificate-standing')?.hard === true];
    };
    // Retired by its holder before the dispute was decided.
    const retired = (who: string) =>
      token([move(1, NOBODY, who), move(2, who, NOBODY)], { tokenId: '16', void: false, holders: [] });

    it('is FLAGGED in the same hands, INCONCLUSIVE in others, and CLEAN with who disputed it', () => {
      for (const alike of [false, true]) {
        expect(judged(heldBy(BOB, '17'), retired(BOB), { alike })).toEqual(['FLAGGED', true]);
        expect(judged(heldBy(ALICE, '17'), retired(BOB), { alike })).toEqual(['INCONCLUSIVE', false]);
        expect(judged(heldBy(BY, '17'), retired(BOB), { alike })).toEqual(['CLEAN', false]);
      }
    });

    it('knows the hands by who owns the accounts that hold it', () => {
      const owned = (owner: string) => ({
        principals: [{ holder: ALICE, block: '1', owners: [owner], unknown: null }],
      });
      expect(judged(heldBy(ALICE, '17', owned(BOB)), retired(BOB))).toEqual(['FLAGGED', true]);
      expect(judged(heldBy(ALICE, '17', owned(BY)), retired(BOB))).toEqual(['CLEAN', false]);
      // Passed on by another wallet first.
      const passed = heldBy(CAROL, '17', {
        ...{ moves: [move(1, NOBODY, CAROL), move(3, CAROL, BOB)] },
        holders: [{ address: BOB, amount: '1' }],
      });
      expect(judged(passed, retired(BOB))).toEqual(['FLAGGED', true]);
    });

    it('stays open where that one was not read, or nothing stands for the thing now', () => {
      expect(judged(heldBy(BOB, '17'), null)).toEqual(['INCONCLUSIVE', false]);
      expect(judged(null, null)).toEqual(['INCONCLUSIVE', false]);
    });

    it('is judged by kept evidence of before as then', () => {
      expect(judged(heldBy(BOB, '17'), retired(BOB), { rules: 1 })).toEqual(['CLEAN', false]);
    });

    it('is FLAGGED when it is asked about itself after it ended', () => {
      expect(judged(retired(BOB), null)).toEqual(['FLAGGED', false]);
    });
  });

  it('is judged as before in evidence that tells of neither disputes nor voids', () => {
    const { checks, verdict } = judge(evidence());
    expect([verdict, checks.some((c) => c.id === 'certificate-standing')]).toEqual(['CLEAN', false]);
  });
});
