import { type Address, getAbiItem, type Hex, pad, toEventSelector } from 'viem';
import { FUNDER_REACH } from '../../../agents/determinations/shill/shill-deal.ts';
import type { Funding } from '../../../agents/determinations/shill/shill-evidence.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { settlementAbi } from '../../../chain/abi/settlement.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { readSettled } from '../../../chain/indexer/find-settlement.ts';
import type { ChainLog, ChainReader } from '../../../chain/rpc/reader.ts';

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;
/** How many blocks back transfers are read: a deal cannot wait for the whole history of a public chain. */
const FUNDING_BLOCKS = 50_000n;
/** Less than a dollar does not count, because anybody may send small amounts to anybody. */
const DUST = 1_000_000n;

const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const SETTLED = toEventSelector(getAbiItem({ abi: settlementAbi, name: 'DealSettled' }));
const NOBODY = `0x${'0'.repeat(40)}`;

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly tx: Hex;
}

/**
 * Reads transfers of the settlement token that link the two sides of a deal outside of settlements, in the last
 * `FUNDING_BLOCKS` blocks up to `block`: from the seller's side to the buyer's, and by whoever first sent money to
 * both. Minting by the issuer does not count.
 * @param sides each side's account, owners and session key, lower case
 * @throws ReaderError
 */
export async function readFunding(
  reader: ChainReader,
  deployment: Deployment,
  sides: { readonly buyer: readonly string[]; readonly seller: readonly string[] },
  block: bigint,
): Promise<Funding> {
  const { settlement } = deployment;
  const everyone = [...new Set([...sides.buyer, ...sides.seller])].sort();
  const [incoming, settled] = await Promise.all([
    transfersOf(reader, deployment, [TRANSFER, null, everyone.map(topic)], block),
    logsOf(reader, deployment, settlement, [SETTLED], block),
  ]);
  const outside = incoming.filter((t) => !isPrice(t, settled) && t.amount >= DUST && t.from !== NOBODY);
  const first = (side: readonly string[]): string | undefined =>
    outside.find((t) => side.includes(t.to) && !side.includes(t.from))?.from;
  const [one, other] = [first(sides.buyer), first(sides.seller)];
  const shared = one !== undefined && one === other && !everyone.includes(one) ? [one] : [];
  return {
    blocks: Number(FUNDING_BLOCKS),
    returned: outside
      .filter(
        (t) => sides.seller.includes(t.from) && sides.buyer.includes(t.to) && !sides.buyer.includes(t.from),
      )
      .map(({ tx, amount }) => ({ tx, amount: amount.toString() })),
    sharedFunders: await Promise.all(shared.map((funder) => reachOf(funder))),
  };

  /** How many other addresses it paid; beyond the number that matters, it stops counting. */
  async function reachOf(funder: string): Promise<Funding['sharedFunders'][number]> {
    const paid = await transfersOf(reader, deployment, [TRANSFER, topic(funder)], block);
    const others = new Set(paid.map((t) => t.to).filter((to) => !everyone.includes(to)));
    return { funder, others: Math.min(others.size, FUNDER_REACH + 1) };
  }
}

/**
 * Whether a transfer is the price that the buyer of a settlement paid its seller. Other transfers in the transaction
 * are not, because whoever settles something may send any money in the same transaction.
 */
function isPrice({ tx, from, to, amount }: Transfer, settled: readonly ChainLog[]): boolean {
  return settled.some((log) => {
    if (log.transactionHash !== tx) return false;
    const deal = readSettled(log);
    return (
      deal !== null && sameAddress(deal.buyer, from) && sameAddress(deal.seller, to) && amount <= deal.price
    );
  });
}

async function transfersOf(
  reader: ChainReader,
  deployment: Deployment,
  topics: readonly (Hex | readonly Hex[] | null)[],
  block: bigint,
): Promise<Transfer[]> {
  const logs = await logsOf(reader, deployment, deployment.usdc, topics, block);
  return logs.map(({ topics: [, from, to], data, transactionHash: tx }) => ({
    from: addressIn(from),
    to: addressIn(to),
    amount: BigInt(data),
    tx,
  }));
}

/** Returns logs in the order of the chain. */
async function logsOf(
  reader: ChainReader,
  deployment: Deployment,
  address: Address,
  topics: readonly (Hex | readonly Hex[] | null)[],
  block: bigint,
): Promise<ChainLog[]> {
  const oldest = block - FUNDING_BLOCKS + 1n;
  const deployed = BigInt(deployment.deployedAtBlock);
  const ranges: { fromBlock: bigint; toBlock: bigint }[] = [];
  for (let fromBlock = oldest > deployed ? oldest : deployed; fromBlock <= block; fromBlock += SPAN) {
    const toBlock = fromBlock + SPAN - 1n < block ? fromBlock + SPAN - 1n : block;
    ranges.push({ fromBlock, toBlock });
  }
  return (await Promise.all(ranges.map((range) => reader.logs({ address, topics, ...range })))).flat();
}

function topic(address: string): Hex {
  return pad(address as Hex, { size: 32 });
}

function addressIn(word: Hex | undefined): string {
  return `0x${(word ?? '').slice(-40)}`.toLowerCase();
}
