import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../../agents/canonical.ts';
import { AppError } from '../../../agents/errors.ts';
import type { Database } from '../../../store/database.ts';
import { findOperatorKey, type OperatorKey } from '../../../store/http/operator-keys.ts';
import { logOperatorAct, type OperatorActor } from '../../../store/operators/operator-log.ts';
import type { Reply, Request } from '../app.ts';

/** What an operator key may be used for; `*` means everything. */
export type OperatorScope = 'registers' | 'pledges' | 'outcomes' | 'metrics' | 'queues';

/** @throws AppError operator-key-invalid (403) when the request has no valid key for this scope */
export type RequireOperator = (request: Request, scope: OperatorScope) => Promise<OperatorKey>;

const BASIC = /^Basic\s+([A-Za-z0-9+/]+={0,2})\s*$/i;
const BEARER = /^Bearer\s+([\x21-\x7e]{16,512})\s*$/i;

/** True when the request carries a bearer token at all, good or bad. Routes that take either proof choose by this. */
export function presentsOperatorKey(request: Request): boolean {
  return /^Bearer\s/i.test(request.headers.authorization ?? '');
}

/** Operator keys are looked up by their hash and compared in constant time; the key itself is not stored. */
export function operatorKeys(deps: { db: Database }): RequireOperator {
  return async (request, scope) => {
    const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) {
      throw new AppError('operator-key-invalid', 'Authorization: present an operator key as `Bearer <key>`.');
    }
    const known = await liveKey(deps.db, key);
    if (known === null)
      throw new AppError('operator-key-invalid', 'This operator key is not known, or was revoked.');
    await admit(deps.db, known, scope, request);
    return known;
  };
}

/**
 * Lets an operator open pages in a browser: the key is the password of HTTP Basic (RFC 7617), with any user name, or a
 * bearer token. Use it only on routes that change nothing, because a browser also sends the password with requests that
 * other sites make.
 * @returns false when the caller was asked for the password: none was sent, or one that is no live key. A browser would
 *   send a refused password with every request until it is closed, and only a 401 makes it ask for another
 * @throws AppError operator-key-invalid (403) when the key does not open this page
 */
export function operatorSignIn(deps: {
  db: Database;
}): (request: Request, reply: Reply, scope: OperatorScope) => Promise<boolean> {
  const bearer = operatorKeys(deps);
  return async (request, reply, scope) => {
    if (presentsOperatorKey(request)) {
      await bearer(request, scope);
      return true;
    }
    const [, given] = BASIC.exec(request.headers.authorization ?? '') ?? [];
    const [, key] = /^[^:]*:([\x21-\x7e]{16,512})$/.exec(Buffer.from(given ?? '', 'base64').toString()) ?? [];
    const known = key === undefined ? null : await liveKey(deps.db, key);
    if (known === null) {
      reply.code(401).header('www-authenticate', 'Basic realm="operator", charset="UTF-8"');
      return false;
    }
    await admit(deps.db, known, scope, request);
    return true;
  };
}

async function liveKey(db: Database, key: string): Promise<OperatorKey | null> {
  const hash = sha256Hex(key);
  const known = await findOperatorKey(db, hash);
  const same = timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(known?.hash ?? '0'.repeat(64), 'hex'));
  return known && same ? known : null;
}

/** A key, as the operators' log names it. */
export function byKey({ id, name }: OperatorKey): OperatorActor {
  return { kind: 'key', id, name };
}

/**
 * Of a request that may change something, the act is written into the operators' log before it is done, with the hash of its
 * body. A route that reads its body as a stream writes that hash itself, once it has it.
 */
async function admit(
  db: Database,
  known: OperatorKey,
  scope: OperatorScope,
  request: Request,
): Promise<void> {
  if (!known.scopes.includes(scope) && !known.scopes.includes('*')) {
    throw new AppError('operator-key-invalid', `This operator key is not for "${scope}".`);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    await logOperatorAct(db, {
      by: byKey(known),
      act: `${request.method} ${request.routeOptions.url ?? ''}`,
      subject: request.url,
      detail: request.rawBody.length === 0 ? {} : { body: sha256Hex(request.rawBody) },
    });
}
