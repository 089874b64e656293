import type { Approval } from './transaction-evidence.ts';
import { addressIn, numberIn, selector, wordAt } from './words.ts';

/** A call as its data says it, by functions that everybody knows. */
export interface DecodedCall {
  /** The four bytes; null where there are none. */
  readonly selector: string | null;
  /** Null for a function that is not known here. */
  readonly name: string | null;
  readonly args: readonly { readonly name: string; readonly value: string }[];
}

type Kind = 'address' | 'uint256' | 'bool';
type Known = readonly (readonly [name: string, kind: Kind])[];

const FUNCTIONS: ReadonlyMap<string, { readonly name: string; readonly args: Known }> = new Map(
  (
    [
      [
        'transfer',
        [
          ['to', 'address'],
          ['amount', 'uint256'],
        ],
      ],
      [
        'transferFrom',
        [
          ['from', 'address'],
          ['to', 'address'],
          ['amount', 'uint256'],
        ],
      ],
      [
        'safeTransferFrom',
        [
          ['from', 'address'],
          ['to', 'address'],
          ['tokenId', 'uint256'],
        ],
      ],
      [
        'approve',
        [
          ['spender', 'address'],
          ['amount', 'uint256'],
        ],
      ],
      [
        'increaseAllowance',
        [
          ['spender', 'address'],
          ['amount', 'uint256'],
        ],
      ],
      [
        'increaseApproval',
        [
          ['spender', 'address'],
          ['amount', 'uint256'],
        ],
      ],
      [
        'decreaseAllowance',
        [
          ['spender', 'address'],
          ['amount', 'uint256'],
        ],
      ],
      [
        'setApprovalForAll',
        [
          ['operator', 'address'],
          ['approved', 'bool'],
        ],
      ],
      ['transferOwnership', [['newOwner', 'address']]],
      ['changeAdmin', [['newAdmin', 'address']]],
      ['upgradeTo', [['implementation', 'address']]],
      ['deposit', []],
      ['withdraw', [['amount', 'uint256']]],
      ['claim', []],
      ['Claim', []],
      ['claimReward', []],
      ['claimRewards', []],
      ['ClaimReward', []],
      ['claimAirdrop', []],
      ['SecurityUpdate', []],
      ['securityUpdate', []],
      ['Connect', []],
      ['connect', []],
      ['Execute', []],
      ['NetworkMerge', []],
      ['Verify', []],
      ['verify', []],
      ['mint', []],
    ] as const satisfies readonly (readonly [string, Known])[]
  ).map(([name, args]) => [
    selector(`${name}(${args.map(([, kind]) => kind).join(',')})`),
    { name, args: args as Known },
  ]),
);

/** Names under which payable functions promise something, and only take the value. */
const BAIT = /claim|secur|connect|merge|verify|execute/i;

/** Reads call data. @param data hex with 0x */
export function decodeCall(data: string): DecodedCall {
  const bare = data.slice(2).toLowerCase();
  if (bare.length < 8) return { selector: null, name: null, args: [] };
  const found = FUNCTIONS.get(`0x${bare.slice(0, 8)}`);
  const words = bare.slice(8);
  const read = (kind: Kind, i: number): string => {
    const word = wordAt(words, i);
    if (kind === 'address') return addressIn(word);
    return kind === 'bool' ? String(numberIn(word) !== 0n) : `${numberIn(word)}`;
  };
  return {
    selector: `0x${bare.slice(0, 8)}`,
    name: found?.name ?? null,
    args: (found?.args ?? []).map(([name, kind], i) => ({ name, value: read(kind, i) })),
  };
}

/** Whether a function is called as those are that promise a gift or a repair and keep what is sent. */
export function isBait({ name }: DecodedCall): boolean {
  return name !== null && BAIT.test(name);
}

/** The power over tokens that the data itself gives, whatever the contract makes of it. */
export function intendedApproval(
  { from, to }: { readonly from: string; readonly to: string },
  { name, args }: DecodedCall,
): Approval | null {
  const [first, second] = args.map(({ value }) => value);
  const given = { owner: from, spender: first!, token: to, tokenId: null };
  if (name === 'approve' || name === 'increaseAllowance' || name === 'increaseApproval')
    return { ...given, via: 'allowance', amount: second! };
  if (name === 'setApprovalForAll')
    return { ...given, via: 'operator', amount: second === 'true' ? '1' : '0' };
  return null;
}

/** To whom the data itself says that something goes. */
export function intendedRecipient({ name, args }: DecodedCall): string | null {
  const to = args.find((arg) => arg.name === 'to');
  return name !== null && /transfer/i.test(name) ? (to?.value ?? null) : null;
}
