import type { Hex } from '../../../canonical.ts';

/** What is kept of an account's code: enough to tell its kind, and the hash of the whole. */
export interface CodeFacts {
  readonly size: number;
  readonly hash: Hex | null;
  /** The first 256 bytes. */
  readonly head: Hex;
  /** The EIP-1967 implementation slot, when it holds an address. */
  readonly implementation: string | null;
  /** The EIP-1967 beacon slot, when it holds an address; absent in evidence of releases that did not read it. */
  readonly beacon?: string | null;
  /** The EIP-1967 admin slot, under the same rule. */
  readonly admin?: string | null;
  /** The addresses that are constants of the whole code; absent in evidence of releases that did not read them. */
  readonly constants?: readonly string[];
  /** Whose code runs in its name, and who told; absent where it hands on no call, and in evidence of earlier releases. */
  readonly runs?: readonly RunCode[];
  /** Of code that hands on no call; absent where it is too short, and in evidence of earlier releases. */
  readonly skeleton?: string;
  /** It holds SELFDESTRUCT. Absent where it does not, and in evidence of earlier releases. */
  readonly destroysItself?: true;
  /** More code runs in its name than was read. Absent where all of it was, and in evidence of earlier releases. */
  readonly unresolved?: true;
  /** What its code does, in words such as `sends away what comes`; absent where nothing of that kind was found. */
  readonly shapes?: readonly string[];
}

/** Code that runs in an account's name. Lower case. */
export interface RunCode {
  readonly of: string;
  readonly to: string;
  readonly by: string;
  /** keccak-256 of its code, null where there is none; absent for a delegation, and in evidence of earlier releases. */
  readonly hash?: string | null;
  readonly skeleton?: string;
  readonly destroysItself?: true;
}

const MOST_CONSTANTS = 100;

/**
 * The addresses that a contract's code pushes as constants: operands of PUSH20, and of PUSH32 behind twelve zero bytes, as
 * compilers write immutable ones. Masks and small numbers are none.
 * @param code the whole runtime code
 */
export function constantAddresses(code: string): string[] {
  const bare = code.slice(2).toLowerCase();
  const found = new Set<string>();
  for (let at = 0; at < bare.length; at += 2) {
    const op = Number.parseInt(bare.slice(at, at + 2), 16);
    if (op < 0x60 || op > 0x7f) continue;
    const size = 2 * (op - 0x5f);
    const operand = bare.slice(at + 2, at + 2 + size);
    at += size;
    const padded = size === 64 && operand.startsWith('0'.repeat(24));
    const address = size === 40 ? operand : padded ? operand.slice(24) : '';
    if (address.length === 40 && !/^0{8}|0{8}$|f{16}/.test(address)) found.add(`0x${address}`);
    if (found.size === MOST_CONSTANTS) break;
  }
  return [...found].sort();
}

type ProxyStandard = 'EIP-1167' | 'EIP-1967' | 'EIP-1967 beacon';

type AccountKind =
  | { readonly kind: 'plain' }
  /** EIP-7702: the account runs the delegate's code. */
  | { readonly kind: 'delegated'; readonly to: string }
  /** An ERC-6551 token-bound account: an EIP-1167 proxy followed by salt, chain, collection and token. */
  | {
      readonly kind: 'token-bound';
      readonly to: string;
      readonly chainId: string;
      readonly contract: string;
      readonly tokenId: string;
    }
  /** An EIP-1167 minimal proxy, or an EIP-1967 proxy whose implementation is in its own slot or named by a beacon. */
  | { readonly kind: 'proxy'; readonly standard: ProxyStandard; readonly to: string }
  | { readonly kind: 'contract' };

const MINIMAL_HEAD = '363d3d373d3d3d363d73';
const MINIMAL_TAIL = '5af43d82803e903d91602b57fd5bf3';

/** Tells what an account is from its code (EIP-7702, ERC-6551, EIP-1167, EIP-1967). */
export function accountKind(code: CodeFacts): AccountKind {
  const bare = code.head.slice(2).toLowerCase();
  if (code.size === 0) return { kind: 'plain' };
  if (code.size === 23 && bare.startsWith('ef0100'))
    return { kind: 'delegated', to: `0x${bare.slice(6, 46)}` };
  if (bare.startsWith(MINIMAL_HEAD) && bare.slice(60, 90) === MINIMAL_TAIL) {
    const to = `0x${bare.slice(20, 60)}`;
    if (code.size !== 173) return { kind: 'proxy', standard: 'EIP-1167', to };
    const word = (i: number): string => bare.slice(90 + i * 64, 154 + i * 64);
    return {
      kind: 'token-bound',
      to,
      chainId: BigInt(`0x${word(1)}`).toString(),
      contract: `0x${word(2).slice(24)}`,
      tokenId: BigInt(`0x${word(3)}`).toString(),
    };
  }
  if (code.beacon)
    return { kind: 'proxy', standard: 'EIP-1967 beacon', to: code.implementation ?? code.beacon };
  if (code.implementation !== null) return { kind: 'proxy', standard: 'EIP-1967', to: code.implementation };
  return { kind: 'contract' };
}

/**
 * Whose code an account runs by its own code alone: a delegate (EIP-7702), or the target of a clone. Clones of every make
 * (EIP-1167, with PUSH0, with immutable arguments, of Vyper, of 0age) push the target and hand all gas on:
 * `PUSH20 target GAS DELEGATECALL`.
 */
export function targetsInCode(code: string): { readonly to: string; readonly by: string }[] {
  const bare = code.slice(2).toLowerCase();
  if (bare.startsWith('ef0100') && bare.length === 46) return [{ to: `0x${bare.slice(6)}`, by: 'EIP-7702' }];
  const clones = bare.slice(0, 512).matchAll(/73([0-9a-f]{40})5af4/g);
  return [...clones].map(([, to]) => ({ to: `0x${to}`, by: 'EIP-1167' }));
}

export interface CodeParty {
  readonly role: string;
  readonly address: string;
}

/** Everybody else who decides which code runs in this account's name: delegate or implementation, beacon, admin. */
export function codeParties(code: CodeFacts): CodeParty[] {
  const account = accountKind(code);
  const role = account.kind === 'delegated' ? 'its delegate' : 'its implementation';
  return [
    ...('to' in account && account.to !== code.beacon ? [{ role, address: account.to }] : []),
    ...(code.beacon ? [{ role: 'its beacon', address: code.beacon }] : []),
    ...(code.admin ? [{ role: 'its admin', address: code.admin }] : []),
    ...(code.runs ?? []).map(({ to, by }) => ({ role: `what it runs by ${by},`, address: to })),
  ];
}

/** Whom a contract's code itself names: whoever it pays or calls, and who decides over nothing. */
export function namedInCode(code: CodeFacts): CodeParty[] {
  return (code.constants ?? []).map((address) => ({ role: 'a constant of its code', address }));
}
