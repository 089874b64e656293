import { luhn } from '../../../agents/goods/check-digits.ts';
import { WireError } from './wire-error.ts';

/** The fields of the payment form. None of them is stored or logged. */
export interface CardEntry {
  readonly number: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly cvc: string;
}

export const PAYING_CARD = '4242 4242 4242 4242';
export const DECLINING_CARD = '4000 0000 0000 0002';

/** The charge succeeds, and then the card's holder disputes it. */
export const DISPUTING_CARD = '4000 0000 0000 0259';

/** The charge succeeds, and then the bank of its holder inquires about it. */
export const INQUIRED_CARD = '4000 0000 0000 1976';

const digits = (text: string): string => text.replace(/[\s-]/g, '');

/**
 * Charges a test card with its defined outcome, and refuses every other card.
 * @returns the status of the dispute that the holder or the bank begins; null for none
 * @throws WireError card_error (402) with the code and the `param` (form field) that Stripe would name
 */
export function chargeTestCard(
  card: CardEntry,
  now: Date,
): { dispute: 'needs_response' | 'warning_needs_response' | null } {
  const number = digits(card.number);
  if (!/^[0-9]{12,19}$/.test(number) || !luhn(number)) {
    throw refused('Your card number is invalid.', 'incorrect_number', 'number');
  }
  const month = Number(card.expMonth);
  if (!/^[0-9]{1,2}$/.test(card.expMonth.trim()) || month < 1 || month > 12) {
    throw refused("Your card's expiration month is invalid.", 'invalid_expiry_month', 'exp_month');
  }
  if (!/^(?:20)?[0-9]{2}$/.test(card.expYear.trim())) {
    throw refused("Your card's expiration year is invalid.", 'invalid_expiry_year', 'exp_year');
  }
  const year = 2000 + (Number(card.expYear) % 100);
  // A card is valid until the end of its month.
  if (Date.UTC(year, month, 1) <= now.getTime()) {
    throw refused('Your card has expired.', 'expired_card', 'exp_year');
  }
  if (!/^[0-9]{3,4}$/.test(card.cvc.trim())) {
    throw refused("Your card's security code is incorrect.", 'incorrect_cvc', 'cvc');
  }
  if (number === digits(PAYING_CARD)) return { dispute: null };
  if (number === digits(DISPUTING_CARD)) return { dispute: 'needs_response' };
  if (number === digits(INQUIRED_CARD)) return { dispute: 'warning_needs_response' };
  throw new WireError(
    402,
    'card_error',
    number === digits(DECLINING_CARD)
      ? 'Your card was declined. Try another card.'
      : 'Your card was declined: this is a test processor, which takes test cards only.',
    {
      code: 'card_declined',
      param: 'number',
      declineCode: number === digits(DECLINING_CARD) ? 'generic_decline' : 'test_mode_live_card',
    },
  );
}

function refused(message: string, code: string, param: string): WireError {
  return new WireError(402, 'card_error', message, { code, param });
}
