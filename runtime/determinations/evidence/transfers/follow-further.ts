import type { Flows } from '../../../../agents/determinations/wallet/flows.ts';
import { NOBODY } from '../../../../agents/ids.ts';

/**
 * Follows money backwards from those who paid, and forwards from those who were paid.
 * @param followed how many parties are followed each way at each hop
 * @param read the flows of these addresses, both ways
 */
export async function followFurther(
  own: readonly Flows[],
  followed: readonly number[],
  read: (addresses: readonly string[]) => Promise<Flows[]>,
): Promise<{ flows: Flows[]; hops: number }> {
  const all = [...own];
  const seen = new Set(own.map((f) => f.of));
  let edge: readonly Flows[] = own;
  let hops = 1;
  for (const most of followed) {
    const next = (['in', 'out'] as const).map((way) => partiesOf(edge, way, seen).slice(0, most));
    const found = await read([...new Set(next.flat())]);
    edge = found.filter((f) => next[f.way === 'in' ? 0 : 1]!.includes(f.of));
    for (const address of next.flat()) seen.add(address);
    all.push(...edge);
    hops += 1;
  }
  return { flows: all, hops };
}

/** The largest parties of each of these flows in turn, so that no single one takes every place. */
function partiesOf(flows: readonly Flows[], way: Flows['way'], seen: ReadonlySet<string>): string[] {
  const lists = flows.filter((f) => f.way === way).map((f) => f.parties.map((p) => p.address));
  const longest = Math.max(0, ...lists.map((l) => l.length));
  const inTurn = Array.from({ length: longest }, (_, i) => lists.map((l) => l[i]));
  const found = inTurn.flat().filter((a) => a !== undefined && a !== NOBODY && !seen.has(a));
  return [...new Set(found as string[])];
}
