import { describe, expect, it } from 'vitest';
import { behaviourOf, behaviourScore, behaviourVoice, type Movement } from './behaviour.ts';
import type { Behaviour } from './behaviour-form.ts';
import { BEHAVIOUR_MODEL } from './behaviour-model.ts';

const ME = '0xme';
const READ = { chain: 'eip155:1', source: 'x', complete: true };
const out = (to: string, value: number, minute: number): Movement => ({
  ...{ from: ME, to, value, at: minute * 60_000 },
});
const into = (from: string, value: number, minute: number): Movement => ({
  ...{ from, to: ME, value, at: minute * 60_000 },
});

describe('the behaviour of an address', () => {
  it('is counted from its movements, in any order and in any unit', () => {
    const all = [
      out('b', 4, 30),
      into('a', 10, 0),
      out('a', 2, 10),
      into('c', 20, 60),
      out('b', 0, 40),
      out(ME, 9, 1),
    ];
    const found = behaviourOf(ME, all, READ);
    expect(found).toEqual({
      ...READ,
      ...{ sent: 2, uniqueTo: 2, gapSent: 20, received: 2, uniqueFrom: 2, gapReceived: 60 },
      ...{ minSent: 2, avgSent: 3, maxSent: 4, minReceived: 10, avgReceived: 15, maxReceived: 20 },
    });
    expect(behaviourOf(ME, [...all].reverse(), READ)).toEqual(found);
    const many = (unit: number) =>
      behaviourOf(
        ME,
        Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? out : into)('x', (i + 1) * unit, i)),
        READ,
      );
    expect(behaviourVoice(many(1e6))!.score).toBeCloseTo(behaviourVoice(many(1))!.score, 6);
  });

  it('says nothing of a short history, however odd it is', () => {
    expect(behaviourVoice(behaviourOf(ME, [], READ))).toBeNull();
    const few = Array.from({ length: 4 }, (_, i) => into(`v${i}`, 5, i));
    expect(
      behaviourVoice(behaviourOf(ME, [...few, ...few.map((m) => out('cash', m.value, 9))], READ)),
    ).toBeNull();
  });

  it('has a model whose flag is rarer than its doubt, measured on addresses that it had not seen', () => {
    const { card, flagAt, doubtAt } = BEHAVIOUR_MODEL;
    expect(flagAt).toBeGreaterThan(doubtAt);
    expect(card.benignFlagged).toBeLessThanOrEqual(0.005);
    expect(card.recall).toBeGreaterThan(0.3);
  });

  it('counts chains that look like fraud, and a doubt costs confidence', () => {
    const voices: Partial<Record<string, Behaviour>> = {};
    // Any behaviour will do that the model takes so: they are looked for among odd ones.
    for (let n = 0; n < 4_000; n++) {
      const value = (i: number): number => 1 + ((n * 31 + i * 17) % 97) * (n % 7);
      const all = Array.from({ length: 12 + (n % 60) }, (_, i) =>
        i % (2 + (n % 5)) === 0
          ? out(`o${i % (1 + (n % 3))}`, value(i) * (1 + (n % 11)), i * (1 + (n % 500)))
          : into(`v${i % (1 + (n % 40))}`, value(i), i * (1 + (n % 500))),
      );
      const behaviour = behaviourOf(ME, all, READ);
      voices[behaviourVoice(behaviour)?.says ?? 'none'] ??= behaviour;
    }
    expect(behaviourScore([voices.usual!])).toEqual({ flags: 0, doubt: 0 });
    expect(behaviourScore([voices.doubt!]).doubt).toBeGreaterThan(0);
    expect(behaviourScore([voices.flag!, voices.usual!]).flags).toBe(1);
  });
});
