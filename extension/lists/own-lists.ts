import { namesOf } from '../../agents/determinations/origin/host.ts';
import { entryFinder, type Listed, type ListSnapshot } from '../../agents/registers/list-snapshot.ts';

/** What the extension's own copy of the lists says. */
export interface OwnLists {
  /** The lists that name this host, or a name that it stands under. */
  host(host: string): string[];
  /** The lists that name this address, in lower case. */
  address(address: string): string[];
  /** In words: as of when this copy is, and what it cannot say. */
  readonly described: string;
}

const DAY_MS = 86_400_000;

/** @param now in milliseconds */
export function openLists(snapshot: ListSnapshot | null, now: number): OwnLists {
  const lists = (snapshot?.lists ?? []).map((list) => ({ ...list, has: entryFinder(list.entries) }));
  const naming = (holds: Listed, keys: readonly string[]) =>
    lists.filter((list) => list.holds === holds && keys.some(list.has)).map(({ list }) => list);
  return {
    host: (host) => naming('hosts', namesOf(host.toLowerCase())),
    address: (address) => naming('addresses', [address]),
    described: describe(snapshot, now),
  };
}

function describe(snapshot: ListSnapshot | null, now: number): string {
  if (snapshot === null) return 'There is no own copy of the lists yet.';
  if (Date.parse(snapshot.expiresAt) < now)
    return `The own copy of the lists is of ${snapshot.issuedAt.slice(0, 10)}: what it names is refused, and what it does not name is unknown.`;
  const fresh = snapshot.lists.filter(
    (list) => list.asOf !== null && now - Date.parse(list.asOf) <= list.maxAgeDays * DAY_MS,
  );
  if (fresh.length === 0) return 'None of the lists in the own copy is fresh.';
  return `Not on the own copy of ${fresh.map((l) => `${l.list} (as of ${l.asOf!.slice(0, 10)})`).join(', ')}.`;
}
