import { x402Client } from '@x402/core/client';
import {
  decodePaymentRequiredHeader,
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
} from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment } from '@x402/fetch';
import { jsonOf } from '../../agents/canonical.ts';
import { type Held, heldPayments, payableSeconds } from '../../agents/held-payments.ts';
import { payingAccount, takeFromBudget } from './account.ts';
import type { Question } from './question.ts';
import { readSettings } from './settings.ts';

const ORIGIN_PATIENCE_MS = 4_000;
const DETERMINATION_PATIENCE_MS = 25_000;
/** Tokens of payment have six decimals: their units are micro-dollars. The most that one check may cost. */
const MOST_PER_CHECK = 100_000n;

export interface OriginAnswer {
  readonly verdict: 'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE';
  readonly reasons: readonly string[];
}

/** @returns null when the service cannot be asked */
export async function askOrigin(host: string): Promise<OriginAnswer | null> {
  const { service } = await readSettings();
  try {
    const response = await fetch(`${service}/origin?url=${encodeURIComponent(host)}`, {
      credentials: 'omit',
      signal: AbortSignal.timeout(ORIGIN_PATIENCE_MS),
    });
    if (!response.ok) return null;
    const { verdict, reasons } = (await response.json()) as OriginAnswer;
    if (!['CLEAN', 'FLAGGED', 'INCONCLUSIVE'].includes(verdict) || !Array.isArray(reasons)) return null;
    return { verdict, reasons: reasons.map(String).slice(0, 10) };
  } catch {
    return null;
  }
}

export interface AssetChangeAnswer {
  readonly party: string;
  readonly role: string;
  readonly asset: {
    readonly kind: string;
    readonly token: string | null;
    readonly tokenId: string | null;
    readonly symbol: string | null;
    readonly decimals: number | null;
  };
  /** Decimal, signed, in the smallest unit. */
  readonly delta: string;
}

export interface SimulationAnswer {
  readonly from: string;
  /** True where it was tried out for an address that nobody has. */
  readonly assumedSender: boolean;
  readonly outcome: string;
  readonly reason: string | null;
  readonly approvals: readonly {
    readonly owner: string;
    readonly spender: string;
    readonly token: string;
    readonly amount: string;
    readonly unlimited: boolean;
  }[];
  readonly ownerChanges?: readonly {
    readonly contract: string;
    readonly event: string;
    readonly to: string | null;
  }[];
}

/** The part of `POST /determination`'s answer that is shown. */
export interface DeterminationAnswer {
  readonly verdict: 'CLEAN' | 'FLAGGED';
  readonly reasons: readonly string[];
  readonly evidence?: { readonly checks?: readonly { readonly outcome: string; readonly detail: string }[] };
  readonly simulation?: SimulationAnswer;
  readonly assetChanges?: readonly AssetChangeAnswer[];
}

const SIGNED = 'payment-signature';
const HELD = 'held';
let opened: Promise<Map<string, Held<string>>> | null = null;

/** The browser ends this process whenever nothing was asked for half a minute, and payments outlast that. */
function heldEntries(): Promise<Map<string, Held<string>>> {
  opened ??= chrome.storage.session
    .get(HELD)
    .then(({ [HELD]: kept = [] }) => new Map(kept as [string, Held<string>][]));
  return opened;
}

/** Sends a payment whose answer was lost with the next request of the same, in place of none. */
async function fetchOnce(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const call = JSON.stringify([request.method, request.url, await request.clone().text()]);
  const now = Date.now();
  const entries = await heldEntries();
  const held = heldPayments(entries);
  const keep = (): Promise<void> => chrome.storage.session.set({ [HELD]: [...entries] });
  const open = held.of(call, now);
  const payment = request.headers.get(SIGNED) ?? open;
  if (payment === null) return await fetchTerms(request);
  if (payment !== open)
    held.hold(call, payment, now + payableSeconds(decodePaymentSignatureHeader(payment)) * 1000);
  request.headers.set(SIGNED, payment);
  await keep();
  const response = await fetchTerms(request);
  // An answer that breaks off is none.
  const body = jsonOf(await response.clone().text());
  const challenge = response.headers.get('payment-required');
  held.answered(call, payment, { status: response.status, body, challenge });
  await keep();
  return response;
}

/** A payment repeats what its challenge says beside the terms, which makes it longer than servers take headers. */
async function fetchTerms(request: Request): Promise<Response> {
  const response = await fetch(request);
  const header = response.headers.get('payment-required');
  if (response.status !== 402 || header === null) return response;
  const headers = new Headers(response.headers);
  const { extensions: _, ...terms } = decodePaymentRequiredHeader(header);
  headers.set('payment-required', encodePaymentRequiredHeader(terms));
  return new Response(response.body, { status: response.status, headers });
}

const asked = new Map<string, Promise<DeterminationAnswer | string>>();

/**
 * Buys the determination on what a request does and on whom it serves, inside the budget. The same question at the same
 * time is bought once.
 * @returns why there is none, in words, where it was not bought or did not come
 */
export function buyDetermination(question: Question): Promise<DeterminationAnswer | string> {
  const key = JSON.stringify(question);
  const answer = asked.get(key) ?? buy(question).finally(() => asked.delete(key));
  asked.set(key, answer);
  return answer;
}

async function buy(question: Question): Promise<DeterminationAnswer | string> {
  const { service, dailyBudgetMicro } = await readSettings();
  if (dailyBudgetMicro === '0') return 'no budget is set for paid checks';
  if (question.address === null) return 'there is nobody in it to ask about';
  if (question.chainId === null) return 'the wallet does not say which chain it is on';
  // The budget below bounds what is spent; the account holds nothing but what its user sent for this.
  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(await payingAccount()) }],
    spendControls: false,
  });
  let refused: string | null = null;
  client.onBeforePaymentCreation(async ({ selectedRequirements }) => {
    const amount = BigInt(selectedRequirements.amount);
    if (amount > MOST_PER_CHECK) refused = 'the service asks for more than a check may cost';
    else if (!(await takeFromBudget(amount))) refused = 'today’s budget for paid checks is used up';
    return refused === null ? undefined : { abort: true, reason: refused };
  });
  const pay = wrapFetchWithPayment(fetchOnce, client);
  try {
    const response = await pay(`${service}/determination`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      credentials: 'omit',
      signal: AbortSignal.timeout(DETERMINATION_PATIENCE_MS),
    });
    if (!response.ok) return `the service answered ${response.status}`;
    return (await response.json()) as DeterminationAnswer;
  } catch (error) {
    return refused ?? `it could not be bought (${(error as Error).message.slice(0, 120)})`;
  }
}
