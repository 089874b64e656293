/** How many seats an AGENT asks before it acts, in words. */
export const DEPTHS = [
  ['1-of-1', '1-of-1: one determiner'],
  ['2-of-2', '2-of-2: two that share neither method nor client, both must say CLEAN'],
  ['superconsensus', 'superconsensus: five seats, four must say CLEAN'],
] as const;
