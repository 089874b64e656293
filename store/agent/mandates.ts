import { sql } from 'kysely';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import type { Trx } from '../database.ts';

/** Keeps a mandate that its owner was given to sign, under the next number. The caller holds the agent's row. */
export async function proposeMandate(
  trx: Trx,
  mandate: { handle: string; text: string; structured: Mandate; hash: string; now: Date },
): Promise<number> {
  const { handle } = mandate;
  const { latest } = await trx
    .selectFrom('mandates')
    .select((eb) => eb.fn.max('version').as('latest'))
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const version = Number(latest ?? 0) + 1;
  await trx
    .updateTable('mandates')
    .set({ status: 'superseded' })
    .where('handle', '=', handle)
    .where('status', '=', 'proposed')
    .execute();
  await trx
    .insertInto('mandates')
    .values({
      handle,
      version,
      text: mandate.text,
      structured: JSON.stringify(mandate.structured),
      hash: mandate.hash,
      status: 'proposed',
      tx: null,
      created_at: mandate.now,
    })
    .execute();
  return version;
}

/**
 * Puts a mandate that the chain has in force, in place of the one before. Again changes nothing.
 * @param adopted.signedAt when its owner signed it: from then on deals count towards its totals
 */
export async function adoptMandate(
  trx: Trx,
  adopted: { handle: string; version: number; tx: string; signedAt: Date },
): Promise<void> {
  const { handle, version, tx, signedAt } = adopted;
  await trx
    .updateTable('mandates')
    .set({ status: 'superseded' })
    .where('handle', '=', handle)
    .where('status', '=', 'active')
    .where('version', '<', version)
    .execute();
  await trx
    .updateTable('mandates')
    .set({ status: 'active', tx, counts_from: signedAt })
    .where('handle', '=', handle)
    .where('version', '=', version)
    .where('status', '!=', 'active')
    .execute();
  await trx
    .updateTable('agents')
    .set({ mandate_version: version })
    .where('handle', '=', handle)
    .where('mandate_version', '<', version)
    .execute();
}

/** Puts a proposed mandate aside that will not come into force. */
export async function dropMandate(trx: Trx, handle: string, version: number): Promise<void> {
  await trx
    .updateTable('mandates')
    .set({ status: 'superseded' })
    .where('handle', '=', handle)
    .where('version', '=', version)
    .where('status', '=', 'proposed')
    .execute();
}

/**
 * Takes the next session key, which no other agent has had.
 * @param base of the seed's version in use
 */
export async function nextSessionKey(trx: Trx, base: bigint): Promise<bigint> {
  const { rows } = await sql<{ index: string }>`select nextval('session_key_index')::text as index`.execute(
    trx,
  );
  return base + BigInt((rows[0] as { index: string }).index);
}

/**
 * From here on the agent signs by another key than `from`. Whoever comes late, when yet another has taken its place, changes
 * nothing.
 */
export async function changeSessionKey(
  trx: Trx,
  { handle, from, key, index }: { handle: string; from: string; key: string; index: bigint },
): Promise<void> {
  await trx
    .updateTable('agents')
    .set({ session_key: key, session_key_index: index })
    .where('handle', '=', handle)
    .where('session_key', '=', from)
    .execute();
}
