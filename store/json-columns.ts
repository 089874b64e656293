import type { JSONColumnType } from 'kysely';
import type { Asset } from '../agents/assets.ts';
import type { Hex } from '../agents/canonical.ts';
import type { Effect } from '../agents/deal/effect.ts';
import type { Mandate } from '../agents/mandate/terms/schema.ts';
import type { Attributes } from '../agents/market/pricing/model/attributes.ts';
import type { Verdicts } from '../agents/records/outcome.ts';
import type { PublicRecord } from '../agents/records/record.ts';

type Document = Readonly<Record<string, unknown>>;
/** Of a machine, as XState keeps it: the machine itself reads it back. */
type Snapshot = { readonly value: unknown; readonly context: Document };
type Event = Document & { readonly type: string };
/** By timer id: the revision that set it. */
type Timers = Readonly<Record<string, number>>;

/** What an agent's checkout pays for, what a membership's does, and what a listing's fee does. */
export interface CheckoutDetails {
  readonly mandateText?: string;
  readonly mandate?: Mandate;
  readonly mandateHash?: string;
  /** Assigned once it is paid. */
  readonly sessionKeyIndex?: string;
  readonly membership?: string;
  readonly listingRef?: string;
  readonly featured?: boolean;
  /** Why its payment bought nothing. */
  readonly unserved?: string;
}

/** The session key that an act grants. */
export interface Grant {
  /** Which of the derived keys. */
  readonly index: string;
  readonly key: `0x${string}`;
  /** Unix seconds. */
  readonly validUntil: number;
}

/** What an act says beside its kind. */
export interface ActDetail {
  readonly text?: string;
  readonly mandate?: Mandate;
  readonly grant?: Grant | null;
  /** The key that a new one takes the place of. */
  readonly oldKey?: `0x${string}`;
  /** Until when the key that is granted already stays live, unix seconds; null where there is none of this owner's. */
  readonly keyUntil?: number | null;
}

/** One hard or soft finding of a deal, as its row keeps it; platform history reads hard ones by `about`. */
export interface DealFinding {
  readonly side: 'buyer' | 'seller';
  readonly determination: string;
  readonly verdict: string;
  readonly hard: boolean;
  /** The address that a wallet finding speaks of, lower case. */
  readonly about: string | null;
  readonly reasons: readonly string[];
  /** What it caused under its owner's choices. */
  readonly effect: Effect;
  /** Which time both sides determined; absent: the first. */
  readonly round?: number;
}

/** An answer as it went out, kept to be given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** sha-256 of what authorised the first request; null when nothing did. */
  readonly authorisation: string | null;
}

/** An answer as it goes out, byte for byte. */
export interface PaidAnswer {
  readonly status: number;
  readonly body: string;
}

/** What the facilitator said of the settlement. */
export type Receipt = Readonly<Record<string, unknown>>;

/** A record as it is filed. */
export interface SignedRecord {
  readonly record: PublicRecord;
  readonly hash: Hex;
  /** EIP-712 by the service. */
  readonly signature: Hex;
  /** Served beside the record; its hash stands in the record. */
  readonly evidence: object | null;
  /** Whose activity it is; null for a stranger's determination. */
  readonly handle: string | null;
}

/** What is filed of a record whose body and evidence are packed beside it. */
export type UnfiledRecord = Pick<PublicRecord, 'recordId' | 'kind' | 'subject' | 'summary' | 'issuedAt'> &
  Pick<SignedRecord, 'hash' | 'signature'>;

/** What is in each JSON column, by table and column. Every one is checked where rows enter the code: see `parsed.ts`. */
export interface JsonColumns {
  'actors.born': { readonly version: number; readonly snapshot: Snapshot };
  'actor_births.snapshot': Snapshot;
  'actor_births.timers': Timers;
  'actor_checkpoints.snapshot': Snapshot;
  'actor_checkpoints.timers': Timers;
  'actors.snapshot': Snapshot;
  'agent_log.figures': Readonly<Record<string, string>>;
  'checkouts.details': CheckoutDetails;
  'deals.findings': readonly DealFinding[];
  'effects.params': Record<string, unknown>;
  'event_outbox.body': Document;
  'idempotency_keys.response': KeptAnswer;
  'listings.asset': Asset;
  'listings.attributes': Attributes;
  'mailbox.event': Event;
  'mandates.structured': Mandate;
  'owner_acts.detail': ActDetail;
  'owner_acts.signatures': readonly `0x${string}`[];
  'owner_notifications.body': Document;
  'payments.receipt': Receipt;
  'payments.record': UnfiledRecord;
  'public_events.events': readonly { readonly kind: string; readonly body: Document }[];
  'quarantine.context': Document;
  'record_outcomes.verdicts': Verdicts;
  'register_entries.detail': Document;
  /** The fees of the versions it replaced: most, and priority. */
  'signer_transactions.earlier': readonly (readonly [string, string])[];
  'timers.event': Event;
}

/** A JSON column: read as what is in it, written as text. */
export type JsonColumn<K extends keyof JsonColumns> = JSONColumnType<JsonColumns[K]>;
