import type { CodeFacts } from './code/account-code.ts';
import type { ChainReading, WalletCommon } from './wallet-evidence.ts';

const TWENTY_BYTES = /^[0-9a-f]{40}$/;

/** Whether everything that was asked of this chain was read. */
export function whole(c: ChainReading, common: WalletCommon): boolean {
  const asked = (common.tokens ?? []).filter((t) => t.chain === c.chain);
  const freeze = asked.every((t) => c.freeze?.token === t.token);
  return c.nonce !== null && c.balance !== null && c.code !== null && freeze;
}

/** Whether a listed address occurs anywhere in the head of the code, or in a slot that says which code runs. */
export function mentions(code: CodeFacts | null, key: string): boolean {
  const bare = key.toLowerCase().replace(/^0x/, '');
  if (code === null || !TWENTY_BYTES.test(bare)) return false;
  const runs = (code.runs ?? []).map(({ to }) => to);
  const slots = [code.implementation, code.beacon, code.admin, ...runs, ...(code.constants ?? [])];
  return code.head.toLowerCase().includes(bare) || slots.some((s) => s?.toLowerCase() === `0x${bare}`);
}
