import type { Check, Depth, Panel } from '../determinations/panel/types.ts';
import type { PublicRecord } from './record.ts';

/** What a determination's record says in short. Without all of it a verdict says more than was found. */
export interface VerdictClaims {
  readonly verdict: string;
  /** FLAGGED though nothing was found against the subject: something could not be judged. */
  readonly inconclusive?: true;
  /** CAIP-2, or `solana`. Of a wallet; goods name their chain in their key. */
  readonly chain?: string;
  readonly determinations: readonly string[];
  /** Null for a determination without a panel. */
  readonly depth: Depth | null;
  /** ISO 8601. */
  readonly judgedAt: string;
}

type Judged = Partial<{
  readonly checks: readonly Partial<Check>[];
  readonly panel: Partial<Panel>;
}>;

/** The content of a determination's record as far as the claims need it. Nothing in it is certain to be there. */
type Content = {
  readonly record?: {
    readonly verdict?: unknown;
    /** Of a wallet. */
    readonly chainId?: unknown;
    readonly addressType?: unknown;
    readonly evidence?: Judged;
    /** Of a tier or a deal. */
    readonly tier?: unknown;
    readonly flagged?: readonly string[];
    readonly determinations?: readonly Judged[];
    readonly determinationsRun?: readonly string[];
  };
} | null;

/** @returns null for the record of anything but a determination */
export function verdictClaims({ kind, content, issuedAt }: PublicRecord): VerdictClaims | null {
  const record = (content as Content)?.record;
  if (kind !== 'determination' || typeof record?.verdict !== 'string') return null;
  const isWallet = record.tier === undefined;
  const judged = isWallet ? [record.evidence ?? {}] : (record.determinations ?? []);
  const chain = isWallet ? chainOf(record) : null;
  return {
    verdict: record.verdict,
    ...(record.verdict === 'FLAGGED' && !isAdverse(record.flagged, judged) ? { inconclusive: true } : {}),
    ...(chain === null ? {} : { chain }),
    determinations: isWallet ? ['wallet'] : (record.determinationsRun ?? []),
    depth: judged[0]?.panel?.depth ?? null,
    judgedAt: issuedAt,
  };
}

function chainOf({ chainId, addressType }: NonNullable<NonNullable<Content>['record']>): string | null {
  if (typeof chainId === 'number') return `eip155:${chainId}`;
  return addressType === 'solana' ? 'solana' : null;
}

/** Whether a determination, a check or a seat found something. What names none of them is taken to have. */
function isAdverse(flagged: readonly string[] | undefined, judged: readonly Judged[]): boolean {
  if (flagged !== undefined) return flagged.length > 0;
  return judged.some(
    ({ checks, panel }) =>
      checks === undefined ||
      checks.some((c) => c.outcome === 'FLAG') ||
      panel?.votes?.some((v) => v.vote === 'FLAGGED') === true,
  );
}
