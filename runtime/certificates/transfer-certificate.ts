import { type Asset, assetKey, parseAssetKey } from '../../agents/assets.ts';
import type { SerialAsset } from '../../agents/certificates/certificates.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../agents/ids.ts';
import {
  type CertificateOnChain,
  isVoidCertificate,
  readCertificate,
  relayTransfer,
  transferTypedData,
} from '../../chain/clients/certificates.ts';
import { certificateHistory } from '../../chain/indexer/certificate-history.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { agentByAccount } from '../../store/agent/agents.ts';
import {
  closeTransfer,
  findTransfer,
  proposeTransfer,
  type TransferRow,
} from '../../store/certificates/certificates.ts';
import { refuseDisputed } from '../../store/certificates/disputes.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { dropLot } from '../../store/market/withdrawals.ts';
import { insertRecord } from '../../store/records/records.ts';
import { certificateAsset, overChain } from '../determinations/public.ts';
import { relayOf } from '../payments/public.ts';
import { recordIdOf, signRecord } from '../records/public.ts';
import type { LastCall, Services } from '../services.ts';

export interface LiveCertificate {
  readonly tokenId: bigint;
  readonly chain: CertificateOnChain;
  readonly serial: SerialAsset;
  /** The block at which it was read. */
  readonly block: bigint;
  readonly timestamp: bigint;
}

const LIFE_SECONDS = 3_600n;

/** A certificate's present state on chain. @throws AppError not-found, unavailable */
export async function requireCertificate({ home }: Services, tokenId: bigint): Promise<LiveCertificate> {
  return await overChain(home.chainId, async () => {
    const { number: block, timestamp } = await home.readers.viem.head();
    const chain = await readCertificate(home.readers.viem, home.deployment, tokenId, block);
    if (chain === null) throw new AppError('not-found', `There is no certificate ${tokenId}.`);
    const serial: Asset = parseAssetKey(chain.serial);
    return { tokenId, chain, serial: serial as SerialAsset, block, timestamp };
  });
}

/** A certificate's history up to the block at which it was read, the newest first. @throws AppError unavailable */
export async function certificateEvents({ home }: Services, { tokenId, block }: LiveCertificate) {
  return await overChain(home.chainId, () =>
    certificateHistory(home.readers.viem, home.deployment, tokenId, block),
  );
}

/** True when an issuer had marked it void by the block at which it was read. @throws AppError unavailable */
export async function isMarkedVoid({ home }: Services, { tokenId, block }: LiveCertificate) {
  return await overChain(home.chainId, () =>
    isVoidCertificate(home.readers.viem, home.deployment, tokenId, block),
  );
}

/** The wallet that must sign for a certificate. @throws AppError conflict when it was retired */
export function controllerOf({ tokenId, chain }: LiveCertificate): Address {
  if (chain.controller === null || chain.holder === null) {
    throw new AppError('conflict', `The certificate ${tokenId} was retired: nobody holds it.`);
  }
  return lowerAddress(chain.controller);
}

/**
 * Makes the EIP-712 document of a transfer, which the controller signs and the contract checks.
 * @throws AppError bad-request, disputed, conflict (the receiver holds it already, it is void, or its lot is in a deal),
 *   unavailable
 */
export async function proposeCertificateTransfer(services: Services, live: LiveCertificate, to: Address) {
  const holder = live.chain.holder as Address;
  if (BigInt(to) === 0n) throw badField('to', 'must be somebody');
  if (sameAddress(holder, to)) throw new AppError('conflict', `${to} holds the certificate already.`);
  // Otherwise the controller would sign a document that the contract refuses.
  if (await isMarkedVoid(services, live)) {
    throw new AppError(
      'conflict',
      `An issuer marked the certificate ${live.tokenId} void: it stays with its holder.`,
    );
  }
  await refuseDisputed(services.db, live.chain.serial, services.now());
  await requireNoDeal(services, live.chain.serial);
  const deadline = live.timestamp + LIFE_SECONDS;
  await proposeTransfer(services.db, {
    token_id: live.tokenId.toString(),
    holder: lowerAddress(holder),
    receiver: lowerAddress(to),
    nonce: live.chain.nonce.toString(),
    deadline: new Date(Number(deadline) * 1000),
    created_at: services.now(),
  });
  const { deployment } = services.home;
  const { tokenId } = live;
  const { nonce } = live.chain;
  return {
    typedData: transferTypedData(deployment, { tokenId, from: holder, to, nonce, deadline }),
    deadline: new Date(Number(deadline) * 1000),
  };
}

/**
 * Sends the transfer that the controller signed, takes the lot off the market, and files the record. Repeated calls
 * return the same result, and continue after a crash that came after the transaction.
 * @throws AppError not-found, signature-invalid, signature-expired, disputed, conflict, unavailable
 */
