import type { PaymentRequirements } from '@x402/core/types';
import { AppError } from '../../agents/errors.ts';
import { gasGuard } from '../../runtime/payments/gas-guard.ts';
import { type PaymentBinding, sameRequest } from '../../store/payments/payments.ts';
import type { Reply, Request } from '../http/app.ts';
import { type CollectDeps, type Collected, type Collection, collect, verifyPayment } from './collect.ts';
import { payerTrust } from './payer-trust.ts';
import { bindPayment, readPayment, type SentPayment } from './payload.ts';
import { PaymentRefused } from './refused.ts';
import type { ProveSignIn } from './sign-in.ts';
import type { Offer } from './terms.ts';

/** Guards work that must be paid for: `charge` is the only way to it. */
export interface PaymentGate {
  /**
   * Answers the request with the result of `work`, once it is paid for.
   * `work` gets the payment's id and the payer. It runs before the money moves, and its answer and record are kept with
   * the payment until then. So write what may only follow from a payment in `onPaid`, and undo in `onFailed` what
   * `work` itself wrote.
   * @throws AppError payment-required, payment-invalid, settlement-failed, gas-budget, unavailable, and what the work
   *   throws
   */
  charge(
    request: Request,
    reply: Reply,
    offer: Offer,
    work: (paymentId: string, payer: string) => Promise<object>,
    options?: ChargeOptions,
  ): Promise<Reply>;
  /** Makes the 402 for a request without a payment. @param why replaces the usual sentence */
  challenge(request: Request, reply: Reply, offer: Offer, why?: string): Promise<AppError>;
}

interface ChargeOptions {
  /** The status of the answer; 200 when left out. */
  readonly status?: number;
  /** Writes what follows from the payment, in the transaction that releases the answer. */
  readonly onPaid?: Collection['onPaid'];
  readonly onFailed?: Collection['onFailed'];
  /** Looks whether the request can be served as things are now; not asked where its answer waits or was given. */
  readonly check?: () => Promise<void>;
  /**
   * Begins to read what the work will need while the payment is still being verified, for one payment at a time of a
   * payer who settled one before; writes nothing.
   */
  readonly ahead?: (payer: string) => void;
  /** The record that the answer names; filed when the answer is released. */
  readonly record?: Collection['record'];
  readonly private?: Collection['private'];
  /** Chains whose wallets may get a private answer again by signing in (`sign-in-with-x`). */
  readonly signIn?: readonly string[];
}

/** `paymentGate` makes `gas` and `trust` itself when they are left out. */
type GateDeps = Omit<CollectDeps, 'gas' | 'trust'> &
  Partial<Pick<CollectDeps, 'gas' | 'trust'>> & {
    /** Finds out who signed a request by `sign-in-with-x`; when left out, no sign-in is accepted. */
    readonly proveSignIn?: ProveSignIn;
  };

interface Flight {
  readonly binding: PaymentBinding;
  readonly verified: Promise<void>;
  readonly landed: Promise<Collected>;
  /** The requests that share it. */
  readonly aboard: Request[];
}

