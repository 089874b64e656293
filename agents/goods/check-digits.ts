/** Luhn check (ISO/IEC 7812-1), as IMEIs carry it. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const d = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? d : d < 5 ? d * 2 : d * 2 - 9;
  }
  return sum % 10 === 0;
}

/** GS1 mod-10 check digit over 8, 12, 13 or 14 digits. */
export function gtinCheck(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++)
    sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

/** ISBN-10 check digit (ISO 2108). */
export function isbn10Check(isbn: string): boolean {
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (isbn[i] === 'X' ? 10 : Number(isbn[i])) * (10 - i);
  return sum % 11 === 0;
}

/** The digits with the one behind them that makes `holds` true. */
export function completed(digits: string, holds: (digits: string) => boolean): string {
  for (let d = 0; d < 10; d++) if (holds(`${digits}${d}`)) return `${digits}${d}`;
  return digits;
}

const VIN_VALUES: Readonly<Record<string, number>> = Object.fromEntries([
  ...[...'0123456789'].map((c) => [c, Number(c)] as const),
  ...[...'ABCDEFGH'].map((c, i) => [c, i + 1] as const),
  ...[...'JKLMN'].map((c, i) => [c, i + 1] as const),
  ['P', 7] as const,
  ['R', 9] as const,
  ...[...'STUVWXYZ'].map((c, i) => [c, i + 2] as const),
]);
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/** The check digit that a VIN should have in its ninth place (49 CFR 565.15). @param vin 17 characters */
export function vinCheckDigit(vin: string): string {
  const sum = VIN_WEIGHTS.reduce((total, weight, i) => total + weight * (VIN_VALUES[vin[i] ?? ''] ?? 0), 0);
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}
