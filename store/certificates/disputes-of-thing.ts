import { sql } from 'kysely';
import type { Dispute } from '../../agents/certificates/dispute.ts';
import type { OpenDispute } from '../../agents/certificates/open-dispute.ts';
import { MOST_DISPUTES_COUNTED } from '../../agents/determinations/provenance/provenance-evidence.ts';
import type { Database } from '../database.ts';
import { anyOfThese, sameThing } from '../market/same-thing.ts';
import { acted, disputeOf, filedBy, undecided } from './disputes.ts';

/** So many disputes of a thing are read and weighed, however many there are. */
export const MOST_WEIGHED = 50;

/** What is weighed of the disputes of a thing. */
interface WeighedDisputes {
  readonly disputes: Dispute[];
  /** How many there are beside these; {@link MOST_DISPUTES_COUNTED} and one for any larger number. */
  readonly more: number;
}

/**
 * The disputes of every certificate of a thing, in any spelling of its serial, in the order in which they count: those that
 * were upheld, those that are held now, those that are not decided of whoever held it, the first holder first, those of
 * others, and last those that were rejected. Of each kind nobody has a second before everybody has one: the disputes of whom
 * the certificate was issued to count for nothing, and must not stand before those of whom he robbed. Anybody files as a
 * stranger, under as many names as he likes: of theirs the earliest are read, and nothing more is done with each.
 * @param by.holders lower case, everybody whose dispute counts as a holder's: who bought an agent that held the thing has
 *   a `held_block`, and is none
 */
export async function disputesOfThing(
  db: Database,
  assetKeys: readonly string[],
  { holders, now }: { readonly holders: readonly string[]; readonly now: Date },
): Promise<WeighedDisputes> {
  if (assetKeys.length === 0) return { disputes: [], more: 0 };
  const isHeld = sql<boolean>`(decision is null and held_until > ${now})`;
  // Coalesced: of a dispute that nobody holds, "held" is unknown.
  const stranger = sql<boolean>`(${undecided} and coalesce(second_decision, decision, '') <> 'upheld'
    and not coalesce(${isHeld}, false) and not ${filedBy(holders)})`;
  const kind = sql<number>`(case
    when coalesce(second_decision, decision) = 'upheld' then 0
    when ${isHeld} then 1
    when ${undecided} then 2
    else 4 end)`;
  const place = sql<number>`row_number() over (partition by ${kind}, wallet order by held_block nulls last, filed_at, dispute_id)`;
  const ofThing = db.selectFrom('certificate_disputes').where(anyOfThese(assetKeys));
  const others = ofThing
    .selectAll()
    .select([kind.as('kind'), place.as('place')])
    .where(sql<boolean>`not ${stranger}`);
  const strangers = ofThing
    .selectAll()
    .select([sql<number>`3`.as('kind'), sql<number>`1`.as('place')])
    .where(stranger)
    .orderBy(sql`held_block nulls last`)
    .orderBy('filed_at')
    .orderBy('dispute_id')
    .limit(MOST_WEIGHED);
  const counted = ofThing.select('dispute_id').limit(MOST_WEIGHED + MOST_DISPUTES_COUNTED + 1);
  const rows = await db
    .selectFrom(others.unionAll(db.selectFrom(strangers.as('strangers')).selectAll()).as('every'))
    .selectAll()
    .select(db.selectFrom(counted.as('counted')).select(sql<number>`count(*)::int`.as('n')).as('total'))
    .orderBy('kind')
    .orderBy('place')
    .orderBy(sql`held_block nulls last`)
    .orderBy('filed_at')
    .orderBy('dispute_id')
    .limit(MOST_WEIGHED)
    .execute();
  const more = (rows[0]?.total ?? 0) - rows.length;
  return { disputes: rows.map(disputeOf), more: Math.min(more, MOST_DISPUTES_COUNTED + 1) };
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
