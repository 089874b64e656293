import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import {
  appealUntil,
  type Decision,
  type Dispute,
  decisionDue,
  holdUntil,
  isInTheWay,
  readDispute,
  readSaid,
  replyUntil,
  requireAppealOpen,
  requireHoldOpen,
  requireReplyOpen,
  stateOf,
  voidFrom,
} from './dispute.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FILED = new Date('2026-11-01T00:00:00Z');
const at = (ms: number): Date => new Date(FILED.getTime() + ms);
const GROUNDS = 'It is of another bicycle.';
const HASH = `0x${'ab'.repeat(32)}`;

const dispute = (change: Partial<Dispute> = {}): Dispute => ({
  disputeId: 'dsp_1',
  tokenId: '1',
  assetKey: 'serial:generic:A1',
  wallet: `0x${'1'.repeat(40)}`,
  grounds: GROUNDS,
  evidence: [],
  filedAt: FILED,
  replyUntil: replyUntil(FILED),
  reply: null,
  hold: null,
  decision: null,
  appeal: null,
  second: null,
  closedAt: null,
  ...change,
});
const decided = (ruling: Decision['ruling'], ms: number): Decision => ({
  ruling,
  reason: 'Because of it.',
  at: at(ms),
  recordId: 'rec_1',
});
const held = (from: number) => ({
  cause: 'A cause of it.',
  at: at(from),
  until: holdUntil(at(from), 72),
});
const replied = { text: 'No.', by: '0x', at: at(HOUR) };
const appealed = { wallet: '0x', grounds: null, at: at(9 * DAY) };

describe('what is said in a dispute', () => {
  it('takes hashes and web addresses as evidence, at most ten', () => {
    const pieces = [HASH.toUpperCase().replace('0X', '0x'), 'https://a.example/x?y=1#z', 'HTTP://a.example'];
    expect(readDispute({ grounds: `  ${GROUNDS}\n`, evidence: pieces })).toEqual({
      grounds: GROUNDS,
      evidence: [HASH, pieces[1], pieces[2]],
    });
    const eleven = Array.from({ length: 11 }, () => HASH);
    expect(readDispute({ grounds: GROUNDS, evidence: eleven.slice(1) }).evidence).toHaveLength(10);
    expect(() => readDispute({ grounds: GROUNDS, evidence: eleven })).toThrow('at most 10');
  });

  it.each([
    '',
    '0x12',
    `${HASH}0`,
    'ftp://a.example',
    'javascript:alert(1)',
    'https://',
    'https://a.example/ b',
    'https://a.example/"><script>',
    'https://a.example/\nx',
    `https://a.example/${'x'.repeat(500)}`,
  ])('refuses %j as evidence, naming its place', (piece) => {
    expect(() => readDispute({ grounds: GROUNDS, evidence: [HASH, piece] })).toThrow('evidence[1]');
  });

  it('keeps nothing as evidence that a page or a terminal could take for anything but text', () => {
    const hostile = fc.string({ unit: 'binary' }).map((tail) => `https://a.example/${tail}`);
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' }), fc.webUrl()), (piece) => {
        try {
          const [kept = ''] = readDispute({ grounds: GROUNDS, evidence: [piece] }).evidence;
          expect(kept).toMatch(/^(?:0x[0-9a-f]{64}|https?:\/\/[^\s"<>\\^`{|}\p{C}]+)$/iu);
          expect(kept.length).toBeLessThanOrEqual(500);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad-request' });
        }
      }),
    );
  });

  it('counts the characters of words without the space around them', () => {
    for (const [field, least, most] of [
      ['grounds', 10, 2_000],
      ['cause', 10, 1_000],
      ['reason', 10, 1_000],
      ['reply', 1, 2_000],
    ] as const) {
      expect(readSaid(` ${'x'.repeat(least)} `, field)).toHaveLength(least);
      expect(readSaid('x'.repeat(most), field)).toHaveLength(most);
      expect(() => readSaid(`${'x'.repeat(least - 1)}   `, field)).toThrow(field);
      expect(() => readSaid('x'.repeat(most + 1), field)).toThrow(field);
    }
  });
});

