import { Type } from 'typebox';
import { NOTIFICATION_KINDS } from '../../runtime/webhooks/messages.ts';
import { EvmAddress, Time } from '../schemas.ts';

export const Kinds = Type.Array(Type.Enum([...NOTIFICATION_KINDS]), {
  maxItems: NOTIFICATION_KINDS.length,
  uniqueItems: true,
  description: 'what to be told; empty: everything',
});

export const Subscription = Type.Object({
  subscriptionId: Type.String(),
  wallet: EvmAddress,
  url: Type.String(),
  events: Kinds,
  status: Type.Enum(['active', 'disabled']),
  failingSince: Type.Union([Time, Type.Null()], { description: 'since when nothing has been taken there' }),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'why it is disabled' }),
  createdAt: Time,
});

/** One message to a subscription, and whether it was delivered. */
export const Delivery = Type.Object({
  webhookId: Type.String({ description: 'as the message carries it: the same with every attempt' }),
  kind: Type.String(),
  status: Type.Enum(['pending', 'delivered', 'failed'], { description: 'failed: given up after its tries' }),
  attempts: Type.Integer(),
  answered: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the last attempt' }),
  error: Type.Union([Type.String(), Type.Null()]),
  createdAt: Time,
  nextAttemptAt: Type.Union([Time, Type.Null()], { description: 'null once nothing more is tried' }),
});
