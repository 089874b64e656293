import { MAX_AGE_DAYS } from '../provenance/register-row.ts';
import type { Label, LabelList, Transfers } from './money/flows.ts';

/** What a list of labels says of an address. */
export interface LabelEntry {
  readonly key: string;
  readonly label: Label;
  readonly list: string;
  /** ISO 8601; null: nobody says as of when the list holds. */
  readonly asOf: string | null;
}

/** The worst first: a mixer accuses, and an exchange or a bridge excuses even the address itself. */
const WORST_FIRST: readonly Label[] = ['mixer', 'lender', 'burn', 'bridge', 'exchange'];

const DAY_MS = 86_400_000;

/**
 * What each address is known as. All labels but `mixer` excuse, so that they count only while their list is dated and not
 * too old: who has an exchange's old address today is not known. Of contradicting labels the worst counts.
 */
export function labelsAt(
  entries: readonly LabelEntry[],
  at: string,
): Required<Pick<Transfers, 'labels' | 'labelLists'>> {
  const worst = new Map<string, LabelEntry>();
  for (const entry of entries) {
    if (entry.label !== 'mixer' && !mayExcuse(entry.asOf, at)) continue;
    const before = worst.get(entry.key);
    if (before === undefined || rank(entry) < rank(before)) worst.set(entry.key, entry);
  }
  const lists = new Map(entries.map(({ list, asOf }) => [list, asOf]));
  return {
    labels: [...worst.values()].map(({ key, label, list }) => ({ key, label, list })),
    labelLists: [...lists]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, asOf]): LabelList => ({ name, asOf, excuses: mayExcuse(asOf, at) })),
  };
}

function mayExcuse(asOf: string | null, at: string): boolean {
  return asOf !== null && Date.parse(at) - Date.parse(asOf) <= MAX_AGE_DAYS.labels * DAY_MS;
}

const rank = ({ label }: LabelEntry): number => WORST_FIRST.indexOf(label);
