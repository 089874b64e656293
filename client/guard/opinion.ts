import { sameAddress } from '../../agents/ids.ts';
import { parseUsd } from '../../agents/money.ts';
import { type Verified, verifyRecord } from '../verify.ts';
import type { Opinion } from './adviser.ts';
import { type GuardPolicy, type Objection, objection } from './policy.ts';

/** A verdict on a payee, with the signed document that proves it. */
export interface SignedVerdict {
  readonly verified: Verified;
  readonly document: unknown;
}

/** What vouches for payees, or speaks against them. */
export interface Opinions {
  /**
   * Asks what is kept first, then the service.
   * @returns null when the payee may be paid, or why not, with the verdict if one was given
   */
  on(payTo: string, network: string, price: bigint): Promise<Refused | null>;
}

export interface Refused extends Objection {
  readonly verdict: SignedVerdict | null;
}

const HOUR_MS = 3_600_000;

/** Null for a network that is none of the EVM. */
function chainOf(network: string): number | null {
  const id = /^eip155:(\d+)$/.exec(network)?.[1];
  return id === undefined ? null : Number(id);
}

export function opinions(policy: GuardPolicy, now: () => number): Opinions {
  const { records = [], opinion, signer, verdictHours = 24 } = policy;
  if (records.length > 0 && signer === undefined)
    throw new TypeError('signer: say whose records count; anybody can sign one');
  const over = opinion === undefined ? 0n : parseUsd(opinion.overUsd ?? 0, 'overUsd');
  let kept: Promise<SignedVerdict[]> | null = null;
  const keptVerdicts = (): Promise<SignedVerdict[]> => {
    kept ??= Promise.all(records.map(verified));
    return kept;
  };

  const verified = async (document: unknown): Promise<SignedVerdict> => ({
    document,
    verified: await verifyRecord(document, { signer, unanchored: true }),
  });
  const isFresh = ({ verified: v }: SignedVerdict): boolean =>
    now() - v.issuedAt.getTime() < verdictHours * HOUR_MS;

  /** A contract may be another one on another chain: it is vouched for by a verdict of the chain on which it is paid alone. */
  async function known(payTo: string, network: string): Promise<SignedVerdict | null> {
    const chainId = chainOf(network);
    const about = (await keptVerdicts()).filter(({ verified: v }) => sameAddress(v.subject, payTo));
    about.sort((a, b) => b.verified.issuedAt.getTime() - a.verified.issuedAt.getTime());
    const clean = about.filter(({ verified: v }) => v.verdict === 'CLEAN' && v.chainId !== null);
    // What was said against somebody once, anywhere, counts until a newer verdict, there or here, clears it.
    const isCleared = ({ verified: f }: SignedVerdict): boolean =>
      clean.some(
        ({ verified: v }) => v.issuedAt > f.issuedAt && (v.chainId === f.chainId || v.chainId === chainId),
      );
    return (
      about.find((v) => v.verified.verdict === 'FLAGGED' && !isCleared(v)) ??
      clean.find((v) => v.verified.chainId === chainId && isFresh(v)) ??
      null
    );
  }

  /** @returns the record of an answer, or why it proves nothing */
  async function proofOf(
    { service }: Opinion,
    { verdict, recorded }: Answer,
    { payTo, network }: Payee,
  ): Promise<SignedVerdict | string> {
    if (typeof recorded.recordId !== 'string') return UNFILED;
    try {
      const signed = await verified(await service.record(recorded.recordId));
      const { ok, subject, verdict: recordedVerdict, chainId, steps } = signed.verified;
      if (!ok) return `its record does not hold: ${steps.find((s) => !s.ok)?.step}`;
      if (!sameAddress(subject, payTo)) return `its record is about ${subject}`;
      if (recordedVerdict !== verdict) return 'its answer is not that of its record';
      if (verdict === 'CLEAN' && chainId !== chainOf(network)) return `its record is not about ${network}`;
      return verdict === 'CLEAN' && !isFresh(signed) ? 'its record is too old' : signed;
    } catch (error) {
      return messageOf(error);
    }
  }

  async function ask(by: Opinion, payee: Payee): Promise<Refused | null> {
    const chainId = chainOf(payee.network);
    const unanswered = (why: string) => (by.unanswered === 'pay' ? null : unjudged(payee, why));
    let answer: Answer;
    try {
      answer = await by.service.check(payee.payTo, chainId === null ? {} : { chainId });
    } catch (error) {
      return unanswered(messageOf(error));
    }
    const proof = await proofOf(by, answer, payee);
    if (typeof proof !== 'string') {
      (await keptVerdicts()).push(proof);
      return byVerdict(payee, proof);
    }
    // Whoever was warned does not pay because the warning cannot be proven.
    if (answer.verdict !== 'CLEAN')
      return {
        ...objection('payee-flagged', `${payee.payTo} is FLAGGED, without proof: ${proof}`),
        verdict: null,
      };
    return proof === UNFILED ? unanswered(proof) : unjudged(payee, proof);
  }

  return {
    async on(payTo, network, price) {
      const payee = { payTo, network };
      const own = await known(payTo, network);
      if (own !== null) return byVerdict(payee, own);
      return opinion === undefined || price < over ? null : await ask(opinion, payee);
    },
  };
}

const UNFILED = 'its answer is filed under no record';

interface Payee {
  readonly payTo: string;
  readonly network: string;
}

type Answer = Awaited<ReturnType<Opinion['service']['check']>>;

function byVerdict({ payTo }: Payee, verdict: SignedVerdict): Refused | null {
  if (verdict.verified.verdict === 'CLEAN') return null;
  return { ...objection('payee-flagged', `${payTo} is FLAGGED by ${verdict.verified.recordId}`), verdict };
}

function unjudged({ payTo }: Payee, why: string): Refused {
  return { ...objection('payee-unjudged', `nobody says who ${payTo} is: ${why}`), verdict: null };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
