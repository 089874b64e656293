import { type Address, getAbiItem, type Hex, pad, toEventSelector } from 'viem';
import { FUNDER_REACH } from '../../../../agents/determinations/shill/deal-funding.ts';
import {
  FUNDERS_SHARE,
  funders,
  givenBack,
  type Sides,
} from '../../../../agents/determinations/shill/funders.ts';
import { customersOf, inEarnest, sumsOf } from '../../../../agents/determinations/shill/payees.ts';
import type { Funding, SharedFunder } from '../../../../agents/determinations/shill/shill-evidence.ts';
import { labelsAt } from '../../../../agents/determinations/wallet/labels.ts';
import { DUST_USD } from '../../../../agents/determinations/wallet/money/flows.ts';
import { NOBODY, sameAddress } from '../../../../agents/ids.ts';
import { minMicro } from '../../../../agents/money.ts';
import { settlementAbi } from '../../../../chain/abi/settlement.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { readSettled, type SettlementTerms } from '../../../../chain/indexer/find-settlement.ts';
import { addressInWord } from '../../../../chain/rpc/address-word.ts';
import type { ChainLog, ChainReader } from '../../../../chain/rpc/reader.ts';
import { entriesAbout, tokenTransfers } from '../../../../store/chain-sync/flows.ts';
import { type TransferRange, transferRange } from '../../../../store/chain-sync/transfers.ts';
import type { Database } from '../../../../store/database.ts';
import { AGENT_ABI } from '../agent/agent-abi.ts';
import { endOf, type Indexed, requireIndexed } from '../transfers/indexed.ts';
import { labelEntries } from '../wallet/labels.ts';

/** Public nodes refuse wider ranges. */
const SPAN = 5_000n;
/** How many blocks back transfers are looked at: a deal cannot wait for the whole history of a public chain. */
const FUNDING_BLOCKS = 50_000n;
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const SETTLED = toEventSelector(getAbiItem({ abi: settlementAbi, name: 'DealSettled' }));

/** A transfer of the settlement token. */
interface Transfer {
  readonly block: bigint;
  /** The log's index in its block. */
  readonly place: number;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly tx: Hex;
}

type Blocks = TransferRange;

/** Where the transfers are: in this service's index, or on the chain, whose logs the seat reads itself. */
interface Source {
  readonly db: Database;
  readonly reader: ChainReader;
  readonly deployment: Deployment;
  /** Null where the index holds none of the blocks. */
  readonly indexed: Blocks | null;
  /** The block up to which the index was read. */
  readonly end: Indexed;
  readonly logged: readonly Blocks[];
}

/**
 * Reads transfers of the settlement token that link the two sides of a deal outside of settlements, in the last
 * `FUNDING_BLOCKS` blocks up to `block`, by the index of transfers and for the blocks that it lacks by logs: from the
 * seller's side to the buyer's, and by whoever paid much of all that came to both, and of what both hold. Minting by the
 * issuer does not count.
 * @param at when lists of labels must be in force
 * @throws ReaderError
 */
