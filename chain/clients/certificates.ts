import { type Address, encodeAbiParameters, type Hex, keccak256, toBytes } from 'viem';
import { certificatesAbi } from '../abi/certificates.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { ChainError } from '../rpc/chain-error.ts';
import { type ChainReader, type Place, ReaderError } from '../rpc/reader.ts';
import type { Signer } from '../tx/signer.ts';
import { simulate, transact } from '../tx/transact.ts';
import { type Relay, relayCall } from './relay-call.ts';

/** A certificate at one block. `holder` is null once it is retired. */
export interface CertificateOnChain {
  /** The asset key of the serial. */
  readonly serial: string;
  readonly holder: Address | null;
  /** Who may transfer it by signature: the holder, or the owner of the agent whose account holds it. */
  readonly controller: Address | null;
  /** How often it was issued, transferred or retired; marking it void does not count. */
  readonly nonce: bigint;
}

/** Reads the live certificate of a serial, and the id that the next would have. @throws ReaderError */
export async function certificateOf(
  reader: ChainReader,
  { certificates: address }: Deployment,
  serial: string,
  block: bigint,
): Promise<{ readonly live: bigint | null; readonly next: bigint }> {
  const hash = keccak256(toBytes(serial));
  const ask = (functionName: string) =>
    reader.read({ address, abi: certificatesAbi, functionName, args: [hash], block }) as Promise<bigint>;
  const [live, next] = await Promise.all([ask('certificateOf'), ask('nextCertificateOf')]);
  return { live: live === 0n ? null : live, next };
}

/**
 * Reads every certificate that a serial ever had, the oldest first. Their ids are derived from how many were issued.
 * @throws ReaderError
 */
export async function certificatesEver(
  reader: ChainReader,
  { certificates: address }: Deployment,
  serial: string,
  block: Place,
): Promise<bigint[]> {
  const hash = keccak256(toBytes(serial));
  const ask = { address, abi: certificatesAbi, functionName: 'issuedOf', args: [hash], block };
  const issued = Number(await reader.read(ask));
  const parts = [{ type: 'address' }, { type: 'bytes32' }, { type: 'uint256' }];
  return Array.from({ length: issued }, (_, i) => {
    const number = BigInt(keccak256(encodeAbiParameters(parts, [address, hash, BigInt(i)])));
    return BigInt.asUintN(128, number);
  });
}

/** Reads the asset key that a certificate stands for, or stood for; null when it never existed. @throws ReaderError */
export async function serialOf(
  reader: ChainReader,
  { certificates: address }: Deployment,
  tokenId: bigint,
  block: Place,
): Promise<string | null> {
  return await orNull(
    reader.read({ address, abi: certificatesAbi, functionName: 'serialOf', args: [tokenId], block }),
  );
}

/** True when an issuer marked the certificate void, after which it cannot settle. @throws ReaderError */
export async function isVoidCertificate(
  reader: ChainReader,
  { certificates: address }: Deployment,
  tokenId: bigint,
  block: Place,
): Promise<boolean> {
  const call = { address, abi: certificatesAbi, functionName: 'isVoid', args: [tokenId], block };
  return (await reader.read(call)) === true;
}

/** Who has a certificate; null where it ended, is void or never existed. @throws ReaderError */
export async function livingHolder(
  reader: ChainReader,
  deployment: Deployment,
  tokenId: bigint,
  block: Place,
): Promise<Address | null> {
  const { certificates: address } = deployment;
  const call = { address, abi: certificatesAbi, functionName: 'ownerOf', args: [tokenId], block };
  const [holder, isVoid] = await Promise.all([
    orNull<Address>(reader.read(call)),
    isVoidCertificate(reader, deployment, tokenId, block),
  ]);
  return isVoid ? null : holder;
}

