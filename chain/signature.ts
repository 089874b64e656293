import { recover } from 'tiny-secp256k1';
import { type Hex, hashMessage, hexToBytes, isHex, type PublicClient, parseAbi, size } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { bytesToHex, parseErc6492Signature } from 'viem/utils';
import { AppError } from '../agents/errors.ts';
import { type Address, sameAddress } from '../agents/ids.ts';

export interface SignatureClaim {
  readonly wallet: Address;
  /** The text that was signed, as EIP-191 personal_sign takes it. */
  readonly message: string;
  readonly signature: string;
  /** The chain on which a contract wallet lives. */
  readonly chainId: number;
}

/** True only when the signature is the wallet's. @throws AppError unavailable when the chain cannot be asked */
export type VerifySignature = (claim: SignatureClaim) => Promise<boolean>;

/** A contract wallet's signature may be long; nobody's is longer than this many bytes. */
const MAX_SIGNATURE_BYTES = 8192;
const MAGIC = '0x1626ba7e';
const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ERC6492_SUFFIX = '6492649264926492649264926492649264926492649264926492649264926492';

/**
 * Verifies EIP-191 signatures of key-held accounts (by recovery, no chain needed), of deployed contract wallets
 * (ERC-1271) and of contract wallets that are not deployed yet (ERC-6492).
 * @param clients one public client a chain
 */
export function signatureVerifier(clients: ReadonlyMap<number, PublicClient>): VerifySignature {
  return async ({ wallet, message, signature, chainId }) => {
    if (!isHex(signature, { strict: true }) || signature.length % 2 !== 0) return false;
    const bytes = size(signature);
    if (bytes === 0 || bytes > MAX_SIGNATURE_BYTES) return false;
    const hash = hashMessage(message);
    if (bytes === 65 && recovers(hash, signature, wallet)) return true;

    const client = clients.get(chainId);
    if (!client) return false;
    const code = await reach(() => client.getCode({ address: wallet }));
    if (code !== undefined && code !== '0x') {
      const inner = signature.endsWith(ERC6492_SUFFIX) ? unwrap(signature) : signature;
      return inner !== null && approves(client, wallet, hash, inner);
    }
    if (!signature.endsWith(ERC6492_SUFFIX)) return false;
    // The universal validator deploys the wallet inside an eth_call and asks it (ERC-6492).
    return reach(() => client.verifyHash({ address: wallet, hash, signature }));
  };
}

/** The last byte of a signature: which of the two points it is by, as Ethereum writes it or bare. */
const RECOVERY = new Map([
  [27, 0],
  [28, 1],
  [0, 0],
  [1, 1],
] as const);

/**
 * By libsecp256k1, in a sixth of the time that JavaScript takes for it: every signed request waits for this.
 * @returns whose 65 bytes these are; null where they are nobody's
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

async function approves(client: PublicClient, wallet: Address, hash: Hex, signature: Hex): Promise<boolean> {
  try {
    const answer = await client.readContract({
      address: wallet,
      abi: ERC1271,
      functionName: 'isValidSignature',
      args: [hash, signature],
    });
    return answer === MAGIC;
  } catch (error) {
    if (isTransport(error)) throw unreachable(error);
    return false;
  }
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

function isTransport(error: unknown): boolean {
  const names = ['HttpRequestError', 'TimeoutError', 'SocketClosedError', 'WebSocketRequestError'];
  for (let e = error; e instanceof Error; e = e.cause) if (names.includes(e.name)) return true;
  return false;
}
