import { sql } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import {
  COVERED_WALLETS,
  type Membership,
  type MembershipKind,
  type MembershipYear,
  membershipAt,
} from '../../agents/market/membership.ts';
import { lockNamed } from '../advisory-locks.ts';
import type { Database, Trx } from '../database.ts';

/** A membership that covers a wallet. */
export interface Cover extends Membership {
  /** The wallet that pays for the membership, lower case. */
  readonly member: string;
}

/** The membership that a wallet (lower case) has bought itself, or null. */
export async function ownMembership(
  db: Database | Trx,
  wallet: string,
  now: Date,
): Promise<Membership | null> {
  return membershipAt((await yearsOf(db, [wallet])).get(wallet) ?? [], now);
}

/**
 * The membership that covers a wallet (lower case): its own, or an institution's that names it. If both exist, the one
 * that lasts longer.
 */
export async function coverOf(db: Database | Trx, wallet: string, now: Date): Promise<Cover | null> {
  const named = await db
    .selectFrom('membership_wallets')
    .select('member')
    .where('wallet', '=', wallet)
    .execute();
  const years = await yearsOf(db, [wallet, ...named.map((n) => n.member)]);
  const covers = [...years].flatMap(([member, paid]) => {
    const institutional = paid.filter((y) => y.kind === 'institutional');
    const held = membershipAt(member === wallet ? paid : institutional, now);
    return held === null ? [] : [{ ...held, member }];
  });
  return covers.sort((a, b) => +b.until - +a.until)[0] ?? null;
}

async function yearsOf(db: Database | Trx, owners: string[]): Promise<Map<string, MembershipYear[]>> {
  const rows = await db
    .selectFrom('checkouts')
    .select(['owner', 'paid_at', sql<MembershipKind>`details ->> 'membership'`.as('kind')])
    .where('kind', '=', 'membership')
    .where('owner', 'in', owners)
    .where('paid_at', 'is not', null)
    .where('suspended_at', 'is', null)
    .where('status', '!=', 'failed')
    .execute();
  const years = new Map<string, MembershipYear[]>();
  for (const { owner, kind, paid_at } of rows) {
    years.set(owner, [...(years.get(owner) ?? []), { kind, paidAt: paid_at as Date }]);
  }
  return years;
}

/** The wallets that an institution named, sorted. */
export async function namedWallets(db: Database | Trx, member: string): Promise<string[]> {
  const rows = await db
    .selectFrom('membership_wallets')
    .select('wallet')
    .where('member', '=', member)
    .orderBy('wallet')
    .execute();
  return rows.map((r) => r.wallet);
}

/**
 * Adds and removes wallets (lower case) that an institutional membership covers.
 * @throws Refusal conflict without a valid institutional membership, or for more wallets than it may cover
 */
export async function nameWallets(
  trx: Trx,
  change: { member: string; add: readonly string[]; remove: readonly string[]; now: Date },
): Promise<Membership> {
  const { member, now } = change;
  // Changes of one member's wallets run one at a time; otherwise two together could exceed the limit that is checked
  // below.
  await lockNamed(trx, `membership:${member}`);
  const held = await ownMembership(trx, member, now);
  if (held?.kind !== 'institutional') {
    throw new Refusal('conflict', `${member} holds no institutional membership now.`);
  }
  if (change.remove.length > 0) {
    await trx
      .deleteFrom('membership_wallets')
      .where('member', '=', member)
      .where('wallet', 'in', [...change.remove])
      .execute();
  }
  const added = change.add.filter((wallet) => wallet !== member);
  if (added.length > 0) {
    await trx
      .insertInto('membership_wallets')
      .values(added.map((wallet) => ({ member, wallet, added_at: now })))
      .onConflict((oc) => oc.columns(['member', 'wallet']).doNothing())
      .execute();
  }
  const { length } = await namedWallets(trx, member);
  if (length > COVERED_WALLETS) {
    throw new Refusal(
      'conflict',
      `One membership covers ${COVERED_WALLETS} wallets beside its own; these would be ${length}: remove some.`,
    );
  }
  return held;
}

/** Uses a member's sign-in up. @returns false when it was used before, in any process */
export async function useSignIn(
  db: Database,
  use: { nonce: string; wallet: string; expiresAt: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('sign_in_nonces')
    .values({ nonce: use.nonce, wallet: use.wallet, expires_at: use.expiresAt })
    .onConflict((oc) => oc.column('nonce').doNothing())
    .returning('nonce')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes sign-ins that expired before `before`; they would be refused as expired anyway. */
export async function deleteSignInsExpiredBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('sign_in_nonces').where('expires_at', '<', before).execute();
}