/** Reads a certificate, live or retired; null when it never existed. @throws ReaderError */
export async function readCertificate(
  reader: ChainReader,
  deployment: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<CertificateOnChain | null> {
  const { certificates: address } = deployment;
  const ask = (functionName: string) =>
    reader.read({ address, abi: certificatesAbi, functionName, args: [tokenId], block });
  const [serial, holder, controller, nonce] = await Promise.all([
    serialOf(reader, deployment, tokenId, block),
    orNull<Address>(ask('ownerOf')),
    orNull<Address>(ask('controllerOf')),
    ask('nonces'),
  ]);
  return serial === null ? null : { serial, holder, controller, nonce: nonce as bigint };
}

/**
 * Turns a revert into null, since it means that there is no such thing. A chain that could not be read stays an error.
 */
async function orNull<T = string>(reading: Promise<unknown>): Promise<T | null> {
  try {
    return (await reading) as T;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}

/**
 * Certifies a serial. With `approve`, the settlement may take the token from the holder's own wallet, once.
 * @param serial its asset key
 * @throws ChainError reverted (`SerialCertified` with the live token: ask `certificateOf`), down when nothing was sent,
 *   unknown: ask `certificateOf` first
 */
export async function issueCertificate(
  signer: Signer,
  deployment: Deployment,
  { to, serial, approve }: { readonly to: Address; readonly serial: string; readonly approve: boolean },
): Promise<Hex> {
  const call = {
    to: deployment.certificates,
    abi: certificatesAbi,
    functionName: 'issue',
    args: [to, serial, approve],
  };
  // Simulated first, because a call that will be refused should not cost gas.
  await simulate(signer, call);
  return (await transact(signer, { ...call, gas: 400_000n })).transactionHash;
}

/**
 * Marks a certificate void as its issuer: it stays with its holder. The caller makes sure that the holder is another.
 * @throws ChainError reverted (`CertificateIsVoid`), down when nothing was sent, unknown: ask `isVoidCertificate` first
 */
export async function markVoid(
  signer: Signer,
  deployment: Deployment,
  { tokenId, reason }: { readonly tokenId: bigint; readonly reason: string },
): Promise<Hex> {
  const args = [tokenId, reason];
  const call = { to: deployment.certificates, abi: certificatesAbi, functionName: 'retire', args };
  await simulate(signer, call);
  return (await transact(signer, { ...call, gas: 250_000n })).transactionHash;
}

export interface CertificateTransfer {
  readonly tokenId: bigint;
  readonly from: Address;
  readonly to: Address;
  readonly nonce: bigint;
  /** In unix seconds. */
  readonly deadline: bigint;
}

/** The EIP-712 document of a transfer, exactly as the contract checks it. Numbers are text, so that it is JSON. */
export function transferTypedData(deployment: Deployment, transfer: CertificateTransfer) {
  const { tokenId, nonce, deadline, ...parties } = transfer;
  return {
    domain: {
      name: 'SafeHandshakeCertificates',
      version: '1',
      chainId: deployment.chainId,
      verifyingContract: deployment.certificates,
    },
    types: {
      Transfer: [
        { name: 'tokenId', type: 'uint256' },
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Transfer' as const,
    message: {
      ...parties,
      tokenId: tokenId.toString(),
      nonce: nonce.toString(),
      deadline: deadline.toString(),
    },
  };
}

/**
 * Sends a transfer that the controller signed.
 * @throws ChainError reverted (`BadTransferSignature`, `TransferExpired`), down when nothing was sent, unknown: ask who
 *   holds it now; ReaderError; AppError relay-budget
 */
export async function relayTransfer(
  relay: Relay,
  transfer: Pick<CertificateTransfer, 'tokenId' | 'to' | 'deadline'> & {
    readonly signature: Hex;
    /** The certificate's controller. */
    readonly wallet: Address;
  },
): Promise<Hex> {
  const { tokenId, to, deadline, signature, wallet } = transfer;
  const call = {
    to: relay.deployment.certificates,
    abi: certificatesAbi,
    functionName: 'transferBySig',
    args: [tokenId, to, deadline, signature],
  };
  // Wallets cost nothing, and certificates cost their owner nothing.
  const payers = [`certificate ${tokenId}`, `holder ${wallet.toLowerCase()}`];
  return (await relayCall(relay, { ...call, gas: 600_000n, wallet, payers })).transactionHash;
}

/** The live certificate that a refusal named; null for any other refusal. */
export function certifiedAs(error: unknown): bigint | null {
  if (!(error instanceof ChainError) || error.errorName !== 'SerialCertified') return null;
  return error.args[1] as bigint;
}
