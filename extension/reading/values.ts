import type { Hex } from '../../agents/canonical.ts';

const UNLIMITED = 2n ** 96n;

/** An address as wallets take it: 20 bytes in hex, or a whole number that they turn into one. */
export function readAddress(value: unknown): Hex | null {
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^0x[0-9a-f]{40}$/i.test(text)) return text.toLowerCase() as Hex;
    if (/^[0-9a-f]{40}$/i.test(text) && /[a-f]/i.test(text)) return `0x${text.toLowerCase()}`;
  }
  const number = readNumber(value);
  if (number === null || number >> 160n !== 0n || number >> 64n === 0n) return null;
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export const address = (value: unknown): string => readAddress(value) ?? 'somebody who cannot be read';

/** A whole number in any spelling that wallets take; null for anything else. */
export function readNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^-?\d{1,90}$/.test(text)) return BigInt(text);
  if (/^0x[0-9a-f]{1,64}$/i.test(text)) return BigInt(text);
  return null;
}

/** Whether a field says nothing: it is absent, or zero. What cannot be read may say anything. */
export function isZero(value: unknown): boolean {
  return value === undefined || readNumber(value) === 0n;
}

/** Ether of a transaction: wallets read hex there, also without its prefix. Null where it says what no amount is. */
export function readWei(value: unknown): bigint | null {
  if (value === undefined || value === null || value === '' || value === '0x') return 0n;
  if (typeof value === 'string' && /^[0-9a-f]{1,64}$/i.test(value.trim())) return BigInt(`0x${value.trim()}`);
  const wei = readNumber(value);
  return wei === null || wei < 0n ? null : wei;
}

/** Whether wallets take it for call data. */
export function isData(value: unknown): value is string {
  return typeof value === 'string' && /^(?:0x)?[0-9a-f]*$/i.test(value.trim());
}

/** Call data in hex, made whole where a digit or the prefix is missing; empty where there is none. */
export function readData(value: unknown): Hex {
  if (!isData(value)) return '0x';
  const digits = value.trim().replace(/^0x/i, '').toLowerCase();
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

/** Longer data is searched to here, and the reading says so. */
export const SEARCHED_BYTES = 65_536;

/** Every 20 bytes of call data that may be an address: what follows twelve zero bytes, and each run of a packed path. */
export function addressesInData(data: Hex): Set<string> {
  const found = new Set<string>();
  const digits = data.slice(2, 2 + 2 * SEARCHED_BYTES);
  for (let at = 0; at + 40 <= digits.length; at += 2) {
    const word = digits.slice(at, at + 40);
    if (!word.startsWith('00000000')) found.add(`0x${word}`);
  }
  return found;
}

/** An amount of a token, in its smallest unit. */
export function amountWords(amount: bigint | null): string {
  if (amount === null) return 'an amount that cannot be read';
  return amount >= UNLIMITED ? 'any amount' : `${amount} units`;
}

export function etherWords(wei: bigint): string {
  const whole = wei / 10n ** 18n;
  const rest = (wei % 10n ** 18n).toString().padStart(18, '0').replace(/0+$/, '');
  return `${whole}${rest === '' ? '' : `.${rest}`} of the chain’s own coin`;
}

/** A time limit of a permission. */
export function untilWords(seconds: bigint | null): string {
  if (seconds === null) return '';
  if (seconds >= 253_402_300_800n) return ', for ever';
  return `, until ${new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
