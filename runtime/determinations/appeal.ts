import type { MandateCommon } from '../../agents/determinations/mandate/mandate-evidence.ts';
import type { RecordEvidence, RecordVerdict, TierRecord } from '../../agents/determinations/panel/types.ts';
import type { ShillCommon } from '../../agents/determinations/shill/shill-evidence.ts';
import { AppError } from '../../agents/errors.ts';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { type AgentRow, agentByAccount, findAgent } from '../../store/agent/agents.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { type Appeal, appealAgainst, appealsSince, fileAppeal } from '../../store/records/appeals.ts';
import { loadRecord, type StoredRecord } from '../../store/records/records.ts';
import { readLive } from '../agent/public.ts';
import { signRecord } from '../records/public.ts';
import type { LastCall, Services } from '../services.ts';
import { askAgain } from './ask-again.ts';

/** How many appeals a wallet has in a day. Each reads all of its evidence again, and costs nothing. */
export const APPEALS_A_DAY = 5;
const DAY_MS = 86_400_000;

interface Lodged {
  readonly wallet: Address;
  /** The owner's reasons. The record shows them, but they decide nothing. */
  readonly grounds: string | null;
}

export interface Appealed {
  readonly appeal: Appeal;
  readonly verdict: RecordVerdict;
  /** The verdict of the record that is appealed against. */
  readonly before: RecordVerdict;
  /** False when this appeal had already been filed. */
  readonly fresh: boolean;
}

/** The content of a determination's record, as far as an appeal needs it. */
interface Content {
  readonly record: Pick<TierRecord, 'category' | 'priceUsd' | 'verdict'>;
  /** In a determination on a deal. */
  readonly dealId?: string;
}

/**
 * Repeats the determination of a record on fresh evidence, and files the outcome beside it. The first record stays as
 * it is. If the appeal raises no hard flag, the first record no longer counts against its subject. An appeal that is
 * sent again gets its first answer.
 * @throws AppError not-owner for a wallet that the record is not about; conflict for a record that is not a
 *   determination, or is CLEAN; rate-limited with `retryAfter` seconds; unavailable when a chain cannot say who owns an
 *   agent
 */
export async function appeal(
  services: Services,
  stored: StoredRecord,
  { wallet, grounds }: Lodged,
  lastCall: LastCall,
): Promise<Appealed> {
  const { recordId } = stored.record;
  if (!(await concerns(services, stored, wallet)))
    throw new AppError(
      'not-owner',
      `The record "${recordId}" is not about ${wallet} or an agent of its own.`,
    );
  const content = stored.record.content as Partial<Content> | null;
  const evidence = evidenceOf(stored);
  if (evidence === null || content?.record === undefined)
    throw new AppError(
      'conflict',
      `The record "${recordId}" is no determination: there is nothing to appeal.`,
    );
  const before = content.record.verdict;
  const held = await appealAgainst(services.db, recordId);
  if (held !== null) return { appeal: held, verdict: await verdictOf(services, held), before, fresh: false };
  if (before === 'CLEAN')
    throw new AppError('conflict', `The record "${recordId}" is CLEAN: nothing to appeal.`);
  await requireAllowance(services, wallet);

  const now = services.now();
  const appealId = services.newId('rec');
  const draft = await askAgain(
    { ...services.evidence, appealOf: recordId },
    {
      record: content.record,
      evidence,
      parties: stored.record.parties,
      recordId: appealId,
      issuedAt: now,
    },
  );
  const found = draft.content as { record: { verdict: RecordVerdict }; hardFlags: readonly string[] };
  const signed = await signRecord(services.signRecord, {
    ...draft,
    summary: `Appeal against ${recordId}: ${found.record.verdict}`,
    content: {
      ...found,
      ...(content.dealId === undefined ? {} : { dealId: content.dealId }),
      appeal: { of: recordId, wallet, grounds },
    },
    handle: stored.handle,
  });
  const filed: Appeal = {
    recordId,
    appealId,
    wallet,
    filedAt: now,
    overturned: found.hardFlags.length === 0,
  };
  const first = await services.db.transaction().execute(async (trx) => {
    const done = await fileAppeal(trx, filed, signed);
    lastCall();
    return done;
  });
  if (first) return { appeal: filed, verdict: found.record.verdict, before, fresh: true };
  const other = (await appealAgainst(services.db, recordId)) as Appeal;
  return { appeal: other, verdict: await verdictOf(services, other), before, fresh: false };
}

async function verdictOf({ db }: Services, { appealId }: Appeal): Promise<RecordVerdict> {
  const { record } = (await loadRecord(db, appealId)) as StoredRecord;
  return (record.content as Content).record.verdict;
}

async function requireAllowance({ db, now }: Services, wallet: Address): Promise<void> {
  const filed = await appealsSince(db, wallet, new Date(now().getTime() - DAY_MS));
  const [oldest] = filed;
  if (oldest === undefined || filed.length < APPEALS_A_DAY) return;
  const retryAfter = Math.ceil((oldest.getTime() + DAY_MS - now().getTime()) / 1000);
  throw new AppError(
    'rate-limited',
    `A wallet has ${APPEALS_A_DAY} appeals a day: wait ${retryAfter} seconds.`,
    {
      extra: { retryAfter },
    },
  );
}

/** Whether a record is about this wallet: about its own address, or about an agent that it owns on chain now. */
async function concerns(services: Services, stored: StoredRecord, wallet: Address): Promise<boolean> {
  if (stored.record.subject.toLowerCase() === wallet) return true;
  for (const agent of await agentsOf(services, stored)) {
    const { chain } = await readLive(services, agent);
    if (lowerAddress(chain.owner) === wallet) return true;
  }
  return false;
}

/**
 * The agents that a determination names: its parties, its subject, the agent whose mandate it read, and the seller of
 * its lot.
 */
async function agentsOf({ db }: Services, stored: StoredRecord): Promise<AgentRow[]> {
  const { subject, parties } = stored.record;
  const named = (evidenceOf(stored)?.determinations ?? []).flatMap(({ id, common }) => {
    if (id === 'mandate-compliance') return [(common as MandateCommon).handle];
    if (id !== 'shill-collusion') return [];
    const shill = common as ShillCommon;
    return shill.scope === 'deal' ? shill.parties.map((p) => p.handle) : [shill.seller];
  });
  const listing = await liveListingOf(db, subject);
  const names = [...new Set([...parties, ...named, subject, ...(listing === null ? [] : [listing.handle])])];
  const found = await Promise.all(
    names.map(async (name) => (await findAgent(db, name)) ?? (await agentByAccount(db, name.toLowerCase()))),
  );
  const agents = found.filter((a) => a !== null);
  return [...new Map(agents.map((a) => [a.handle, a])).values()];
}

/** Null for a record that is not a determination or was filed without its evidence. */
function evidenceOf({ record, evidence }: StoredRecord): RecordEvidence | null {
  return record.kind === 'determination' ? (evidence as RecordEvidence | null) : null;
}
