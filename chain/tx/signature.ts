import { recover } from 'tiny-secp256k1';
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  hexToBytes,
  isHex,
  type PublicClient,
  parseAbi,
  size,
} from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { bytesToHex, parseErc6492Signature } from 'viem/utils';
import { AppError } from '../../agents/errors.ts';
import { type Address, sameAddress } from '../../agents/ids.ts';
import { callOutcome } from '../rpc/public-call.ts';

export interface SignatureClaim {
  readonly wallet: Address;
  /** The text that was signed with EIP-191 personal_sign. */
  readonly message: string;
  readonly signature: string;
  /** The chain of a contract wallet. */
  readonly chainId: number;
}

/** True only when the signature is the wallet's. @throws AppError unavailable when the chain cannot be read */
export type VerifySignature = (claim: SignatureClaim) => Promise<boolean>;

/** As `VerifySignature`, over what was signed in any other form: its hash. */
export type VerifyDigest = (
  claim: Omit<SignatureClaim, 'message'> & { readonly hash: Hex },
) => Promise<boolean>;

/** Signatures of contract wallets may be long, but none is longer than this many bytes. */
const MAX_SIGNATURE_BYTES = 8192;
/** The beginning of an approving answer; the rest of its first word is zero. */
const MAGIC = '0x1626ba7e';
/** Wallets that verify passkeys in Solidity use one to two million. */
const CHECKING_GAS = 5_000_000n;
const DEPLOYING_GAS = 15_000_000n;
const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ERC6492_SUFFIX = '6492649264926492649264926492649264926492649264926492649264926492';

/** Verifies EIP-191 signatures, as `digestVerifier` does. */
export function signatureVerifier(clients: ReadonlyMap<number, PublicClient>): VerifySignature {
  const verify = digestVerifier(clients);
  return ({ message, ...claim }) => verify({ ...claim, hash: hashMessage(message) });
}

/**
 * Verifies signatures of accounts with a key (by recovery, without the chain), of deployed contract wallets (ERC-1271),
 * and of contract wallets that are not deployed yet (ERC-6492).
 * @param clients one public client for each chain
 */
export function digestVerifier(clients: ReadonlyMap<number, PublicClient>): VerifyDigest {
  return async ({ wallet, hash, signature, chainId }) => {
    if (!isHex(signature, { strict: true }) || signature.length % 2 !== 0) return false;
    const bytes = size(signature);
    if (bytes === 0 || bytes > MAX_SIGNATURE_BYTES) return false;
    if (bytes === 65 && recovers(hash, signature, wallet)) return true;

    const client = clients.get(chainId);
    if (!client) return false;
    const code = await reach(() => client.getCode({ address: wallet }));
    if (code !== undefined && code !== '0x') {
      const inner = signature.endsWith(ERC6492_SUFFIX) ? unwrap(signature) : signature;
      return inner !== null && approves(client, wallet, hash, inner);
    }
    if (!signature.endsWith(ERC6492_SUFFIX)) return false;
    // The universal validator deploys the wallet within an eth_call and asks it (ERC-6492).
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      args: [wallet, hash, signature],
      bytecode: erc6492SignatureValidatorByteCode,
    });
    return (await reach(() => callOutcome(client, { data, gas: DEPLOYING_GAS }))) === '0x01';
  };
}

/** The recovery bit for the last byte of a signature, in Ethereum's notation or bare. */
const RECOVERY = new Map([
  [27, 0],
  [28, 1],
  [0, 0],
  [1, 1],
] as const);

/**
 * Recovers the signer with libsecp256k1, in a sixth of the time that JavaScript takes: every signed request waits for
 * this.
 * @returns the signer's address; null when the signature is invalid
 */
export function signerOf(hash: Hex, signature: Hex): Address | null {
  const bytes = hexToBytes(signature);
  const parity = RECOVERY.get(bytes[64] as 27);
  if (parity === undefined) return null;
  try {
    const key = recover(hexToBytes(hash), bytes.subarray(0, 64), parity, false);
    return key && publicKeyToAddress(bytesToHex(key));
  } catch {
    return null;
  }
}

function recovers(hash: Hex, signature: Hex, wallet: Address): boolean {
  const signer = signerOf(hash, signature);
  return signer !== null && sameAddress(signer, wallet);
}

/**
 * Asks a contract wallet whether it approves the signature. A wallet whose code fails, burns all its gas, or answers
 * outside the standard does not approve. That is the wallet's fault, and must not count as a chain that does not
 * answer.
 * @throws AppError unavailable
 */
async function approves(client: PublicClient, wallet: Address, hash: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: ERC1271, args: [hash, signature] });
  const answer = await reach(() => callOutcome(client, { to: wallet, data, gas: CHECKING_GAS }));
  return answer !== null && answer.slice(0, 66) === MAGIC.padEnd(66, '0');
}

function unwrap(signature: Hex): Hex | null {
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    return null;
  }
}

async function reach<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw unreachable(error);
  }
}

function unreachable(cause: unknown): AppError {
  return new AppError('unavailable', 'The chain that holds this wallet does not answer: try again shortly.', {
    cause,
  });
}
