import type { Hex } from '../../agents/canonical.ts';
import { anchorPurpose, anchorRoot, readAnchoredAt } from '../../chain/clients/ledger.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { lastEntry } from '../../store/operators/operator-log.ts';
import { atRest, type RecurringJob } from '../durable/jobs/recurring-job.ts';
import { holdsRole } from '../keys/own-roles.ts';
import type { Services } from '../services.ts';

const LIMIT_MS = 300_000;
/** Operators act rarely; the ledger need not have each act by itself. */
const EVERY_MS = 5_000;

/** Anchors the newest entry of the operators' log on the ledger: with it every entry before stands. */
export function anchorOperatorLogJob(services: Services): RecurringJob {
  return {
    kind: 'anchor-operator-log',
    lane: 'upkeep',
    items: [String(services.home.chainId)],
    everyMs: EVERY_MS,
    timeLimitMs: LIMIT_MS,
    async run() {
      return (await anchorOperatorLog(services)) ? undefined : atRest({ everyMs: EVERY_MS });
    },
  };
}

/** @returns false when there was nothing to anchor, or nothing may be anchored now */
export async function anchorOperatorLog(services: Pick<Services, 'db' | 'home'>): Promise<boolean> {
  const { readers, deployment, recorder } = services.home;
  const last = await lastEntry(services.db);
  if (last === null) return false;
  const root: Hex = `0x${last.hash}`;
  // Must be asked before reading the chain: a transaction that ends in between is then found there.
  if (await recorder.underWay(anchorPurpose(root))) return true;
  const { number } = await readers.viem.head();
  if ((await readAnchoredAt(readers.viem, deployment, root, number)) !== 0) return false;
  if (!(await holdsRole(services.home, 'recorder'))) return false;
  try {
    await anchorRoot(recorder, deployment, root, 1);
  } catch (error) {
    if (!(error instanceof ChainError) || error.errorName !== 'AlreadyAnchored') throw error;
  }
  return true;
}
