/** The default time between two evaluations of the whole market. */
const WATCH_MS = 3_600_000;
export const RETRY_MS = 60_000;
/** More lots than these are not named: the whole market is evaluated. */
const MOST_NAMED = 20;

/** Why an agent may not trade. */
export type Hold = OwnerPause | Suspender | 'mandate-end' | 'new-owner';

/** Who suspends: the operator, or the card network while the money that bought the agent is away. */
export type Suspender = 'operator' | 'money';

/** Pauses that events set and lift: by the owner at the service, by the owner on chain, by the guardian. */
export type OwnerPause = 'owner' | 'owner-on-chain' | 'guardian';

/**
 * What of the market is evaluated: all that is for sale, page by page from the newest; the newest page alone; or the lots
 * of these keys.
 */
export type Look = 'all' | 'newest' | readonly string[];

export interface AgentInput {
  readonly handle: string;
  /** How long the mandate still runs, by the runtime's clock at birth. */
  readonly mandateEndsInMs: number;
  /** How long it waits after one evaluation of the whole market before the next; 0: it does nothing by itself. */
  readonly watchEveryMs?: number;
  /** False for an EXECUTOR, which does nothing by itself and needs no timer. */
  readonly watches?: boolean;
}

export interface AgentContext {
  readonly handle: string;
  readonly mandateEndsInMs: number;
  /** As the runtime said last. */
  readonly watchEveryMs: number;
  readonly watches: boolean;
  /** The epoch after the newest transfer that it was told of; 1 after its mint. */
  readonly epoch: number;
  readonly suspensionReasons: readonly Hold[];
  /** Deals under way. Settled, stopped and failed ones are removed. */
  readonly deals: readonly string[];
  /** Whether it had an order on the book at its last evaluation, or has placed one since. */
  readonly resting: boolean;
  /** An evaluation of the market is under way; `again`: what has moved since it began. */
  readonly evaluating: boolean;
  readonly again: Look | null;
  /** Where the evaluation of the whole market goes on, page after page; null: it is through. */
  readonly cursor: string | null;
  /** How long after its last page something of it is to be evaluated again, milliseconds; null: nothing is. */
  readonly soon: number | null;
  /** The timer of the next evaluation of the whole market is set. */
  readonly sweeps: boolean;
  /** The signed mandate that is on its way to the chain. */
  readonly changing: string | null;
  /** The signed act that ends its keys, from when it is known until the chain refuses it. */
  readonly ending: string | null;
  /** Its keys have ended on chain by its owner's will. */
  readonly keysEnded: boolean;
}

/** The account that owns the agent was sold, while the agent's own token did not move. */
export interface OwnerChange {
  /** The account, lower case. */
  readonly owner: string;
  /** Its beneficial owner before, lower case; null when that was not read or cannot be determined. */
  readonly from: string | null;
  /** The block at which that owner was first seen, decimal; null when it was not read. */
  readonly since: string | null;
  /** Its beneficial owner now, lower case; null when it cannot be determined. */
  readonly to: string | null;
  /** The block at which the change was seen, decimal. */
  readonly block: string;
  /** When the change was seen, ISO 8601. */
  readonly at: string;
}

interface MandateSet {
  readonly type: 'MANDATE_SET';
  readonly epoch: number;
  /** How long it runs, by the runtime's clock when it was set. */
  readonly endsInMs: number;
}

interface Surveyed {
  readonly type: 'SURVEYED';
  readonly acted?: number;
  readonly resting?: number;
  readonly watches?: boolean;
  readonly watchEveryMs?: number;
  /** Where the page of the whole market that was evaluated ended; null: it was the last. Absent of anything else. */
  readonly next?: string | null;
  /** Nothing of the market was read, because the chain was away. */
  readonly unread?: boolean;
  /** After how long it evaluates the market again, since something did not work yet; null: when it is told. */
  readonly againInMs?: number | null;
}

