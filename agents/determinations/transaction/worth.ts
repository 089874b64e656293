import type { WalletCommon } from '../wallet/wallet-evidence.ts';
import { wrappedNative } from './known-contracts.ts';
import type { Asset } from './transaction-evidence.ts';

/** What one account gains or loses of an asset. */
export interface Moved {
  readonly asset: Asset;
  readonly delta: bigint;
}

/**
 * `nothing`: nothing comes, or dust; `known`: money comes, and where it can be compared with what leaves it is worth half
 * of that; `unknown`: what comes is worth nobody knows what, or may be next to nothing for what leaves.
 */
export type Worth = 'nothing' | 'unknown' | 'known';

const ETHER = 10n ** 18n;
const MICRO = 1_000_000n;
/** Less is no price of anything: a thousandth of the native currency, a dollar. */
const LEAST = { native: ETHER / 1000n, dollars: MICRO };
/**
 * For a thing of which nobody knows the worth, so many times as much: a drainer can give a dollar back. Who sells several
 * of them in one call of what nobody knows may be robbed at any price that is not compared with theirs.
 */
const FOR_A_THING = 50n;
/** No chain's native currency is worth more, in dollars. */
const DEAREST = 200_000n;

/** What comes for what leaves, as far as tokens with a known price tell it. */
export function worthOf(
  common: Pick<WalletCommon, 'tokens'>,
  chain: string,
  { gained, lost }: { readonly gained: readonly Moved[]; readonly lost: readonly Moved[] },
): Worth {
  const comes = gained.filter(isMoreThanDust);
  if (comes.length === 0) return 'nothing';
  const [paid, price] = [moneyIn(common, chain, comes, 18), moneyIn(common, chain, lost, 6)];
  const things = lost.filter(({ asset }) => moneyOf(common, chain, asset) === null);
  const times = things.length === 0 ? 1n : FOR_A_THING;
  if (paid.native < times * LEAST.native && paid.dollars < times * LEAST.dollars) return 'unknown';
  if (things.length > 1) return 'unknown';
  const atMost = paid.dollars + (paid.native * DEAREST * MICRO) / ETHER;
  if (2n * atMost < price.dollars) return 'unknown';
  if (paid.dollars === 0n && 2n * paid.native < price.native) return 'unknown';
  return 'known';
}

/** Less than a millionth of a unit is sent to look like something. */
export function isMoreThanDust({ asset, delta }: Moved): boolean {
  if (delta <= 0n) return false;
  if (asset.kind === 'erc721' || asset.kind === 'erc1155') return true;
  const unit = asset.kind === 'native' ? ETHER : 10n ** BigInt(asset.decimals ?? 9);
  return delta * MICRO >= unit;
}

function moneyOf(
  { tokens = [] }: Pick<WalletCommon, 'tokens'>,
  chain: string,
  { kind, token }: Asset,
): 'native' | 'dollars' | null {
  if (kind === 'native' || (kind === 'erc20' && token === wrappedNative(chain))) return 'native';
  return kind === 'erc20' && tokens.some((t) => t.chain === chain && t.token === token) ? 'dollars' : null;
}

/** @param decimals of a dollar that does not tell how many it has */
function moneyIn(
  common: Pick<WalletCommon, 'tokens'>,
  chain: string,
  moved: readonly Moved[],
  decimals: number,
): { readonly native: bigint; readonly dollars: bigint } {
  let [native, micro] = [0n, 0n];
  for (const { asset, delta } of moved) {
    const size = delta < 0n ? -delta : delta;
    const money = moneyOf(common, chain, asset);
    if (money === 'native') native += size;
    if (money === 'dollars') micro += (size * MICRO) / 10n ** BigInt(asset.decimals ?? decimals);
  }
  return { native, dollars: micro };
}
