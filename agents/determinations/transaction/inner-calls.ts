import type { AskedTransaction } from './transaction-evidence.ts';
import { addressIn, numberIn, selector, wordAt } from './words.ts';

/** A call that a transaction makes in somebody's name, as its data says it. */
export interface InnerCall {
  /** In whose name it is made. */
  readonly account: string;
  readonly to: string;
  /** In wei. */
  readonly value: bigint;
  readonly data: string;
  /** The code of `to` runs as the account itself (DELEGATECALL), and may write all that it keeps. */
  readonly delegated: boolean;
}

export interface Unfolded {
  /** The transaction itself first, then what the accounts that it calls are told to call. */
  readonly calls: readonly InnerCall[];
  /** The accounts that are told to call others. */
  readonly accounts: readonly string[];
  /** Some of it has no form that can be read, or there is too much of it. */
  readonly unread: boolean;
}

/**
 * The libraries that a Safe lets run as itself to make several calls at once. Each address is the same on every chain, and
 * only their code can be there. As published in https://github.com/safe-global/safe-deployments (src/assets/v1.3.0 and
 * v1.4.1, multi_send.json and multi_send_call_only.json). Lower case.
 */
export const MULTISENDS: ReadonlySet<string> = new Set([
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
  '0x218543288004cd07832472d464648173c77d7eb7',
  '0xa83c336b20401af773b6219ba5027174338d1836',
]);
/** Those of 1.5.0, for which the zero address is the account itself. */
const ZERO_IS_ITSELF: readonly string[] = [...MULTISENDS].slice(-2);

/** Functions by which an account calls another one: target, value, data, and mostly whether by DELEGATECALL. */
const CALLERS: ReadonlyMap<string, { readonly operation: boolean }> = new Map(
  (
    [
      ['execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)', true],
      ['execTransactionFromModule(address,uint256,bytes,uint8)', true],
      ['execTransactionFromModuleReturnData(address,uint256,bytes,uint8)', true],
      // ERC-6551, and its draft; ERC-4337's sample account.
      ['execute(address,uint256,bytes,uint8)', true],
      ['executeCall(address,uint256,bytes)', false],
      ['execute(address,uint256,bytes)', false],
    ] as const
  ).map(([signature, operation]) => [selector(signature), { operation }]),
);
const MULTISEND = selector('multiSend(bytes)');
const [MOST_CALLS, MOST_DEPTH] = [200, 6];

/** Whether data is a call by which an account is told to call another one. */
export function isCaller(data: string): boolean {
  return CALLERS.has(data.slice(0, 10).toLowerCase());
}

/** All calls that the data of a transaction says it makes, also those inside of Safes and of token-bound accounts. */
export function unfolded({ from, to, value, data }: Omit<AskedTransaction, 'chain'>): Unfolded {
  const calls: InnerCall[] = [];
  const accounts = new Set<string>();
  let unread = false;
  const visit = (call: InnerCall, depth: number): void => {
    if (calls.length >= MOST_CALLS) {
      unread = true;
      return;
    }
    calls.push(call);
    const inner = insideOf(call);
    if (inner === null) return;
    accounts.add(call.delegated ? call.account : call.to);
    if (inner === 'unread' || depth === MOST_DEPTH) unread = true;
    else for (const next of inner) visit(next, depth + 1);
  };
  visit({ account: from, to, value: BigInt(value), data: data.toLowerCase(), delegated: false }, 0);
  return { calls, accounts: [...accounts], unread };
}

/** The calls that one call makes; null where it is not known to make any. */
function insideOf({ account, to, data, delegated }: InnerCall): InnerCall[] | 'unread' | null {
  const bare = data.slice(10);
  if (delegated)
    return MULTISENDS.has(to) && data.startsWith(MULTISEND) ? batched(account, to, bytesAt(bare, 0)) : null;
  const caller = CALLERS.get(data.slice(0, 10));
  if (caller === undefined) return null;
  const operation = caller.operation ? numberIn(wordAt(bare, 3)) : 0n;
  const inner = bytesAt(bare, 2);
  // Other operations create contracts, or fail.
  if (inner === null || operation > 1n) return 'unread';
  return [
    {
      ...{ account: to, to: addressIn(wordAt(bare, 0)), value: numberIn(wordAt(bare, 1)) },
      ...{ data: `0x${inner}`, delegated: operation === 1n },
    },
  ];
}

/** What `multiSend` packs: a byte for the operation, 20 of the target, 32 of the value, 32 of the length, the data. */
function batched(account: string, library: string, packed: string | null): InnerCall[] | 'unread' {
  if (packed === null) return 'unread';
  const calls: InnerCall[] = [];
  for (let at = 0; at < packed.length; ) {
    const number = (from: number, bytes: number) =>
      numberIn(packed.slice(at + 2 * from, at + 2 * (from + bytes)).padEnd(2 * bytes, '0'));
    const [operation, value, length] = [number(0, 1), number(21, 32), number(53, 32)];
    const end = at + 2 * (85 + Number(length));
    if (operation > 1n || end > packed.length || calls.length > MOST_CALLS) return 'unread';
    const named = `0x${packed.slice(at + 2, at + 42)}`;
    const to = ZERO_IS_ITSELF.includes(library) && /^0x0+$/.test(named) ? account : named;
    calls.push({
      ...{ account, to, value, data: `0x${packed.slice(at + 170, end)}` },
      delegated: operation === 1n,
    });
    at = end;
  }
  return calls;
}

/** The bytes whose offset is the argument `index`, without 0x; null where the data ends before them. */
function bytesAt(bare: string, index: number): string | null {
  const offset = Number(numberIn(wordAt(bare, index)));
  if (offset * 2 + 64 > bare.length) return null;
  const length = Number(numberIn(bare.slice(offset * 2, offset * 2 + 64)));
  const start = offset * 2 + 64;
  return start + length * 2 > bare.length ? null : bare.slice(start, start + length * 2);
}
