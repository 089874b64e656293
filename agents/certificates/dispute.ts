import { AppError, badField } from '../errors.ts';

/**
 * The dispute of a certificate. By itself it is a disclosure, which is shown and stops nothing. The operator may hold the
 * certificate for a while, and decides once the holder had the time to reply.
 */

const HOUR_MS = 3_600_000;
/** How long an operator may hold a certificate, once for each dispute. */
export const MOST_HOLD_HOURS = 72;
/** How long the certificate's controller has to reply. */
const REPLY_MS = 7 * 24 * HOUR_MS;
/** How long either side may appeal against the first decision. */
const APPEAL_MS = 7 * 24 * HOUR_MS;

export const EVIDENCE_MOST = 10;
export const EVIDENCE_LONGEST = 500;
/** Lengths of what is said, in characters. */
export const SAID = {
  grounds: { least: 10, most: 2_000 },
  reply: { least: 1, most: 2_000 },
  cause: { least: 10, most: 1_000 },
  reason: { least: 10, most: 1_000 },
} as const;

const EVIDENCE_HASH = /^0x[0-9a-f]{64}$/i;
/** No sign that a URL has to escape: neither space, control character, quote nor bracket. */
const EVIDENCE_URL = /^https?:\/\/[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/i;

export const DISPUTE_STATES = ['disclosed', 'held', 'upheld', 'rejected', 'appealed'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];
export type Ruling = 'upheld' | 'rejected';

export interface Decision {
  readonly ruling: Ruling;
  readonly reason: string;
  readonly at: Date;
  /** The public record; null until it is filed. */
  readonly recordId: string | null;
}

export interface Dispute {
  readonly disputeId: string;
  /** The certificate's, decimal. */
  readonly tokenId: string;
  /** The key of the serial that the certificate stands for. */
  readonly assetKey: string;
  /** Who disputes it, lower case. */
  readonly wallet: string;
  readonly grounds: string;
  readonly evidence: readonly string[];
  readonly filedAt: Date;
  readonly replyUntil: Date;
  readonly reply: { readonly text: string; readonly by: string; readonly at: Date } | null;
  readonly hold: { readonly cause: string; readonly at: Date; readonly until: Date } | null;
  readonly decision: Decision | null;
  readonly appeal: { readonly wallet: string; readonly grounds: string | null; readonly at: Date } | null;
  /** The decision on the appeal, which is the last. */
  readonly second: Decision | null;
  /** When the certificate of an upheld dispute was void, or had ended in another way. */
  readonly closedAt: Date | null;
}

/** The words and pieces of evidence of a dispute, as they are kept. @throws AppError bad-request naming the field */
export function readDispute(said: { readonly grounds: string; readonly evidence: readonly string[] }): {
  readonly grounds: string;
  readonly evidence: readonly string[];
} {
  return { grounds: readSaid(said.grounds, 'grounds'), evidence: readEvidence(said.evidence) };
}

/** Pieces of evidence, hashes in lower case. @throws AppError bad-request naming the field */
export function readEvidence(evidence: readonly string[]): readonly string[] {
  if (evidence.length > EVIDENCE_MOST) throw badField('evidence', `holds at most ${EVIDENCE_MOST} pieces`);
  for (const [i, piece] of evidence.entries()) {
    if (!isEvidence(piece)) {
      throw badField(
        `evidence[${i}]`,
        `must be 0x and 64 hex digits, or an http(s) URL of at most ${EVIDENCE_LONGEST} characters`,
      );
    }
  }
  return evidence.map(asHash);
}

function isEvidence(piece: string): boolean {
  if (EVIDENCE_HASH.test(piece)) return true;
  return piece.length <= EVIDENCE_LONGEST && EVIDENCE_URL.test(piece) && URL.canParse(piece);
}

const asHash = (piece: string): string => (EVIDENCE_HASH.test(piece) ? piece.toLowerCase() : piece);

/** What one of the parties or the operator says, without the space around it. @throws AppError bad-request naming the field */
export function readSaid(text: string, field: keyof typeof SAID): string {
  const { least, most } = SAID[field];
  const said = text.trim();
  if (said.length < least || said.length > most) {
    throw badField(field, `must have ${least} to ${most} characters`);
  }
  return said;
}

export function replyUntil(filedAt: Date): Date {
  return new Date(filedAt.getTime() + REPLY_MS);
}

/** @throws AppError bad-request */
export function holdUntil(at: Date, hours: number): Date {
  if (!(hours > 0 && hours <= MOST_HOLD_HOURS)) {
    throw badField('hours', `must be more than 0 and at most ${MOST_HOLD_HOURS}`);
  }
  return new Date(at.getTime() + hours * HOUR_MS);
}

/** A hold ends by itself: then the dispute is a disclosure again. */
export function stateOf({ hold, decision, appeal, second }: Dispute, now: Date): DisputeState {
  if (second !== null) return second.ruling;
  if (appeal !== null) return 'appealed';
  if (decision !== null) return decision.ruling;
  return hold !== null && now < hold.until ? 'held' : 'disclosed';
}

/**
 * Whether the certificate can be neither listed, pledged nor transferred because of this dispute: while it is held, and
 * from the decision that it is wrong until it is void. An appeal alone lifts nothing.
 */
export function isInTheWay(dispute: Dispute, now: Date): boolean {
  if (dispute.closedAt !== null) return false;
  return stateOf(dispute, now) === 'held' || (dispute.second ?? dispute.decision)?.ruling === 'upheld';
}

/** When the certificate of an upheld dispute may be marked void; null while it may not, or need not. */
export function voidFrom({ decision, appeal, second, closedAt }: Dispute): Date | null {
  if (closedAt !== null) return null;
  if (second !== null) return second.ruling === 'upheld' ? second.at : null;
  if (appeal !== null || decision?.ruling !== 'upheld') return null;
  return appealUntil(decision);
}

export function appealUntil({ at }: Pick<Decision, 'at'>): Date {
  return new Date(at.getTime() + APPEAL_MS);
}

/** @throws AppError conflict when there was a reply, the time for it is over, or the dispute is decided */
export function requireReplyOpen(dispute: Dispute, now: Date): void {
  const { disputeId, reply, decision } = dispute;
  if (reply !== null) throw refused(`The dispute "${disputeId}" was replied to already.`);
  if (decision !== null)
    throw refused(`The dispute "${disputeId}" is decided: nobody replies to it any more.`);
  if (now >= dispute.replyUntil) {
    throw refused(
      `The time to reply to the dispute "${disputeId}" was over at ${instant(dispute.replyUntil)}.`,
    );
  }
}

/** @throws AppError conflict when it was held before, or is decided */
export function requireHoldOpen({ disputeId, hold, decision }: Dispute): void {
  if (decision !== null) throw refused(`The dispute "${disputeId}" is decided: it is held no more.`);
  if (hold === null) return;
  throw refused(`The dispute "${disputeId}" was held already, until ${instant(hold.until)}: once is all.`);
}

/**
 * Which decision is due, the first one or that on the appeal.
 * @throws AppError conflict when it is decided, or the holder may still reply
 */
export function decisionDue(dispute: Dispute, now: Date): 'decision' | 'second' {
  const { disputeId, reply, decision, appeal, second } = dispute;
  if (second !== null || (decision !== null && appeal === null)) {
    throw refused(`The dispute "${disputeId}" is decided.`);
  }
  if (appeal !== null) return 'second';
  if (reply === null && now < dispute.replyUntil) {
    throw refused(`The holder may reply to the dispute "${disputeId}" until ${instant(dispute.replyUntil)}.`);
  }
  return 'decision';
}

/** @throws AppError conflict when the decision is none, was appealed against before, or came too long ago */
export function requireAppealOpen({ disputeId, decision, appeal }: Dispute, now: Date): void {
  if (decision === null) throw refused(`The dispute "${disputeId}" is not decided.`);
  if (appeal !== null)
    throw refused(`The decision on the dispute "${disputeId}" was appealed against before.`);
  const until = appealUntil(decision);
  if (now >= until) throw refused(`The time to appeal was over at ${instant(until)}.`);
}

const refused = (detail: string): AppError => new AppError('conflict', detail);
const instant = (at: Date): string => at.toISOString();
