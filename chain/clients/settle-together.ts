import type { Hex, TransactionReceipt } from 'viem';
import { sameAddress } from '../../agents/ids.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { readSettled } from '../indexer/find-settlement.ts';
import { ChainError } from '../rpc/chain-error.ts';
import type { Signer } from '../tx/signer.ts';
import { sendCall } from '../tx/transact.ts';
import { MOST_TOGETHER, manyCall, type Settled, type SignedDeal, settleDeal } from './settlement.ts';

/** Settles one deal, alone or with others. As `settleDeal`. */
export type Settle = (signed: SignedDeal) => Promise<Settled>;

interface Waiting {
  readonly signed: SignedDeal;
  readonly settled: (settled: Settled) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Settles deals by one signer: those that are asked for while an earlier transaction is on its way to the node leave
 * together, in one `settleMany`. Nobody waits for others to come. The contract lets each deal fail by itself; one that
 * was not settled with the others is tried alone, so that it succeeds or is refused as if it had been alone. So do all of a transaction that came to nothing.
 *
 * Each deal has its own purpose in the signer's store, whatever transaction carries it.
 */
export function settleTogether(signer: Signer, deployment: Deployment): Settle {
  const waiting: Waiting[] = [];
  let leaving = false;

  async function leave(): Promise<void> {
    if (leaving) return;
    leaving = true;
    // Those that were asked for in the same turn leave with the first.
    await null;
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST_TOGETHER);
      if (group.length === 1) await sentAlone(group[0]!);
      else await sentTogether(group);
    }
    leaving = false;
  }

  /** Until it is on its way; how it ends is told later. */
  function sentAlone({ signed, settled, failed }: Waiting): Promise<void> {
    return new Promise((sent) => {
      settleDeal(signer, deployment, signed, () => sent())
        .then(settled, failed)
        .finally(sent);
    });
  }

  async function sentTogether(group: readonly Waiting[]): Promise<void> {
    let hash: Hex;
    try {
      hash = await sendCall(
        signer,
        manyCall(
          deployment,
          group.map(({ signed }) => signed),
        ),
      );
    } catch (error) {
      // It may be on its way, with every deal in it: each finds out for itself.
      if (error instanceof ChainError && error.kind === 'unknown') for (const w of group) w.failed(error);
      else for (const w of group) await sentAlone(w);
      return;
    }
    void told(group, hash);
  }

  async function told(group: readonly Waiting[], hash: Hex): Promise<void> {
    let receipt: TransactionReceipt;
    try {
      receipt = await signer.receipt(hash);
    } catch (error) {
      for (const w of group) w.failed(error);
      return;
    }
    const { transactionHash: tx, blockNumber: block } = receipt;
    for (const w of group) {
      if (hasSettled(receipt, deployment, w.signed)) w.settled({ tx, block });
      else void sentAlone(w);
    }
  }

  return (signed) =>
    new Promise((settled, failed) => {
      waiting.push({ signed, settled, failed });
      void leave();
    });
}

/** Whether a transaction's receipt says that the contract settled this deal between its two parties. */
function hasSettled(
  { status, logs }: TransactionReceipt,
  { settlement }: Deployment,
  { deal }: SignedDeal,
): boolean {
  if (status !== 'success') return false;
  return logs.some((log) => {
    const said = sameAddress(log.address, settlement) ? readSettled(log) : null;
    return (
      said !== null &&
      said.dealId.toLowerCase() === deal.dealId.toLowerCase() &&
      sameAddress(said.seller, deal.seller) &&
      sameAddress(said.buyer, deal.buyer)
    );
  });
}
