import { setTimeout as sleep } from 'node:timers/promises';
import { sha256Hex } from '../../agents/canonical.ts';
import { AppError, badField } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import type { Database } from '../../store/database.ts';
import {
  claimKey,
  type IdempotencyClaim,
  type KeptAnswer,
  keepAnswer,
  releaseKey,
} from '../../store/idempotency.ts';
import type { App, Request } from '../app.ts';
import type { RequireOwner } from './owner-signature.ts';

export interface IdempotencyDeps {
  readonly db: Database;
  readonly clock: () => Date;
  readonly requireOwner: (...asked: Parameters<RequireOwner>) => Promise<void>;
  /** The chain of contract wallets, for a repeated request that is signed anew. */
  readonly chainId: number;
  /** How long a duplicate waits for the first to end; 10,000 when left out. */
  readonly waitMs?: number;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Longer than any handler may take: whoever still holds a key after this has died. */
const STALE_MS = 60_000;
const POLL_MS = 50;
/** What is kept of an answer's headers. */
const KEPT = ['content-type', 'location'];

/**
 * `Idempotency-Key` on any POST. A request that succeeded is answered again, word for word, to the same method,
 * path and body; another body under the key is 422 `conflict`; a duplicate that arrives while the first is under
 * way waits for it, and gets 409 `conflict` when that takes too long. Refusals (402, 401, every 4xx and 5xx) wrote
 * nothing and are not kept: the same key serves until the act succeeds. A request that carries a payment is bound to
 * that payment instead: an answer may not be kept before it is settled, and the same payment gets it again anyway.
 *
 * The answer of a signed request goes only to who may see it: the same `Authorization`, or a new signature of the
 * same wallet. Nobody else learns whether a body is the one that was sent: who guesses a key could try limits by it.
 */
export function registerIdempotency(app: App, deps: IdempotencyDeps): void {
  const held = new WeakMap<Request, IdempotencyClaim>();

  // Before validation: a repeated request is answered whatever has changed since.
  app.addHook('preValidation', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.method !== 'POST' || request.routeOptions.config.idempotency === false)
      return;
    if (request.headers['payment-signature'] !== undefined) return;
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw badField('idempotency-key', 'must be one value of 1 to 255 printable characters without spaces');
    }
    const claim = { scope: `POST ${request.url}`, key, bodyHash: sha256Hex(request.rawBody) };
    const answer = await takeOrWait(deps, request, claim);
    if (answer === null) {
      held.set(request, claim);
      return;
    }
    await mayRead(deps, request, answer);
    return reply
      .code(answer.status)
      .headers({ ...answer.headers, 'idempotent-replayed': 'true' })
      .send(answer.body);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const claim = held.get(request);
    if (!claim) return payload;
    held.delete(request);
    if (reply.statusCode < 200 || reply.statusCode > 299 || typeof payload !== 'string') {
      await releaseKey(deps.db, claim);
      return payload;
    }
    await keepAnswer(deps.db, claim, {
      status: reply.statusCode,
      headers: Object.fromEntries(
        KEPT.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
      ),
      body: payload,
      authorisation: authorisationOf(request),
      wallet: request.signedBy,
    });
    return payload;
  });
}

/** Null: this request is the first and does the work. */
async function takeOrWait(
  deps: IdempotencyDeps,
  request: Request,
  claim: IdempotencyClaim,
): Promise<KeptAnswer | null> {
  const rounds = Math.max(1, Math.ceil((deps.waitMs ?? 10_000) / POLL_MS));
  for (let round = 0; round < rounds; round++) {
    const now = deps.clock();
    const state = await claimKey(deps.db, claim, now, new Date(now.getTime() - STALE_MS));
    if (state.kind === 'first') return null;
    if (state.kind === 'answered') return state.answer;
    if (state.kind === 'other-body') {
      await mayRead(deps, request, state.answer);
      const detail = 'Idempotency-Key: it was used with another body. Choose a new key for a new request.';
      throw new AppError('conflict', detail, {
        status: 422,
        errors: [{ path: 'idempotency-key', message: 'was used with another body: choose a new one' }],
      });
    }
    await sleep(POLL_MS);
  }
  throw new AppError(
    'conflict',
    'The first request with this Idempotency-Key is still under way: ask again shortly.',
  );
}

async function mayRead(deps: IdempotencyDeps, request: Request, answer: KeptAnswer): Promise<void> {
  if (answer.authorisation === authorisationOf(request)) return;
  if (answer.wallet !== null) {
    const statement = 'See again the answer to a request that this wallet has already signed.';
    await deps.requireOwner(request, { wallet: answer.wallet as Address, statement, chainId: deps.chainId });
    return;
  }
  if (answer.authorisation === null) return;
  throw new AppError('conflict', 'This Idempotency-Key was used under another authorisation.');
}

function authorisationOf(request: Request): string | null {
  const { authorization } = request.headers;
  return authorization === undefined ? null : sha256Hex(authorization);
}
