import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Description } from '../../client/describe-routes.ts';
import { heldToDescription } from '../../fixtures/described.ts';
import { challengeOf, ethersPayment, paymentHeader } from '../../fixtures/wallets/payers.ts';
import type { Random } from '../../simulator/random.ts';
import { type GeneratedRequest, generateRequest } from './generate.ts';
import type { KnownValues } from './values.ts';

export interface SendOptions {
  readonly baseUrl: string;
  readonly random: Random;
  readonly known: KnownValues;
  /** Sign what an owner must sign, each now and then, whether the agent is theirs or not. */
  readonly wallets: readonly PrivateKeyAccount[];
  /** The key with which some of what must be paid for is paid. */
  readonly payer: Hex;
  readonly operatorKey: string;
  readonly requests: number;
  readonly atOnce: number;
  /** As fast as they are answered when left out. */
  readonly perSecond?: number;
}

export interface Sent {
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** How many of the operations were answered with less than 400 at least once. */
  readonly reached: { readonly operations: number; readonly of: number; readonly never: readonly string[] };
  readonly slowestMs: number;
  /** What must not be: an error of the service other than an announced 503, no answer, or one that its description does not know. */
  readonly faults: readonly string[];
}

/** Longer than any request may take: whoever is not answered by then hangs. */
const HANG_MS = 60_000;
const MOST_FAULTS = 50;

/** How often the wallet signs that is asked to, where it is one of ours, and how often what costs something is paid for. */
const AS_ASKED = 0.8;
const PAID = 0.5;

/** Sends generated requests, and signs and pays, where it is asked to, as owners and strangers do. */
export async function sendGenerated(options: SendOptions): Promise<Sent> {
  const { baseUrl, random, known, wallets, requests, atOnce } = options;
  const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Description;
  const held = heldToDescription(baseUrl);
  const statuses: Record<number, number> = {};
  const reached = new Set<string>();
  const faults: string[] = [];
  let [left, slowestMs] = [requests, 0];

  const ask = async (
    request: GeneratedRequest,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response | null> => {
    const { method, path, headers, body } = request;
    const began = performance.now();
    try {
      // Pages are no part of the description.
      const get = headers.accept === 'text/html' ? fetch : held;
      const response = await get(`${baseUrl}${path}`, {
        method,
        headers: { ...headers, ...more },
        redirect: 'manual',
        signal: AbortSignal.timeout(HANG_MS),
        ...(body === null ? {} : { body }),
      });
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      if (response.status < 400) reached.add(request.operationId);
      if (response.status >= 500 && !announced(response))
        note(request, `${response.status} ${await response.clone().text()}`);
      return response;
    } catch (error) {
      note(request, String((error as Error).cause ?? error));
      return null;
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
  };
  const note = ({ method, path, headers, body }: GeneratedRequest, what: string): void => {
    if (faults.length >= MOST_FAULTS) return;
    const asked = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${body?.slice(0, 600) ?? ''}`;
    faults.push(`${asked}\n  → ${what.slice(0, 600)}`);
  };
  /** What an answer asks for before it does anything: a signature, or a payment. */
  const provenBy = async (
    answer: Response,
    body: unknown,
  ): Promise<Readonly<Record<string, string>> | null> => {
    const { sign } = (body ?? {}) as { sign?: { message?: string; nonce?: string; wallet?: string } };
    if (answer.status === 401 && sign?.message !== undefined && !random.chance(0.2)) {
      const asked = wallets.find(({ address }) => address.toLowerCase() === sign.wallet?.toLowerCase());
      const wallet = random.chance(AS_ASKED) ? (asked ?? random.pick(wallets)) : random.pick(wallets);
      const signature = await wallet.signMessage({ message: sign.message });
      return { authorization: `EIP191 nonce="${sign.nonce}", signature="${signature}"` };
    }
    if (answer.status !== 402 || !answer.headers.has('payment-required') || !random.chance(PAID)) return null;
    return paymentHeader(await ethersPayment(options.payer, challengeOf(answer)));
  };
  const began = performance.now();
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      const due = ((requests - left) * 1_000) / (options.perSecond ?? Number.POSITIVE_INFINITY);
      if (due > 0) await sleep(Math.max(0, began + due - performance.now()));
      const request = generateRequest({ random, known, description, operatorKey: options.operatorKey });
      const answer = await ask(request);
      const body = answer === null ? null : await bodyOf(answer);
      known.note(body);
      const proof = answer === null ? null : await provenBy(answer, body);
      const proven = proof === null ? null : await ask(request, proof);
      if (proven !== null) known.note(await bodyOf(proven));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  const operations = Object.values(description.paths).flatMap((of) =>
    Object.values(of).map(({ operationId }) => operationId),
  );
  const never = operations.filter((id) => !reached.has(id));
  return { statuses, reached: { operations: reached.size, of: operations.length, never }, slowestMs, faults };
}

/** A service that is busy says so, and when to come again. */
function announced({ status, headers }: Response): boolean {
  return status === 503 && headers.get('retry-after') !== null;
}

/** The body of an answer in JSON; a stream of events is closed unread. */
async function bodyOf(answer: Response): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? '';
  if (type.includes('event-stream')) {
    await answer.body?.cancel();
    return null;
  }
  const text = await answer.text();
  return type.includes('json') ? JSON.parse(text) : null;
}
