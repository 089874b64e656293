import { decodePaymentRequiredHeader } from '@x402/core/http';
import { sha256Hex } from '../agents/canonical.ts';
import { heldPayments, offeredSeconds } from '../agents/held-payments.ts';
import { misbinding } from '../agents/owner-message.ts';
import type { Account } from './account.ts';
import { HandshakeError } from './errors.ts';
import type { SignRequest } from './operations.ts';
import type { Payer } from './payment.ts';
import { type Answered, jsonText, raise, type Sent, type Transport } from './transport.ts';

interface Deps {
  readonly transport: Transport;
  readonly payer: Payer | null;
  readonly account: Account | null;
  readonly approve: (says: string, message: string) => boolean | Promise<boolean>;
}

/** One request, before anything is asked for. */
export interface Asked {
  readonly method: Sent['method'];
  readonly url: URL;
  readonly body: unknown;
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

type Headed = Readonly<Record<string, string>>;

/**
 * Asks, pays once if a payment is asked for, and signs once if a signature is. Whatever is sent again after a failure is
 * the same payment and the same signature, which count once: a payment whose answer was lost goes along with the next
 * call of the same.
 */
export function requester(deps: Deps) {
  // From before it is signed: calls of the same at the same time share it.
  const held = heldPayments<Promise<Headed>>();

  return async <T>({ method, url, body, signal, idempotencyKey }: Asked): Promise<T> => {
    const key = idempotencyKey === undefined ? newKey() : keyOf(idempotencyKey);
    const text = body === undefined ? null : jsonText('body', body);
    const named: Headed = method === 'POST' ? { 'idempotency-key': key } : {};
    const plain: Sent = {
      method,
      url,
      body: text,
      headers: {
        accept: 'application/json',
        ...(text === null ? {} : { 'content-type': 'application/json' }),
        ...named,
      },
    };
    const call = JSON.stringify([method, url, text, idempotencyKey]);
    const sendPaid = async (payment: Promise<Headed>): Promise<Answered> => {
      const answered = await deps.transport({ ...withHeaders(plain, await payment), pays: true }, signal);
      const challenge = answered.headers.get('payment-required');
      held.answered(call, payment, { ...answered, challenge });
      return answered;
    };
    const signed = (header: string): Promise<Headed> => {
      const challenge = challengeOf(header);
      const payment = pay(deps, challenge, key).then((headers) => ({ ...headers, ...named }));
      payment.catch(() => held.letGo(call, payment));
      held.hold(call, payment, Date.now() + offeredSeconds(challenge) * 1000);
      return payment;
    };

    const open = held.of(call, Date.now());
    let answered = open === null ? await deps.transport(plain, signal) : await sendPaid(open);
    const header = answered.headers.get('payment-required');
    if (answered.status === 402 && header !== null) {
      answered = await sendPaid(held.of(call, Date.now()) ?? signed(header));
    } else if (answered.status === 401 && signRequestOf(answered) !== null) {
      const signature = await sign(deps, signRequestOf(answered)!, plain);
      answered = await deps.transport(withHeaders(plain, signature), signal);
    }
    if (answered.status >= 300) raise(answered);
    if (!isJson(answered))
      throw new HandshakeError('unexpected-answer', `${url} answered no JSON.`, { status: answered.status });
    return answered.body as T;
  };
}

function isJson({ body }: Answered): boolean {
  return typeof body === 'object' && body !== null;
}

function withHeaders(sent: Sent, more: Headed): Sent {
  return { ...sent, headers: { ...sent.headers, ...more } };
}

type Terms = ReturnType<typeof decodePaymentRequiredHeader>;

function challengeOf(header: string): Terms {
  try {
    const terms = decodePaymentRequiredHeader(header);
    if (terms.accepts.every((offer) => typeof offer === 'object' && offer !== null)) return terms;
    throw new TypeError('it accepts what is no way to pay');
  } catch (cause) {
    throw new HandshakeError('unexpected-answer', 'Its challenge cannot be read.', { status: 402, cause });
  }
}

async function pay({ payer }: Deps, challenge: Terms, key: string): Promise<Headed> {
  if (payer === null)
    throw new HandshakeError(
      'account-missing',
      'This call is paid for, and there is no account to pay with.',
      {
        status: 402,
        body: challenge,
      },
    );
  return await payer.header(challenge, key);
}

function signRequestOf({ body }: Answered): SignRequest | null {
  const { sign } = (body ?? {}) as { readonly sign?: Partial<SignRequest> };
  return typeof sign?.message === 'string' && typeof sign.nonce === 'string' ? (sign as SignRequest) : null;
}

async function sign(
  { account, approve }: Deps,
  asked: SignRequest,
  { method, url, body }: Sent,
): Promise<Headed> {
  if (account?.signMessage === undefined)
    throw new HandshakeError('account-missing', `${asked.says} There is no account to sign it with.`, {
      status: 401,
      body: asked,
    });
  const wrong = misbinding(asked, { method, url, body: body ?? '', address: account.address });
  if (wrong !== null)
    throw new HandshakeError('message-refused', `The text was not signed: ${wrong}.`, { status: 401 });
  if (!(await approve(asked.says, asked.message)))
    throw new HandshakeError('message-refused', `It was not approved: ${asked.says}`, { status: 401 });
  const signature = await account.signMessage({ message: asked.message });
  return { authorization: `EIP191 nonce="${asked.nonce}", signature="${signature}"` };
}

/** 32 hex digits: long enough that nobody guesses it, since it asks for an answer that was paid for. */
function newKey(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** The caller's own id in the form that a payment takes: 16 to 128 letters, digits, hyphens and underscores. */
function keyOf(own: string): string {
  return sha256Hex(own).slice(0, 32);
}
