import { x402Client } from '@x402/core/client';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import type { LocalAccount } from 'viem';
import { jsonOf } from '../../agents/canonical.ts';
import { heldPayments, payableSeconds } from '../../agents/held-payments.ts';
import { sameAddress } from '../../agents/ids.ts';
import { askedUnits, type Micro } from '../../agents/money.ts';
import { misbinding } from '../../agents/owner-message.ts';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

/** The key of whoever started the program, and what it may be used for. */
export interface OwnSigner {
  readonly account: LocalAccount;
  /** The service that it signs for, without a trailing slash. */
  readonly baseUrl: string;
  /** The most that it pays for answers, over the whole life of the program; zero pays nothing. */
  readonly budget: Micro;
  /** CAIP-2 networks that it pays on, the first one that is offered. */
  readonly networks: readonly string[];
}

interface Asked {
  readonly sign?: {
    readonly message: string;
    readonly nonce: string;
    readonly wallet: string;
    readonly salt?: string;
  };
}

const IDENTIFIER = 'payment-identifier';
const SIGNED = 'payment-signature';

/**
 * A wire that sends a payment whose answer was lost with the next call of the same, in place of none: an agent that calls
 * a tool again would pay for it again.
 */
export function repeatingPayments(wire: Wire): Wire {
  const held = heldPayments<string>();
  return async (request) => {
    const call = JSON.stringify([request.method, request.path, request.body]);
    const now = Date.now();
    const open = held.of(call, now);
    // Calls of the same at the same time each sign a payment: what one sends, the others send too.
    const payment = open ?? request.headers[SIGNED] ?? null;
    if (payment === null) return await wire(request);
    if (payment !== open)
      held.hold(call, payment, now + payableSeconds(decodePaymentSignatureHeader(payment)) * 1000);
    const answer = await wire({ ...request, headers: { ...request.headers, [SIGNED]: payment } });
    held.answered(call, payment, {
      ...{ status: answer.status, body: jsonOf(answer.body), challenge: answer.headers['payment-required'] },
    });
    return answer;
  };
}

/**
 * Signs for one wallet what the service asks of it: owners' messages that bind the very request, and payments within the
 * budget. A payment is counted when it is signed, because from then on it may be taken.
 * @returns the request to send instead; null where this wallet has nothing to sign; why it signs nothing, where the text
 *   is for something else
 */
export function ownSigner({
  account,
  baseUrl,
  budget,
  networks,
}: OwnSigner): (request: WireRequest, answer: WireAnswer) => Promise<WireRequest | string | null> {
  let left = budget;
  const client = x402Client
    .fromConfig({
      schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
      // The dollars that the library knows, and no other token, whose units the budget could not count.
      spendControls: { maxAmountPerPayment: false },
    })
    .registerExtension({
      key: IDENTIFIER,
      // By it an answer that is filed nowhere is given again.
      enrichPaymentPayload: async (payload) => ({
        ...payload,
        extensions: {
          ...payload.extensions,
          [IDENTIFIER]: { info: { id: crypto.randomUUID().replaceAll('-', '') } },
        },
      }),
    });

  async function pay(request: WireRequest, challenge: PaymentRequired): Promise<WireRequest | null> {
    if (request.headers[SIGNED] !== undefined) return null;
    const accepted = networks.flatMap((name) =>
      challenge.accepts.filter(({ network }) => network === name),
    )[0];
    const price = accepted === undefined ? null : askedUnits(accepted.amount);
    if (accepted === undefined || price === null || price > left) return null;
    left -= price;
    const { bazaar: _, ...extensions } = challenge.extensions ?? {};
    const payment = await client.createPaymentPayload({ ...challenge, extensions, accepts: [accepted] });
    const header = Buffer.from(JSON.stringify(payment)).toString('base64');
    return { ...request, headers: { ...request.headers, [SIGNED]: header } };
  }

  return async (request, answer) => {
    if (answer.status === 402) {
      const header = answer.headers['payment-required'];
      return header === undefined
        ? null
        : await pay(request, JSON.parse(Buffer.from(header, 'base64').toString()));
    }
    if (answer.status !== 401 || request.headers.authorization !== undefined) return null;
    const { sign } = JSON.parse(answer.body) as Asked;
    if (sign === undefined || !sameAddress(sign.wallet, account.address)) return null;
    const wrong = misbinding(sign, {
      ...{ method: request.method, url: new URL(`${baseUrl}${request.path}`) },
      ...{ body: request.body ?? '', address: account.address },
    });
    if (wrong !== null) return `The text was not signed: ${wrong}.`;
    const signature = await account.signMessage({ message: sign.message });
    const authorization = `EIP191 nonce="${sign.nonce}", signature="${signature}"`;
    return { ...request, headers: { ...request.headers, authorization } };
  };
}