export async function confirmCertificateTransfer(
  services: Services,
  tokenId: bigint,
  signature: `0x${string}`,
  lastCall: LastCall,
): Promise<{ readonly transfer: TransferRow; readonly tx: string; readonly recordId: string }> {
  const transfer = await findTransfer(services.db, tokenId.toString());
  if (!transfer)
    throw new AppError('not-found', `No transfer of certificate ${tokenId} waits for a signature.`);
  const live = await requireCertificate(services, tokenId);
  const recordId = recordIdOf('transferred', `${transfer.token_id}:${transfer.nonce}`);
  if (transfer.tx !== null) return { transfer, tx: transfer.tx, recordId };
  const tx =
    (await sentAlready(services, live, transfer)) ?? (await relay(services, live, transfer, signature));
  services.crash('after-transfer-before-record');
  await finish(services, { live, transfer, tx, recordId, lastCall });
  return { transfer, tx, recordId };
}

/** @throws AppError conflict when it moved by something other than this transfer */
async function sentAlready(
  services: Services,
  live: LiveCertificate,
  transfer: TransferRow,
): Promise<string | null> {
  if (live.chain.nonce.toString() === transfer.nonce) return null;
  const { events } = await certificateEvents(services, live);
  // The nonce counts a certificate's moves, beginning with its issue, so this transfer comes after `nonce` of them. A
  // void certificate no longer moves, so the void mark comes after all moves.
  const event = events.at(-1)?.kind === 'issued' ? events.at(-1 - Number(transfer.nonce)) : undefined;
  const same =
    event?.kind === 'transferred' &&
    sameAddress(event.from ?? '', transfer.holder) &&
    sameAddress(event.to ?? '', transfer.receiver);
  if (event !== undefined && same) return event.tx;
  throw new AppError(
    'conflict',
    `The certificate ${live.tokenId} has moved since: ask for its transfer anew.`,
  );
}

async function relay(
  services: Services,
  live: LiveCertificate,
  transfer: TransferRow,
  signature: `0x${string}`,
): Promise<string> {
  await refuseDisputed(services.db, live.chain.serial, services.now());
  await requireNoDeal(services, live.chain.serial);
  try {
    return await overChain(services.home.chainId, () =>
      relayTransfer(relayOf(services), {
        wallet: controllerOf(live),
        tokenId: live.tokenId,
        to: transfer.receiver as Address,
        deadline: BigInt(transfer.deadline.getTime() / 1000),
        signature,
      }),
    );
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw asAppError(live.tokenId, error);
  }
}

function asAppError(tokenId: bigint, error: ChainError): AppError {
  if (error.kind !== 'reverted') {
    const detail = `The chain did not confirm the transfer of ${tokenId}: send the same request again.`;
    return new AppError('unavailable', detail, { cause: error });
  }
  if (error.errorName === 'BadTransferSignature') {
    return new AppError(
      'signature-invalid',
      `The signature is not one of ${String(error.args[1])} over \`typedData\`.`,
      { cause: error },
    );
  }
  if (error.errorName === 'TransferExpired') {
    return new AppError('signature-expired', 'The transfer was to be signed earlier: ask for it anew.');
  }
  return new AppError('conflict', `The contract refused the transfer: ${error.message}.`, { cause: error });
}

/** Refuses a transfer while the lot is in a deal, because it is promised to the buyer. @throws AppError conflict */
async function requireNoDeal(services: Services, lot: string): Promise<void> {
  const listing = await liveListingOf(services.db, lot);
  if (listing?.status !== 'dealing') return;
  throw new AppError('conflict', `${lot} is in a deal: it can be transferred when the deal has ended.`);
}

async function finish(
  services: Services,
  done: { live: LiveCertificate; transfer: TransferRow; tx: string; recordId: string; lastCall: LastCall },
): Promise<void> {
  const { live, transfer, tx, recordId } = done;
  const { home, db } = services;
  const [giver, taker] = await Promise.all([
    agentByAccount(db, transfer.holder),
    agentByAccount(db, transfer.receiver),
  ]);
  const parties = [giver, taker].flatMap((agent) => (agent === null ? [] : [agent.handle]));
  const lot = live.chain.serial;
  const signed = await signRecord(services.signRecord, {
    recordId,
    kind: 'transferred',
    // The time of the proposal, so that a second attempt makes the same record.
    issuedAt: transfer.created_at,
    subject: lot,
    parties,
    summary: `The certificate of ${lot} went from ${giver?.handle ?? transfer.holder} to ${taker?.handle ?? transfer.receiver}.`,
    content: {
      lot,
      certificate: assetKey(certificateAsset(home, live.tokenId)),
      from: transfer.holder,
      to: transfer.receiver,
      chain: `eip155:${home.chainId}`,
      tx,
    },
    handle: giver?.handle ?? taker?.handle ?? null,
  });
  await db.transaction().execute(async (trx) => {
    await dropLot(trx, lot, services.now());
    await closeTransfer(trx, transfer, tx);
    await insertRecord(trx, signed);
    done.lastCall();
  });
}