export async function readFunding(
  db: Database,
  reader: ChainReader,
  deployment: Deployment,
  sides: Sides,
  block: bigint,
  at: Date,
): Promise<Funding> {
  const everyone = [...new Set([...sides.buyer, ...sides.seller])].sort();
  const all = blocksOf(deployment, block);
  const source = await sourceOf({ db, reader, deployment }, all);
  const [incoming, settled] = await Promise.all([
    transfersOf(source, { to: everyone }),
    // What a settlement paid to these, it paid to its seller: those of others would be as many as the whole market's.
    logsOf(reader, deployment.settlement, [SETTLED, null, everyone.map(topic)], [all]),
    source.indexed === null ? null : requireIndexed(reader, source.end),
  ]);
  const deals = dealsBy(settled, new Set(incoming.map((t) => t.tx)));
  const unpriced = incoming.filter((t) => !isPrice(t, deals) && t.from !== NOBODY);
  const outside = unpriced.filter((t) => t.amount >= DUST_USD);
  // By all addresses of both sides, and dust too: otherwise many small parts would hide it.
  const back = unpriced.filter(
    (t) => sides.seller.includes(t.from) && sides.buyer.includes(t.to) && !sides.buyer.includes(t.from),
  );
  const setOff = givenBack(incoming, sides, (t) => isPrice(t, deals));
  /** Each with the smaller share, in percent, that it paid of what the two sides have. */
  const common = (held: { readonly buyer: bigint; readonly seller: bigint }): Map<string, number> => {
    const sellers = funders(outside, sides.seller, held.seller);
    const both = [...funders(outside, sides.buyer, held.buyer)].flatMap(([f, share]) => {
      const other = sellers.get(f);
      return other === undefined || everyone.includes(f) ? [] : [[f, Math.min(share, other)] as const];
    });
    return new Map(both);
  };
  const shares =
    common({ buyer: 0n, seller: 0n }).size === 0 ? new Map<string, number>() : common(await heldBy());
  const shared = [...shares.keys()].sort();
  const labels = await labelled(db, shared, at);
  return {
    blocks: Number(FUNDING_BLOCKS),
    least: Number(FUNDERS_SHARE),
    returned: back
      .filter((t) => t.amount >= DUST_USD)
      .map(({ tx, amount }) => ({ tx, amount: amount.toString() })),
    sent: back.reduce((sum, t) => sum + t.amount, 0n).toString(),
    ...(setOff > 0n ? { setOff: setOff.toString() } : {}),
    sharedFunders: await Promise.all(shared.map((funder) => reachOf(funder))),
  };

  async function heldBy(): Promise<{ readonly buyer: bigint; readonly seller: bigint }> {
    const [buyer, seller] = await Promise.all(
      [sides.buyer, sides.seller].map((side) => balanceOf(reader, deployment, side, block)),
    );
    return { buyer: buyer!, seller: seller! };
  }

  /** How many other addresses it paid, and whether they are customers beside the side that it paid less. */
  async function reachOf(funder: string): Promise<SharedFunder> {
    const sums = new Map<string, bigint>();
    for (const { to, amount } of await transfersOf(source, { by: [funder] }))
      if (!everyone.includes(to)) sums.set(to, (sums.get(to) ?? 0n) + amount);
    const others = inEarnest(sums.values());
    const label = labels.get(funder);
    if (label !== undefined) return { funder, others: others.length, customers: 'many', label };
    const [buyer, seller] = [sides.buyer, sides.seller].map((side) =>
      outside.reduce((sum, t) => (t.from === funder && side.includes(t.to) ? sum + t.amount : sum), 0n),
    );
    const customers = customersOf(sumsOf(others), minMicro(buyer!, seller!), FUNDER_REACH);
    return { funder, others: others.length, customers, share: shares.get(funder)! };
  }
}

/** What a side holds of the settlement token. */
async function balanceOf(
  reader: ChainReader,
  { usdc: address }: Deployment,
  side: readonly string[],
  block: bigint,
): Promise<bigint> {
  const call = { address, abi: AGENT_ABI, functionName: 'balanceOf', block };
  const held = await Promise.all([...new Set(side)].map((who) => reader.read({ ...call, args: [who] })));
  return held.reduce((sum: bigint, one) => sum + BigInt(one as bigint), 0n);
}

