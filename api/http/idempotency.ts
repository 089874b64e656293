import { setTimeout as sleep } from 'node:timers/promises';
import { normalizeIP } from '@fastify/rate-limit';
import { sha256Hex } from '../../agents/canonical.ts';
import { AppError, badField } from '../../agents/errors.ts';
import type { Database } from '../../store/database.ts';
import {
  claimKey,
  findAnswer,
  type IdempotencyClaim,
  type KeptAnswer,
  keepAnswer,
  releaseKey,
} from '../../store/http/idempotency.ts';
import type { App, Reply, Request } from './app.ts';
import { isOwnerSigned, walletNamed } from './auth/challenge-nonces.ts';

export interface IdempotencyDeps {
  readonly db: Database;
  readonly clock: () => Date;
  /** How long a duplicate waits for the first request to end; 10,000 when left out. */
  readonly waitMs?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Claims the request's `Idempotency-Key` for the wallet whose signature over the request was verified; null when
     * there is no key.
     * @throws AnsweredBefore when this wallet has had its answer, AppError conflict
     */
    takeKeyFor: ((wallet: string, useUp: () => Promise<void>) => Promise<void>) | null;
  }
}

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Longer than any handler may take: whoever still holds a key after this time has died. */
const STALE_MS = 60_000;
const POLL_MS = 50;
/** The headers of an answer that are kept with it. */
const KEPT = ['content-type', 'location'];

/** Ends a request with the answer that its caller was given before. */
export class AnsweredBefore extends Error {
  readonly answer: KeptAnswer;
  constructor(answer: KeptAnswer) {
    super('the request was answered before');
    this.answer = answer;
  }
}

/**
 * Implements `Idempotency-Key` on every POST. A request that succeeded gets the same answer again, word for word, for
 * the same method, path and body. Another body under the same key is 422 `conflict`. A duplicate waits while the first
 * request is under way, and gets 409 `conflict` when that takes too long. Refusals (every 4xx and 5xx) wrote nothing
 * and are not kept, so the same key can be used until the request succeeds. The key of a request with a payment counts
 * for its payer, once the payment is verified, and stands with the payment (`store/payments/payment-claims.ts`): its answer
 * may not be kept before the payment has settled, and a process that dies in between must not make the key free.
 *
 * A key belongs to its caller: the wallet whose signature or payment was verified, or the operator's key. A caller who proves
 * nothing is known by its address together with the wallet that its body names. So nobody can take another caller's
 * key, get its answer, or learn that it has one.
 */
export function registerIdempotency(app: App, deps: IdempotencyDeps): void {
  const held = new WeakMap<Request, IdempotencyClaim>();
  app.decorateRequest('takeKeyFor', null);

  // Runs before validation, so that a repeated request gets its answer even when circumstances have changed.
  app.addHook('preValidation', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.method !== 'POST' || request.routeOptions.config.idempotency === false)
      return;
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw badField('idempotency-key', 'must be one value of 1 to 255 printable characters without spaces');
    }
    if (request.headers['payment-signature'] !== undefined) return;
    const claimOf = (caller: string): IdempotencyClaim => ({
      scope: sha256Hex(JSON.stringify([caller, request.method, request.url])),
      key,
      bodyHash: sha256Hex(request.rawBody),
    });
    const { authorization } = request.headers;
    if (authorization !== undefined && isOwnerSigned(authorization)) {
      request.takeKeyFor = async (wallet, useUp) => {
        const claim = claimOf(`wallet:${wallet}`);
        const answer = await takeOrWait(deps, claim);
        if (answer === null) held.set(request, claim);
        else {
          // The same request with the same signature is not a second use of it. A new signature is used up, as
          // everywhere.
          if (answer.authorisation !== sha256Hex(authorization)) await useUp();
          throw new AnsweredBefore(answer);
        }
      };
      const wallet = walletNamed(authorization);
      const answer = wallet && (await findAnswer(deps.db, claimOf(`wallet:${wallet}`)));
      if (answer && answer.authorisation === sha256Hex(authorization))
        return answerAgain(reply as Reply, answer);
      return;
    }
    // A member's answer is for whoever shows the same sign-in, and not for whoever asks from its address.
    const shown = authorization ?? request.headers['sign-in-with-x'];
    const claim = claimOf(
      shown === undefined ? anonymous(request) : `authorisation:${sha256Hex(String(shown))}`,
    );
    const answer = await takeOrWait(deps, claim);
    if (answer !== null) return answerAgain(reply as Reply, answer);
    held.set(request, claim);
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
      authorisation: request.headers.authorization ? sha256Hex(request.headers.authorization) : null,
    });
    return payload;
  });
}

export function keyTaken(): AppError {
  const detail = 'Idempotency-Key: it was used with another body. Choose a new key for a new request.';
  return new AppError('conflict', detail, {
    status: 422,
    errors: [{ path: 'idempotency-key', message: 'was used with another body: choose a new one' }],
  });
}

/** Sends a kept answer again. */
export function answerAgain(reply: Reply, { status, headers, body }: KeptAnswer): Reply {
  return reply
    .code(status)
    .headers({ ...headers, 'idempotent-replayed': 'true' })
    .send(body);
}

/** The caller id of somebody who proves nothing: the address, and the wallet that the body names. */
function anonymous({ ip, body }: Request): string {
  const { owner, wallet } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const named = [owner, wallet].find((name) => typeof name === 'string') as string | undefined;
  return `address:${normalizeIP(ip)} for:${named?.toLowerCase() ?? 'nobody'}`;
}

/** @returns null when this request is the first and does the work */
async function takeOrWait(deps: IdempotencyDeps, claim: IdempotencyClaim): Promise<KeptAnswer | null> {
  const rounds = Math.max(1, Math.ceil((deps.waitMs ?? 10_000) / POLL_MS));
  for (let round = 0; round < rounds; round++) {
    const now = deps.clock();
    const state = await claimKey(deps.db, claim, now, new Date(now.getTime() - STALE_MS));
    if (state.kind === 'first') return null;
    if (state.kind === 'answered') return state.answer;
    if (state.kind === 'other-body') {
      throw keyTaken();
    }
    await sleep(POLL_MS);
  }
  throw new AppError(
    'conflict',
    'The first request with this Idempotency-Key is still under way: ask again shortly.',
  );
}
