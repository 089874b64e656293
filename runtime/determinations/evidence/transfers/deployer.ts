import type { SeatReading } from '../../../../agents/determinations/panel/types.ts';
import { accountKind } from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { Deployer, TransferHistory } from '../../../../agents/determinations/wallet/money/flows.ts';
import type { WalletFacts } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import type { Explorer } from '../../../../chain/explorer/explorer.ts';
import { type ChainReader, type Hex, ReaderError } from '../../../../chain/rpc/reader.ts';
import { findDeployer } from '../../../../store/chain-sync/flows.ts';
import { type ChainReaders, caip2, type EvidenceDeps } from '../../deps.ts';
import type { TransferPlan } from './plan.ts';

/** Adds who deployed the address to the histories of those chains by whose index it is a contract. */
export async function withDeployers(
  { db }: EvidenceDeps,
  histories: readonly TransferHistory[],
  {
    plans,
    seats,
    who,
  }: { plans: readonly TransferPlan[]; seats: readonly SeatReading<WalletFacts>[]; who: string },
): Promise<TransferHistory[]> {
  const added = histories.map(async (history) => {
    const plan = plans.find(({ chainId }) => caip2(chainId) === history.chain)!;
    const codes = seats.flatMap((s) => s.facts?.chains.find((c) => c.chain === history.chain)?.code ?? []);
    if (plan.source !== 'index' || codes.every((code) => code.size === 0)) return history;
    const deployer = await findDeployer(db, plan.chainId, who, plan.historyTo!);
    return deployer === null ? history : { ...history, deployer: { ...deployer, shown: true } };
  });
  return await Promise.all(added);
}

/**
 * Who deployed a contract, as an explorer tells it. Both readers are asked about the transaction that it names: where
 * that created the contract itself, the chain shows who sent it; where another contract did, the chain shows no more
 * than that the contract came to be in that block.
 * @returns undefined for an account that is no contract, and where the explorer does not say
 * @throws Error when the chain shows something else; ExplorerError, ReaderError
 */
export async function readDeployer(
  deps: EvidenceDeps,
  plan: TransferPlan,
  explorer: Explorer,
  who: Hex,
): Promise<Deployer | undefined> {
  const readers = deps.readers.get(plan.chainId)!;
  if (!(await isContract(readers.viem, who, plan.block))) return undefined;
  const { creator } = await explorer.profile(who);
  if (creator === null) return undefined;
  const { address, tx } = creator;
  if (tx === null) return { address, tx, block: null, shown: false };
  const [one, other] = await Promise.all([
    readers.viem.receipt(tx as Hex),
    readers.ethers.receipt(tx as Hex),
  ]);
  if (one === null || other === null || one.from !== other.from || one.created !== other.created)
    throw new Error('it says that a transaction created the contract which the chain does not have');
  const told = { address, tx, block: one.block.toString() };
  if (one.created === who) {
    if (one.from !== address)
      throw new Error(`it says that ${address} deployed it, and the chain ${one.from}`);
    return { ...told, shown: true };
  }
  if ((await cameToBe(readers, who, one.block)) === false)
    throw new Error(
      `it says that it was deployed in block ${one.block}, and the chain shows that it was not`,
    );
  return { ...told, shown: false };
}

async function isContract(reader: ChainReader, who: Hex, block: bigint): Promise<boolean> {
  const head = await reader.code(who, block);
  const { kind } = accountKind({ size: (head.length - 2) / 2, hash: null, head, implementation: null });
  return kind !== 'plain' && kind !== 'delegated';
}

/** Whether a contract came to be in a block; null where the node does not keep the state of so long ago. */
async function cameToBe({ viem }: ChainReaders, who: Hex, block: bigint): Promise<boolean | null> {
  try {
    const [before, after] = await Promise.all([viem.code(who, block - 1n), viem.code(who, block)]);
    return before === '0x' && after !== '0x';
  } catch (error) {
    if (error instanceof ReaderError) return null;
    throw error;
  }
}
