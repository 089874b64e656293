import { type Database, run, type Statement } from './database.ts';

/** What a wallet was asked to sign, and for which request it counts. */
export interface Challenge {
  readonly nonce: string;
  /** Lower case. */
  readonly wallet: string;
  readonly method: string;
  /** With query string. */
  readonly path: string;
  /** sha-256 of the raw body, hex. */
  readonly bodyHash: string;
  readonly message: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** What was asked to be signed, shared by every process. */
export interface ChallengeBook {
  insert(challenge: Omit<Challenge, 'usedAt'>): Promise<void>;
  find(nonce: string): Promise<Challenge | null>;
  /** Marks a challenge used. False when another request, in this process or another, was first. */
  consume(nonce: string, now: Date): Promise<boolean>;
}

/**
 * Committed without waiting for the disk: what the signature lets happen is written to the same log after it, and waits
 * for both. Should the database's machine fail in between, neither was.
 */
const CONSUME: Statement = {
  name: 'consume-challenge',
  text: `
    update signature_challenges
    set used_at = case when set_config('synchronous_commit', 'off', true) is not null then $2::timestamptz end
    where nonce = $1 and used_at is null returning nonce`,
};

const FIND: Statement = {
  name: 'find-challenge',
  text: `
    select nonce, wallet, method, path, body_hash as "bodyHash", message, expires_at as "expiresAt", used_at as "usedAt"
    from signature_challenges where nonce = $1`,
};

export function challengeBook(db: Database): ChallengeBook {
  return {
    async insert(challenge) {
      await db
        .insertInto('signature_challenges')
        .values({
          nonce: challenge.nonce,
          wallet: challenge.wallet,
          method: challenge.method,
          path: challenge.path,
          body_hash: challenge.bodyHash,
          message: challenge.message,
          expires_at: challenge.expiresAt,
        })
        .execute();
    },
    async find(nonce) {
      return (await run<Challenge>(db, FIND, [nonce]))[0] ?? null;
    },
    async consume(nonce, now) {
      return (await run(db, CONSUME, [nonce, now])).length === 1;
    },
  };
}

/** Forgets challenges that expired before `before`; an unknown nonce is refused like an expired one. */
export async function deleteChallengesExpiredBefore(db: Database, before: Date): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('signature_challenges')
    .where('expires_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows;
}
