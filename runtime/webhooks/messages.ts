import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ToldMoney, toldMoney } from '../../agents/market/pricing/told-money.ts';
import type { NotificationRow } from '../../store/webhooks/webhook-deliveries.ts';

const closed = { additionalProperties: false } as const;
const OrNull = <T extends TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });
const Time = Type.String({ description: 'ISO 8601, UTC' });
const handle = Type.String({ description: 'the agent that it is about' });

const message = <K extends string, D extends TProperties>(kind: K, data: D) =>
  Type.Object(
    {
      type: Type.Literal(kind),
      timestamp: { ...Time, description: 'when it happened: ISO 8601, UTC' },
      data: Type.Object({ handle, ...data }, closed),
    },
    closed,
  );

/** @param state what the deal is in when it is told */
const ofDeal = <K extends string, S extends string>(kind: K, state: S) =>
  message(kind, {
    role: Type.Enum(['buyer', 'seller'], { description: "the agent's" }),
    dealId: Type.String(),
    matchId: Type.String(),
    lot: Type.String({ description: 'the asset key' }),
    ...ToldMoney.properties,
    state: Type.Literal(state),
    deadline: OrNull(Time, 'until when an owner may decide; null: none is asked'),
    reason: OrNull(Type.String(), 'why it was stopped or failed'),
    tx: OrNull(Type.String(), 'the transaction that settled it'),
  });

/** The body of each kind of message: what is sent is checked by it, and the interface description shows it. */
export const MESSAGES = {
  'deal.matched': ofDeal('deal.matched', 'determining'),
  'deal.awaiting-owner': ofDeal('deal.awaiting-owner', 'awaiting-owner'),
  'deal.settled': ofDeal('deal.settled', 'settled'),
  'deal.stopped': ofDeal('deal.stopped', 'stopped'),
  'deal.failed': ofDeal('deal.failed', 'failed'),
  'agent.status': message('agent.status', {
    status: Type.Enum(['minting', 'active', 'paused', 'suspended', 'retired']),
  }),
} as const;

/** What an owner can be notified of. */
export type NotificationKind = keyof typeof MESSAGES;
export const NOTIFICATION_KINDS = Object.keys(MESSAGES) as [NotificationKind, ...NotificationKind[]];

type Message = Static<(typeof MESSAGES)[NotificationKind]>;
const checked = Compile(Type.Union(Object.values(MESSAGES)));

/**
 * The message of a notification, in the form in which the owner's own reads show it.
 * @throws TypeError for one that is not as its kind is described: nothing is sent that no document tells of
 */
export function messageOf({ kind, at, handle, body }: NotificationRow): Message {
  const made: unknown = { type: kind, timestamp: at.toISOString(), data: { handle, ...shown(body) } };
  if (checked.Check(made)) return made;
  const [wrong] = checked.Errors(made);
  throw new TypeError(`a message "${kind}" is not as described: ${wrong?.instancePath} ${wrong?.message}`);
}

function shown({ price, fee, deadline, ...rest }: Readonly<Record<string, unknown>>) {
  if (price === undefined) return rest;
  return {
    ...rest,
    ...toldMoney(rest.lot as string, { price: BigInt(price as string), fee: BigInt(fee as string) }),
    deadline: deadline === null ? null : new Date(deadline as string).toISOString(),
  };
}
