import { sql } from 'kysely';
import type { Dispute } from '../../agents/certificates/dispute.ts';
import type { OpenDispute } from '../../agents/certificates/open-dispute.ts';
import type { Database } from '../database.ts';
import { anyOfThese, sameThing } from '../market/same-thing.ts';
import { acted, disputeOf, filedBy, SHOWN, undecided } from './disputes.ts';

/**
 * The disputes of every certificate of a thing, in any spelling of its serial: all on which the operator acted, all of
 * those who held it, however many strangers file beside them, and of strangers' the newest.
 * @param holders lower case
 */
export async function disputesOfThing(
  db: Database,
  assetKeys: readonly string[],
  holders: readonly string[],
): Promise<Dispute[]> {
  if (assetKeys.length === 0) return [];
  const all = db.selectFrom('certificate_disputes').selectAll().where(anyOfThese(assetKeys));
  const counts = sql<boolean>`(${acted} or ${filedBy(holders)})`;
  const [counted, others] = await Promise.all([
    all.where(counts).execute(),
    all.where(sql<boolean>`not ${counts}`).orderBy('filed_at', 'desc').limit(SHOWN).execute(),
  ]);
  return [...counted, ...others].map(disputeOf).sort((a, b) => (a.disputeId < b.disputeId ? -1 : 1));
}

/** The certificates of a thing, in any spelling, of which a dispute was upheld as it stands now; decimal. */
export async function upheldCertificates(db: Database, assetKeys: readonly string[]): Promise<string[]> {
  if (assetKeys.length === 0) return [];
  const rows = await db
    .selectFrom('certificate_disputes')
    .select('token_id')
    .distinct()
    .where(anyOfThese(assetKeys))
    .where((eb) => eb(eb.fn.coalesce('second_decision', 'decision'), '=', 'upheld'))
    .orderBy('token_id')
    .execute();
  return rows.map((row) => row.token_id);
}

/** Of each kind of disputes so many are told where a thing is bought: its certificate's page has more. */
export const MOST_TOLD = 5;

/**
 * The open disputes of a thing's certificates, in any spelling of its serial, by the key of its lot: first those on which the
 * operator acted, then those of its holders, whoever held it first before the others, and then the oldest of strangers'.
 * Anybody may dispute, under as many names as he likes: nobody hides by that the dispute of whom he robbed.
 */
export async function openDisputesOf(db: Database, lot: string): Promise<OpenDispute[]> {
  // Of certificates alone, whose lots are serials.
  if (!lot.startsWith('serial:')) return [];
  const kind = sql<number>`(case when ${acted} then 0 when held_block is not null then 1 else 2 end)`;
  const ranked = db
    .selectFrom('certificate_disputes')
    .select(['dispute_id', 'token_id', 'wallet', 'filed_at', kind.as('kind')])
    .select(
      sql<number>`row_number() over (partition by ${kind} order by held_block nulls last, filed_at, dispute_id)::int`.as(
        'place',
      ),
    )
    .where(sameThing(lot))
    .where(undecided);
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', MOST_TOLD)
    .orderBy('kind')
    .orderBy('place')
    .execute();
  return rows.map(({ dispute_id: disputeId, token_id: tokenId, wallet, filed_at: filedAt, ...row }) => ({
    ...{ disputeId, tokenId, wallet: wallet.toLowerCase(), filedAt },
    asksAnew: row.kind === 0 || (row.kind === 1 && row.place === 1),
  }));
}
