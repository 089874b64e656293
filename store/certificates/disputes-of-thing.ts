import { sql } from 'kysely';
import type { Dispute } from '../../agents/certificates/dispute.ts';
import type { OpenDispute } from '../../agents/certificates/open-dispute.ts';
import type { Database } from '../database.ts';
import { anyOfThese, sameThing } from '../market/same-thing.ts';
import { acted, disputeOf, filedBy, undecided } from './disputes.ts';

/** So many disputes of a thing are read and weighed, however many there are. */
export const MOST_WEIGHED = 50;

/** What is weighed of the disputes of a thing. */
interface WeighedDisputes {
  readonly disputes: Dispute[];
  /** How many there are beside these. */
  readonly more: number;
}

/**
 * The disputes of every certificate of a thing, in any spelling of its serial, in the order in which they count: those that
 * were upheld, those that are held now, those that are not decided of whoever held it, the first holder first, those of
 * others, and last those that were rejected. Of each kind nobody has a second before everybody has one: the disputes of whom
 * the certificate was issued to count for nothing, and must not stand before those of whom he robbed.
 * @param by.holders lower case, everybody whose dispute counts as a holder's: who bought an agent that held the thing has
 *   a `held_block`, and is none
 */
export async function disputesOfThing(
  db: Database,
  assetKeys: readonly string[],
  { holders, now }: { readonly holders: readonly string[]; readonly now: Date },
): Promise<WeighedDisputes> {
  if (assetKeys.length === 0) return { disputes: [], more: 0 };
  const kind = sql<number>`(case
    when coalesce(second_decision, decision) = 'upheld' then 0
    when decision is null and held_until > ${now} then 1
    when ${undecided} and ${filedBy(holders)} then 2
    when ${undecided} then 3
    else 4 end)`;
  const all = db
    .selectFrom('certificate_disputes')
    .selectAll()
    .select(kind.as('kind'))
    .select(sql<number>`(count(*) over ())::int`.as('total'))
    .where(anyOfThese(assetKeys));
  const rows = await db
    .selectFrom(all.as('every'))
    .selectAll()
    .orderBy('kind')
    .orderBy(
      sql`row_number() over (partition by kind, wallet order by held_block nulls last, filed_at, dispute_id)`,
    )
    .orderBy(sql`held_block nulls last`)
    .orderBy('filed_at')
    .orderBy('dispute_id')
    .limit(MOST_WEIGHED)
    .execute();
  return { disputes: rows.map(disputeOf), more: (rows[0]?.total ?? 0) - rows.length };
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
