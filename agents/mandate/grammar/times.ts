import type { Token } from './tokens.ts';

/** A time of day in milliseconds after midnight UTC, or the question that it leaves open. */
export interface TimeReading {
  readonly length: number;
  readonly ms?: number;
  readonly endOfDay?: boolean;
  readonly question?: (words: string) => string;
}

/** @returns 0 for a word that means UTC, null for any other */
export function readZone(token: Token | undefined): 0 | null {
  return token !== undefined && ['utc', 'gmt', 'z'].includes(token.key) ? 0 : null;
}

const OTHER_ZONES = new Set(
  'est edt cst cdt mst mdt pst pdt cet cest bst ist jst et pt ct mt aest local'.split(' '),
);

/**
 * Reads a time with its zone: "18:00 UTC", "6pm GMT", "midnight UTC", "noon UTC". A time without a zone becomes a
 * question. Midnight is the start of its day; without a zone it becomes a question, since many people mean the end.
 */
export function readTime(tokens: readonly Token[], at: number): TimeReading | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.key === 'eod') return { length: 1, endOfDay: true };
  const ms =
    token.key === 'midnight' ? 0 : token.key === 'noon' || token.key === 'midday' ? 43_200_000 : clock(token);
  if (ms === null) return null;
  let length = 1;
  if (readZone(tokens[at + 1]) === 0) length = 2;
  else if (OTHER_ZONES.has(tokens[at + 1]?.key ?? ''))
    return { length: 2, question: (words) => `What is ${words} in UTC?` };
  else if (token.key === 'midnight')
    return {
      length,
      question: (words) => `Is ${words} the start or the end of that day? Please give it in UTC.`,
    };
  else return { length, question: (words) => `Is ${words} in UTC? Please add the time zone.` };
  if (ms === undefined)
    return { length, question: (words) => `There is no such time as ${words}. Which time is meant?` };
  return { length, ms };
}

/** @returns milliseconds after midnight; undefined for an impossible time; null when it is not a time */
function clock(token: Token): number | undefined | null {
  if (token.kind !== 'time') return null;
  const found = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?([ap]m)?$/i.exec(token.text);
  if (found === null) return null;
  const half = found[4]?.toLowerCase();
  let hour = Number(found[1]);
  const minute = Number(found[2] ?? 0);
  const second = Number(found[3] ?? 0);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half === 'pm' ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}
