import type { Chart, ChartEdge, ChartState } from './chart.ts';

const INK = '#1f2937';
const LINE = '#64748b';
const FILL = { atomic: '#ffffff', asks: '#e0ecff', final: '#e5e7eb', passing: '#fef3c7' } as const;

/** The picture of a chart in Graphviz's language. The same chart gives the same text. */
export function toDot(chart: Chart): string {
  const by = new Map(chart.states.map((s) => [s.id, s]));
  const root = chart.states[0] as ChartState;
  const lines = [
    `digraph ${quoted(chart.id)} {`,
    `graph [compound=true rankdir=TB bgcolor=white pad=0.3 nodesep=0.35 ranksep=0.55 fontname="Helvetica" fontsize=13 fontcolor="${INK}"]`,
    `node [shape=box style="rounded,filled" fillcolor=white color="${LINE}" fontname="Helvetica" fontsize=12 fontcolor="${INK}" margin="0.16,0.08"]`,
    `edge [color="${LINE}" fontname="Helvetica" fontsize=10 fontcolor="${INK}" arrowsize=0.7]`,
    ...inside(chart, root, by),
    ...joined(chart.edges).map((edge) => edgeLine(edge, by)),
    '}',
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

type States = ReadonlyMap<string, ChartState>;

function inside(chart: Chart, parent: ChartState, by: States): string[] {
  const start = `start ${parent.id}`;
  const begins =
    parent.initial === null
      ? []
      : [
          `${quoted(start)} [shape=circle style=filled fillcolor="${INK}" label="" width=0.14 fixedsize=true]`,
          `${quoted(start)} -> ${quoted(entrance(parent.initial, by))}${into(parent.initial, by)}`,
        ];
  // What any of its states may hear leaves from one place.
  const any = chart.edges.some((e) => e.from === parent.id && e.to !== null)
    ? [
        `${quoted(parent.id)} [shape=plaintext style="" fontsize=11 label=<<i>in any state${parent.parent === null ? '' : ` of ${parent.name}`}</i>>]`,
      ]
    : [];
  const children = chart.states.filter((s) => s.parent === parent.id);
  return [
    ...begins,
    ...any,
    ...children.flatMap((s) => (s.kind === 'compound' ? cluster(chart, s, by) : [node(s)])),
  ];
}

function cluster(chart: Chart, state: ChartState, by: States): string[] {
  return [
    `subgraph ${quoted(`cluster ${state.id}`)} {`,
    `graph [style="rounded,filled" fillcolor="#f8fafc" color="${LINE}" labeljust=l label=<${label(state, ' align="left"')}>]`,
    ...inside(chart, state, by),
    '}',
  ];
}

function node(state: ChartState): string {
  const id = quoted(state.id);
  if (state.kind === 'passing')
    return `${id} [shape=diamond style=filled fillcolor="${FILL.passing}" fontsize=10 margin="0.02,0.02" label=${quoted(state.name)}]`;
  const fill =
    state.kind === 'final'
      ? FILL.final
      : state.entry.length + state.exit.length > 0
        ? FILL.asks
        : FILL.atomic;
  const final = state.kind === 'final' ? ' peripheries=2' : '';
  return `${id} [fillcolor="${fill}"${final} label=<${label(state)}>]`;
}

function label({ name, entry, exit }: ChartState, side = ''): string {
  const asks = [...entry.map((e) => `in: ${e}`), ...exit.map((e) => `out: ${e}`)];
  const small = asks.map((line) => `<br${side}/><font point-size="10">${escaped(line)}</font>`).join('');
  return `<b>${escaped(name)}</b>${small}${side === '' ? '' : `<br${side}/>`}`;
}

/** Ways between the same two states are one line with several words. */
function joined(edges: readonly ChartEdge[]): readonly { from: string; to: string; says: string[] }[] {
  const found = new Map<string, { from: string; to: string; says: string[] }>();
  for (const { from, to, on, guard, effects } of edges) {
    if (to === null) continue;
    const key = `${from} ${to}`;
    const line = found.get(key) ?? { from, to, says: [] };
    const says = [
      on ?? '',
      guard === null || guard === '…' ? '' : `[${guard}]`,
      ...effects.map((e) => `/ ${e}`),
    ]
      .filter((part) => part !== '')
      .join(' ');
    if (says !== '' && !line.says.includes(says)) line.says.push(says);
    found.set(key, line);
  }
  return [...found.values()];
}

function edgeLine({ from, to, says }: { from: string; to: string; says: string[] }, by: States): string {
  // In rows, so that many words make no long line.
  const perRow = says.length > 6 ? 3 : 1;
  const rows = says.reduce<string[][]>((all, word, i) => {
    if (i % perRow === 0) all.push([]);
    (all.at(-1) as string[]).push(word);
    return all;
  }, []);
  // Fonts differ: with room around them, words stay off the lines.
  const text = rows.map((row) => `  ${row.join(',  ')}  `).join('\\n');
  return `${quoted(from)} -> ${quoted(entrance(to, by))} [label="${text.replaceAll('"', "'")}"${into(to, by, '')}]`;
}

/** Graphviz knows no lines to a cluster: they go to what it begins with, and end at its border. */
function entrance(id: string, by: States): string {
  const state = by.get(id);
  return state?.kind === 'compound' && state.initial !== null ? entrance(state.initial, by) : id;
}

function into(id: string, by: States, open = ' ['): string {
  if (by.get(id)?.kind !== 'compound') return '';
  const head = `lhead=${quoted(`cluster ${id}`)}`;
  return open === '' ? ` ${head}` : `${open}${head}]`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
