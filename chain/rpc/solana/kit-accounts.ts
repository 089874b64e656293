import {
  type Address,
  type Decoder,
  getAddressDecoder,
  getAddressEncoder,
  getOptionDecoder,
  getProgramDerivedAddress,
  getStructDecoder,
  getU32Decoder,
  getU64Decoder,
  type Option,
  address as toAddress,
  unwrapOption,
} from '@solana/kit';
import {
  AccountState,
  findAssociatedTokenPda,
  getMintDecoder,
  getMultisigDecoder,
  getTokenDecoder,
} from '@solana-program/token';
import type {
  SolanaShape,
  TokenAccount,
} from '../../../agents/determinations/wallet/solana/wallet-solana-facts.ts';
import { PROGRAMS } from './reader.ts';

/** Forms of accounts by the codecs of `@solana/kit` and of the token program's own client. */

/** An account with the first bytes of its data. */
export interface EncodedAccount {
  readonly owner: string;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

const TOKEN_BYTES = 165;
const MINT_BYTES = 82;
const MULTISIG_BYTES = 355;
/** Token-2022 writes what an account is at byte 165, before its extensions. */
const EXTENDED = { mint: 1, token: 2 } as const;

/** UpgradeableLoaderState in bincode: which of its variants it is comes first. */
const VARIANT = getU32Decoder();
const PROGRAM = 2;
const PROGRAM_DATA = 3;
const programData = getStructDecoder([
  ['variant', getU32Decoder()],
  ['slot', getU64Decoder()],
  ['authority', getOptionDecoder(getAddressDecoder())],
]);
const loaderV4State = getStructDecoder([
  ['slot', getU64Decoder()],
  ['authority', getAddressDecoder()],
  ['status', getU64Decoder()],
]);
/** State of a durable nonce, in bincode: the versions differ in how the nonce is made, not in their form. */
const nonceAccount = getStructDecoder([
  ['version', getU32Decoder()],
  ['state', getU32Decoder()],
  ['authority', getAddressDecoder()],
  ['blockhash', getAddressDecoder()],
  ['lamportsPerSignature', getU64Decoder()],
]);
const NONCE_CURRENT = 1;
const NONCE_INITIALISED = 1;
/** The begin of StakeStateV2 in bincode, which its initialised and its delegated variant share. */
const stakeMeta = getStructDecoder([
  ['variant', getU32Decoder()],
  ['rentExemptReserve', getU64Decoder()],
  ['staker', getAddressDecoder()],
  ['withdrawer', getAddressDecoder()],
]);
const STAKED: readonly number[] = [1, 2];
const STAKE_BYTES = 200;
/** LoaderV4Status: nobody can change it any more. */
const FINALIZED = 2n;

/** @param code the account with the code of an upgradeable program, read at the same slot */
export function decodedShape(account: EncodedAccount, code: EncodedAccount | null): SolanaShape {
  const { owner, executable, data } = account;
  if (owner === PROGRAMS.token || owner === PROGRAMS.token2022) return tokenShape(data);
  if (owner === PROGRAMS.loaderUpgradeable) return upgradeable(account, code);
  if (owner === PROGRAMS.loaderV4) return loaderV4(data);
  if (executable && PROGRAMS.loadersFixed.includes(owner))
    return { kind: 'program', upgradeable: false, authority: null };
  if (executable)
    return { kind: 'unknown', why: `executable, by the loader ${owner} that is not known here` };
  if (owner === PROGRAMS.system) return systemShape(data);
  return owner === PROGRAMS.stake ? stakeShape(data) : { kind: 'data' };
}

function systemShape(data: Uint8Array): SolanaShape {
  if (data.length === 0) return { kind: 'wallet' };
  const nonce = data.length === nonceAccount.fixedSize ? decoded(nonceAccount, data) : null;
  if (nonce !== null && nonce.version <= NONCE_CURRENT && nonce.state === NONCE_INITIALISED)
    return { kind: 'nonce', authority: nonce.authority };
  return { kind: 'unknown', why: `owned by the System program, with ${data.length} bytes of no known form` };
}

function stakeShape(data: Uint8Array): SolanaShape {
  const stake = data.length < STAKE_BYTES ? null : decoded(stakeMeta, data);
  if (stake !== null && STAKED.includes(stake.variant))
    return { kind: 'stake', staker: stake.staker, withdrawer: stake.withdrawer };
  return { kind: 'unknown', why: 'a stake account that was never initialised' };
}

/** The account as this wallet's own account of this mint; null when it is not one. */
export function decodedHolding(
  account: EncodedAccount | null,
  mint: string,
  wallet: string,
): TokenAccount | null {
  const shape = account === null ? null : decodedShape(account, null);
  if (shape?.kind !== 'token-account' || shape.mint !== mint || shape.holder !== wallet) return null;
  const { kind: _, ...token } = shape;
  return token;
}

function tokenShape(data: Uint8Array): SolanaShape {
  const { length } = data;
  if (length === MULTISIG_BYTES) return multisigShape(data);
  const extended = length > TOKEN_BYTES ? data[TOKEN_BYTES] : undefined;
  if (length === MINT_BYTES || extended === EXTENDED.mint) return mintShape(data);
  if (length === TOKEN_BYTES || extended === EXTENDED.token) return tokenAccountShape(data);
  return { kind: 'unknown', why: `owned by a token program, in a form of ${length} bytes that is not known` };
}

function multisigShape(data: Uint8Array): SolanaShape {
  const held = decoded(getMultisigDecoder(), data);
  if (held?.isInitialized !== true || held.m < 1 || held.m > held.n || held.n > held.signers.length)
    return { kind: 'unknown', why: 'a multisig that was never initialised' };
  return { kind: 'multisig', required: held.m, signers: held.signers.slice(0, held.n) };
}

function tokenAccountShape(data: Uint8Array): SolanaShape {
  const token = decoded(getTokenDecoder(), data, TOKEN_BYTES);
  if (token === null || (token.state !== AccountState.Initialized && token.state !== AccountState.Frozen))
    return { kind: 'unknown', why: 'a token account that was never initialised' };
  return {
    kind: 'token-account',
    mint: token.mint,
    holder: token.owner,
    amount: token.amount.toString(),
    frozen: token.state === AccountState.Frozen,
    delegate: orNull(token.delegate),
    delegatedAmount: token.delegatedAmount.toString(),
    closeAuthority: orNull(token.closeAuthority),
  };
}

function mintShape(data: Uint8Array): SolanaShape {
  const mint = decoded(getMintDecoder(), data, MINT_BYTES);
  if (mint?.isInitialized !== true) return { kind: 'unknown', why: 'a mint that was never initialised' };
  return {
    kind: 'mint',
    mintAuthority: orNull(mint.mintAuthority),
    freezeAuthority: orNull(mint.freezeAuthority),
  };
}

function upgradeable({ executable, data }: EncodedAccount, code: EncodedAccount | null): SolanaShape {
  if (decoded(VARIANT, data) !== PROGRAM) return { kind: 'data' };
  const state =
    executable && code?.owner === PROGRAMS.loaderUpgradeable ? decoded(programData, code.data) : null;
  if (state === null) return { kind: 'unknown', why: 'a program without its code: closed, or not read' };
  if (state.variant !== PROGRAM_DATA)
    return { kind: 'unknown', why: 'a program whose code has no known form' };
  return { kind: 'program', upgradeable: true, authority: orNull(state.authority) };
}

function loaderV4(data: Uint8Array): SolanaShape {
  const state = decoded(loaderV4State, data);
  if (state === null) return { kind: 'data' };
  const final = state.status === FINALIZED;
  return { kind: 'program', upgradeable: !final, authority: final ? null : state.authority };
}

/** Null where the bytes are too few, or hold a value that the form does not allow. */
function decoded<T>(decoder: Decoder<T>, data: Uint8Array, bytes = data.length): T | null {
  try {
    return decoder.decode(data.subarray(0, bytes));
  } catch {
    return null;
  }
}

function orNull(key: Option<Address>): string | null {
  return unwrapOption(key);
}

/** The account with the code of an upgradeable program, which is a program-derived address. */
export async function programDataKey(program: Address): Promise<Address> {
  const [key] = await getProgramDerivedAddress({
    programAddress: toAddress(PROGRAMS.loaderUpgradeable),
    seeds: [getAddressEncoder().encode(program)],
  });
  return key;
}

/** The wallet's own account of an SPL token. */
export async function tokenKey(owner: Address, mint: string): Promise<Address> {
  const [key] = await findAssociatedTokenPda({
    owner,
    mint: toAddress(mint),
    tokenProgram: toAddress(PROGRAMS.token),
  });
  return key;
}
