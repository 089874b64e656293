import { randomBytes } from 'node:crypto';
import type { Low } from 'lowdb';
import { type Charge, chargeObject, decide, disputeObject, refund, refundObject } from './charges.ts';
import { attempt, type DeliveryDeps, postpone } from './deliveries.ts';
import { type FormFields, groupField, textField } from './form-encoding.ts';
import { readMetadata, readSession, type Session, sessionObject } from './sessions.ts';
import { type CardEventObject, type CardState, prune } from './state.ts';
import { type CardEntry, chargeTestCard } from './test-cards.ts';
import { badParam, missing, WireError } from './wire-error.ts';

const API_VERSION = '2026-08-27.local';
const id = (prefix: string): string => `${prefix}_${randomBytes(20).toString('hex')}`;

/**
 * The card processor itself: sessions, payments, events and their delivery. Every change is on disk before it is
 * answered, and undelivered events go out at least once.
 */
export function createProcessor(deps: DeliveryDeps & { db: Low<CardState>; baseUrl: string }) {
  const state = deps.db.data;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const seconds = (): number => Math.floor(deps.clock().getTime() / 1000);

  async function save(): Promise<void> {
    prune(state, deps.clock().getTime());
    await deps.db.write();
  }

  function emit(type: string, object: Record<string, unknown>, idempotencyKey: string | null): void {
    const event: CardEventObject = {
      id: id('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: seconds(),
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: idempotencyKey === null ? null : id('req'), idempotency_key: idempotencyKey },
      data: { object },
    };
    const now = deps.clock().getTime();
    state.events.push(event);
    state.deliveries.push({ eventId: event.id, since: now, attempts: 0, nextAt: now });
  }

  function find(sessionId: string): Session {
    const session = Object.hasOwn(state.sessions, sessionId) ? state.sessions[sessionId] : undefined;
    if (!session) throw missing('checkout.session', sessionId);
    if (session.status === 'open' && session.expiresAt * 1000 <= deps.clock().getTime()) run();
    return session;
  }

  function findCharge(
    paymentIntent: string | undefined,
    chargeId: string | undefined,
  ): { session: Session; charge: Charge } {
    const session = Object.values(state.sessions).find(
      (s) =>
        s.charge !== undefined &&
        (paymentIntent !== undefined ? s.paymentIntent === paymentIntent : s.charge.id === chargeId),
    );
    if (session?.charge) return { session, charge: session.charge };
    throw missing(paymentIntent === undefined ? 'charge' : 'payment_intent', paymentIntent ?? chargeId ?? '');
  }

  /** Runs an act once for each idempotency key and body; repetitions get the first answer. */
  async function once(
    key: string | null,
    rawBody: string,
    act: () => Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const known = key !== null && Object.hasOwn(state.replays, key) ? state.replays[key] : undefined;
    if (known) {
      if (known.body === rawBody) return known.answer;
      throw new WireError(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      );
    }
    const answer = act();
    if (key !== null) state.replays[key] = { body: rawBody, answer, at: deps.clock().getTime() };
    await save();
    run();
    return answer;
  }

  function expire(session: Session): void {
    session.status = 'expired';
    emit('checkout.session.expired', sessionObject(session, deps.baseUrl), null);
  }

  async function deliver(eventId: string): Promise<void> {
    const event = state.events.find((e) => e.id === eventId);
    const delivery = state.deliveries.find((d) => d.eventId === eventId);
    if (!delivery) return;
    const done = !event || (await attempt(deps, event, stopping.signal));
    if (stopping.signal.aborted && !done) return;
    if (done || !postpone(deps, delivery)) {
      state.deliveries = state.deliveries.filter((d) => d.eventId !== eventId);
    }
    await save();
  }

  /** Delivers due events, ends expired sessions, and sets a timer for the next. */
  function run(): void {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    const now = deps.clock().getTime();
    const open = Object.values(state.sessions).filter((s) => s.status === 'open');
    const overdue = open.filter((s) => s.expiresAt * 1000 <= now);
    for (const session of overdue) expire(session);
    if (overdue.length > 0) void save().catch(report);
    for (const { eventId, nextAt } of state.deliveries) {
      if (nextAt > now || underWay.has(eventId)) continue;
      const task = deliver(eventId)
        .catch(report)
        .finally(() => {
          underWay.delete(eventId);
          run();
        });
      underWay.set(eventId, task);
    }
    const due = [
      ...state.deliveries.filter((d) => !underWay.has(d.eventId)).map((d) => d.nextAt),
      ...open.filter((s) => s.status === 'open').map((s) => s.expiresAt * 1000),
    ];
    if (due.length === 0) return;
    timer = setTimeout(run, Math.min(Math.max(Math.min(...due) - now, 0), 60_000));
    timer.unref();
  }

  function report(error: unknown): void {
    deps.log.warn({ err: error }, 'the card processor could not keep its state');
  }

  return {
    /** Opens a session. The same idempotency key and body return the same session. */
    async create(form: FormFields, rawBody: string, key: string | null): Promise<Record<string, unknown>> {
      return await once(key, rawBody, () => {
        const session = readSession(form, id('cs_test'), seconds());
        state.sessions[session.id] = session;
        return sessionObject(session, deps.baseUrl);
      });
    },

    /** Refunds a paid session: the given amount, or all that is left. @throws WireError */
    async refund(form: FormFields, rawBody: string, key: string | null): Promise<Record<string, unknown>> {
      return await once(key, rawBody, () => {
        const { session, charge } = findCharge(textField(form, 'payment_intent'), textField(form, 'charge'));
        const amount = textField(form, 'amount');
        if (amount !== undefined && !/^[0-9]{1,9}$/.test(amount)) {
          throw badParam('amount', `Invalid integer: ${amount}`, 'parameter_invalid_integer');
        }
        const made = refund(session, charge, {
          id: id('re'),
          amount: amount === undefined ? null : Number(amount),
          metadata: readMetadata(groupField(form, 'metadata')),
          now: seconds(),
        });
        emit('charge.refunded', chargeObject(session, charge), key);
        return refundObject(session, charge, made);
      });
    },

    /** The charges of one payment, or all. @throws WireError for a payment that nobody made */
    charges(paymentIntent: string | null): Record<string, unknown>[] {
      const found =
        paymentIntent === null
          ? Object.values(state.sessions)
          : [findCharge(paymentIntent, undefined).session];
      return found.flatMap((session) => (session.charge ? [chargeObject(session, session.charge)] : []));
    },

    /** The disputes that holders of test cards began, for one payment or for all. */
    disputes(paymentIntent: string | null): Record<string, unknown>[] {
      return Object.values(state.sessions).flatMap((session) =>
        session.charge?.dispute && (paymentIntent === null || session.paymentIntent === paymentIntent)
          ? [disputeObject(session, session.charge, session.charge.dispute)]
          : [],
      );
    },

    /** Decides a dispute by its evidence; closing it without evidence loses it. @throws WireError */
    async dispute(disputeId: string, form: FormFields | null): Promise<Record<string, unknown>> {
      const session = Object.values(state.sessions).find((s) => s.charge?.dispute?.id === disputeId);
      if (!session?.charge?.dispute) throw missing('dispute', disputeId);
      const { charge } = session;
      const dispute = session.charge.dispute;
      const evidence = form === null ? null : textField(groupField(form, 'evidence'), 'uncategorized_text');
      decide(dispute, evidence === null ? null : (evidence ?? ''));
      const answer = disputeObject(session, charge, dispute);
      emit('charge.dispute.closed', answer, null);
      await save();
      run();
      return answer;
    },

    /** @throws WireError resource_missing */
    find,

    /** Expires an open session. @throws WireError when it is no longer open */
    async expire(sessionId: string): Promise<Session> {
      const session = find(sessionId);
      if (session.status !== 'open') {
        throw new WireError(
          400,
          'invalid_request_error',
          `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
        );
      }
      expire(session);
      await save();
      run();
      return session;
    },

    /** Pays an open session by card. A session that is paid stays as it is. @throws WireError */
    async pay(sessionId: string, card: CardEntry): Promise<Session> {
      const session = find(sessionId);
      if (session.status === 'complete') return session;
      if (session.status === 'expired') {
        throw new WireError(400, 'invalid_request_error', 'This payment page has expired: begin again.', {
          code: 'resource_expired',
        });
      }
      const { dispute } = chargeTestCard(card, deps.clock());
      session.status = 'complete';
      session.paymentStatus = 'paid';
      session.paymentIntent = id('pi');
      const charge: Charge = {
        id: id('ch'),
        created: seconds(),
        refunded: 0,
        refunds: [],
        dispute: dispute === null ? null : { id: id('du'), created: seconds(), status: dispute },
      };
      session.charge = charge;
      emit('checkout.session.completed', sessionObject(session, deps.baseUrl), null);
      if (charge.dispute) {
        emit('charge.dispute.created', disputeObject(session, charge, charge.dispute), null);
      }
      await save();
      run();
      return session;
    },

    /** Lists events, the newest first. */
    events(
      type: string | null,
      limit: number,
      after: string | null,
    ): { data: CardEventObject[]; more: boolean } {
      const all = state.events.filter((e) => type === null || e.type === type).reverse();
      const from = after === null ? 0 : all.findIndex((e) => e.id === after) + 1;
      return { data: all.slice(from, from + limit), more: all.length > from + limit };
    },

    event(eventId: string): CardEventObject {
      const event = state.events.find((e) => e.id === eventId);
      if (!event) throw missing('event', eventId);
      return event;
    },

    run,

    /** Waits for running deliveries. Undelivered events stay on disk for the next start. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      stopping.abort();
      await Promise.allSettled(underWay.values());
      await deps.db.write();
    },
  };
}

export type Processor = ReturnType<typeof createProcessor>;
