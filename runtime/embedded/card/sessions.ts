import type { Charge } from './charges.ts';
import { type FormFields, groupField, textField } from './form-encoding.ts';
import { badParam } from './wire-error.ts';

/** A stored checkout session. Card data is never part of it. */
export interface Session {
  readonly id: string;
  readonly amountTotal: number;
  readonly product: string;
  readonly clientReferenceId: string | null;
  readonly customerEmail: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  /** Seconds since 1970, like all times in this API. */
  readonly created: number;
  readonly expiresAt: number;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'unpaid' | 'paid';
  paymentIntent: string | null;
  /** Absent until the session is paid, and in sessions stored by an earlier release. */
  charge?: Charge;
}

const PARAMS = new Set([
  'mode',
  'allowed_payment_method_types',
  'line_items',
  'client_reference_id',
  'customer_email',
  'metadata',
  'success_url',
  'cancel_url',
  'expires_at',
]);
const MIN_LIFE = 30 * 60;
const MAX_LIFE = 24 * 60 * 60;
const MIN_CENTS = 50;
const MAX_CENTS = 99_999_999;

/** Reads a create call. @throws WireError that names the parameter, as Stripe does */
export function readSession(form: FormFields, id: string, now: number): Session {
  for (const name of form.keys()) {
    if (!PARAMS.has(name)) throw badParam(name, `Received unknown parameter: ${name}`, 'parameter_unknown');
  }
  if (textField(form, 'mode') !== 'payment') {
    throw badParam('mode', 'This processor takes one-off payments only: mode must be payment.');
  }
  for (const method of groupField(form, 'allowed_payment_method_types').values()) {
    if (method !== 'card') throw badParam('allowed_payment_method_types', 'This processor takes cards only.');
  }
  const lines = [...groupField(form, 'line_items').values()].map(readLine);
  const amountTotal = lines.reduce((sum, line) => sum + line.amount, 0);
  if (lines.length === 0)
    throw badParam('line_items', 'Missing required param: line_items.', 'parameter_missing');
  if (amountTotal < MIN_CENTS) {
    throw badParam('line_items', 'The total must be at least $0.50 usd.', 'amount_too_small');
  }
  if (amountTotal > MAX_CENTS) {
    throw badParam('line_items', 'The total must be no more than $999,999.99.', 'amount_too_large');
  }
  const cancelUrl = textField(form, 'cancel_url');
  return {
    id,
    amountTotal,
    product: lines.map((line) => line.name).join(', '),
    clientReferenceId: textField(form, 'client_reference_id') ?? null,
    customerEmail: textField(form, 'customer_email') ?? null,
    metadata: readMetadata(groupField(form, 'metadata')),
    successUrl: webUrl('success_url', textField(form, 'success_url')),
    cancelUrl: cancelUrl === undefined ? null : webUrl('cancel_url', cancelUrl),
    created: now,
    expiresAt: readExpiry(textField(form, 'expires_at'), now),
    status: 'open',
    paymentStatus: 'unpaid',
    paymentIntent: null,
  };
}

function readLine(line: unknown): { name: string; amount: number } {
  if (!(line instanceof Map)) throw badParam('line_items', 'Invalid object');
  const price = groupField(line, 'price_data');
  const name = textField(groupField(price, 'product_data'), 'name');
  const quantity = textField(line, 'quantity');
  const unit = textField(price, 'unit_amount');
  if (textField(price, 'currency')?.toLowerCase() !== 'usd') {
    throw badParam('line_items[price_data][currency]', 'This processor takes usd only.');
  }
  if (name === undefined || name.trim() === '') {
    throw badParam(
      'line_items[price_data][product_data][name]',
      'Missing required param.',
      'parameter_missing',
    );
  }
  if (!/^[0-9]{1,9}$/.test(unit ?? '')) {
    throw badParam(
      'line_items[price_data][unit_amount]',
      `Invalid integer: ${unit}`,
      'parameter_invalid_integer',
    );
  }
  if (!/^[1-9][0-9]{0,3}$/.test(quantity ?? '')) {
    throw badParam('line_items[quantity]', `Invalid integer: ${quantity}`, 'parameter_invalid_integer');
  }
  return { name, amount: Number(unit) * Number(quantity) };
}

export function readMetadata(group: FormFields): Record<string, string> {
  const entries = [...group].map(([key, value]) => {
    if (typeof value !== 'string' || key.length > 40 || value.length > 500) {
      throw badParam(`metadata[${key}]`, 'Metadata keys take 40 characters and values 500.');
    }
    return [key, value] as const;
  });
  if (entries.length > 50) throw badParam('metadata', 'Metadata takes 50 keys.');
  return Object.fromEntries(entries);
}

function webUrl(param: string, text: string | undefined): string {
  if (text === undefined) throw badParam(param, `Missing required param: ${param}.`, 'parameter_missing');
  const ok = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
  if (!ok) throw badParam(param, 'Not a valid URL', 'url_invalid');
  return text;
}

function readExpiry(text: string | undefined, now: number): number {
  if (text === undefined) return now + MAX_LIFE;
  const at = Number(text);
  if (!Number.isSafeInteger(at)) {
    throw badParam('expires_at', `Invalid integer: ${text}`, 'parameter_invalid_integer');
  }
  if (at < now + MIN_LIFE || at > now + MAX_LIFE) {
    throw badParam('expires_at', 'The expires_at timestamp must be 30 minutes to 24 hours from now.');
  }
  return at;
}

/** The session in the form of the API. It has the page's URL only while it can be paid. */
export function sessionObject(session: Session, baseUrl: string): Record<string, unknown> {
  return {
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: session.amountTotal,
    amount_total: session.amountTotal,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: 'usd',
    customer: null,
    customer_email: session.customerEmail,
    expires_at: session.expiresAt,
    livemode: false,
    metadata: session.metadata,
    mode: 'payment',
    payment_intent: session.paymentIntent,
    allowed_payment_method_types: ['card'],
    payment_status: session.paymentStatus,
    status: session.status,
    success_url: session.successUrl,
    url: session.status === 'open' ? `${baseUrl}/pay/${session.id}` : null,
  };
}
