import { isChoosable } from '../../agents/deal/effect.ts';
import { type Grounds, LISTS_OF, restsOn, type StopFinding } from '../../agents/market/stops.ts';
import { lastSettingsOf } from '../agent/settings.ts';
import type { Database, Trx } from '../database.ts';
import type { RegisterName, Tables } from '../tables.ts';
import { sameThing } from './same-thing.ts';

/** What the findings that stop deals are based on, as it is now. */

type Side = Tables['stops']['side'];
/** The agents of a deal, by their handles. */
interface Agents {
  readonly seller: string;
  readonly buyer: string;
}

/** The present grounds of a finding; null for what the finding does not depend on. */
export async function readGrounds(
  db: Database | Trx,
  { finding, side, assetKey }: { finding: StopFinding; side: Side; assetKey: string },
  agents: Agents,
): Promise<Grounds> {
  const whose = side === 'neither' ? [agents.seller, agents.buyer] : [agents[side]];
  const has = (ground: keyof Grounds): boolean => restsOn(finding, ground);
  return {
    setting: has('setting') ? await chosenBy(db, whose, finding) : null,
    mandates: has('mandates') ? await mandatesOf(db, whose) : null,
    lists: has('lists') ? await listsNow(db, finding) : null,
    claims: has('claims') ? await claimsNow(db, assetKey) : null,
  };
}

/** The owners' choices for a finding of this kind; choices about other findings change nothing. */
async function chosenBy(
  db: Database | Trx,
  handles: readonly string[],
  finding: StopFinding,
): Promise<string> {
  const agents = await db.selectFrom('agents').select('owner').where('handle', 'in', handles).execute();
  const chosen = await Promise.all(
    agents.map(async (a) => {
      const { onFlagged, onInconclusive } = await lastSettingsOf(db, a.owner.toLowerCase());
      const flagged = onFlagged ?? 'stop';
      return isChoosable(finding) ? `${flagged}/${onInconclusive ?? flagged}` : flagged;
    }),
  );
  return chosen.join();
}

async function mandatesOf(db: Database | Trx, handles: readonly string[]): Promise<string> {
  const rows = await db
    .selectFrom('mandates')
    .select(['handle', 'version'])
    .where('handle', 'in', handles)
    .where('status', '=', 'active')
    .orderBy('handle')
    .execute();
  return rows.map((m) => `${m.handle}:${m.version}`).join();
}

/** The publisher's date and the number of rows: a list that is fetched again unchanged counts as the same. */
async function listsNow(db: Database | Trx, finding: StopFinding): Promise<string> {
  const registers: Partial<Record<StopFinding, readonly RegisterName[]>> = LISTS_OF;
  const rows = await db
    .selectFrom('register_lists')
    .select(['register', 'source', 'as_of', 'basis', 'rows'])
    .where('register', 'in', registers[finding] ?? [])
    .orderBy('register')
    .orderBy('source')
    .execute();
  return rows
    .map((l) => `${l.register}/${l.source}@${l.basis === null ? '' : l.as_of.toISOString()}:${l.rows}`)
    .join();
}

/** Pledges that are not the listing's own, because listing the thing again does not change them. */
async function claimsNow(db: Database | Trx, assetKey: string): Promise<string> {
  const rows = await db
    .selectFrom('pledges')
    .select('id')
    .where(sameThing(assetKey))
    .where('source', '!=', 'listing')
    .where('released_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((p) => p.id).join();
}
