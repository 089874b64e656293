import type { ContractRole } from './token-contract.ts';

/** What a lending contract of the table says of a token that it holds. Addresses in lower case. */
export interface LoanReading {
  readonly contract: string;
  /** The list that names the contract. */
  readonly list: string;
  /** Null where it could not be told. */
  readonly open: boolean | null;
  /** The loan's number, decimal. */
  readonly loan: string | null;
  readonly borrower: string | null;
  /** Why `open` is null. */
  readonly fault: string | null;
}

/** One token that is the thing in question, stands for it, or is what it stands for. Addresses in lower case. */
export interface LineageToken {
  /** Its asset key. */
  readonly key: string;
  /**
   * `original`: what a token before it in the lineage stands for. `twin`: stands for one before it, which is locked up.
   * `former-twin`: stood for it while that was locked up.
   */
  readonly relation: 'asked' | 'original' | 'twin' | 'former-twin';
  /** The key of the token from which it was found, by which contract of which list, and what that is. */
  readonly from: {
    readonly key: string;
    readonly via: string;
    readonly role: ContractRole;
    readonly list: string;
  } | null;
  /** Who holds it; null where nobody does, or it could not be read. */
  readonly holder: string | null;
  /** The loan, while a lending contract of the table holds it. */
  readonly loan: LoanReading | null;
  /** To whom its holder gave the power to take it: this token alone, and lenders of the table that may take all. */
  readonly approved?: { readonly token: string | null; readonly lenders: readonly string[] };
  /** What could not be read of it, or does not fit. */
  readonly fault: string | null;
}

/** A list of contracts as evidence names it. */
export interface ContractList {
  readonly name: string;
  /** ISO 8601. */
  readonly asOf: string;
  /** How many of its rows concern the chains in question. */
  readonly rows: number;
}

/** The keys in a lineage, each once. */
export function keysIn(lineage: readonly LineageToken[]): string[] {
  return [...new Set(lineage.map((t) => t.key))];
}

/** "stands for X by wrapper 0x…"; for the token in question, nothing. */
export function relationOf({ key, relation, from }: LineageToken): string {
  if (from === null) return key;
  const by = `by the ${from.role} ${from.via} (${from.list})`;
  if (relation === 'original') return `${from.key} stands for ${key} ${by}`;
  return `${key} ${relation === 'twin' ? 'stands' : 'stood'} for ${from.key} ${by}`;
}

/** "loan 17 of 0x… at 0x… (list)". */
export function loanText({ contract, list, loan, borrower }: LoanReading): string {
  return `loan ${loan ?? 'unknown'}${borrower === null ? '' : ` of ${borrower}`} at ${contract} (${list})`;
}

/** What could not be read of the tokens of a lineage, or does not fit. */
export function lineageFaults(lineage: readonly LineageToken[]): string[] {
  return lineage.flatMap(({ key, fault }) => (fault === null ? [] : [`${key}: ${fault}`]));
}
