import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../agents/canonical.ts';
import { AppError } from '../../agents/errors.ts';
import type { Database } from '../../store/database.ts';
import { findOperatorKey, type OperatorKey } from '../../store/operator-keys.ts';
import type { Request } from '../app.ts';

/** What operator keys may be for; `*` is for everything. */
export type OperatorScope = 'registers' | 'pledges' | 'metrics';

/** @throws AppError operator-key-invalid (403) without a live key for this scope */
export type RequireOperator = (request: Request, scope: OperatorScope) => Promise<OperatorKey>;

const BEARER = /^Bearer\s+([\x21-\x7e]{16,512})\s*$/i;

/** True when the request presents a bearer token at all: routes that take either proof choose by this. */
export function presentsOperatorKey(request: Request): boolean {
  return /^Bearer\s/i.test(request.headers.authorization ?? '');
}

/** Operator keys are found by their hash and compared in constant time; the key itself is kept nowhere. */
export function operatorKeys(deps: { db: Database }): RequireOperator {
  return async (request, scope) => {
    const key = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) {
      throw new AppError('operator-key-invalid', 'Authorization: present an operator key as `Bearer <key>`.');
    }
    const hash = sha256Hex(key);
    const known = await findOperatorKey(deps.db, hash);
    const same = timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(known?.hash ?? '0'.repeat(64), 'hex'));
    if (!known || !same)
      throw new AppError('operator-key-invalid', 'This operator key is not known, or was revoked.');
    if (!known.scopes.includes(scope) && !known.scopes.includes('*')) {
      throw new AppError('operator-key-invalid', `This operator key is not for "${scope}".`);
    }
    return known;
  };
}
