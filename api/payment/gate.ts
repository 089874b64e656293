import type { PaymentRequirements } from '@x402/core/types';
import { AppError } from '../../agents/errors.ts';
import { type PaymentBinding, sameRequest } from '../../store/payments.ts';
import type { Reply, Request } from '../app.ts';
import { type CollectDeps, type Collected, type Collection, collect } from './collect.ts';
import { bindPayment, readPayment, type SentPayment } from './payload.ts';
import { PaymentRefused } from './refused.ts';
import type { Offer } from './terms.ts';

/** Stands before work that is paid for: there is no way to the work but through `charge`. */
export interface PaymentGate {
  /**
   * Answers the request with what `work` comes to, once it is paid for.
   * Work is told the payment's id and the payer. It is done before the money moves and stays when it does not: what may only follow from money belongs in `onPaid`.
   * @throws AppError payment-required, payment-invalid, settlement-failed, unavailable, and what the work throws
   */
  charge(
    request: Request,
    reply: Reply,
    offer: Offer,
    work: (paymentId: string, payer: string) => Promise<object>,
    options?: ChargeOptions,
  ): Promise<Reply>;
  /** The 402 of a request that carries no payment. @param why instead of the usual sentence */
  challenge(request: Request, reply: Reply, offer: Offer, why?: string): Promise<AppError>;
}

interface ChargeOptions {
  /** Of the answer; 200 when left out. */
  readonly status?: number;
  /** What becomes true with the payment, in one transaction with it. */
  readonly onPaid?: Collection['onPaid'];
  /** Begins to read what the work will need, while a well-formed payment of this payer is being verified; writes nothing. */
  readonly ahead?: (payer: string) => void;
  /** The record that the answer tells of: filed together with the answer, before the money moves. */
  readonly record?: Collection['record'];
}

interface Flight {
  readonly binding: PaymentBinding;
  readonly landed: Promise<Collected>;
}

export function paymentGate(deps: CollectDeps): PaymentGate {
  // Requests with one payment that arrive together share one flight; those at other processes meet at the row.
  const flights = new Map<string, Flight>();

  function fly(binding: PaymentBinding, start: () => Promise<Collected>): Promise<Collected> {
    const flight = flights.get(binding.paymentId);
    if (flight && sameRequest(flight.binding, binding)) return flight.landed;
    const landed = start();
    if (flight) return landed;
    flights.set(binding.paymentId, { binding, landed });
    const done = () => flights.delete(binding.paymentId);
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
    reply.header('PAYMENT-REQUIRED', base64(written));
    if (why.receipt) reply.header('PAYMENT-RESPONSE', base64(JSON.stringify(why.receipt)));
    const error = new AppError(why.code, why.message, { extra: { ...challenge } });
    reply.written = { error, members: written };
    return error;
  }

  async function match(request: Request, offer: Offer, payment: SentPayment): Promise<PaymentRequirements> {
    const challenge = await deps.terms.challenge(offer, request.url, PAY);
    const met = deps.terms.match(challenge, payment);
    if (typeof met !== 'string') return met;
    throw new PaymentRefused('payment-invalid', `The payment is refused: ${met}.`);
  }

  async function answerPaid(
    request: Request,
    reply: Reply,
    offer: Offer,
    header: string | string[],
    work: (paymentId: string, payer: string) => Promise<object>,
    { status = 200, onPaid, ahead, record }: ChargeOptions,
  ): Promise<Collected> {
    const payment = readPayment(header);
    if (typeof payment === 'string') {
      throw new PaymentRefused('payment-invalid', `The payment is refused: ${payment}.`);
    }
    const binding = bindPayment(request, payment);
    let matched: Promise<PaymentRequirements> | null = null;
    return fly(binding, () =>
      collect(deps, {
        payment,
        binding,
        deadline: request.deadline,
        ahead: ahead && (() => ahead(binding.payer)),
        record,
        ...(onPaid ? { onPaid } : {}),
        match() {
          matched ??= match(request, offer, payment);
          return matched;
        },
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
      if (header === undefined) throw await refusal(request, reply, offer, unpaid(PAY));
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
        .header('cache-control', 'private')
        .type('application/json; charset=utf-8')
        .send(answer.body);
    },
    challenge: (request, reply, offer, why = PAY) => refusal(request, reply, offer, unpaid(why)),
  };
}

const unpaid = (message: string) => ({ code: 'payment-required', message, receipt: null }) as const;

/** As the SDK encodes its headers, which does it letter by letter. */
function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const PAY = 'This call is paid by x402 version 2: sign one of `accepts` and send it in PAYMENT-SIGNATURE.';
