import { parseUsd } from '../../agents/money.ts';
import type { PayAsset } from '../account.ts';
import type { Opinion } from './adviser.ts';
import { DOLLARS } from './dollars.ts';
import { hostNamed } from './hosts.ts';

/** What a guard lets through. Everything may be left out; money is in dollars. */
export interface GuardPolicy {
  /** The only hosts that are paid, beside those in `payees`; each such as `api.market.example`, or `api.market.example:8443` for one port. Every host when left out, none when empty. */
  readonly hosts?: readonly string[];
  /** Hosts that you know, for a program that pays others too: what looks like one of them is refused. */
  readonly lookAlikesOf?: readonly string[];
  /** Who may be paid at a host, by host; where one stands here, nobody else is. */
  readonly payees?: Readonly<Record<string, readonly string[]>>;
  /** Addresses that are never paid. */
  readonly deny?: readonly string[];
  /** Tokens that may be paid with; the USDC of well-known chains when left out. */
  readonly assets?: readonly PayAsset[];
  /** The most that one payment may be; 1 when left out. */
  readonly maxUsd?: number;
  /** The most for one host in 24 hours; 5 when left out. */
  readonly hostUsd?: number;
  /** The most for all in 24 hours; 20 when left out. */
  readonly budgetUsd?: number;
  /** By how many percent the price of one URL may rise above what was paid for it before; 25 when left out. */
  readonly drift?: number;
  /** How often one request may be paid for within how many seconds; 10 in 60 when left out. */
  readonly repeats?: { readonly count: number; readonly seconds: number };
  /** Let a payee change from one payment of a URL's path to the next, for services that take each payment elsewhere. */
  readonly anyPayee?: boolean;
  /** How long a signed payment may stay valid, seconds; 600 when left out. */
  readonly maxTimeoutSeconds?: number;
  /** Let `http:` pass outside of this machine. */
  readonly plaintext?: boolean;
  /** Documents of records (`GET /records/{id}`) that you keep: their verdicts count without asking anybody. */
  readonly records?: readonly unknown[];
  /** Who signs the records that count; a record by anybody else does not. Needed beside `records`. */
  readonly signer?: string;
  /** How old a verdict may be, hours; 24 when left out. */
  readonly verdictHours?: number;
  /** Asks a service about payees whom nothing here vouches for. */
  readonly opinion?: Opinion;
  /** Milliseconds since 1970; the clock of this machine when left out. */
  readonly now?: () => number;
}

/** Every option, and what stands for it where it is left out: in words where that is no value. */
export const GUARD_OPTIONS = {
  hosts: 'every host',
  lookAlikesOf: 'none',
  payees: 'anybody',
  deny: 'nobody',
  assets: 'the USDC of well-known chains',
  maxUsd: 1,
  hostUsd: 5,
  budgetUsd: 20,
  drift: 25,
  repeats: { count: 10, seconds: 60 },
  anyPayee: false,
  maxTimeoutSeconds: 600,
  plaintext: false,
  records: 'none',
  signer: 'nobody',
  verdictHours: 24,
  opinion: 'nobody is asked',
  now: 'the clock of this machine',
} satisfies Record<keyof GuardPolicy, unknown>;

/** The policy with every number that it leaves out; money in micro-dollars. */
export interface Limits {
  readonly most: bigint;
  readonly perHost: bigint;
  readonly budget: bigint;
  /** Hundredths of a percent. */
  readonly drift: bigint;
  readonly repeats: { readonly count: number; readonly seconds: number };
  readonly timeoutSeconds: number;
  readonly assets: readonly PayAsset[];
}

/**
 * The policy with its hosts as they are compared.
 * @throws TypeError for an option that there is not, a host that is none, or a drift that is no number of percent; AppError bad-request for money
 */
export function settled(policy: GuardPolicy): GuardPolicy {
  const unknown = Object.keys(policy).find((option) => !Object.hasOwn(GUARD_OPTIONS, option));
  if (unknown !== undefined) throw new TypeError(`${unknown} is no option of a guard`);
  limitsOf(policy);
  const payees = new Map<string, readonly string[]>();
  for (const [name, pinned] of Object.entries(policy.payees ?? {})) {
    const host = hostNamed(name);
    payees.set(host, [...(payees.get(host) ?? []), ...pinned]);
  }
  return {
    ...policy,
    hosts: policy.hosts?.map(hostNamed),
    lookAlikesOf: policy.lookAlikesOf?.map(hostNamed),
    payees: Object.fromEntries(payees),
  };
}

export function limitsOf(policy: GuardPolicy): Limits {
  const { drift = GUARD_OPTIONS.drift } = policy;
  if (!(drift >= 0 && Number.isFinite(drift))) throw new TypeError(`drift: ${drift} is no number of percent`);
  return {
    most: parseUsd(policy.maxUsd ?? GUARD_OPTIONS.maxUsd, 'maxUsd'),
    perHost: parseUsd(policy.hostUsd ?? GUARD_OPTIONS.hostUsd, 'hostUsd'),
    budget: parseUsd(policy.budgetUsd ?? GUARD_OPTIONS.budgetUsd, 'budgetUsd'),
    drift: BigInt(Math.round(drift * 100)),
    repeats: policy.repeats ?? GUARD_OPTIONS.repeats,
    timeoutSeconds: policy.maxTimeoutSeconds ?? GUARD_OPTIONS.maxTimeoutSeconds,
    assets: policy.assets ?? DOLLARS,
  };
}

/** Why a payment was not signed. */
export type Reason =
  | 'amount-malformed'
  | 'asset-not-allowed'
  | 'challenge-changed'
  | 'challenge-unseen'
  | 'dearer-than-offered'
  | 'host-disguised'
  | 'host-look-alike'
  | 'host-not-allowed'
  | 'over-budget'
  | 'over-host-budget'
  | 'over-max'
  | 'paid-already'
  | 'payee-changed'
  | 'payee-denied'
  | 'payee-flagged'
  | 'payee-look-alike'
  | 'payee-malformed'
  | 'payee-not-pinned'
  | 'payee-unjudged'
  | 'plaintext'
  | 'price-drift'
  | 'redirected'
  | 'repeated'
  | 'resource-elsewhere'
  | 'scheme-not-allowed'
  | 'terms-odd'
  | 'version-not-allowed';

/** A reason with a sentence that says what of this payment it is. */
export interface Objection {
  readonly reason: Reason;
  readonly says: string;
}

export const objection = (reason: Reason, says: string): Objection => ({ reason, says });
