import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { appendPaymentIdentifierToExtensions, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier';
import { AppError } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import { type Micro, toUsd } from '../../agents/money.ts';
import { bookAgentPayment } from '../../chain/clients/agent-payment.ts';
import type { SessionKeys } from '../../chain/clients/session-keys.ts';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { findAgent } from '../../store/agent/agents.ts';
import type { Database } from '../../store/database.ts';
import { refusedPayment } from './refused-payment.ts';

interface PayerDeps {
  readonly db: Database;
  readonly sessionKeys: SessionKeys;
  readonly chain: { readonly chainId: number; readonly rpcUrl: string; readonly deployment: Deployment };
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => Date;
  /** 32 random bytes. */
  readonly newNonce: () => `0x${string}`;
  /** Called before the session key sends its booking, which costs gas. */
  readonly fundGas: (sessionKey: Address) => Promise<void>;
}

export interface AgentPurchase {
  readonly status: number;
  readonly body: unknown;
  /** Null when nothing was asked for. */
  readonly paid: { readonly usd: number; readonly transaction: string; readonly payer: string } | null;
}

const SECONDS = 300;
const TRIES = 3;

/**
 * Buys an answer for an agent over x402 version 2 from the agent's own account. The payment is booked against its caps
 * on chain before it is sent, and the same payment is sent again if the answer is lost.
 * @param most the highest price that the answer may have, micro-dollars
 * @throws AppError not-found, agent-not-active, bad-request (not payable in what the agent holds, or dearer),
 *   mandate-exceeded with the policy's refusal, unavailable
 */
export async function payAsAgent(
  deps: PayerDeps,
  { handle, url, most }: { readonly handle: string; readonly url: string; readonly most: Micro },
): Promise<AgentPurchase> {
  const agent = await findAgent(deps.db, handle);
  if (!agent) throw new AppError('not-found', `There is no agent "${handle}".`);
  if (agent.status !== 'active') throw new AppError('agent-not-active', `"${handle}" is ${agent.status}.`);
  const first = await deps.fetch(url);
  if (first.status !== 402) return { status: first.status, body: await bodyOf(first), paid: null };
  await first.arrayBuffer();
  const accepted = affordable(deps, first, most);

  const account = agent.account as Address;
  const session = deps.sessionKeys.at(Number(agent.session_key_index));
  const seconds = Math.floor(deps.now().getTime() / 1000);
  const payment = {
    account,
    to: accepted.payTo as Address,
    value: BigInt(accepted.amount),
    validAfter: BigInt(seconds - 60),
    validBefore: BigInt(seconds + Math.min(SECONDS, accepted.maxTimeoutSeconds)),
    nonce: deps.newNonce(),
  };
  const { name, version } = accepted.extra as { name: string; version: string };
  await deps.fundGas(session.address);
  const signature = await booked(
    bookAgentPayment(deps.chain, session, { asset: accepted.asset as Address, name, version }, payment),
  );
  const { value, validAfter, validBefore, nonce, to } = payment;
  const authorization = {
    from: account,
    to,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  };
  const sent = {
    ...{ x402Version: 2, accepted, payload: { signature, authorization } },
    ...named(first, deps.newNonce().slice(2)),
  };
  const header = Buffer.from(JSON.stringify(sent)).toString('base64');
  for (let left = TRIES; ; left--) {
    const answer = await deps.fetch(url, { headers: { 'payment-signature': header } }).catch(() => null);
    // The payment is booked, so only the identical payment may be sent again; it is charged once.
    if (answer === null || answer.status === 503) {
      if (left > 1) continue;
      throw new AppError(
        'unavailable',
        'The seller does not answer: the payment stays booked until it lapses.',
      );
    }
    const receipt = answer.headers.get('payment-response');
    const { transaction = '', success = false } = receipt ? decodePaymentResponseHeader(receipt) : {};
    const paid = success ? { usd: toUsd(value), transaction, payer: account } : null;
    return { status: answer.status, body: await bodyOf(answer), paid };
  }
}

/**
 * Gives the purchase a secret id, where the seller accepts one. After the payment is on chain, this id is what gets a
 * lost answer again.
 */
function named(answer: Response, name: string): { extensions?: Record<string, unknown> } {
  const header = answer.headers.get('payment-required');
  const declared = header === null ? undefined : decodePaymentRequiredHeader(header).extensions;
  if (declared?.[PAYMENT_IDENTIFIER] === undefined) return {};
  const own = { [PAYMENT_IDENTIFIER]: structuredClone(declared[PAYMENT_IDENTIFIER]) };
  return { extensions: appendPaymentIdentifierToExtensions(own, name) };
}

/** What the agent can pay: `exact`, on its own chain, in the dollars it holds, and not dearer than it may be. */
function affordable({ chain }: PayerDeps, answer: Response, most: Micro): PaymentRequirements {
  const header = answer.headers.get('payment-required');
  const accepts = header === null ? [] : decodePaymentRequiredHeader(header).accepts;
  const found = accepts.find(
    (a) =>
      a.scheme === 'exact' &&
      a.network === `eip155:${chain.chainId}` &&
      a.asset.toLowerCase() === chain.deployment.usdc.toLowerCase(),
  );
  if (!found) throw new AppError('bad-request', 'The seller takes nothing that the agent holds.');
  if (BigInt(found.amount) > most) {
    const asked = toUsd(BigInt(found.amount));
    throw new AppError(
      'bad-request',
      `The seller asks ${asked} USD, more than the ${toUsd(most)} it may be.`,
    );
  }
  return found;
}

async function booked(booking: Promise<`0x${string}`>): Promise<`0x${string}`> {
  try {
    return await booking;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    if (error.kind === 'reverted')
      throw new AppError('mandate-exceeded', refusedPayment(error.errorName, error.message), {
        cause: error,
      });
    throw new AppError('unavailable', 'The payment could not be booked: nothing was sent.', { cause: error });
  }
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
