import { adverse, type Ground } from '../../panel/scorecard.ts';
import type { WalletCommon, WalletFacts } from '../wallet-evidence.ts';
import type { Finding } from '../wallet-findings.ts';

/**
 * Whether a listed contract has the same code, byte by byte. Where at least half of all others with this code are
 * listed, it is a flag, and never a hard one; a template that many honest contracts share is only told.
 * @param hash of the code that this seat read
 */
export function twinFinding(
  { twins = [] }: WalletCommon,
  chain: string,
  hash: string | null,
): Finding | null {
  const same = twins.find((t) => t.chain === chain && t.hash === hash);
  const [first] = same?.listed ?? [];
  if (same === undefined || first === undefined) return null;
  const addresses = new Set(same.listed.map((l) => l.key)).size;
  const says = `it has the code, byte by byte, of ${first.key} on ${first.list} (${addresses} of ${same.others} contracts with that code on ${chain} are listed)`;
  return { outcome: 2 * addresses >= same.others ? 'FLAG' : 'PASS', hard: false, says };
}

/** The same in numbers: on how many chains listed contracts are half of those with its code, or more. */
export function twinScore({ twins = [] }: WalletCommon, { chains }: WalletFacts): number {
  return twins.filter(({ chain, hash, others, listed }) => {
    const keys = new Set(listed.map((l) => l.key));
    const isOwn = chains.some((c) => c.chain === chain && c.code?.hash === hash);
    return isOwn && keys.size > 0 && keys.size / others >= 0.5;
  }).length;
}

/** The adversary's ground: at least half of all others with its code are listed. */
export function twinFacts(common: WalletCommon, readings: readonly WalletFacts[]): Ground[] {
  const isMost = readings.some((facts) => twinScore(common, facts) > 0);
  const facts = (common.twins ?? []).map(
    ({ chain, hash, others, listed }) =>
      `of ${others} other contracts of code ${hash} on ${chain}, listed are ${[...new Set(listed.map((l) => l.key))].join(', ')}`,
  );
  return [adverse('most contracts of its code are listed', isMost ? facts : [])];
}

/** In evidence of earlier releases: any listed contract of the same code. */
export function twinGrounds({ twins = [] }: WalletCommon): Ground[] {
  return [{ holds: twins.some((t) => t.listed.length > 0), says: 'a listed contract has the same code' }];
}
