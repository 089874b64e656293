import {
  flowParties,
  isLabel,
  type ListedFlow,
  type Tail,
  type TransferHistory,
  type Transfers,
} from '../../../../agents/determinations/wallet/flows.ts';
import { entriesAbout } from '../../../../store/chain-sync/flows.ts';
import type { Database } from '../../../../store/database.ts';
import { saidSince } from '../exposure.ts';
import { shortened } from './moves.ts';

/** How many parties evidence keeps: of the address itself, and of everybody else. Listed ones are always kept. */
const KEPT_OWN = 50;
const KEPT_OTHERS = 10;

/**
 * Looks up everybody with whom money moved, on the lists and among the labels, and leaves the smallest out of what is
 * kept.
 * @param who lower case
 */
export async function lookUpTransfers(
  db: Database,
  histories: readonly TransferHistory[],
  tails: readonly Tail[],
  who: string,
): Promise<Transfers> {
  const entries = await entriesAbout(db, [...new Set([who, ...flowParties(histories, tails)])].sort());
  const listed = entries.flatMap(({ register, key, source, detail }): ListedFlow[] => {
    if (register === 'labels' || key === who) return [];
    const since = saidSince(detail);
    return [{ key, list: `${register}/${source}`, ...(since === null ? {} : { since }) }];
  });
  const labels = entries.flatMap(({ register, key, detail }) =>
    register === 'labels' && isLabel(detail.kind) ? [{ key, label: detail.kind }] : [],
  );
  const named = new Set([...listed, ...labels].map((e) => e.key));
  return {
    histories: histories.map((h) => ({
      ...h,
      flows: h.flows.map((f) => shortened(f, f.of === who ? KEPT_OWN : KEPT_OTHERS, named)),
    })),
    listed,
    labels,
  };
}
