import { PublicKey } from '@solana/web3.js';
import type {
  SolanaShape,
  TokenAccount,
} from '../../../agents/determinations/wallet/solana/wallet-solana-facts.ts';
import { PROGRAMS } from './reader.ts';

/** An account with the first `KEPT_BYTES` of its data. */
export interface RawAccount {
  readonly owner: string;
  readonly executable: boolean;
  readonly data: Buffer;
}

/** @param programData the account with the code of an upgradeable program, read at the same slot */
export function shapeOf(
  { owner, executable, data }: RawAccount,
  programData: RawAccount | null,
): SolanaShape {
  if (owner === PROGRAMS.token || owner === PROGRAMS.token2022) return tokenShape(data);
  if (owner === PROGRAMS.loaderUpgradeable) return upgradeable(executable, data, programData);
  if (owner === PROGRAMS.loaderV4) return loaderV4(data);
  if (executable && PROGRAMS.loadersFixed.includes(owner))
    return { kind: 'program', upgradeable: false, authority: null };
  if (executable)
    return { kind: 'unknown', why: `executable, by the loader ${owner} that is not known here` };
  if (owner === PROGRAMS.system) return systemShape(data);
  return owner === PROGRAMS.stake ? stakeShape(data) : { kind: 'data' };
}

/** Without data a wallet. A nonce account has 80 bytes: version, state (1 is initialised), authority, nonce, fee. */
function systemShape(data: Buffer): SolanaShape {
  if (data.length === 0) return { kind: 'wallet' };
  if (data.length === 80 && data.readUInt32LE(0) <= 1 && data.readUInt32LE(4) === 1)
    return { kind: 'nonce', authority: key(data, 8) };
  return { kind: 'unknown', why: `owned by the System program, with ${data.length} bytes of no known form` };
}

/** Parses a StakeStateV2 (bincode): 1 is initialised, 2 delegated; reserve, staker and withdrawer come next in both. */
function stakeShape(data: Buffer): SolanaShape {
  const state = data.length < 200 ? null : data.readUInt32LE(0);
  if (state === 1 || state === 2) return { kind: 'stake', staker: key(data, 12), withdrawer: key(data, 44) };
  return { kind: 'unknown', why: 'a stake account that was never initialised' };
}

/** The account as a token account of this mint; null when it is not one. */
export function tokenAccountOf(account: RawAccount | null, mint: string): TokenAccount | null {
  if (account === null) return null;
  const shape = shapeOf(account, null);
  return shape.kind === 'token-account' && shape.mint === mint ? withoutKind(shape) : null;
}

function withoutKind({ kind: _, ...token }: Extract<SolanaShape, { kind: 'token-account' }>): TokenAccount {
  return token;
}

/** Parses an account of SPL Token. Token-2022 writes the kind at byte 165 and its extensions after it. */
function tokenShape(data: Buffer): SolanaShape {
  const { length } = data;
  if (length === 82) return mint(data);
  if (length === 165) return tokenAccount(data);
  if (length === 355) return multisig(data);
  if (length > 165 && data[165] === 1) return mint(data);
  if (length > 165 && data[165] === 2) return tokenAccount(data);
  return { kind: 'unknown', why: `owned by a token program, in a form of ${length} bytes that is not known` };
}

/** How many must sign, of how many, whether it is initialised, and room for eleven signers. */
function multisig(data: Buffer): SolanaShape {
  const [required = 0, count = 0, initialised] = data;
  if (initialised !== 1 || required < 1 || required > count || count > 11)
    return { kind: 'unknown', why: 'a multisig that was never initialised' };
  const signers = Array.from({ length: count }, (_, i) => key(data, 3 + 32 * i));
  return { kind: 'multisig', required, signers };
}

function tokenAccount(data: Buffer): SolanaShape {
  const state = data[108];
  if (state !== 1 && state !== 2)
    return { kind: 'unknown', why: 'a token account that was never initialised' };
  return {
    kind: 'token-account',
    mint: key(data, 0),
    holder: key(data, 32),
    amount: data.readBigUInt64LE(64).toString(),
    frozen: state === 2,
    delegate: optionalKey(data, 72),
    delegatedAmount: data.readBigUInt64LE(121).toString(),
    closeAuthority: optionalKey(data, 129),
  };
}

function mint(data: Buffer): SolanaShape {
  if (data[45] !== 1) return { kind: 'unknown', why: 'a mint that was never initialised' };
  return { kind: 'mint', mintAuthority: optionalKey(data, 0), freezeAuthority: optionalKey(data, 46) };
}

/**
 * Parses an UpgradeableLoaderState (bincode): 1 is a buffer, 2 a program with the address of its data, 3 the data with
 * slot and authority.
 */
function upgradeable(executable: boolean, data: Buffer, programData: RawAccount | null): SolanaShape {
  if (data.length < 4 || data.readUInt32LE(0) !== 2) return { kind: 'data' };
  const held = programData?.data;
  if (!executable || programData?.owner !== PROGRAMS.loaderUpgradeable || !held || held.length < 45)
    return { kind: 'unknown', why: 'a program without its code: closed, or not read' };
  if (held.readUInt32LE(0) !== 3) return { kind: 'unknown', why: 'a program whose code has no known form' };
  return { kind: 'program', upgradeable: true, authority: held[12] === 1 ? key(held, 13) : null };
}

/** Parses a LoaderV4State: slot, authority, and status (2 is final). */
function loaderV4(data: Buffer): SolanaShape {
  if (data.length < 48) return { kind: 'data' };
  const final = data.readBigUInt64LE(40) === 2n;
  return { kind: 'program', upgradeable: !final, authority: final ? null : key(data, 8) };
}

function optionalKey(data: Buffer, at: number): string | null {
  return data.readUInt32LE(at) === 1 ? key(data, at + 4) : null;
}

function key(data: Buffer, at: number): string {
  return new PublicKey(data.subarray(at, at + 32)).toBase58();
}

/** The account with the code of an upgradeable program, which is a program-derived address. */
export function programDataAddress(program: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync([program.toBytes()], new PublicKey(PROGRAMS.loaderUpgradeable))[0];
}

const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

/** The wallet's own account of an SPL token: a program-derived address of wallet, token program and mint. */
export function tokenAddress(wallet: PublicKey, mint: string): PublicKey {
  const seeds = [wallet.toBytes(), new PublicKey(PROGRAMS.token).toBytes(), new PublicKey(mint).toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED)[0];
}
