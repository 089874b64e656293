/** A Solana account as one finalized slot shows it. Amounts are decimal, addresses base58. */
export interface SolanaAccount {
  readonly lamports: string;
  /** Only this program may change the account. */
  readonly owner: string;
  readonly executable: boolean;
  readonly is: SolanaShape;
}

export type SolanaShape =
  /**
   * Owned by the System program and without data: a key or a program signs for it. In evidence of earlier releases also
   * with data, as nonce accounts have.
   */
  | { readonly kind: 'wallet' }
  /** Its authority alone moves what it holds. */
  | { readonly kind: 'nonce'; readonly authority: string }
  | { readonly kind: 'stake'; readonly staker: string; readonly withdrawer: string }
  /** `authority` null: nobody can change the program any more. */
  | { readonly kind: 'program'; readonly upgradeable: boolean; readonly authority: string | null }
  | ({ readonly kind: 'token-account' } & TokenAccount)
  | { readonly kind: 'mint'; readonly mintAuthority: string | null; readonly freezeAuthority: string | null }
  /** So many of these sign for it. Absent in evidence of earlier releases. */
  | { readonly kind: 'multisig'; readonly required?: number; readonly signers?: readonly string[] }
  /** Another program's data. */
  | { readonly kind: 'data' }
  /** Owned by a program known here but in an unknown form, so it is never taken for a wallet. */
  | { readonly kind: 'unknown'; readonly why: string };

export interface TokenAccount {
  readonly mint: string;
  /** The wallet that the account belongs to. */
  readonly holder: string;
  readonly amount: string;
  readonly frozen: boolean;
  /** An address that may move `delegatedAmount` of it without the holder. */
  readonly delegate: string | null;
  readonly delegatedAmount: string;
  readonly closeAuthority: string | null;
}

/** A reading of one address: everything from one slot, or `fault` and nothing else. */
export interface SolanaReading {
  /** `mainnet-beta`, `devnet`, `testnet`, or the genesis hash of another cluster. */
  readonly cluster: string | null;
  readonly slot: string | null;
  /** ISO 8601: the cluster's own clock at that slot. */
  readonly at: string | null;
  /** As the client library computed it. */
  readonly onCurve: boolean | null;
  /** Null without a fault means that nothing exists there, whether it never did or does no more. */
  readonly account: SolanaAccount | null;
  /** The wallet's own existing token accounts of the mints that were asked about. */
  readonly holdings: readonly TokenAccount[];
  /** The name of the reader, as of a source. */
  readonly source: string;
  readonly fault: string | null;
}

export interface SolanaParty {
  readonly role: string;
  readonly address: string;
}

/** Everybody besides the holder of the key who may move or change what was read. */
export function solanaParties(reading: SolanaReading | undefined): SolanaParty[] {
  const is = reading?.account?.is;
  const tokens = [...(is?.kind === 'token-account' ? [is] : []), ...(reading?.holdings ?? [])];
  const named: (SolanaParty | null)[] = [
    is?.kind === 'program' ? party('its upgrade authority', is.authority) : null,
    is?.kind === 'token-account' ? party('its holder', is.holder) : null,
    is?.kind === 'mint' ? party('its mint authority', is.mintAuthority) : null,
    is?.kind === 'mint' ? party('its freeze authority', is.freezeAuthority) : null,
    ...(is?.kind === 'multisig' ? (is.signers ?? []).map((s) => party('its signer', s)) : []),
    is?.kind === 'nonce' ? party('its nonce authority', is.authority) : null,
    is?.kind === 'stake' ? party('its staker', is.staker) : null,
    is?.kind === 'stake' ? party('its withdrawer', is.withdrawer) : null,
    ...tokens.map((t) => party('its delegate', t.delegate)),
    ...tokens.map((t) => party('its close authority', t.closeAuthority)),
  ];
  return named.filter((p) => p !== null);
}

/** Of whom nobody can say who they are, though they decide over the address; null where everybody is known. */
export function unseenControl({ account, onCurve }: SolanaReading): string | null {
  switch (account?.is.kind) {
    case 'data':
      return `who decides over its data, which the program ${account.owner} keeps`;
    case 'unknown':
      return 'who decides over an account of no known form';
    case 'multisig':
      return account.is.signers === undefined ? 'who signs for the multisig' : null;
    case 'wallet':
    case undefined:
      return onCurve === false ? 'who decides over the program that signs for it' : null;
    default:
      return null;
  }
}

function party(role: string, address: string | null): SolanaParty | null {
  return address === null ? null : { role, address };
}