export type AgentEvent =
  | { type: 'LISTED'; listingRef: string }
  | { type: 'RESTED'; orderId: string }
  | { type: 'MATCHED'; dealId: string }
  | { type: 'DEAL_CLOSED'; dealId: string }
  | { type: 'WATCH' }
  | { type: 'GO_ON' }
  | { type: 'MARKET'; lots?: readonly string[] | null; watchEveryMs?: number }
  | Surveyed
  | { type: 'PAUSE'; by?: OwnerPause }
  | { type: 'RESUME'; by?: readonly OwnerPause[] }
  | { type: 'TRANSFERRED'; epoch?: number; ownerChange?: OwnerChange }
  | { type: 'MANDATE_END' }
  | { type: 'xstate.after.mandateEnd.agent.active' }
  | { type: 'SIGNED'; actId: string; kind: string }
  | { type: 'ACT_FAILED'; actId: string }
  | MandateSet
  | { type: 'SUSPEND'; by?: Suspender }
  | { type: 'REINSTATE'; by?: Suspender }
  | { type: 'RETIRE' }
  | { type: 'KEYS_ENDED' }
  | { type: 'EFFECT_FAILED'; effect: string; reason: string };

export function newborn(input: AgentInput): AgentContext {
  return {
    handle: input.handle,
    mandateEndsInMs: input.mandateEndsInMs,
    watchEveryMs: input.watchEveryMs ?? WATCH_MS,
    watches: input.watches ?? true,
    epoch: 1,
    suspensionReasons: [],
    deals: [],
    resting: false,
    evaluating: false,
    again: null,
    cursor: null,
    soon: null,
    sweeps: false,
    changing: null,
    ending: null,
    keysEnded: false,
  };
}

/**
 * Migrates a snapshot of version 1, which had only one reason for a pause: the end of the mandate.
 */
export function agentFromV1(stored: unknown): unknown {
  const snapshot = stored as { value: 'paused' | 'retired' | { active: string }; context: AgentContext };
  const { deals } = snapshot.context;
  const active = typeof snapshot.value === 'object' ? snapshot.value.active : null;
  return {
    ...snapshot,
    value: active === null ? snapshot.value : { active },
    context: {
      ...newborn(snapshot.context),
      deals,
      suspensionReasons: snapshot.value === 'paused' ? ['mandate-end'] : [],
      resting: active === 'resting',
    },
  };
}

/** Migrates a snapshot of version 2, which evaluated the whole market each time. */
export function agentFromV2(stored: unknown): unknown {
  const snapshot = stored as { context: Omit<AgentContext, 'again'> & { readonly again: unknown } };
  const { context } = snapshot;
  return {
    ...snapshot,
    context: { ...context, again: context.again === true ? 'all' : null, sweeps: false },
  };
}

const STAGES: readonly unknown[] = ['matched', 'determining', 'awaiting-owner', 'settling', 'recording'];

/** Migrates a snapshot of version 3, which repeated how far each of its deals had come. */
export function agentFromV3(stored: unknown): unknown {
  const snapshot = stored as { value: unknown; context: AgentContext & { readonly stages?: unknown } };
  const { stages: _, ...context } = snapshot.context;
  const { active } = Object(snapshot.value) as { readonly active?: unknown };
  return { ...snapshot, value: STAGES.includes(active) ? { active: 'dealing' } : snapshot.value, context };
}

/** Migrates a snapshot of version 4, which evaluated the newest lots alone. */
export function agentFromV4(stored: unknown): unknown {
  const snapshot = stored as { context: AgentContext };
  return { ...snapshot, context: { ...snapshot.context, cursor: null } };
}

/** Migrates a snapshot of version 5, which began the whole market anew for whatever a page of it could not do. */
export function agentFromV5(stored: unknown): unknown {
  const snapshot = stored as { context: AgentContext };
  return { ...snapshot, context: { ...snapshot.context, soon: null } };
}

/**
 * After how long the market is evaluated again, milliseconds: an evaluation that has failed is repeated. What a page of
 * the whole market could not do waits for the last page: begun anew for each, the evaluation would never get there.
 */
export function retryAfter(event: AgentEvent, { cursor, soon }: AgentContext): number | null {
  if (event.type === 'SURVEYED') return cursor === null ? soon : null;
  return event.type === 'EFFECT_FAILED' && event.effect === 'evaluate-market' ? RETRY_MS : null;
}

/**
 * What an event asks to evaluate, with what was asked before. More changes than are named begin no evaluation of the whole
 * market anew while one goes on: in a busy market it would never come to its end.
 */
