import { labelsAt } from '../../../../agents/determinations/wallet/labels.ts';
import {
  flowParties,
  type ListedFlow,
  type Tail,
  type TransferHistory,
  type Transfers,
} from '../../../../agents/determinations/wallet/money/flows.ts';
import { ALONE, type Party } from '../../../../store/asked-together.ts';
import { type AddressEntry, entriesAbout } from '../../../../store/chain-sync/flows.ts';
import type { Database } from '../../../../store/database.ts';
import { saidSince } from '../wallet/exposure.ts';
import { labelEntries } from '../wallet/labels.ts';
import { shortened } from './moves.ts';

/** How many parties evidence keeps: of the address itself, and of everybody else. Listed ones are always kept. */
const KEPT_OWN = 50;
const KEPT_OTHERS = 10;

interface Moved {
  readonly histories: readonly TransferHistory[];
  readonly tails: readonly Tail[];
  /** Lower case. */
  readonly who: string;
  /** What the registers say of the address itself. */
  readonly named: readonly AddressEntry[];
  readonly now: Date;
}

const byKey = (a: AddressEntry, b: AddressEntry): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/**
 * Looks up everybody with whom money moved, on the lists and among the labels, and leaves the smallest out of what is
 * kept.
 */
export async function lookUpTransfers(
  db: Database,
  { histories, tails, who, named: own, now }: Moved,
  party: Party = ALONE,
): Promise<Transfers> {
  const others = flowParties(histories, tails).filter((other) => other !== who);
  const asked = new Set(others);
  const about = await party.ask('entries about others', others, (all) => entriesAbout(db, all));
  const entries = [...own, ...about.filter(({ key }) => asked.has(key))].sort(byKey);
  const listed = entries.flatMap(({ register, key, source, detail }): ListedFlow[] => {
    if (register === 'labels' || key === who) return [];
    const since = saidSince(detail);
    return [{ key, list: `${register}/${source}`, ...(since === null ? {} : { since }) }];
  });
  const { labels, labelLists } = labelsAt(labelEntries(entries), now.toISOString());
  const named = new Set([...listed, ...labels].map((e) => e.key));
  return {
    histories: histories.map((h) => ({
      ...h,
      flows: h.flows.map((f) => shortened(f, f.of === who ? KEPT_OWN : KEPT_OTHERS, named)),
    })),
    listed,
    labels,
    ...(labelLists.length === 0 ? {} : { labelLists }),
  };
}
