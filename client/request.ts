import { decodePaymentRequiredHeader } from '@x402/core/http';
import { sha256Hex } from '../agents/canonical.ts';
import { misbinding } from '../agents/owner-message.ts';
import type { Account } from './account.ts';
import { HandshakeError } from './errors.ts';
import type { SignRequest } from './operations.ts';
import type { Payer } from './payment.ts';
import { type Answered, raise, type Sent, type Transport } from './transport.ts';

interface Deps {
  readonly transport: Transport;
  readonly payer: Payer | null;
  readonly account: Account | null;
  readonly approve: (says: string, message: string) => boolean | Promise<boolean>;
}

interface Asked {
  readonly method: Sent['method'];
  readonly url: URL;
  readonly body: unknown;
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

/**
 * Asks, pays once if a payment is asked for, and signs once if a signature is. Whatever is sent again after a failure is
 * the same payment and the same signature, which count once.
 */
export function requester(deps: Deps) {
  return async <T>({ method, url, body, signal, idempotencyKey }: Asked): Promise<T> => {
    const key = idempotencyKey === undefined ? newKey() : keyOf(idempotencyKey);
    const text = body === undefined ? null : JSON.stringify(body);
    const plain: Sent = {
      method,
      url,
      body: text,
      headers: {
        accept: 'application/json',
        ...(text === null ? {} : { 'content-type': 'application/json' }),
        ...(method === 'POST' ? { 'idempotency-key': key } : {}),
      },
    };
    let answered = await deps.transport(plain, signal);
    const header = answered.headers.get('payment-required');
    if (answered.status === 402 && header !== null) {
      const payment = await pay(deps, header, key);
      answered = await deps.transport(withHeaders(plain, payment), signal);
    } else if (answered.status === 401 && signRequestOf(answered) !== null) {
      const signature = await sign(deps, signRequestOf(answered)!, plain);
      answered = await deps.transport(withHeaders(plain, signature), signal);
    }
    if (answered.status >= 300) raise(answered);
    if (typeof answered.body !== 'object' || answered.body === null)
      throw new HandshakeError('unexpected-answer', `${url} answered no JSON.`, { status: answered.status });
    return answered.body as T;
  };
}

function withHeaders(sent: Sent, more: Readonly<Record<string, string>>): Sent {
  return { ...sent, headers: { ...sent.headers, ...more } };
}

async function pay({ payer }: Deps, header: string, key: string): Promise<Readonly<Record<string, string>>> {
  let challenge: ReturnType<typeof decodePaymentRequiredHeader>;
  try {
    challenge = decodePaymentRequiredHeader(header);
  } catch (cause) {
    throw new HandshakeError('unexpected-answer', 'Its challenge cannot be read.', { status: 402, cause });
  }
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
): Promise<Readonly<Record<string, string>>> {
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
