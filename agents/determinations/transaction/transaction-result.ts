import type { DeterminationEvidence } from '../panel/types.ts';
import type { WalletCommon, WalletFacts } from '../wallet/wallet-evidence.ts';
import { decodeCall } from './call-data.ts';
import type { Approval, Simulation } from './transaction-evidence.ts';
import type { TransactionResult } from './transaction-shape.ts';

/** From here on an amount is no limit: tokens of fewer bits take all of theirs. */
const UNLIMITED: Readonly<Record<Approval['via'], bigint>> = {
  allowance: 2n ** 95n,
  permit2: 2n ** 159n,
  token: 2n ** 256n,
  operator: 1n,
};

export function isUnlimited({ via, amount }: Pick<Approval, 'via' | 'amount'>): boolean {
  return BigInt(amount) >= UNLIMITED[via];
}

/** The simulation of each seat that has one. */
export function simulationsIn(readings: readonly (WalletFacts | null)[]): Simulation[] {
  return readings.flatMap((r) => r?.chains.flatMap((c) => c.simulation ?? []) ?? []);
}

/** Who simulated it: the nodes of the seats, or forks of them. */
function nodesOf(read: DeterminationEvidence['seats']): string {
  const named = read.map((s) => {
    const [seen] = simulationsIn([s.facts as WalletFacts]);
    return seen?.fork === true ? `a fork (anvil) of ${s.source}` : s.source;
  });
  return [...new Set(named)].join('; ');
}

/** What is answered about the transaction; null where none was named. */
export function transactionResult(evidence: DeterminationEvidence): TransactionResult | null {
  const { transaction: tx, address } = evidence.common as WalletCommon;
  if (tx === undefined) return null;
  const read = evidence.seats.filter(
    (s) => s.method !== 'adversarial' && simulationsIn([s.facts as WalletFacts | null]).length > 0,
  );
  const [seen] = simulationsIn(read.map((s) => s.facts as WalletFacts));
  const pinned = evidence.blocks[tx.chain];
  const fault = evidence.seats.map((s) => s.fault).find((f) => f !== null);
  const role = (party: string) =>
    party === tx.from
      ? 'sender'
      : party === address.toLowerCase()
        ? 'counterparty'
        : party === tx.to
          ? 'target'
          : 'other';
  return {
    assetChanges: (seen?.changes ?? []).map((c) => ({ ...c, asset: { ...c.asset }, role: role(c.party) })),
    simulation: {
      ...{ chainId: Number(tx.chain.slice('eip155:'.length)), block: pinned?.number ?? null },
      ...{ blockHash: pinned?.hash ?? null, node: nodesOf(read) },
      ...{ from: tx.from, assumedSender: tx.assumedSender !== undefined },
      outcome: seen?.outcome ?? 'not-simulated',
      reason: seen === undefined ? (fault ?? 'its chain could not be read') : seen.reason,
      call: { ...decodeCall(tx.data), args: decodeCall(tx.data).args.map((arg) => ({ ...arg })) },
      approvals: (seen?.approvals ?? []).map(({ held: _, ...a }) => ({ ...a, unlimited: isUnlimited(a) })),
      ownerChanges: (seen?.owners ?? []).map((o) => ({ ...o })),
      conditions: (seen?.conditions ?? []).map((c) => ({ ...c, worse: [...c.worse] })),
    },
  };
}
