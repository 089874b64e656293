import {
  type Dispute,
  readDispute,
  replyUntil,
  requireAppealOpen,
  requireReplyOpen,
} from '../../agents/certificates/dispute.ts';
import { AppError } from '../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../agents/ids.ts';
import {
  changeDispute,
  disputeBy,
  disputeDecidedBy,
  fileDispute,
  findDispute,
} from '../../store/certificates/disputes.ts';
import { agentHolders } from '../../store/certificates/former-holders.ts';
import type { LastCall, Services } from '../services.ts';
import {
  certificateEvents,
  controllerOf,
  isMarkedVoid,
  type LiveCertificate,
  requireCertificate,
} from './transfer-certificate.ts';

interface Said {
  readonly wallet: Address;
  readonly grounds: string;
  readonly evidence: readonly string[];
}

/**
 * Discloses that a wallet disputes a certificate. It stops nothing until the operator holds the certificate.
 * @throws AppError bad-request; conflict when the wallet disputed it before, or it is retired or void; unavailable
 */
export async function fileCertificateDispute(
  services: Services,
  live: LiveCertificate,
  said: Said,
  lastCall: LastCall,
): Promise<Dispute> {
  const { grounds, evidence } = readDispute(said);
  // A retired one has no controller, and then nothing is left to dispute.
  controllerOf(live);
  if (await isMarkedVoid(services, live)) {
    throw new AppError('conflict', `The certificate ${live.tokenId} is void already.`);
  }
  const heldBlock = await firstHeld(services, live, said.wallet);
  const filedAt = services.now();
  const dispute = {
    disputeId: services.newId('dsp'),
    tokenId: live.tokenId.toString(),
    assetKey: live.chain.serial,
    wallet: said.wallet,
    grounds,
    evidence,
    filedAt,
    replyUntil: replyUntil(filedAt),
    heldBlock,
  };
  await services.db.transaction().execute(async (trx) => {
    if (!(await fileDispute(trx, dispute))) {
      const before = (await disputeBy(trx, dispute)) as Dispute;
      throw new AppError(
        'conflict',
        `${said.wallet} disputes the certificate ${live.tokenId} already, by "${before.disputeId}".`,
        { extra: { disputeId: before.disputeId } },
      );
    }
    lastCall();
  });
  const { heldBlock: _, ...filed } = dispute;
  return { ...filed, reply: null, hold: null, decision: null, appeal: null, second: null, closedAt: null };
}

/**
 * The block in which a wallet, or an agent that it owns now, first held a certificate, issued to it or bought in a deal;
 * null where neither is known to have. A bare transfer makes nobody a holder: who took it passes it through wallets of his own.
 * @throws AppError unavailable
 */
async function firstHeld(services: Services, live: LiveCertificate, wallet: Address): Promise<bigint | null> {
  const { events } = await certificateEvents(services, live);
  const received = events.flatMap(({ kind, to, tx, block }) =>
    to === null
      ? []
      : [{ account: lowerAddress(to), issued: kind === 'issued', tx: tx.toLowerCase(), block }],
  );
  const agents = await agentHolders(services.db, {
    accounts: [...new Set(received.map(({ account }) => account))],
    txs: [...new Set(received.map(({ tx }) => tx))],
    assetKey: live.chain.serial,
  });
  const byAccount = new Map(agents.map((agent) => [agent.account, agent]));
  const held = received.findLast(({ account, issued, tx }) => {
    const agent = byAccount.get(account);
    const isIts = sameAddress(agent?.owner ?? account, wallet);
    return isIts && (issued || agent?.bought.includes(tx) === true);
  });
  return held?.block ?? null;
}

/** A dispute of this certificate. @throws AppError not-found */
export async function requireDispute({ db }: Services, tokenId: bigint, disputeId: string): Promise<Dispute> {
  const dispute = await findDispute(db, disputeId);
  if (dispute?.tokenId === tokenId.toString()) return dispute;
  throw new AppError('not-found', `The certificate ${tokenId} has no dispute "${disputeId}".`);
}

/** @throws AppError conflict when there was a reply, the time for it is over, or the dispute is decided */
export async function replyToDispute(
  { db, now }: Services,
  disputeId: string,
  { text, by }: { readonly text: string; readonly by: Address },
  lastCall: LastCall,
): Promise<Dispute> {
  return await db.transaction().execute(async (trx) => {
    const replied = await changeDispute(trx, disputeId, (dispute) => {
      const at = now();
      requireReplyOpen(dispute, at);
      return { reply: { text, by, at } };
    });
    lastCall();
    return replied;
  });
}

/**
 * Has a dispute decided a second time. Sent again by the same wallet, it is the same appeal.
 * @param recordId of the first decision
 * @throws AppError conflict for a second decision, another appeal, or one that comes too late; not-owner for a wallet that
 *   neither disputes the certificate nor holds or controls it; unavailable
 */
export async function appealDispute(
  services: Services,
  recordId: string,
  { wallet, grounds }: { readonly wallet: Address; readonly grounds: string | null },
  lastCall: LastCall,
): Promise<{ readonly dispute: Dispute; readonly filedAt: Date }> {
  const { db, now } = services;
  const found = await disputeDecidedBy(db, recordId);
  if (found === null) throw new AppError('conflict', `The record "${recordId}" is the last decision.`);
  if (!(await concerns(services, found, wallet))) {
    throw new AppError('not-owner', `${wallet} is no side of the dispute "${found.disputeId}".`);
  }
  if (found.appeal?.wallet === wallet) return { dispute: found, filedAt: found.appeal.at };
  const filedAt = now();
  return await db.transaction().execute(async (trx) => {
    const dispute = await changeDispute(trx, found.disputeId, (before) => {
      requireAppealOpen(before, filedAt);
      return { appeal: { wallet, grounds, at: filedAt } };
    });
    lastCall();
    return { dispute, filedAt };
  });
}

async function concerns(services: Services, dispute: Dispute, wallet: Address): Promise<boolean> {
  if (dispute.wallet === wallet) return true;
  const { chain } = await requireCertificate(services, BigInt(dispute.tokenId));
  const sides = [chain.holder, chain.controller].flatMap((side) =>
    side === null ? [] : [lowerAddress(side)],
  );
  return sides.some((side) => sameAddress(side, wallet));
}
