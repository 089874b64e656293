import { badField } from './errors.ts';

/** Micro-dollars: 6 decimals, one unit is one atomic USDC. Money is never a float inside the service. */
export type Micro = bigint;

export const MICRO_PER_USD = 1_000_000n;
export const CENT: Micro = 10_000n;
/** The largest amount the wire takes: 1e12 dollars. */
export const MAX_MICRO: Micro = 10n ** 18n;

const DECIMAL = /^(?:0|[1-9][0-9]*)(?:\.([0-9]{1,}))?$/;

/**
 * Reads dollars from the wire, a JSON number or a decimal string, into micro-dollars.
 * @param decimals how many decimals the field may carry (6, or 2 for asks, floors, limits and bids)
 * @throws AppError bad-request naming `path`
 */
export function parseUsd(value: number | string, path: string, decimals: 2 | 6 = 6): Micro {
  const text = typeof value === 'number' ? numberText(value, path) : value;
  const match = DECIMAL.exec(text);
  if (!match) throw badField(path, 'must be a non-negative decimal amount of dollars, such as 12.50');
  const fraction = match[1] ?? '';
  if (fraction.length > decimals) throw badField(path, `must carry at most ${decimals} decimals`);
  const whole = fraction === '' ? text : text.slice(0, text.length - fraction.length - 1);
  if (whole.length > 13) throw badField(path, 'must be at most 1000000000000 dollars');
  const micro = BigInt(whole) * MICRO_PER_USD + BigInt(fraction.padEnd(6, '0'));
  if (micro > MAX_MICRO) throw badField(path, 'must be at most 1000000000000 dollars');
  return micro;
}

/**
 * Reads what a payment asks for, in the smallest unit of its token. A stranger wrote it: an amount below zero would give a
 * budget back what it never spent. @returns null for anything but decimal digits
 */
export function askedUnits(amount: unknown): bigint | null {
  return typeof amount === 'string' && /^\d{1,78}$/.test(amount) ? BigInt(amount) : null;
}

function numberText(value: number, path: string): string {
  if (!Number.isFinite(value)) throw badField(path, 'must be a finite number of dollars');
  if (Object.is(value, -0)) return '0';
  const text = String(value);
  if (!text.includes('e')) return text;
  if (value >= 1e21) throw badField(path, 'must be at most 1000000000000 dollars');
  // JavaScript writes numbers below 1e-6 with an exponent: they carry more than six decimals by definition.
  throw badField(path, 'must carry at most 6 decimals');
}

const EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** Dollars for a JSON body. Exact for every amount with at most 15 significant digits. */
export function toUsd(micro: Micro): number {
  // Both are whole and exact, so their quotient is the number that is nearest, as for the decimal text.
  if (micro <= EXACT && micro >= -EXACT) return Number(micro) / 1e6;
  return Number(formatUsd(micro));
}

/** Dollars as a plain decimal string without trailing zeros: 1500000n is "1.5". */
export function formatUsd(micro: Micro): string {
  const sign = micro < 0n ? '-' : '';
  const abs = micro < 0n ? -micro : micro;
  const fraction = (abs % MICRO_PER_USD)
    .toString()
    .padStart(6, '0')
    .replace(/(?<!0)0+$/, '');
  return `${sign}${abs / MICRO_PER_USD}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `basisPoints` of an amount, rounded down to the micro-dollar (fees never round against the payer). */
export function share(amount: Micro, basisPoints: bigint): Micro {
  return (amount * basisPoints) / 10_000n;
}

/** The midpoint of two prices, rounded half to even to the cent. */
export function midpoint(a: Micro, b: Micro): Micro {
  const sum = a + b;
  const unit = 2n * CENT;
  const cents = sum / unit;
  const rest = sum % unit;
  if (rest < CENT) return cents * CENT;
  if (rest > CENT) return (cents + 1n) * CENT;
  return (cents % 2n === 0n ? cents : cents + 1n) * CENT;
}

export function minMicro(a: Micro, b: Micro): Micro {
  return a < b ? a : b;
}

export function maxMicro(a: Micro, b: Micro): Micro {
  return a > b ? a : b;
}
