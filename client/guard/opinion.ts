import { sameAddress } from '../../agents/ids.ts';
import { parseUsd } from '../../agents/money.ts';
import { type Verified, verifyRecord } from '../verify.ts';
import type { Opinion } from './adviser.ts';
import type { Paid } from './memory.ts';
import { dropOldest, setNewest } from './newest.ts';
import { GUARD_OPTIONS, type GuardPolicy, type Objection, objection } from './policy.ts';

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
  on(paid: Paid, network: string): Promise<Refused | null>;
  /** Lets go of what the service said of whoever was refused at a place. */
  forget(isOfUrl: (place: string) => boolean): void;
}

export interface Refused extends Objection {
  readonly verdict: SignedVerdict | null;
}

const HOUR_MS = 3_600_000;
/** What could not be judged may be a minute later. */
const UNSURE_MS = 300_000;

/** Null for a network that is none of the EVM. */
function chainOf(network: string): number | null {
  const id = /^eip155:(\d+)$/.exec(network)?.[1];
  return id === undefined ? null : Number(id);
}

export function opinions(policy: GuardPolicy, now: () => number): Opinions {
  const { records = [], opinion, signer, verdictHours = GUARD_OPTIONS.verdictHours } = policy;
  if (records.length > 0 && signer === undefined)
    throw new TypeError('signer: say whose records count; anybody can sign one');
  const over = opinion === undefined ? 0n : parseUsd(opinion.overUsd ?? 0, 'overUsd');
  let kept: Promise<SignedVerdict[]> | null = null;
  /** What the service said, and until when nobody asks again after a FLAGGED. */
  const bought = new Map<SignedVerdict, number>();
  const refusedAt = new Map<string, string>();
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
    const all = [...(await keptVerdicts()), ...bought.keys()];
    const about = all.filter(({ verified: v }) => sameAddress(v.subject, payTo));
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

  function keep(verdict: SignedVerdict): void {
    const { subject, chainId } = verdict.verified;
    for (const earlier of bought.keys())
      if (sameAddress(earlier.verified.subject, subject) && earlier.verified.chainId === chainId)
        bought.delete(earlier);
    bought.set(verdict, now() + (hasFlag(verdict) ? verdictHours * HOUR_MS : UNSURE_MS));
  }

  /** @param before what was said last; it stands where nobody answers */
  async function ask(by: Opinion, payee: Payee, before: SignedVerdict | null): Promise<Refused | null> {
    const chainId = chainOf(payee.network);
    const unanswered = (why: string): Refused | null => {
      if (before !== null) return byVerdict(payee, before);
      return by.unanswered === 'pay' ? null : unjudged(payee, why);
    };
    let answer: Answer;
    try {
      answer = await by.service.check(payee.payTo, chainId === null ? {} : { chainId });
    } catch (error) {
      return unanswered(messageOf(error));
    }
    const proof = await proofOf(by, answer, payee);
    if (typeof proof !== 'string') {
      keep(proof);
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

  async function judged({ price }: Paid, payee: Payee): Promise<Refused | null> {
    const own = await known(payee.payTo, payee.network);
    const askAgainAt = own?.verified.verdict === 'FLAGGED' ? bought.get(own) : undefined;
    if (own !== null && (opinion === undefined || askAgainAt === undefined || now() < askAgainAt))
      return byVerdict(payee, own);
    return opinion === undefined || (own === null && price < over) ? null : await ask(opinion, payee, own);
  }

  return {
    async on(paid, network) {
      const refused = await judged(paid, { payTo: paid.payTo, network });
      if (refused !== null) for (const place of paid.places) setNewest(refusedAt, place, paid.payTo);
      dropOldest(refusedAt, () => true);
      return refused;
    },
    forget(isOfUrl) {
      for (const [place, payTo] of refusedAt) {
        if (!isOfUrl(place)) continue;
        refusedAt.delete(place);
        for (const said of bought.keys()) if (sameAddress(said.verified.subject, payTo)) bought.delete(said);
      }
    },
  };
}

/** Whether a check speaks against the payee, and not only for want of an answer. A record that does not tell counts as one. */
function hasFlag({ document }: SignedVerdict): boolean {
  const { record } = document as { readonly record: { readonly content: Content } };
  const checks = record.content?.record?.evidence?.checks;
  return checks?.some(({ outcome }) => outcome === 'FLAG') ?? true;
}

type Content = {
  readonly record?: { readonly evidence?: { readonly checks?: readonly { readonly outcome: string }[] } };
} | null;

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
