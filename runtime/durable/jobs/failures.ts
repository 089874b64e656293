import { AppError } from '../../../agents/errors.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { RpcSilence } from '../../../chain/rpc/json-rpc.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import type { EffectRow } from '../../../store/durable/outbox.ts';
import { isOurs, isTransient } from '../actors/transient.ts';
import { EffectError, type EffectRunner } from './effect.ts';
import { RateLimited } from './rate-limit.ts';

const BACKOFF = { firstMs: 200, mostMs: 30_000 };

/** `reconcile` threw: whether the effect happened is still unknown. */
export class Unreconciled extends Error {}

/**
 * Whether a failed attempt brings its effect nearer to being given up. What an effect waits for never does, however long
 * it stays away: a node, another service, the database, a release that is not complete, a block that is not mined yet. An
 * actor would otherwise be told of a failure that says nothing of what it asked for. What is wrong with the effect itself
 * counts, and so does each crash.
 */
export function countsAgainst(error: unknown): boolean {
  if (error instanceof EffectError) return !error.retry;
  return isOfTheEffect(error) && !isAway(error);
}

/**
 * Whether the attempt is kept as a failure in its row. Without an actor nobody is told anything: a job of the service's
 * own is retried for ever, and its failures only make its pauses longer.
 */
export function isKept(row: EffectRow, error: unknown): boolean {
  if (row.actor_id !== null) return countsAgainst(error);
  return isOfTheEffect(error);
}

/** Not a limit of ours, nor a doubt about an earlier attempt. */
function isOfTheEffect(error: unknown): boolean {
  return !(error instanceof Unreconciled || error instanceof RateLimited || isOurs(error));
}

/** The last run of an effect with `reconcile` may have succeeded without a record, so one more attempt only reconciles. */
export function isFinal(runner: EffectRunner, row: EffectRow, error: unknown): boolean {
  if (error instanceof EffectError && !error.retry) return true;
  return !runner.reconcile && isKept(row, error) && row.failures + 1 >= runner.maxAttempts;
}

/** How long to wait before the next attempt, milliseconds. */
export function pauseAfter(
  row: EffectRow,
  error: unknown,
  { firstMs, mostMs }: NonNullable<EffectRunner['backoff']> = BACKOFF,
): number {
  if (error instanceof RateLimited) return error.waitMs;
  if (error instanceof EffectError && error.waitMs !== undefined) return error.waitMs;
  // The attempts of a job that recurs count on through its rounds.
  const before = row.actor_id === null ? row.failures + row.crash_count : row.attempts - 1;
  return Math.min(firstMs * 2 ** Math.min(before, 16), mostMs);
}

function isAway(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && depth < 8; e = e.cause, depth++) {
    // A refusal that may be the contract's own would come again from a node that is well.
    if (e instanceof ReaderError) return e.kind !== 'reverted' && !e.unexplained;
    if (e instanceof ChainError) return e.kind !== 'reverted';
    if (e instanceof RpcSilence || isTransient(e)) return true;
    if (e instanceof AppError && e.code === 'unavailable') return true;
  }
  return false;
}
