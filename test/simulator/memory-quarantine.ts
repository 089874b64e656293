import type { Quarantine } from '../../runtime/durable/isolation/quarantine.ts';

interface Row {
  readonly item: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly failures: number;
  readonly again: number;
}

/** The quarantine of a simulated process, with the clock of its world. */
export function memoryQuarantine(now: () => number): Quarantine {
  const kinds = new Map<string, Map<string, Row>>();
  const rowsOf = (kind: string): Map<string, Row> => {
    const found = kinds.get(kind) ?? new Map<string, Row>();
    kinds.set(kind, found);
    return found;
  };
  return {
    underWay: new Set(),
    of: async (kind) => [...rowsOf(kind).values()].map((row) => ({ ...row, due: row.again <= now() })),
    async add(kind, item, { context, mostPauseMs }) {
      const failures = (rowsOf(kind).get(item)?.failures ?? 0) + 1;
      const pause = Math.min(2_000 * 2 ** (failures - 1), mostPauseMs);
      const kept = context as Readonly<Record<string, unknown>>;
      rowsOf(kind).set(item, { item, context: kept, failures, again: now() + pause });
    },
    async release(kind, item) {
      rowsOf(kind).delete(item);
    },
  };
}
