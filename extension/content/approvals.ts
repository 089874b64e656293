import type { WalletCall } from '../methods.ts';

/** How long what was let through may take from the page to its wallet. */
const LIFETIME_MS = 60_000;

/** What was let through and has not reached its wallet yet: each once, exactly as it was judged. */
export interface Approvals {
  add(calls: readonly WalletCall[]): void;
  /** True when every one of these was let through; they are spent by that. */
  spend(calls: readonly WalletCall[]): boolean;
}

export function openApprovals(now: () => number): Approvals {
  const open: { readonly print: string; readonly until: number }[] = [];
  return {
    add(calls) {
      for (const call of calls) open.push({ print: printOf(call), until: now() + LIFETIME_MS });
    },
    spend(calls) {
      const time = now();
      const places: number[] = [];
      for (const call of calls) {
        const print = printOf(call);
        const place = open.findIndex((a, i) => a.print === print && a.until > time && !places.includes(i));
        if (place < 0) return false;
        places.push(place);
      }
      for (const place of places.sort((a, b) => b - a)) open.splice(place, 1);
      return true;
    },
  };
}

/** Equal for equal requests: members in order, nothing where nothing was said. */
function printOf({ method, params }: WalletCall): string {
  return JSON.stringify([method, ordered(params ?? [])]);
}

function ordered(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, ordered(v)]));
}
