/** The nodes to which each node has an edge. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export function graphOf(edges: readonly (readonly [from: string, to: string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
    if (!graph.has(to)) graph.set(to, new Set());
  }
  return graph;
}

/**
 * The strongly connected components (Tarjan 1972), computed without recursion: sets of nodes that all reach each other.
 * Nodes and components are sorted, so that the order of the graph does not matter.
 */
export function components(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  for (const root of [...graph.keys()].sort()) {
    if (index.has(root)) continue;
    const path: { node: string; next: Iterator<string> }[] = [];
    const enter = (node: string): void => {
      index.set(node, index.size);
      low.set(node, index.size - 1);
      open.push(node);
      isOpen.add(node);
      path.push({ node, next: (graph.get(node) ?? new Set<string>()).values() });
    };
    enter(root);
    while (path.length > 0) {
      const { node, next } = path.at(-1)!;
      const step = next.next();
      if (step.done !== true) {
        const to = step.value;
        if (!index.has(to)) enter(to);
        else if (isOpen.has(to)) low.set(node, Math.min(low.get(node)!, index.get(to)!));
        continue;
      }
      path.pop();
      const above = path.at(-1)?.node;
      if (above !== undefined) low.set(above, Math.min(low.get(above)!, low.get(node)!));
      if (low.get(node) !== index.get(node)) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const member of component) isOpen.delete(member);
      found.push(component.sort());
    }
  }
  return found.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
