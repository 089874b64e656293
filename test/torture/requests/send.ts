import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Description } from '../../client/describe-routes.ts';
import { heldToDescription } from '../../fixtures/described.ts';
import type { Random } from '../../simulator/random.ts';
import { type GeneratedRequest, generateRequest } from './generate.ts';
import type { KnownValues } from './values.ts';

export interface SendOptions {
  readonly baseUrl: string;
  readonly random: Random;
  readonly known: KnownValues;
  /** Sign what an owner must sign, each now and then, whether the agent is theirs or not. */
  readonly wallets: readonly PrivateKeyAccount[];
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
  readonly reached: { readonly operations: number; readonly of: number };
  readonly slowestMs: number;
  /** What must not be: an error of the service other than an announced 503, no answer, or one that its description does not know. */
  readonly faults: readonly string[];
}

/** Longer than any request may take: whoever is not answered by then hangs. */
const HANG_MS = 60_000;
const MOST_FAULTS = 50;

/** Sends generated requests, and signs, where it is asked to, as owners do. */
export async function sendGenerated(options: SendOptions): Promise<Sent> {
  const { baseUrl, random, known, wallets, requests, atOnce } = options;
  const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Description;
  const held = heldToDescription(baseUrl);
  const statuses: Record<number, number> = {};
  const reached = new Set<string>();
  const faults: string[] = [];
  let [left, slowestMs] = [requests, 0];

  const ask = async (request: GeneratedRequest, authorization?: string): Promise<Response | null> => {
    const { method, path, headers, body } = request;
    const began = performance.now();
    try {
      // Pages are no part of the description.
      const get = headers.accept === 'text/html' ? fetch : held;
      const response = await get(`${baseUrl}${path}`, {
        method,
        headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
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
  const began = performance.now();
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      const due = ((requests - left) * 1_000) / (options.perSecond ?? Number.POSITIVE_INFINITY);
      if (due > 0) await sleep(Math.max(0, began + due - performance.now()));
      const request = generateRequest({ random, known, description, operatorKey: options.operatorKey });
      const answer = await ask(request);
      const body = answer === null ? null : await bodyOf(answer);
      known.note(body);
      const sign = (body as { sign?: { message?: string; nonce?: string } } | null)?.sign;
      if (answer?.status !== 401 || sign?.message === undefined || random.chance(0.2)) continue;
      const signature = await random.pick(wallets).signMessage({ message: sign.message });
      const signed = await ask(request, `EIP191 nonce="${sign.nonce}", signature="${signature}"`);
      if (signed !== null) known.note(await bodyOf(signed));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  const operations = Object.values(description.paths).flatMap((of) => Object.values(of)).length;
  return { statuses, reached: { operations: reached.size, of: operations }, slowestMs, faults };
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