export function paymentGate(given: GateDeps): PaymentGate {
  const deps: CollectDeps & GateDeps = {
    ...given,
    gas: given.gas ?? gasGuard(given.db),
    trust: given.trust ?? payerTrust(),
  };
  // Requests with one payment that arrive together share one flight, until the payment is sent and anybody can copy it
  // from the chain. Later requests, and those at other processes, meet at the payment's row.
  const flights = new Map<string, Flight>();

  function fly(
    request: Request,
    binding: PaymentBinding,
    verify: () => Promise<void>,
    start: (verified: Promise<void>, settling: () => void) => Promise<Collected>,
  ): Promise<Collected> {
    const flight = flights.get(binding.paymentId);
    const same = flight && sameRequest(flight.binding, binding) ? flight : null;
    if (same !== null && sameNames(same.binding, binding)) {
      same.aboard.push(request);
      return same.landed;
    }
    // One that brings another name has to leave it at the payment's row; verified it is already, and later, once it is
    // settled, it could not be.
    const verified = same?.verified ?? verify();
    const aboard = [request];
    const landed = start(verified, () => {
      request.lastCall();
      for (const other of aboard) stopClock(other);
      flights.delete(binding.paymentId);
    });
    if (flight) return landed;
    flights.set(binding.paymentId, { binding, verified, landed, aboard });
    const done = () => {
      if (flights.get(binding.paymentId)?.landed === landed) flights.delete(binding.paymentId);
    };
    landed.then(done, done);
    return landed;
  }

  async function refusal(
    request: Request,
    reply: Reply,
    offer: Offer,
    why: Pick<PaymentRefused, 'code' | 'message' | 'receipt'>,
  ): Promise<AppError> {
    const challenge = await deps.terms.challenge(offer, request.url, why.message);
    const written = deps.terms.written(challenge);
    reply.header('PAYMENT-REQUIRED', base64(written.header));
    if (why.receipt) reply.header('PAYMENT-RESPONSE', base64(JSON.stringify(why.receipt)));
    const error = new AppError(why.code, why.message, { extra: { ...challenge } });
    reply.written = { error, members: written.body };
    return error;
  }

  async function match(request: Request, offer: Offer, payment: SentPayment): Promise<PaymentRequirements> {
    const challenge = await deps.terms.challenge(offer, request.url, HOW_TO_PAY);
    const met = deps.terms.match(challenge, payment);
    if (typeof met !== 'string') return met;
    throw new PaymentRefused('payment-invalid', `The payment is refused: ${met}.`);
  }

  async function isSignedAnew(request: Request, payer: string, chains: readonly string[]): Promise<boolean> {
    const header = request.headers['sign-in-with-x'];
    if (typeof header !== 'string' || !deps.proveSignIn || chains.length === 0) return false;
    const signed = await deps.proveSignIn(request, header, chains);
    return typeof signed !== 'string' && signed.wallet === payer && (await signed.useUp());
  }

  async function answerPaid(
    request: Request,
    reply: Reply,
    offer: Offer,
    header: string | string[],
    work: (paymentId: string, payer: string) => Promise<object>,
    { status = 200, onPaid, onFailed, check, ahead, record, private: isPrivate, signIn = [] }: ChargeOptions,
  ): Promise<Collected> {
    const payment = readPayment(header);
    if (typeof payment === 'string') {
      throw new PaymentRefused('payment-invalid', `The payment is refused: ${payment}.`);
    }
    const binding = bindPayment(request, payment);
    let matched: Promise<PaymentRequirements> | null = null;
    const sent = {
      payment,
      binding,
      match() {
        matched ??= match(request, offer, payment);
        return matched;
      },
    };
    const verify = () => verifyPayment(deps, sent);
    return fly(request, binding, verify, (verified, settling) =>
      collect(deps, {
        ...sent,
        verified,
        deadline: request.deadline,
        check,
        ahead: ahead && (() => ahead(binding.payer)),
        record,
        private: isPrivate,
        onFailed,
        signedAnew: () => isSignedAnew(request, binding.payer, signIn),
        settling,
        ...(onPaid ? { onPaid } : {}),
        async work() {
          const result = await work(binding.paymentId, binding.payer);
          reply.code(status);
          const body = reply.serialize(result);
          return {
            status,
            body: typeof body === 'string' ? body : Buffer.from(body as ArrayBuffer).toString(),
          };
        },
      }),
    );
  }

  return {
    async charge(request, reply, offer, work, options = {}) {
      const header = request.headers['payment-signature'];
      if (header === undefined) throw await refusal(request, reply, offer, unpaid(HOW_TO_PAY));
      let collected: Collected;
      try {
        collected = await answerPaid(request, reply, offer, header, work, options);
      } catch (error) {
        throw error instanceof PaymentRefused ? await refusal(request, reply, offer, error) : error;
      }
      const { answer, receipt } = collected;
      return reply
        .code(answer.status)
        .header('PAYMENT-RESPONSE', base64(JSON.stringify(receipt)))
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
        .send(answer.body);
    },
    challenge: (request, reply, offer, why = HOW_TO_PAY) => refusal(request, reply, offer, unpaid(why)),
  };
}

const sameNames = (a: PaymentBinding, b: PaymentBinding): boolean =>
  a.identifier === b.identifier && a.idempotencyKey === b.idempotencyKey;

/** Whoever was told that the time is up sends the same payment again. */
function stopClock(request: Request): void {
  try {
    request.lastCall();
  } catch {}
}

const unpaid = (message: string) => ({ code: 'payment-required', message, receipt: null }) as const;

/** Encodes as the SDK does, which encodes its headers letter by letter and is slow. */
function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** What a 402 asks for. */
export const HOW_TO_PAY = 'Sign one of `accepts` (x402 version 2) and send it in PAYMENT-SIGNATURE.';
