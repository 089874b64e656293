import { type Address, createPublicClient, type Hex, http, type PublicClient, parseAbi } from 'viem';
import { ChainError } from '../rpc/chain-error.ts';

/** An EIP-3009 transfer that a payer signed. Amounts are in atomic units, times in seconds since 1970. */
export interface Authorization {
  readonly asset: Address;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
  /** When this service first saw it, in seconds since 1970. The transfer did not happen long before that. */
  readonly firstSeen: bigint;
}

/**
 * What the chain shows of the transfer. `paid`: exactly this transfer happened. `spent`: the nonce was used otherwise
 * or cancelled, so this transfer can never happen. `open`: it may still happen. `expired`: it did not happen and never
 * will.
 */
export type AuthorizationState =
  | { readonly kind: 'paid'; readonly transaction: Hex }
  | { readonly kind: 'spent' }
  | { readonly kind: 'open' }
  | { readonly kind: 'expired' };

export type ReadAuthorization = (authorization: Authorization) => Promise<AuthorizationState>;

const EIP3009 = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const [, USED, CANCELED, TRANSFER] = EIP3009;

/** Public nodes answer requests for ranges of this many blocks. */
const BLOCKS_AT_ONCE = 2_000n;
/** How far the chain's clock and ours may differ. */
const SKEW_SECONDS = 3_600n;

/**
 * Asks one chain whether a signed transfer happened, as of one block. It can only have happened in a block whose time
 * lies between `validAfter` and `validBefore` (EIP-3009). The reader throws ChainError down when the chain does not
 * answer, or does not show how a used nonce was used.
 * @param options blocksAtOnce the range that the node answers about at once; 2,000 when left out
 */
export function authorizationReader(
  rpcUrl: string,
  options: { blocksAtOnce?: bigint } = {},
): ReadAuthorization {
  const { blocksAtOnce = BLOCKS_AT_ONCE } = options;
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 1, timeout: 5_000 }) });
  return async (authorization) => {
    try {
      return await read(client, authorization, blocksAtOnce);
    } catch (cause) {
      throw new ChainError('down', 'the chain does not tell whether the payment happened', { cause });
    }
  };
}

async function read(
  client: PublicClient,
  authorization: Authorization,
  blocksAtOnce: bigint,
): Promise<AuthorizationState> {
  const { asset, from, nonce, validAfter, validBefore, firstSeen } = authorization;
  const head = await client.getBlock({ blockTag: 'latest' });
  const used = await client.readContract({
    address: asset,
    abi: EIP3009,
    functionName: 'authorizationState',
    args: [from, nonce],
    blockNumber: head.number,
  });
  if (!used) return { kind: head.timestamp >= validBefore ? 'expired' : 'open' };
  // The search goes forward, because the transfer usually happens soon after the payment was first seen, even if
  // somebody asks much later.
  const earliest = firstSeen > SKEW_SECONDS ? firstSeen - SKEW_SECONDS : 0n;
  const start = await firstBlockAt(client, validAfter > earliest ? validAfter : earliest, head.number);
  for (let fromBlock = start; fromBlock <= head.number; fromBlock += blocksAtOnce) {
    const end = fromBlock + blocksAtOnce - 1n;
    const range = { fromBlock, toBlock: end < head.number ? end : head.number };
    const found = await findUse(client, authorization, range);
    if (found) return found;
  }
  throw new Error('the nonce is used, but no event says how');
}

async function findUse(
  client: PublicClient,
  { asset, from, to, value, nonce }: Authorization,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<AuthorizationState | null> {
  const query = { address: asset, args: { authorizer: from, nonce }, ...range } as const;
  const [use] = await client.getLogs({ ...query, event: USED });
  if (use) {
    const { transactionHash, blockHash, logIndex } = use;
    const transfers = await client.getLogs({
      address: asset,
      event: TRANSFER,
      args: { from, to },
      blockHash,
    });
    // The token moves the money right after it has marked the nonce (EIP-3009). Another transfer of the same transaction
    // is that of another authorization: it proves one payment and not several.
    const ours = transfers.some((t) => t.logIndex === logIndex + 1 && t.args.value === value);
    return ours ? { kind: 'paid', transaction: transactionHash } : { kind: 'spent' };
  }
  const [cancelation] = await client.getLogs({ ...query, event: CANCELED });
  return cancelation ? { kind: 'spent' } : null;
}

/** The first block at or after the time `seconds`, but no later than `head`. */
async function firstBlockAt(client: PublicClient, seconds: bigint, head: bigint): Promise<bigint> {
  let low = 0n;
  let high = head;
  while (low < high) {
    const middle = (low + high) / 2n;
    const { timestamp } = await client.getBlock({ blockNumber: middle });
    if (timestamp < seconds) low = middle + 1n;
    else high = middle;
  }
  return low;
}
