import { type Address, encodeEventTopics, type Hex, pad, parseEventLogs, toHex } from 'viem';
import type { MandateTerms } from '../../agents/mandate/terms/terms.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainLog, type ChainReader, viemLog } from '../rpc/reader.ts';

/** What a payment ordered: the owner, the tier and the first mandate of an agent. */
export interface OrderedAgent {
  readonly to: Address;
  /** 1 for AGENT, 2 for EXECUTOR. */
  readonly tier: 1 | 2;
  /** The payment's reference; the contract refuses a second mint with the same. */
  readonly paymentRef: Hex;
  /** Until when its first session key counts, in unix seconds. */
  readonly keyValidUntil: number;
  readonly terms: MandateTerms;
}

const EVENTS = ['MandateSet', 'CapSet', 'PartyListed', 'KeyGranted'] as const;

/**
 * The session key that a mint granted; null when it set another mandate than was ordered, or granted no key, several, or
 * one for another time. It is told by the events of the mint's own transaction: the owner may have changed both since.
 * @throws ReaderError, Error when the node does not serve the events
 */
export async function keyOfMint(
  reader: ChainReader,
  { policy: address, usdc }: Pick<Deployment, 'policy' | 'usdc'>,
  minted: { readonly tokenId: bigint; readonly log: ChainLog },
  order: OrderedAgent,
): Promise<Address | null> {
  const { tokenId, log } = minted;
  const events = EVENTS.map((eventName) => encodeEventTopics({ abi: spendPolicyAbi, eventName })[0]!);
  const logs = await reader.logs({
    address,
    topics: [events, pad(toHex(tokenId), { size: 32 })],
    fromBlock: log.blockNumber,
    toBlock: log.blockNumber,
  });
  const own = logs.filter(({ transactionHash }) => transactionHash === log.transactionHash).map(viemLog);
  const given = parseEventLogs({ abi: spendPolicyAbi, eventName: [...EVENTS], logs: own });
  // Every mint sets a mandate and grants a key.
  if (given.length === 0)
    throw new Error(`agent ${tokenId} is minted, but the node does not serve the logs of its mandate`);
  // Amounts, terms, parties and key, one string each, as the chain tells them.
  const words = given.map(({ eventName, args }) => {
    if (eventName === 'MandateSet') return mandateWords(args.terms);
    if (eventName === 'CapSet') return capWords(args.token, args.cap);
    if (eventName === 'PartyListed') return partyWords(args.party, args.listing);
    return keyWords(args.validUntil);
  });
  if (words.sort().join() !== orderedWords(order, usdc).sort().join()) return null;
  const [granted] = given.flatMap((event) => (event.eventName === 'KeyGranted' ? [event.args.key] : []));
  return granted ?? null;
}

/** The same strings for what was ordered. */
function orderedWords({ terms, keyValidUntil }: OrderedAgent, usdc: Address): string[] {
  return [
    mandateWords(terms),
    capWords(usdc, terms.caps),
    ...terms.allow.map((party) => partyWords(party, ALLOWED)),
    ...terms.deny.map((party) => partyWords(party, DENIED)),
    keyWords(keyValidUntil),
  ];
}

/** By the numbers of the contract. */
const [ALLOWED, DENIED] = [1, 2];

function mandateWords(terms: Omit<MandateTerms, 'caps' | 'allow' | 'deny' | 'offChain'>): string {
  const { mandateHash, validAfter, expiry, sides, allowlistOnly, categories } = terms;
  return `mandate ${mandateHash} ${validAfter} ${expiry} ${sides} ${allowlistOnly} ${categories}`;
}

function capWords(token: Address, caps: MandateTerms['caps']): string {
  const { perDeal, dayCap, weekCap, monthCap, totalCap, minPrice } = caps;
  return `cap ${token.toLowerCase()} ${perDeal} ${dayCap} ${weekCap} ${monthCap} ${totalCap} ${minPrice}`;
}

function partyWords(party: Address, listing: number): string {
  return `party ${party.toLowerCase()} ${listing}`;
}

function keyWords(validUntil: number): string {
  return `key ${validUntil}`;
}
