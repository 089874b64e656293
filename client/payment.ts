import { x402Client, x402HTTPClient } from '@x402/core/client';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { askedUnits, MICRO_PER_USD, parseUsd, toUsd } from '../agents/money.ts';
import type { Account, PayAsset } from './account.ts';
import { HandshakeError } from './errors.ts';
import type { Challenge } from './guard/challenge.ts';

export interface SpendLimits {
  /** The most that one call may cost, dollars; 1 when left out. */
  readonly maxUsd?: number;
  /** The most that all calls of this client may cost together, dollars; 10 when left out. */
  readonly budgetUsd?: number;
  /** Tokens that may be paid with, beside the dollars that x402 knows. */
  readonly assets?: readonly PayAsset[];
}

/** Signs payments within limits, and never signs two for one request. */
export interface Payer {
  /**
   * Signs a payment for a challenge. What it may cost is booked before it is signed, and stays booked: a signature that
   * was given away may be used until it expires.
   * @param identifier the payer's own id for the purchase (x402's extension `payment-identifier`)
   * @returns the payment, for a transport to carry
   * @throws HandshakeError over-budget, no-payment-option: nothing was signed
   */
  payload(challenge: Challenge, identifier: string): Promise<object>;
  /** The same, as the header that carries it. */
  header(challenge: Challenge, identifier: string): Promise<Readonly<Record<string, string>>>;
  /** What was signed for so far, dollars. */
  spentUsd(): number;
}

const IDENTIFIER = 'payment-identifier';

export function payer(account: Account, limits: SpendLimits): Payer {
  const { assets = [] } = limits;
  const most = parseUsd(limits.maxUsd ?? 1, 'maxUsd');
  const budget = parseUsd(limits.budgetUsd ?? 10, 'budgetUsd');
  const scheme = new ExactEvmScheme(account);
  const wire = new x402HTTPClient(new x402Client());
  let spent = 0n;

  /** Rounded up: a part of a micro-dollar counts as one. */
  const priceOf = ({ network, asset, amount }: Offer): bigint => {
    const units = askedUnits(amount);
    if (units === null)
      throw new HandshakeError('no-payment-option', `"${String(amount).slice(0, 48)}" is no amount.`);
    const own = assets.find((a) => a.network === network && a.asset.toLowerCase() === asset.toLowerCase());
    const decimals = own?.decimals ?? scheme.findDefaultAsset?.(asset, network)?.decimals ?? 6;
    const unit = 10n ** BigInt(decimals);
    return (units * MICRO_PER_USD + unit - 1n) / unit;
  };
  /** Of one challenge. The stock client is cheap to make, and one for each leaves nothing of another purchase in it. */
  const clientFor = (identifier: string): x402Client =>
    new x402Client()
      .register('eip155:*', scheme)
      .setSpendControls({
        maxAmountPerPayment: false,
        allowedAssets: assets.map(({ network, asset }) => ({ network, asset })),
      })
      .registerExtension({
        key: IDENTIFIER,
        enrichPaymentPayload: async (payload) => ({
          ...payload,
          extensions: { ...payload.extensions, [IDENTIFIER]: { info: { id: identifier } } },
        }),
      });

  const book = (chosen: Offer): void => {
    const price = priceOf(chosen);
    if (price > most)
      throw new HandshakeError(
        'over-budget',
        `It costs ${toUsd(price)} USD, and one call may cost ${toUsd(most)}.`,
      );
    if (spent + price > budget)
      throw new HandshakeError(
        'over-budget',
        `It costs ${toUsd(price)} USD, and ${toUsd(budget - spent)} of the budget are left.`,
      );
    spent += price;
  };

  const signed = async (challenge: Challenge, identifier: string): Promise<PaymentPayload> => {
    const client = clientFor(identifier).onBeforePaymentCreation(async ({ selectedRequirements }) =>
      book(selectedRequirements),
    );
    try {
      return await client.createPaymentPayload(challenge as PaymentRequired);
    } catch (cause) {
      if (cause instanceof HandshakeError) throw cause;
      throw new HandshakeError('no-payment-option', messageOf(cause), { cause });
    }
  };

  return {
    payload: signed,
    header: async (challenge, identifier) =>
      wire.encodePaymentSignatureHeader(await signed(challenge, identifier)),
    spentUsd: () => toUsd(spent),
  };
}

type Offer = Pick<PaymentRequired['accepts'][number], 'network' | 'asset' | 'amount'>;

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
