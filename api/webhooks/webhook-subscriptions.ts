import { Type } from 'typebox';
import { subscribeWords, unsubscribeWords } from '../../agents/checkout/wallet-words.ts';
import { AppError } from '../../agents/errors.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { beneficialOwnerOf } from '../../runtime/agent/live-agent.ts';
import { embedded } from '../../runtime/config/config.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { readDestination, requireReachable } from '../../runtime/webhooks/destination.ts';
import type { NotificationKind } from '../../runtime/webhooks/messages.ts';
import { newWebhookSecret } from '../../runtime/webhooks/signature.ts';
import { type DeliveryRow, listDeliveries } from '../../store/webhooks/webhook-deliveries.ts';
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  requireRoom,
  type SubscriptionRow,
} from '../../store/webhooks/webhook-subscriptions.ts';
import type { App } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { PagesOf } from '../http/cursors.ts';
import { bySeq, ownCursor, ownPage, ownRows } from '../http/own-cursors.ts';
import { EvmAddress, ListOf, listEnvelope, ownerSigned, pageQuery, problems } from '../schemas.ts';
import { NOTIFICATIONS } from '../words/desk/webhooks.ts';
import { DELIVERY } from './webhook-description.ts';
import { Delivery, Kinds, Subscription } from './webhook-shapes.ts';

const Named = Type.Object({ subscriptionId: Type.String({ maxLength: 64 }) });

const signed = [
  'bad-request',
  'signature-required',
  'signature-invalid',
  'signature-used',
  'signature-expired',
] as const;