describe('a hold', () => {
  it('lasts 72 hours at most, and then the dispute is a disclosure again by itself', () => {
    const one = dispute({ hold: held(HOUR) });
    expect(stateOf(one, at(HOUR))).toBe('held');
    expect(stateOf(one, at(73 * HOUR - 1))).toBe('held');
    expect(stateOf(one, at(73 * HOUR))).toBe('disclosed');
    expect(isInTheWay(one, at(73 * HOUR))).toBe(false);
    for (const hours of [0, -1, 72.001, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => holdUntil(FILED, hours)).toThrow('hours');
  });

  it('comes once, and never after the decision', () => {
    expect(() => requireHoldOpen(dispute())).not.toThrow();
    expect(() => requireHoldOpen(dispute({ hold: held(0) }))).toThrow('once');
    expect(() => requireHoldOpen(dispute({ decision: decided('rejected', 8 * DAY) }))).toThrow('decided');
  });
});

describe('a reply', () => {
  it('is taken once, for seven days, until the decision', () => {
    expect(() => requireReplyOpen(dispute({ hold: held(0) }), at(7 * DAY - 1))).not.toThrow();
    expect(() => requireReplyOpen(dispute(), at(7 * DAY))).toThrow('over');
    expect(() => requireReplyOpen(dispute({ reply: replied }), at(DAY))).toThrow('already');
    expect(() => requireReplyOpen(dispute({ decision: decided('upheld', DAY) }), at(DAY))).toThrow('decided');
  });
});

describe('a decision', () => {
  it('waits for the reply or for the end of its time', () => {
    expect(() => decisionDue(dispute(), at(7 * DAY - 1))).toThrow('may reply');
    expect(decisionDue(dispute(), at(7 * DAY))).toBe('decision');
    expect(decisionDue(dispute({ reply: replied }), at(2 * HOUR))).toBe('decision');
  });

  it('is made again only on an appeal, and then for good', () => {
    const first = dispute({ reply: replied, decision: decided('rejected', DAY) });
    expect(() => decisionDue(first, at(30 * DAY))).toThrow('is decided');
    const second = { ...first, appeal: { ...appealed, at: at(2 * DAY) } };
    expect(stateOf(second, at(3 * DAY))).toBe('appealed');
    expect(decisionDue(second, at(3 * DAY))).toBe('second');
    const last = { ...second, second: decided('upheld', 4 * DAY) };
    expect(stateOf(last, at(4 * DAY))).toBe('upheld');
    expect(() => decisionDue(last, at(5 * DAY))).toThrow('is decided');
    expect(() => requireAppealOpen(last, at(4 * DAY))).toThrow('before');
  });

  it('is appealed against within seven days', () => {
    const one = dispute({ decision: decided('upheld', 8 * DAY) });
    expect(() => requireAppealOpen(dispute(), at(DAY))).toThrow('not decided');
    expect(() => requireAppealOpen(one, at(15 * DAY - 1))).not.toThrow();
    expect(() => requireAppealOpen(one, at(15 * DAY))).toThrow('over');
  });

  it('that upholds makes void when nobody can appeal any more, and stands in the way until then', () => {
    const first = decided('upheld', 8 * DAY);
    const one = dispute({ decision: first });
    expect(voidFrom(one)).toEqual(appealUntil(first));
    expect(isInTheWay(one, at(100 * DAY))).toBe(true);
    const again = { ...one, appeal: appealed };
    expect(voidFrom(again)).toBeNull();
    expect(isInTheWay(again, at(10 * DAY))).toBe(true);
    expect(voidFrom({ ...again, second: decided('upheld', 10 * DAY) })).toEqual(at(10 * DAY));
    const cleared = { ...again, second: decided('rejected', 10 * DAY) };
    expect(voidFrom(cleared)).toBeNull();
    expect(isInTheWay(cleared, at(10 * DAY))).toBe(false);
    const closed = { ...one, closedAt: at(15 * DAY) };
    expect(voidFrom(closed)).toBeNull();
    expect(isInTheWay(closed, at(16 * DAY))).toBe(false);
  });
});

type Act = 'reply' | 'hold' | 'uphold' | 'reject' | 'appeal' | 'wait';

/** Does what the rules allow, and leaves the dispute as it was where they refuse. */
function act(one: Dispute, what: Act, now: Date): Dispute {
  try {
    if (what === 'reply') {
      requireReplyOpen(one, now);
      return { ...one, reply: { ...replied, at: now } };
    }
    if (what === 'hold') {
      requireHoldOpen(one);
      return { ...one, hold: { cause: 'A cause of it.', at: now, until: holdUntil(now, 72) } };
    }
    if (what === 'appeal') {
      requireAppealOpen(one, now);
      return { ...one, appeal: { ...appealed, at: now } };
    }
    if (what === 'wait') return one;
    const ruling = what === 'uphold' ? 'upheld' : 'rejected';
    const decision = { ruling, reason: 'Because of it.', at: now, recordId: 'rec_1' } as const;
    return { ...one, [decisionDue(one, now)]: decision };
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return one;
    throw error;
  }
}

it('whatever is tried in whatever order, keeps to its times and forgets nothing that was done', () => {
  const acts = fc.array(
    fc.record({
      what: fc.constantFrom<Act>('reply', 'hold', 'uphold', 'reject', 'appeal', 'wait'),
      after: fc.integer({ min: 0, max: 5 * DAY }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(acts, (all) => {
      let one = dispute();
      let now = FILED;
      for (const { what, after } of all) {
        now = new Date(now.getTime() + after);
        const before = one;
        one = act(one, what, now);
        for (const part of ['reply', 'hold', 'decision', 'appeal', 'second'] as const)
          if (before[part] !== null) expect(one[part]).toBe(before[part]);
        const { reply, hold, decision, appeal, second } = one;
        if (reply) expect(reply.at < one.replyUntil).toBe(true);
        if (decision) expect(reply !== null || decision.at >= one.replyUntil).toBe(true);
        if (appeal) expect(decision && appeal.at < appealUntil(decision)).toBe(true);
        if (second) expect(appeal).not.toBeNull();
        const last = second ?? decision;
        const byHold = decision === null && hold !== null && now < hold.until;
        expect(isInTheWay(one, now)).toBe(byHold || last?.ruling === 'upheld');
        if (voidFrom(one) !== null) expect(last?.ruling).toBe('upheld');
      }
    }),
    { numRuns: 2_000 },
  );
});
