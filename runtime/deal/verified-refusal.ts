import type { DealOnChain } from '../../chain/clients/settlement.ts';
import { isMarked } from '../../chain/indexer/find-settlement.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import type { Services } from '../services.ts';

/** Refusals by the chain that do not say that a deal cannot be settled: it is settled already, or may be by new signatures. */
export const NOT_FINAL: ReadonlySet<string | undefined> = new Set(['DealAlreadySettled', 'DealExpired']);

/**
 * A refusal of a settlement, without a name of {@link NOT_FINAL} where the chain does not bear it out. The contract of the
 * thing for sale can revert with the same bytes as the settlement: whoever believed it would send one transaction after
 * another, each at our cost.
 * @param deal as both keys signed it
 * @throws ReaderError
 */
export async function verifiedRefusal(
  services: Pick<Services, 'home' | 'now'>,
  deal: Pick<DealOnChain, 'dealId' | 'seller' | 'buyer' | 'deadline'>,
  refusal: ChainError,
): Promise<ChainError> {
  const { errorName, hash, block } = refusal;
  if (refusal.kind !== 'reverted' || !NOT_FINAL.has(errorName)) return refusal;
  const { deployment, readers } = services.home;
  const at = block ?? (await readers.viem.head()).number;
  const isTrue =
    errorName === 'DealAlreadySettled'
      ? await isMarked(readers.viem, deployment, deal, at)
      : (await readers.viem.timestamp(at)) > deal.deadline || (block === undefined && isPast(services, deal));
  if (isTrue) return refusal;
  const says = `the thing's contract answered ${refusal.message}, which is not so`;
  return new ChainError('reverted', says, { hash, block, cause: refusal });
}

/** The simulated block is about to be mined: its time is the clock's, however old the newest block is. */
function isPast({ now }: Pick<Services, 'now'>, { deadline }: Pick<DealOnChain, 'deadline'>): boolean {
  return now().getTime() / 1000 > deadline;
}