/** Which of these a list that is in force knows as an exchange or a bridge. */
async function labelled(
  db: Database,
  addresses: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, NonNullable<SharedFunder['label']>>> {
  if (addresses.length === 0) return new Map();
  const { labels } = labelsAt(labelEntries(await entriesAbout(db, addresses)), at.toISOString());
  return new Map(
    labels.flatMap(({ key, label, list }) =>
      list !== undefined && (label === 'exchange' || label === 'bridge')
        ? [[key, { label, list }] as const]
        : [],
    ),
  );
}

/** What these transactions settled: each log is decoded once, however many transfers are of its transaction. */
function dealsBy(
  settled: readonly ChainLog[],
  transactions: ReadonlySet<Hex>,
): ReadonlyMap<Hex, readonly SettlementTerms[]> {
  const deals = new Map<Hex, SettlementTerms[]>();
  for (const log of settled) {
    const { transactionHash: tx } = log;
    const deal = transactions.has(tx) ? readSettled(log) : null;
    if (deal !== null) deals.set(tx, [...(deals.get(tx) ?? []), deal]);
  }
  return deals;
}

/**
 * Whether a transfer is the price that the buyer of a settlement paid its seller. Other transfers in the transaction
 * are not, because whoever settles something may send any money in the same transaction.
 */
function isPrice(
  { tx, from, to, amount }: Transfer,
  deals: ReadonlyMap<Hex, readonly SettlementTerms[]>,
): boolean {
  const settled = deals.get(tx) ?? [];
  return settled.some(
    (deal) => sameAddress(deal.buyer, from) && sameAddress(deal.seller, to) && amount <= deal.price,
  );
}

function blocksOf({ deployedAtBlock }: Deployment, toBlock: bigint): Blocks {
  const [oldest, deployed] = [toBlock - FUNDING_BLOCKS + 1n, BigInt(deployedAtBlock)];
  return { fromBlock: oldest > deployed ? oldest : deployed, toBlock };
}

/** The blocks that are in both; none where its end is before its beginning. */
function shared(one: Blocks, other: Blocks): Blocks {
  const [, fromBlock] = [one.fromBlock, other.fromBlock].sort(byNumber);
  const [toBlock] = [one.toBlock, other.toBlock].sort(byNumber);
  return { fromBlock: fromBlock!, toBlock: toBlock! };
}

const byNumber = (a: bigint, b: bigint): number => (a < b ? -1 : 1);

async function sourceOf(from: Pick<Source, 'db' | 'reader' | 'deployment'>, all: Blocks): Promise<Source> {
  const held = await transferRange(from.db, from.deployment.chainId);
  const indexed = held === null ? null : shared(held, all);
  if (indexed === null || indexed.fromBlock > indexed.toBlock)
    return { ...from, end: null, indexed: null, logged: [all] };
  const before = { fromBlock: all.fromBlock, toBlock: indexed.fromBlock - 1n };
  const after = { fromBlock: indexed.toBlock + 1n, toBlock: all.toBlock };
  const end = endOf(held!);
  return { ...from, end, indexed, logged: [before, after].filter((b) => b.fromBlock <= b.toBlock) };
}

/** Returns the transfers in the order of the chain. */
async function transfersOf(
  { db, reader, deployment, indexed, logged }: Source,
  ends: { readonly by: readonly string[] } | { readonly to: readonly string[] },
): Promise<Transfer[]> {
  const token = deployment.usdc.toLowerCase();
  const topics = 'by' in ends ? [TRANSFER, ends.by.map(topic)] : [TRANSFER, null, ends.to.map(topic)];
  const [rows, logs] = await Promise.all([
    indexed === null ? [] : tokenTransfers(db, { chainId: deployment.chainId, token }, ends, indexed),
    logsOf(reader, deployment.usdc, topics, logged),
  ]);
  const found: Transfer[] = [
    ...rows.map(({ block, place, tx, sender, receiver, amount }) => ({
      ...{ block: BigInt(block), place, tx: tx as Hex, from: sender, to: receiver, amount: BigInt(amount) },
    })),
    ...logs.map(
      ({ topics: [, from, to], data, transactionHash: tx, blockNumber: block, logIndex: place }) => ({
        ...{ block, place, tx, from: addressInWord(from), to: addressInWord(to), amount: BigInt(data) },
      }),
    ),
  ];
  return found.sort((a, b) => (a.block === b.block ? a.place - b.place : a.block < b.block ? -1 : 1));
}

async function logsOf(
  reader: ChainReader,
  address: Address,
  topics: readonly (Hex | readonly Hex[] | null)[],
  blocks: readonly Blocks[],
): Promise<ChainLog[]> {
  const ranges = blocks.flatMap(({ fromBlock: first, toBlock: last }) => {
    const spans: Blocks[] = [];
    for (let fromBlock = first; fromBlock <= last; fromBlock += SPAN) {
      const toBlock = fromBlock + SPAN - 1n < last ? fromBlock + SPAN - 1n : last;
      spans.push({ fromBlock, toBlock });
    }
    return spans;
  });
  return (await Promise.all(ranges.map((range) => reader.logs({ address, topics, ...range })))).flat();
}

function topic(address: string): Hex {
  return pad(address as Hex, { size: 32 });
}
