import type { ChainReading, WalletCommon } from './wallet-evidence.ts';

/** Whether everything that was asked of this chain was read. */
export function whole(c: ChainReading, common: WalletCommon): boolean {
  const asked = (common.tokens ?? []).filter((t) => t.chain === c.chain);
  const freeze = asked.every((t) => c.freeze?.token === t.token);
  return c.nonce !== null && c.balance !== null && c.code !== null && freeze;
}
