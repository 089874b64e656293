import { createHash } from 'node:crypto';
import { PUBLISHED_FINGERPRINTS } from './published-fingerprints.ts';

const published = new Set(PUBLISHED_FINGERPRINTS.trim().split(/\s+/));

/** The fingerprint of a key as in {@link PUBLISHED_FINGERPRINTS}. @param digits hex without 0x, lower case */
export function fingerprintOf(digits: string): string {
  return createHash('sha256').update(digits).digest('hex').slice(0, 12);
}

/**
 * Why a private key or seed must not be used: it is published, or was not drawn at random. The chance that 32 random
 * bytes fail any of the checks is below one in ten million.
 * @param hex 0x and at least 32 bytes of hex
 * @returns what is wrong with it, as the end of "it …"; null when it may be used
 */
export function weaknessOfKey(hex: string): string | null {
  const digits = hex.slice(2).toLowerCase();
  const halves = [digits, digits.slice(0, 64), digits.slice(-64)];
  if (halves.some((part) => published.has(fingerprintOf(part)))) return 'is published: everybody has it';
  const bytes = [...Buffer.from(digits, 'hex')];
  const nibbles = [...digits].map((digit) => Number.parseInt(digit, 16));
  if (longestRun(nibbles) >= 12 || longestRun(bytes) >= 6)
    return 'repeats one digit or byte, or is a small number: whoever guesses finds it';
  if (isPattern(bytes, 256, 16) || isPattern(nibbles, 16, 32))
    return 'repeats, mirrors or counts on by a pattern: whoever guesses finds it';
  if (new Set(nibbles).size <= 10 || new Set(bytes).size <= 16)
    return 'uses few of the digits there are: it was not drawn at random';
  if (bytes.filter((byte) => byte >= 0x20 && byte < 0x7f).length >= (bytes.length * 7) / 8)
    return 'is text: it was not drawn at random';
  return null;
}

function longestRun(values: readonly number[]): number {
  let [longest, run] = [0, 0];
  values.forEach((value, i) => {
    run = value === values[i - 1] ? run + 1 : 1;
    longest = Math.max(longest, run);
  });
  return longest;
}

/**
 * True when half of the values follow from earlier ones: each differs from the one some places before by the same
 * amount (repetition, counting, interleaved counters), the differences themselves count on, or the sequence is a
 * palindrome.
 */
function isPattern(values: readonly number[], modulus: number, longest: number): boolean {
  for (let lag = 1; lag <= longest; lag++) if (share(steps(values, lag, modulus)) >= 0.5) return true;
  const second = steps(steps(values, 1, modulus), 1, modulus);
  if (share(second) >= 0.5 || share(steps(second, 1, modulus)) >= 0.5) return true;
  const half = values.slice(0, values.length / 2);
  const mirrored = half.map((value, i) => (value - values[values.length - 1 - i]! + modulus) % modulus);
  const complement = half.map((value, i) => (value + values[values.length - 1 - i]!) % modulus);
  return share(mirrored) >= 0.5 || share(complement) >= 0.5;
}

/** The difference of each value to the one `lag` places before it, modulo `modulus`. */
function steps(values: readonly number[], lag: number, modulus: number): number[] {
  return values.slice(lag).map((value, i) => (value - values[i]! + modulus) % modulus);
}

/** The share of the most frequent value, from 0 to 1. */
function share(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values()) / values.length;
}
