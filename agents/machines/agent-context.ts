/** Between two looks at the market, where nothing else is said. */
const WATCH_MS = 60_000;

/** Why an agent may not trade. */
export type Hold = OwnerPause | Suspender | 'mandate-end' | 'new-owner';

/** Who suspends: the operator, or the card network while the money that bought the agent is away. */
export type Suspender = 'operator' | 'money';

/** Pauses that are set and lifted by event: the owner's word to the service, its pause on chain, the guardian's. */
export type OwnerPause = 'owner' | 'owner-on-chain' | 'guardian';

/** How far a deal has come, as its own actor tells. */
export type DealStage = 'matched' | 'determining' | 'awaiting-owner' | 'settling' | 'recording';

export interface AgentInput {
  readonly handle: string;
  /** How long the mandate still runs, by the runtime's clock at birth. */
  readonly mandateEndsInMs: number;
  /** How long it waits after one look at the market before the next. */
  readonly watchEveryMs?: number;
  /** False for one that does nothing by itself: an EXECUTOR. It then needs no timer. */
  readonly watches?: boolean;
}

export interface AgentContext {
  readonly handle: string;
  readonly mandateEndsInMs: number;
  readonly watchEveryMs: number;
  readonly watches: boolean;
  /** How often it has changed hands, its mint counted; of the newest transfer that it was told of. */
  readonly epoch: number;
  readonly holds: readonly Hold[];
  /** Deals under way: settled, stopped and failed ones leave. */
  readonly deals: readonly string[];
  readonly stages: Readonly<Record<string, DealStage>>;
  /** Whether it had something on the book when it last looked, or has put something there since. */
  readonly resting: boolean;
  /** A look at the market is under way; `again`: the market has moved since it began. */
  readonly surveying: boolean;
  readonly again: boolean;
  /** The signed mandate that is on its way to the chain. */
  readonly changing: string | null;
  /** What its owner signed to end its keys, once it is known and until it is refused. */
  readonly ending: string | null;
  /** Its keys have ended on chain by its owner's will. */
  readonly keysEnded: boolean;
}

/** The account that owns the agent came to be somebody else's, while the agent stayed where it was. */
export interface OwnerChange {
  /** The account, lower case. */
  readonly owner: string;
  /** Who stood behind it, lower case; null: nobody had looked, or nobody could tell. */
  readonly from: string | null;
  /** The block at which that one was first seen there, decimal; null: nobody had looked. */
  readonly since: string | null;
  /** Who does now, lower case; null: nobody can tell. */
  readonly to: string | null;
  /** The block at which it was seen, decimal. */
  readonly block: string;
  /** When it was seen, ISO 8601. */
  readonly at: string;
}

interface MandateSet {
  readonly type: 'MANDATE_SET';
  readonly epoch: number;
  /** How long it runs, by the runtime's clock when it was set. */
  readonly endsInMs: number;
}

export type AgentEvent =
  | { type: 'LISTED'; listingRef: string }
  | { type: 'RESTED'; orderId: string }
  | { type: 'MATCHED'; dealId: string }
  | { type: 'DEAL_AT'; dealId: string; stage: DealStage }
  | { type: 'DEAL_CLOSED'; dealId: string }
  | { type: 'WATCH' }
  | { type: 'MARKET' }
  | { type: 'SURVEYED'; acted?: number; resting?: number; watches?: boolean }
  | { type: 'PAUSE'; by?: OwnerPause }
  | { type: 'RESUME'; by?: readonly OwnerPause[] }
  | { type: 'TRANSFERRED'; epoch?: number; behind?: OwnerChange }
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
    holds: [],
    deals: [],
    stages: {},
    resting: false,
    surveying: false,
    again: false,
    changing: null,
    ending: null,
    keysEnded: false,
  };
}

/**
 * From a snapshot of the first version, which told no stages of deals, and which nothing but the end of the mandate
 * ever paused.
 */
export function agentFromV1(stored: unknown): unknown {
  const snapshot = stored as { value: 'paused' | 'retired' | { active: string }; context: AgentContext };
  const { deals } = snapshot.context;
  const active = typeof snapshot.value === 'object' ? snapshot.value.active : null;
  return {
    ...snapshot,
    value: active === null ? snapshot.value : { active: active === 'dealing' ? 'matched' : active },
    context: {
      ...newborn(snapshot.context),
      deals,
      stages: Object.fromEntries(deals.map((deal) => [deal, 'matched'])),
      holds: snapshot.value === 'paused' ? ['mandate-end'] : [],
      resting: active === 'resting',
    },
  };
}

export function withHold(context: AgentContext, hold: Hold): AgentContext {
  return context.holds.includes(hold) ? context : { ...context, holds: [...context.holds, hold].sort() };
}

export function withoutHolds(context: AgentContext, holds: readonly Hold[]): AgentContext {
  return { ...context, holds: context.holds.filter((hold) => !holds.includes(hold)) };
}

/** Whether any of these holds it. */
export function heldFor(context: AgentContext, holds: readonly Hold[]): boolean {
  return context.holds.some((hold) => holds.includes(hold));
}

/** Whose suspension an event sets or lifts. */
export function suspender({ by = 'money' }: { readonly by?: Suspender }): Suspender {
  return by;
}

/** What an agent that retires hears and does not follow. */
export const DEAF = {
  PAUSE: {},
  RESUME: {},
  MANDATE_SET: {},
  SUSPEND: {},
  REINSTATE: {},
  RETIRE: {},
} as const;

/** What its old owner said to the service went with the old owner; what the chain says did not. */
export function transferred(context: AgentContext, epoch = context.epoch + 1): AgentContext {
  return { ...withHold(withoutHolds(context, ['owner']), 'new-owner'), epoch, changing: null };
}

/** What a mandate lifts: the end of the one before, and that a new owner had signed none, if it is that owner's. */
export function liftedBy(context: AgentContext, { epoch }: MandateSet): readonly Hold[] {
  return epoch >= context.epoch ? ['mandate-end', 'new-owner'] : [];
}

/** What an agent knows of itself after an event, whatever state it is in. */
export function noted(context: AgentContext, event: AgentEvent): AgentContext {
  switch (event.type) {
    case 'MATCHED':
      return staged(context, event.dealId, 'matched');
    case 'DEAL_AT':
      return context.deals.includes(event.dealId) ? staged(context, event.dealId, event.stage) : context;
    case 'DEAL_CLOSED':
      return closed(context, event.dealId);
    case 'SURVEYED':
      return {
        ...context,
        surveying: false,
        watches: event.watches ?? context.watches,
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
      if (event.effect === 'survey') return { ...context, surveying: false };
      return event.effect === 'relay-owner-act' ? { ...context, changing: null, ending: null } : context;
    default:
      return context;
  }
}

/** With a mandate that the chain has. One of an owner before the present one changes nothing. */
function byMandate(context: AgentContext, event: MandateSet): AgentContext {
  if (event.epoch < context.epoch) return context;
  const { epoch, endsInMs } = event;
  return {
    ...withoutHolds(context, liftedBy(context, event)),
    epoch,
    mandateEndsInMs: Math.max(0, endsInMs),
    changing: null,
  };
}

function staged(context: AgentContext, dealId: string, stage: DealStage): AgentContext {
  const deals = context.deals.includes(dealId) ? context.deals : [...context.deals, dealId];
  return { ...context, deals, stages: { ...context.stages, [dealId]: stage } };
}

function closed(context: AgentContext, dealId: string): AgentContext {
  const { [dealId]: _over, ...stages } = context.stages;
  return { ...context, deals: context.deals.filter((deal) => deal !== dealId), stages };
}
