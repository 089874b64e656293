import { StatusList } from '@sd-jwt/jwt-status-list';
import type { Database } from '../../../store/database.ts';
import { highestSeq, withdrawnBetween } from '../../../store/records/record-status.ts';
import { LIST_SIZE, statusListUri } from './portable-verdict.ts';
import type { VerdictKey } from './verdict-key.ts';

/** Values of a status (Token Status List, 7.1). */
const INVALID = 1;
/** Two bits leave room for values to come without moving any record. */
const BITS = 2;
/** How long a verifier may keep a list without asking again, and how long it counts at all, in seconds. */
const TTL = 300;
const LIFE = 86_400;
/** How long a list is given out as it was made, in milliseconds. */
const KEPT_MS = 30_000;
const MOST_KEPT = 64;

/**
 * Makes the status lists of portable verdicts (Token Status List): a record that an appeal overturned, or that the
 * operator retracted, is INVALID, and stock verifiers refuse it.
 */
export function statusLists(deps: {
  readonly db: Database;
  readonly key: VerdictKey;
  readonly issuer: string;
  readonly now: () => Date;
}): (list: bigint) => Promise<string | null> {
  const kept = new Map<bigint, { readonly until: number; readonly token: Promise<string | null> }>();

  async function make(list: bigint): Promise<string | null> {
    const first = list * BigInt(LIST_SIZE);
    if (first > (await highestSeq(deps.db))) return null;
    const statuses = new Array<number>(LIST_SIZE).fill(0);
    for (const seq of await withdrawnBetween(deps.db, first, first + BigInt(LIST_SIZE)))
      statuses[Number(seq - first)] = INVALID;
    const lst = new StatusList(statuses, BITS).compressStatusList();
    const iat = Math.floor(deps.now().getTime() / 1000);
    return await deps.key.signJwt('statuslist+jwt', {
      ...{ iss: deps.issuer, sub: statusListUri(deps.issuer, list) },
      ...{ iat, exp: iat + LIFE, ttl: TTL },
      status_list: { bits: BITS, lst },
    });
  }

  return async (list) => {
    const now = deps.now().getTime();
    const before = kept.get(list);
    if (before !== undefined && before.until > now) return await before.token;
    if (kept.size >= MOST_KEPT) kept.clear();
    const token = make(list);
    kept.set(list, { until: now + KEPT_MS, token });
    // A list that could not be made is made anew for the next who asks.
    token.catch(() => kept.delete(list));
    return await token;
  };
}
