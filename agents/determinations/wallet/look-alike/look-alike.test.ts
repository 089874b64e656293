import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alikeAlone, couldBeTakenFor, takenFor } from './look-alike.ts';

const KNOWN = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f';
const contacts = (...addresses: string[]) => ({ days: 365, addresses });
const both = (address: string, ...known: string[]): [number, number] => [
  takenFor(address, contacts(...known)).length,
  couldBeTakenFor(address, contacts(...known)),
];
/** An address with this many characters of the known one at both ends, and different ones between. */
const ground = (head: number, tail: number, known = KNOWN): string => {
  const digits = known.slice(2);
  const middle = [...digits.slice(head, digits.length - tail)].map((c) => (c === '0' ? '1' : '0')).join('');
  return `0x${digits.slice(0, head)}${middle}${digits.slice(digits.length - tail)}`;
};

describe('a look-alike', () => {
  it.each([
    [4, 4, 1],
    [3, 4, 1],
    [5, 2, 1],
    [2, 5, 1],
    [20, 4, 1],
    [3, 3, 0],
    [8, 1, 0],
    [1, 8, 0],
    [0, 20, 0],
  ])('with %i equal characters in front and %i behind is found %i times', (head, tail, found) => {
    expect(both(ground(head, tail), KNOWN)).toEqual([found, found]);
  });

  it('is not found when there are no contacts, nor for the known address itself in any spelling', () => {
    expect(both(ground(4, 4))).toEqual([0, 0]);
    expect(both(KNOWN.toUpperCase().replace('0X', '0x'), KNOWN)).toEqual([0, 0]);
  });

  it('is not looked for where the asker knows the address itself, and no record then tells of one', () => {
    const known = { ...contacts(KNOWN, ground(4, 4)), known: true as const };
    expect([takenFor(KNOWN, known), couldBeTakenFor(KNOWN, known)]).toEqual([[], 0]);
    expect(alikeAlone(KNOWN, known)).toEqual({ days: 365, addresses: [], others: true });
    // Evidence of earlier releases does not tell of it.
    expect(both(KNOWN, KNOWN, ground(4, 4))).toEqual([1, 1]);
  });

  it('is the only contact that is kept when nobody may learn who asked, and the checks come out the same', () => {
    const ends = fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 }));
    const hex = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => `0x${digits}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(hex, ends), { maxLength: 8 }), (known) => {
        const grown = known.map(([address, [head, tail]], i) =>
          i % 2 === 0 ? address : ground(head, tail, KNOWN),
        );
        const all = contacts(...grown);
        const told = alikeAlone(KNOWN, all);
        expect(takenFor(KNOWN, told)).toEqual(takenFor(KNOWN, all));
        expect(couldBeTakenFor(KNOWN, told)).toBe(couldBeTakenFor(KNOWN, all));
        expect(told.addresses.every((a) => takenFor(KNOWN, contacts(a)).length === 1)).toBe(true);
        expect(told.others).toBe(told.addresses.length < grown.length);
      }),
    );
  });

  it('is found by comparing steps and by comparing masks alike', () => {
    const ends = fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 }));
    const hex = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => `0x${digits}`);
    fc.assert(
      fc.property(hex, ends, (known, [head, tail]) => {
        const address = ground(head, tail, known);
        const [steps, masks] = both(address, known);
        expect(steps).toBe(masks);
        if (head >= 2 && tail >= 2 && head + tail >= 7) expect(steps).toBe(1);
      }),
    );
  });
});
