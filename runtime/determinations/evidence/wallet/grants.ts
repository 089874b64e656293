import { type Hex, pad, toEventSelector } from 'viem';
import { accountKind } from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { Grants, StandingGrant } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { addressInWord } from '../../../../chain/rpc/address-word.ts';
import {
  type Abi,
  type ChainLog,
  type ChainReader,
  type Place,
  ReaderError,
} from '../../../../chain/rpc/reader.ts';

type Address = `0x${string}`;

/** Public nodes refuse wider ranges. */
const BLOCKS = 5_000n;
/** Approvals beyond this many, the oldest first, are not asked for, and the answer says so. */
const MOST = 40;
/** Transactions of whose sender is asked. To have more of them at an address would cost a stranger as many fees. */
const MOST_TRANSACTIONS = 200;
/** Uniswap's Permit2, at the same address on every chain. https://github.com/Uniswap/permit2 */
const PERMIT2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const APPROVAL = toEventSelector('Approval(address,address,uint256)');
const FOR_ALL = toEventSelector('ApprovalForAll(address,address,bool)');
const P2_APPROVAL = toEventSelector('Approval(address,address,address,uint160,uint48)');
const P2_PERMIT = toEventSelector('Permit(address,address,address,uint160,uint48,uint48)');

const view = (name: string, inputs: readonly string[], outputs: readonly string[]) => ({
  type: 'function' as const,
  name,
  stateMutability: 'view' as const,
  inputs: inputs.map((type, i) => ({ name: `a${i}`, type })),
  outputs: outputs.map((type, i) => ({ name: `r${i}`, type })),
});
const ERC20: Abi = [view('allowance', ['address', 'address'], ['uint256'])];
const ERC721: Abi = [view('isApprovedForAll', ['address', 'address'], ['bool'])];
const ALLOWANCE: Abi = [
  view('allowance', ['address', 'address', 'address'], ['uint160', 'uint48', 'uint48']),
];

type Asked = Pick<StandingGrant, 'token' | 'spender' | 'via'>;

/**
 * Reads which approvals of an address stand: those that it gave in the last blocks, each asked for as it is now. Anybody's
 * contract may log that somebody approved somebody, so that of a token nobody knows only what the address did itself counts.
 * A contract sends no transaction: of one only known tokens are asked, so that no number of such logs is read.
 * @param tokens those whose word is taken, as Permit2's is
 * @param at the pinned block's time, in unix seconds
 * @param code of the address
 * @throws ReaderError
 */
export async function readGrants(
  reader: ChainReader,
  who: Address,
  {
    block,
    at,
    tokens,
    code,
  }: { readonly block: Exclude<Place, bigint>; readonly at: number; readonly code: Hex } & Trusting,
): Promise<Grants> {
  const fromBlock = block.number < BLOCKS ? 0n : block.number - BLOCKS + 1n;
  const owner = pad(who.toLowerCase() as Hex, { size: 32 });
  const known = [PERMIT2, ...tokens.map(({ token }) => token as Address)];
  const logs = await reader.logs({
    ...(mayHaveSent(code) ? {} : { address: known }),
    topics: [[APPROVAL, FOR_ALL, P2_APPROVAL, P2_PERMIT], owner],
    ...{ fromBlock, toBlock: block.number },
  });
  if (logs.length > 0) await reader.confirm(block);
  const { own, more } = await ownLogs(reader, who, logs, known);
  const asked = [...new Map(own.flatMap(grantOf).map((g) => [Object.values(g).join(), g])).values()];
  const amounts = await Promise.all(
    asked
      .slice(-MOST)
      .map(async (grant) => ({ ...grant, amount: await standing(reader, who, grant, { block, at }) })),
  );
  return {
    fromBlock: fromBlock.toString(),
    more: more || asked.length > MOST,
    own: true,
    live: amounts.filter((g) => g.amount !== '0').sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  };
}

/** Only what has a key signs transactions, also where it runs the code of a contract (EIP-7702). */
function mayHaveSent(code: Hex): boolean {
  const size = (code.length - 2) / 2;
  const { kind } = accountKind({ size, hash: null, head: code, implementation: null });
  return kind === 'plain' || kind === 'delegated';
}

interface Trusting {
  readonly tokens: readonly { readonly token: string }[];
}

/** The logs of trusted tokens, and of others those in transactions that the address sent. @throws ReaderError */
async function ownLogs(
  reader: ChainReader,
  who: Address,
  logs: readonly ChainLog[],
  trusted: readonly Address[],
): Promise<{ own: ChainLog[]; more: boolean }> {
  const known = new Set(trusted.map((token) => token.toLowerCase()));
  const isKnown = ({ address }: ChainLog): boolean => known.has(address.toLowerCase());
  const others = [...new Set(logs.filter((log) => !isKnown(log)).map((log) => log.transactionHash))];
  const asked = others.slice(-MOST_TRANSACTIONS);
  const senders = await Promise.all(asked.map(async (tx) => (await reader.receipt(tx))?.from));
  const sent = new Set(asked.filter((_, i) => senders[i] === who.toLowerCase()));
  return {
    own: logs.filter((log) => isKnown(log) || sent.has(log.transactionHash)),
    more: others.length > MOST_TRANSACTIONS,
  };
}

const keyOf = ({ token, spender, via }: Asked): string => `${token} ${spender} ${via}`;

function grantOf({ address, topics, data }: ChainLog): Asked[] {
  const named = (i: number): string => addressInWord(topics[i]);
  const token = address.toLowerCase();
  const [event] = topics;
  if (event === FOR_ALL && topics.length === 3) return [{ token, spender: named(2), via: 'operator' }];
  // An ERC-721 has the same event for one token, with a fourth topic and no data.
  if (event === APPROVAL && topics.length === 3 && data.length === 66)
    return [{ token, spender: named(2), via: 'allowance' }];
  const isPermit2 = token === PERMIT2.toLowerCase() && (event === P2_APPROVAL || event === P2_PERMIT);
  return isPermit2 && topics.length === 4 ? [{ token: named(2), spender: named(3), via: 'permit2' }] : [];
}

/** What the spender may move now, `0` when nothing. @throws ReaderError */
async function standing(
  reader: ChainReader,
  who: Address,
  { token, spender, via }: Asked,
  { block, at }: { readonly block: Place; readonly at: number },
): Promise<string> {
  const call =
    via === 'permit2'
      ? { address: PERMIT2, abi: ALLOWANCE, functionName: 'allowance', args: [who, token, spender] }
      : via === 'operator'
        ? { address: token as Address, abi: ERC721, functionName: 'isApprovedForAll', args: [who, spender] }
        : { address: token as Address, abi: ERC20, functionName: 'allowance', args: [who, spender] };
  try {
    const told = await reader.read({ ...call, block });
    return via === 'permit2'
      ? unexpired(told, at)
      : String(via === 'operator' ? Number(told === true) : told);
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return '0';
    throw error;
  }
}

/** An expired allowance of Permit2 moves nothing. */
function unexpired(told: unknown, at: number): string {
  const [amount, until] = told as readonly unknown[];
  return Number(until) < at ? '0' : String(amount);
}
