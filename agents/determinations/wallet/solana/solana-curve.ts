import { base58Bytes } from '../address.ts';

const P = 2n ** 255n - 19n;
/** −121665/121666, the constant of edwards25519 (RFC 8032, section 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * True when the 32 bytes of a Solana address decode to a point of edwards25519 (RFC 8032, section 5.1.3), so that a key
 * pair may exist for it. No key can sign for an address off the curve; only a program can (a program-derived address).
 */
export function onCurve(address: string): boolean {
  const bytes = base58Bytes(address);
  if (bytes?.length !== 32) return false;
  let packed = 0n;
  for (const byte of [...bytes].reverse()) packed = (packed << 8n) | BigInt(byte);
  const sign = packed >> 255n;
  const y = packed & (2n ** 255n - 1n);
  if (y >= P) return false;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  // x² = u/v has a root exactly when u/v is zero or a square; with x = 0 the sign bit must be 0.
  const square = mod(u * power(v, P - 2n));
  if (square === 0n) return sign === 0n;
  return power(square, (P - 1n) / 2n) === 1n;
}

function mod(a: bigint): bigint {
  return ((a % P) + P) % P;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, b] = [1n, base];
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = mod(result * b);
    b = mod(b * b);
  }
  return result;
}
