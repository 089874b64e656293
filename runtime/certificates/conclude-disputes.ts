import { assetKey, parseAssetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { type Decision, type Dispute, voidFrom } from '../../agents/certificates/dispute.ts';
import type { TokenCustody } from '../../agents/determinations/provenance/custody.ts';
import { isInSameHands, principalsOf } from '../../agents/determinations/provenance/dispute-weights.ts';
import { AppError } from '../../agents/errors.ts';
import { lowerAddress, sameAddress } from '../../agents/ids.ts';
import { markVoid } from '../../chain/clients/certificates.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { agentByAccount } from '../../store/agent/agents.ts';
import { tokenKeysOf } from '../../store/certificates/certificates.ts';
import { changeDispute, findDispute, unconcludedDisputes } from '../../store/certificates/disputes.ts';
import { releaseDisputedPledges } from '../../store/market/pledges.ts';
import { fileAppeal } from '../../store/records/appeals.ts';
import { insertRecord, type SignedRecord } from '../../store/records/records.ts';
import { certificateAsset, lifeOf, overChain } from '../determinations/public.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import { holdsRole, roleRests } from '../keys/own-roles.ts';
import { recordIdOf, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';
import { isMarkedVoid, type LiveCertificate, requireCertificate } from './transfer-certificate.ts';

/** Longer than a transaction takes that waits for a busy chain. */
const LIMIT_MS = 120_000;

/**
 * Files the records of decided disputes, and marks the certificates of upheld ones void once the time to appeal is over
 * or the appeal is decided; so is one that the same hands had issued for the thing in its place. Pledges that stand on such
 * a certificate end with it. What a crash leaves undone is found again in the next round; done twice, it changes nothing.
 * @returns how many certificates are void or ended since
 */
export async function concludeDisputes(services: Services): Promise<number> {
  const due = (await unconcludedDisputes(services.db)).filter((dispute) => isDue(dispute, services.now()));
  const { done } = await eachIsolated(
    services.quarantine,
    'dispute',
    due.map(({ disputeId }) => ({ id: disputeId })),
    ({ id }) => conclude(services, id),
    { alive: () => services.home.readers.viem.head(), limitMs: LIMIT_MS, relisted: true },
  );
  return done.filter(Boolean).length;
}

function isDue(dispute: Dispute, now: Date): boolean {
  const { decision, second } = dispute;
  if (decision?.recordId === null || second?.recordId === null) return true;
  const from = voidFrom(dispute);
  return from !== null && now >= from;
}

async function conclude(services: Services, disputeId: string): Promise<boolean> {
  let dispute = (await findDispute(services.db, disputeId)) as Dispute;
  const live = await requireCertificate(services, BigInt(dispute.tokenId));
  if (dispute.decision?.recordId === null) dispute = await fileDecision(services, live, dispute, 'decision');
  if (dispute.second?.recordId === null) dispute = await fileDecision(services, live, dispute, 'second');
  const from = voidFrom(dispute);
  if (from === null || services.now() < from) return false;
  services.crash('after-dispute-before-void');
  await endCertificate(services, live, dispute);
  const pledgers = await endThoseInItsPlace(services, live, dispute);
  const now = services.now();
  await services.db.transaction().execute(async (trx) => {
    await releaseDisputedPledges(trx, dispute.assetKey, now, pledgers);
    await changeDispute(trx, disputeId, () => ({ closedAt: now }));
  });
  return true;
}

/** A certificate that has ended already, or was marked void before a crash, is left as it is. */
async function endCertificate(services: Services, live: LiveCertificate, dispute: Dispute): Promise<void> {
  const { operator, deployment } = services.home;
  if (live.chain.holder === null || (await isMarkedVoid(services, live))) return;
  // For a holder the same call burns, and nothing that is wrong is burned.
  if (sameAddress(live.chain.holder, operator.address)) {
    throw new Error(`The certificate ${live.tokenId} is with the issuer's own key: hand it on first.`);
  }
  const { recordId } = (dispute.second ?? dispute.decision) as Decision;
  const reason = `A dispute of it was upheld: record ${recordId}`;
  try {
    await markVoid(operator, deployment, { tokenId: live.tokenId, reason });
  } catch (error) {
    // To the contract whoever is not the issuer is a stranger to the certificate, which tells nobody what to do.
    const isRefused = error instanceof ChainError && error.kind === 'reverted';
    if (!isRefused || (await holdsRole(services.home, 'issuer'))) throw error;
    throw new Error(roleRests(services.home, 'issuer'), { cause: error });
  }
}

/**
 * Ends the certificates of the same thing, in any spelling of its serial, that are with who held the wrong one: who retires
 * a disputed certificate and has the thing certified again does not escape the decision.
 * @returns whose pledges of the thing end: where a certificate stays in other hands those of who held the wrong one; null:
 *   everybody's
 */
async function endThoseInItsPlace(
  services: Services,
  wrong: LiveCertificate,
  dispute: Dispute,
): Promise<string[] | null> {
  const contract = lowerAddress(services.home.deployment.certificates);
  const tokens = (await tokenKeysOf(services.db, dispute.assetKey))
    .map((key) => parseAssetKey(key) as TokenAsset)
    .filter((token) => token.contract === contract && token.tokenId !== dispute.tokenId);
  if (tokens.length === 0) return null;
  const before = await lifeOfCertificate(services, wrong.tokenId);
  let stays = false;
  for (const { tokenId } of tokens) {
    const other = await requireCertificate(services, BigInt(tokenId));
    if (other.chain.holder === null || (await isMarkedVoid(services, other))) continue;
    const life = await lifeOfCertificate(services, other.tokenId);
    if (isInSameHands(dispute.wallet, before, life)) await endCertificate(services, other, dispute);
    else stays = true;
  }
  return stays ? principalsOf(before, dispute.wallet) : null;
}

/** @throws AppError unavailable when it cannot be read to its first holder */
async function lifeOfCertificate(services: Services, tokenId: bigint): Promise<TokenCustody> {
  const { chainId, deployment, readers } = services.home;
  const life = await overChain(chainId, async () => {
    const { number: block } = await readers.viem.head();
    return await lifeOf(
      { reader: readers.viem, block, deployment },
      certificateAsset({ deployment }, tokenId),
    );
  });
  if (life.fault === null) return life;
  throw new AppError('unavailable', `Who held the certificate ${tokenId} cannot be read: ${life.fault}.`);
}

/** Files the record of a decision and names it in the dispute, in one transaction. */
async function fileDecision(
  services: Services,
  live: LiveCertificate,
  dispute: Dispute,
  which: 'decision' | 'second',
): Promise<Dispute> {
  const decision = dispute[which] as Decision;
  const signed = await decisionRecord(services, live, dispute, which);
  const { recordId } = signed.record;
  return await services.db.transaction().execute(async (trx) => {
    if (which === 'second') {
      await fileAppeal(
        trx,
        {
          recordId: dispute.decision?.recordId as string,
          appealId: recordId,
          wallet: dispute.appeal?.wallet as string,
          filedAt: decision.at,
          overturned: decision.ruling !== dispute.decision?.ruling,
        },
        signed,
      );
    } else await insertRecord(trx, signed);
    return await changeDispute(trx, dispute.disputeId, () => ({ [which]: { ...decision, recordId } }));
  });
}

/** The words of both sides and of the operator, as they stand: the record says what was decided, and on what. */
async function decisionRecord(
  services: Services,
  live: LiveCertificate,
  dispute: Dispute,
  which: 'decision' | 'second',
): Promise<SignedRecord> {
  const { holder } = live.chain;
  const { disputeId, assetKey: lot, wallet, grounds, evidence, reply, hold, appeal } = dispute;
  const { ruling, reason, at } = dispute[which] as Decision;
  const agent = holder === null ? null : await agentByAccount(services.db, lowerAddress(holder));
  const appealed = which === 'second' && appeal !== null;
  return await signRecord(services.signRecord, {
    recordId: recordIdOf('dispute-decision', `${disputeId}:${which}`),
    kind: 'dispute-decision',
    issuedAt: at,
    subject: lot,
    parties: agent === null ? [] : [agent.handle],
    summary: `${appealed ? 'On appeal, a' : 'A'} dispute of the certificate of ${lot} was ${ruling}.`,
    content: {
      disputeId,
      lot,
      certificate: assetKey(certificateAsset(services.home, live.tokenId)),
      wallet,
      grounds,
      evidence: [...evidence],
      reply: reply?.text ?? null,
      cause: hold?.cause ?? null,
      decision: ruling,
      reason,
      ...(appealed
        ? { appeal: { of: dispute.decision?.recordId, wallet: appeal.wallet, grounds: appeal.grounds } }
        : {}),
    },
    handle: agent?.handle ?? null,
  });
}
