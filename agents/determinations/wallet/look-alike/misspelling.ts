import { keccak } from '../../../canonical.ts';
import type { WalletCommon } from '../wallet-evidence.ts';

/** The share of letters whose case does not follow EIP-55; 0 when all letters have one case. */
export function misfit(common: WalletCommon): number {
  if (common.addressType !== 'evm') return 0;
  const letters = [...common.address.slice(2)].map((c, i) => ({ c, i })).filter(({ c }) => /[a-f]/i.test(c));
  const upper = letters.filter(({ c }) => c === c.toUpperCase()).length;
  if (upper === 0 || upper === letters.length) return 0;
  const bits = BigInt(keccak(common.address.slice(2).toLowerCase()));
  const wrong = letters.filter(({ c, i }) => {
    const wantsUpper = ((bits >> BigInt(255 - 4 * i)) & 1n) === 1n;
    return wantsUpper !== (c === c.toUpperCase());
  });
  return wrong.length / letters.length;
}
