import type { LabelEntry } from '../../../../agents/determinations/wallet/labels.ts';
import { isLabel } from '../../../../agents/determinations/wallet/money/flows.ts';
import type { AddressEntry } from '../../../../store/chain-sync/flows.ts';

/** What the lists of labels say among these entries. */
export function labelEntries(entries: readonly AddressEntry[]): LabelEntry[] {
  return entries.flatMap(({ register, key, source, detail, asOf }) =>
    register === 'labels' && isLabel(detail.kind)
      ? [{ key, label: detail.kind, list: `labels/${source}`, asOf: asOf?.toISOString() ?? null }]
      : [],
  );
}
