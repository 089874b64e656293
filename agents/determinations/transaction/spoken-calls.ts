import { decodeCall, intendedApproval, intendedRecipient } from './call-data.ts';
import { type InnerCall, isCaller, MULTISENDS } from './inner-calls.ts';
import type { AssetChange } from './transaction-evidence.ts';

/**
 * Whether a token was itself told to send what leaves: by a call of it that is no approval, and, where it is a transfer, for
 * so much. What an approval lets another call of the same batch take was told by nobody.
 */
export function isSpokenFor(
  { asset, delta }: Pick<AssetChange, 'asset'> & { readonly delta: bigint },
  mine: readonly InnerCall[],
): boolean {
  const calls = mine.filter(({ to, delegated }) => to === asset.token && !delegated);
  const spoken = calls.filter((call) => !isApproval(call)).map(({ data }) => decodeCall(data));
  if (spoken.length === 0) return false;
  const transfers = spoken.filter((call) => intendedRecipient(call) !== null);
  // Another function of the token, such as one that burns it.
  if (transfers.length < spoken.length) return spoken.length === calls.length;
  const numbers = transfers.map(({ args }) => args.at(-1)!.value);
  return asset.tokenId === null
    ? -delta <= numbers.reduce((sum, amount) => sum + BigInt(amount), 0n)
    : numbers.includes(asset.tokenId);
}

/** The calls by which something else is done than moving or approving what is held: of exchanges, markets and the like. */
export function appliedIn(mine: readonly InnerCall[]): InnerCall[] {
  return mine.filter(
    (call) =>
      call.data.length > 2 &&
      !isCaller(call.data) &&
      !(call.delegated && MULTISENDS.has(call.to)) &&
      (mine.length === 1 || !(isApproval(call) || intendedRecipient(decodeCall(call.data)) !== null)),
  );
}

function isApproval({ account, to, data }: InnerCall): boolean {
  return intendedApproval({ from: account, to }, decodeCall(data)) !== null;
}
