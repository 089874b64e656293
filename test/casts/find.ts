import { identifiersOf } from '../words/identifiers.ts';

/** Where a type may be put aside: what cannot be typed goes through one of these, which says why. */
export const BOUNDARIES: readonly string[] = [
  'api/desk/pages/answer-of-act.ts',
  'runtime/durable/queue/untyped-queue.ts',
];

/** The lines of a source on which a type is put aside by `as never` or `as unknown as`. */
export function castsIn(source: string): number[] {
  const identifiers = identifiersOf(source);
  return identifiers
    .filter(({ name }, i) => {
      const [next, afterNext] = [identifiers[i + 1]?.name, identifiers[i + 2]?.name];
      return name === 'as' && (next === 'never' || (next === 'unknown' && afterNext === 'as'));
    })
    .map(({ line }) => line);
}
