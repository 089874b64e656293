import { type Database, run, type Statement } from '../database.ts';

/** Which signed messages were used, shared by every process. */
export interface UsedSignatures {
  /** Marks a message's nonce used. False when another request, in this process or another, was first. */
  use(nonce: string, now: Date): Promise<boolean>;
  isUsed(nonce: string): Promise<boolean>;
}

/**
 * Committed without waiting for the disk: what the signature lets happen is written to the same log after it, and waits
 * for both. Should the database's machine fail in between, neither was.
 */
const USE: Statement = {
  name: 'use-signature',
  text: `
    insert into used_signatures (nonce, used_at)
    values ($1, case when set_config('synchronous_commit', 'off', true) is not null then $2::timestamptz end)
    on conflict (nonce) do nothing returning nonce`,
};

const IS_USED: Statement = {
  name: 'is-signature-used',
  text: 'select nonce from used_signatures where nonce = $1',
};

export function usedSignatures(db: Database): UsedSignatures {
  return {
    async use(nonce, now) {
      return (await run(db, USE, [nonce, now])).length === 1;
    },
    async isUsed(nonce) {
      return (await run(db, IS_USED, [nonce])).length === 1;
    },
  };
}

/** Forgets signatures used before `before`: a message that old is refused for its age. */
export async function deleteSignaturesUsedBefore(db: Database, before: Date): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('used_signatures')
    .where('used_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows;
}
