import { type Address, encodeAbiParameters, type Hex, keccak256, toBytes } from 'viem';
import { certificatesAbi } from './abi/certificates.ts';
import { ChainError } from './chain-error.ts';
import type { Deployment } from './deployment.ts';
import { type ChainReader, ReaderError } from './readers/reader.ts';
import type { Signer } from './signer.ts';
import { simulate, transact } from './transact.ts';

/** A certificate at one block. Reads on: `holder` null once it was retired. */
export interface CertificateOnChain {
  /** The asset key of the serial. */
  readonly serial: string;
  readonly holder: Address | null;
  /** Who may transfer it by signature: the holder, or the owner of the agent whose account holds it. */
  readonly controller: Address | null;
  readonly nonce: bigint;
}

/** The live certificate of a serial, and the number that the next would have. @throws ReaderError */
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

/** Every certificate that a serial has or had, oldest first: their numbers follow from how many were issued. @throws ReaderError */
export async function certificatesEver(
  reader: ChainReader,
  { certificates: address }: Deployment,
  serial: string,
  block: bigint,
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

/** The asset key that a certificate stands for, or stood for; null when there never was one. @throws ReaderError */
export async function serialOf(
  reader: ChainReader,
  { certificates: address }: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<string | null> {
  return await orNull(
    reader.read({ address, abi: certificatesAbi, functionName: 'serialOf', args: [tokenId], block }),
  );
}

/** A certificate, live or retired; null when there never was one. @throws ReaderError */
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

/** A refusal is an answer: there is no such thing. A chain that was not read is none. */
async function orNull<T = string>(reading: Promise<unknown>): Promise<T | null> {
  try {
    return (await reading) as T;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}

/**
 * Certifies a serial. With `approve` the settlement may take the token from the holder's own wallet, once.
 * @param serial its asset key
 * @throws ChainError reverted (`SerialCertified` with the live token: ask `certificateOf`), down when nothing was
 *   sent, unknown: ask `certificateOf` first
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
  // A refusal that is known beforehand costs no gas.
  await simulate(signer, call);
  return (await transact(signer, { ...call, gas: 400_000n })).transactionHash;
}

export interface CertificateTransfer {
  readonly tokenId: bigint;
  readonly from: Address;
  readonly to: Address;
  readonly nonce: bigint;
  /** Unix seconds. */
  readonly deadline: bigint;
}

/** The EIP-712 document of a transfer, exactly as the contract checks it; numbers as text, so that it is JSON. */
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
 * Sends a transfer that its controller signed.
 * @throws ChainError reverted (`BadTransferSignature`, `TransferExpired`), down when nothing was sent, unknown: ask
 *   who holds it now
 */
export async function relayTransfer(
  signer: Signer,
  deployment: Deployment,
  transfer: Pick<CertificateTransfer, 'tokenId' | 'to' | 'deadline'> & { readonly signature: Hex },
): Promise<Hex> {
  const { tokenId, to, deadline, signature } = transfer;
  const call = {
    to: deployment.certificates,
    abi: certificatesAbi,
    functionName: 'transferBySig',
    args: [tokenId, to, deadline, signature],
  };
  await simulate(signer, call);
  return (await transact(signer, { ...call, gas: 600_000n })).transactionHash;
}

/** The live certificate that a refusal named; null for any other refusal. */
export function certifiedAs(error: unknown): bigint | null {
  if (!(error instanceof ChainError) || error.errorName !== 'SerialCertified') return null;
  return error.args[1] as bigint;
}
