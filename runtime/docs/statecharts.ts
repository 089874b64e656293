import { instance } from '@viz-js/viz';
import type { DurableMachine } from '../durable/actors/durable-machine.ts';
import { type Chart, readChart } from './chart.ts';
import { toDot } from './dot.ts';
import { MEANINGS } from './meanings.ts';

/** A page that is made, and where it stands under `docs/`. */
export interface MadePage {
  readonly path: string;
  readonly text: string;
}

/** The statecharts of the machines as they are: one page, and a picture of each. Deterministic. */
export async function statechartPages(machines: readonly DurableMachine[]): Promise<MadePage[]> {
  const graphviz = await instance();
  const charts = machines.map((m) => ({ machine: m, chart: readChart(m.logic, m.effects) }));
  return [
    { path: 'statecharts.md', text: page(charts) },
    ...charts.map(({ chart }) => ({
      path: `statecharts/${chart.id}.svg`,
      text: picture(chart, graphviz.renderString(toDot(chart), { format: 'svg' })),
    })),
  ];
}

/** Named, and without what names the program that drew it. */
function picture({ id }: Chart, svg: string): string {
  return `${svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
    .replace('>', `>\n<title>Statechart of the ${id} machine</title>`)
    .replaceAll('font-family="Helvetica"', 'font-family="Helvetica,Arial,sans-serif"')
    .trim()}\n`;
}

function page(charts: readonly { machine: DurableMachine; chart: Chart }[]): string {
  return `${[
    '# Statecharts',
    '',
    'Made from the machines by `npm run docs`; a test holds them to the code. A blue state asks for effects (`in:` when it',
    'is entered, `out:` when it is left), a diamond is left in the step in which it is entered, a double border is an end.',
    '',
    ...charts.flatMap(({ machine, chart }) => section(machine, chart)),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function section(machine: DurableMachine, chart: Chart): string[] {
  const [, ...states] = chart.states;
  const shown = new Set([
    ...chart.states.flatMap((s) => [...s.entry, ...s.exit]),
    ...chart.edges.flatMap((e) => e.effects),
  ]);
  const unseen = machine.effects.filter((effect) => !shown.has(effect));
  return [
    `## ${chart.id}`,
    '',
    ...(MEANINGS[chart.id] === undefined ? [] : [MEANINGS[chart.id] as string, '']),
    `Snapshots of version ${machine.version}. Effects: ${machine.effects.map((e) => `\`${e}\``).join(', ')}.`,
    '',
    ...(unseen.length === 0
      ? []
      : [
          `Asked for as the case may be, which no picture shows: ${unseen.map((e) => `\`${e}\``).join(', ')}.`,
          '',
        ]),
    `![Statechart of the ${chart.id} machine](statecharts/${chart.id}.svg)`,
    '',
    '| State | What it is | Asks for |',
    '|---|---|---|',
    ...states.map(
      ({ id, entry, exit }) =>
        `| \`${short(chart, id)}\` | ${MEANINGS[id] ?? ''} | ${[
          ...entry.map((e) => `\`${e}\``),
          ...exit.map((e) => `\`${e}\` when it is left`),
        ].join(', ')} |`,
    ),
    '',
    '| In | On | If | Goes to | Asks for |',
    '|---|---|---|---|---|',
    ...chart.edges
      .filter((e) => e.on !== '*')
      .map(({ from, on, guard, to, effects }) =>
        [
          from === chart.id ? 'any state' : `\`${short(chart, from)}\``,
          on === null ? 'at once' : `\`${on}\``,
          guard === null ? '' : guard,
          to === null ? 'stays' : `\`${short(chart, to)}\``,
          effects.map((e) => `\`${e}\``).join(', '),
        ].join(' | '),
      )
      .map((row) => `| ${row} |`),
    '',
  ];
}

function short({ id: root }: Chart, id: string): string {
  return id.startsWith(`${root}.`) ? id.slice(root.length + 1) : id;
}