/** Webhook subscriptions of owners: subscribe, list, see what was sent, end. */
export function webhookSubscriptionRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  const { db, config, now, cursorSecretBox } = services;
  const allowed = { loopback: embedded(config) };
  const requireSubscription = async (id: string): Promise<SubscriptionRow> => {
    const row = await findSubscription(db, id);
    if (!row) throw unknown(id);
    return row;
  };
  /**
   * Hides a subscription whose account has a new beneficial owner since: the new holder signs for the account, but must
   * not see what the previous one subscribed to.
   */
  const requireItsOwn = async (row: SubscriptionRow): Promise<void> => {
    if ((await beneficialOwnerOf(services, row.wallet as Address)) !== row.beneficial_owner)
      throw unknown(row.id);
  };

  app.post(
    '/webhooks/subscriptions',
    {
      // The answer contains the secret, which must not be stored in plain text.
      config: { idempotency: false },
      schema: {
        operationId: 'webhook-subscribe',
        summary: 'Be told of your agents and their deals, by signed messages',
        description: DELIVERY,
        security: ownerSigned,
        tags: ['owners'],
        body: Type.Object(
          {
            wallet: EvmAddress,
            url: Type.String({ minLength: 1, maxLength: 2_000 }),
            events: Type.Optional(Kinds),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            ...Subscription.properties,
            secret: Type.String({ description: 'whsec_…; shown this once' }),
          }),
          ...problems(...signed, 'not-owner', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const url = readDestination(request.body.url, allowed);
      const wallet = lowerAddress(request.body.wallet);
      const holderNow = () => beneficialOwnerOf(services, wallet);
      // Read before the signature is verified: an account that is sold meanwhile has nothing told by who signed for it.
      const beneficialOwner = await holderNow();
      await requireOwner(request, {
        wallet,
        statement: subscribeWords({
          host: url.host,
          notifications: (request.body.events ?? []).map((kind) => NOTIFICATIONS[kind]),
        }),
        chainId: HOME_CHAIN,
      });
      await requireRoom(db, { wallet, beneficialOwner });
      await requireReachable(url, allowed);
      // Read once more: the address may have taken its time to answer.
      if ((await holderNow()) !== beneficialOwner)
        throw new AppError('not-owner', 'Somebody else has stood behind this wallet since it signed.');
      const secret = newWebhookSecret();
      const made = {
        id: services.newId('whs'),
        wallet,
        beneficialOwner,
        url: url.href,
        kinds: request.body.events ?? [],
        secret: services.webhookSecretBox.close(secret),
        now: now(),
      };
      const row = await db.transaction().execute(async (trx) => {
        const inserted = await insertSubscription(trx, made);
        request.lastCall();
        return inserted;
      });
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...shown(row), secret });
    },
  );

  app.get(
    '/webhooks/subscriptions',
    {
      schema: {
        operationId: 'webhook-subscriptions',
        summary: "A wallet's subscriptions, newest first, for its owner",
        security: ownerSigned,
        tags: ['owners'],
        querystring: Type.Object({ wallet: EvmAddress, ...pageQuery }),
        response: { 200: ListOf(Subscription), ...problems(...signed) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      const wallet = lowerAddress(request.query.wallet);
      await requireOwner(request, {
        wallet: wallet as Address,
        statement: 'Read where news of my agents and deals is sent',
        chainId: HOME_CHAIN,
      });
      const beneficialOwner = await beneficialOwnerOf(services, wallet as Address);
      // So few are a wallet's that all are read.
      const rows = await listSubscriptions(db, wallet);
      const own = rows.filter((row) => row.beneficial_owner === beneficialOwner);
      return listEnvelope(own.slice(offset).map(shown), limit, offset);
    },
  );

  app.get(
    '/webhooks/subscriptions/:subscriptionId/deliveries',
    {
      schema: {
        operationId: 'webhook-deliveries',
        summary: 'The messages to a subscription and what they were answered, newest first, for its owner',
        description: 'What was delivered or given up is forgotten after a while: the operator says when.',
        security: ownerSigned,
        tags: ['owners'],
        params: Named,
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor }),
        response: { 200: PagesOf(Delivery), ...problems(...signed, 'not-found') },
      },
    },
    async (request) => {
      const { subscriptionId } = request.params;
      const list = { name: 'deliveries', of: subscriptionId } as const;
      const page = ownRows(cursorSecretBox, list, request.query, bySeq.read);
      const row = await requireSubscription(subscriptionId);
      await requireOwner(request, {
        wallet: row.wallet as Address,
        statement: `Read what news of my agents and deals was sent to ${new URL(row.url).host}`,
        chainId: HOME_CHAIN,
      });
      await requireItsOwn(row);
      const rows = await listDeliveries(db, { subscriptionId, ...page });
      return ownPage(cursorSecretBox, list, rows, request.query, { shown: told, place: bySeq.place });
    },
  );

  app.delete(
    '/webhooks/subscriptions/:subscriptionId',
    {
      schema: {
        operationId: 'webhook-unsubscribe',
        summary: 'End a subscription, and drop what waits for it',
        security: ownerSigned,
        tags: ['owners'],
        params: Named,
        response: {
          200: Type.Object({ subscriptionId: Type.String(), ended: Type.Literal(true) }),
          ...problems(...signed, 'not-found'),
        },
      },
    },
    async (request) => {
      const { subscriptionId } = request.params;
      const row = await requireSubscription(subscriptionId);
      await requireOwner(request, {
        wallet: row.wallet as Address,
        statement: unsubscribeWords(new URL(row.url).host),
        chainId: HOME_CHAIN,
      });
      await requireItsOwn(row);
      const ended = await db.transaction().execute(async (trx) => {
        const gone = await deleteSubscription(trx, subscriptionId);
        request.lastCall();
        return gone;
      });
      if (!ended) throw unknown(subscriptionId);
      return { subscriptionId, ended: true as const };
    },
  );
}

const unknown = (id: string) => new AppError('not-found', `There is no subscription "${id}".`);

function told(row: DeliveryRow) {
  return {
    webhookId: row.id,
    kind: row.kind,
    status: row.status,
    attempts: row.attempts,
    answered: row.answered,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    nextAttemptAt: row.status === 'pending' ? row.next_attempt_at.toISOString() : null,
  };
}

function shown(row: SubscriptionRow) {
  return {
    subscriptionId: row.id,
    wallet: row.wallet,
    url: row.url,
    events: row.kinds as NotificationKind[],
    status: row.status,
    failingSince: row.failing_since?.toISOString() ?? null,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
  };
}
