import type { ChainReading } from '../wallet-evidence.ts';
import type { CodeFacts } from './account-code.ts';

/** One code as it was read. */
export interface CodeRead {
  readonly address: string;
  /** Null where there is no code. */
  readonly hash: string | null;
  /** Null where it has none, or was read before there were any. */
  readonly skeleton: string | null;
  readonly destroysItself: boolean;
}

/** The codes of an account: its own, unless that only names a delegate (EIP-7702), and whatever runs for it. */
export function codesOf(address: string, code: CodeFacts): CodeRead[] {
  const isDelegated = code.head.toLowerCase().startsWith('0xef0100');
  const own = { ...code, to: address.toLowerCase() };
  return [...(isDelegated ? [] : [own]), ...(code.runs ?? [])].flatMap(
    ({ to, hash, skeleton = null, destroysItself = false }) =>
      hash === undefined ? [] : [{ address: to, hash, skeleton, destroysItself }],
  );
}

/** Every code that one seat read on one chain: of the address, and of whoever takes part in the transaction. */
export function codesRead(address: string, { code, simulation }: ChainReading): CodeRead[] {
  const all = [
    ...(code === null ? [] : codesOf(address, code)),
    ...(simulation?.parties ?? []).flatMap((party) => codesOf(party.address, party.code)),
  ];
  return [...new Map(all.map((read) => [read.address, read])).values()];
}