export function lookFor(
  event: AgentEvent,
  { again: before = null, cursor = null }: Partial<Pick<AgentContext, 'again' | 'cursor'>> = {},
): Look {
  const many = cursor === null ? 'all' : 'newest';
  const lots = event.type === 'MARKET' ? (event.lots ?? many) : 'all';
  if (lots === 'all' || before === 'all') return 'all';
  if (lots === 'newest' || before === 'newest') return 'newest';
  const both = [...new Set([...(before ?? []), ...lots])];
  return both.length > MOST_NAMED ? many : both;
}

export function withReason(context: AgentContext, hold: Hold): AgentContext {
  return context.suspensionReasons.includes(hold)
    ? context
    : { ...context, suspensionReasons: [...context.suspensionReasons, hold].sort() };
}

export function withoutReasons(context: AgentContext, suspensionReasons: readonly Hold[]): AgentContext {
  return {
    ...context,
    suspensionReasons: context.suspensionReasons.filter((hold) => !suspensionReasons.includes(hold)),
  };
}

/** Whether the agent is suspended for any of these reasons. */
export function heldFor(context: AgentContext, suspensionReasons: readonly Hold[]): boolean {
  return context.suspensionReasons.some((hold) => suspensionReasons.includes(hold));
}

/** Who set or lifted the suspension. */
export function suspender({ by = 'money' }: { readonly by?: Suspender }): Suspender {
  return by;
}

/** Events that a retiring agent ignores. */
export const DEAF = {
  PAUSE: {},
  RESUME: {},
  MANDATE_SET: {},
  SUSPEND: {},
  REINSTATE: {},
  RETIRE: {},
} as const;

/** After a transfer. A pause that the old owner set at the service is gone; a pause on chain stays. */
export function transferred(context: AgentContext, epoch = context.epoch + 1): AgentContext {
  return { ...withReason(withoutReasons(context, ['owner']), 'new-owner'), epoch, changing: null };
}

/** The reasons that a new mandate lifts: the old mandate's end, and a new owner without a mandate, if this owner signed it. */
export function liftedBy(context: AgentContext, { epoch }: MandateSet): readonly Hold[] {
  return epoch >= context.epoch ? ['mandate-end', 'new-owner'] : [];
}

/** The agent's context after an event, whatever its state. */
export function noted(context: AgentContext, event: AgentEvent): AgentContext {
  switch (event.type) {
    case 'MATCHED':
      return context.deals.includes(event.dealId)
        ? context
        : { ...context, deals: [...context.deals, event.dealId] };
    case 'DEAL_CLOSED':
      return { ...context, deals: context.deals.filter((deal) => deal !== event.dealId) };
    case 'MARKET':
      return { ...context, watchEveryMs: event.watchEveryMs ?? context.watchEveryMs };
    case 'SURVEYED':
      return {
        ...context,
        evaluating: false,
        cursor: event.next === undefined ? context.cursor : event.next,
        soon: soonest(context.soon, event.againInMs ?? null),
        watches: event.watches ?? context.watches,
        watchEveryMs: event.watchEveryMs ?? context.watchEveryMs,
        resting: (event.resting ?? Number(context.resting)) > 0,
      };
    case 'SIGNED':
      if (event.kind === 'retire') return { ...context, ending: event.actId };
      return event.kind === 'mandate' ? { ...context, changing: event.actId } : context;
    case 'ACT_FAILED':
      return {
        ...context,
        changing: context.changing === event.actId ? null : context.changing,
        ending: context.ending === event.actId ? null : context.ending,
      };
    case 'MANDATE_SET':
      return byMandate(context, event);
    case 'KEYS_ENDED':
      return { ...context, keysEnded: true };
    case 'EFFECT_FAILED':
      if (event.effect === 'evaluate-market') return { ...context, evaluating: false };
      return event.effect === 'relay-owner-act' ? { ...context, changing: null, ending: null } : context;
    default:
      return context;
  }
}

function soonest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The context with a mandate that is on chain. A mandate of an earlier owner changes nothing. */
function byMandate(context: AgentContext, event: MandateSet): AgentContext {
  if (event.epoch < context.epoch) return context;
  const { epoch, endsInMs } = event;
  return {
    ...withoutReasons(context, liftedBy(context, event)),
    epoch,
    mandateEndsInMs: Math.max(0, endsInMs),
    changing: null,
  };
}
