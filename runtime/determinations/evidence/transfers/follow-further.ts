import { DUST_USD, type Flows } from '../../../../agents/determinations/wallet/money/flows.ts';
import { NOBODY } from '../../../../agents/ids.ts';

/**
 * Follows money backwards from those who paid, and forwards from those who were paid.
 * @param followed how many parties are followed each way at each hop; with whom only dust moved, nobody
 * @param read the flows of these addresses, both ways
 */
export async function followFurther(
  own: readonly Flows[],
  { followed, nativeDust }: { readonly followed: readonly number[]; readonly nativeDust: bigint },
  read: (addresses: readonly string[]) => Promise<Flows[]>,
): Promise<{ flows: Flows[]; hops: number }> {
  const isDust = (p: Flows['parties'][number]) => BigInt(p.usd) < DUST_USD && BigInt(p.native) < nativeDust;
  const partiesOf = (flows: readonly Flows[], way: Flows['way']): string[] =>
    inTurn(
      flows
        .filter((f) => f.way === way)
        .map((f) => f.parties.filter((p) => !isDust(p)).map((p) => p.address)),
    ).filter((address) => address !== NOBODY && !seen.has(address));
  const all = [...own];
  const seen = new Set(own.map((f) => f.of));
  let edge: readonly Flows[] = own;
  let hops = 1;
  for (const most of followed) {
    const next = (['in', 'out'] as const).map((way) => partiesOf(edge, way).slice(0, most));
    const found = await read([...new Set(next.flat())]);
    edge = found.filter((f) => next[f.way === 'in' ? 0 : 1]!.includes(f.of));
    for (const address of next.flat()) seen.add(address);
    all.push(...edge);
    hops += 1;
  }
  return { flows: all, hops };
}

/** The first of each of these lists in turn, so that no single one takes every place. */
function inTurn(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((l) => l.length));
  const found = Array.from({ length: longest }, (_, i) => lists.flatMap((l) => l.slice(i, i + 1)));
  return [...new Set(found.flat())];
}
