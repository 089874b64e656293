import { agentMachine } from '../../agents/agent/agent.ts';
import { type Html, html, raw } from '../html/html.ts';
import type { AgentDocument } from '../shapes.ts';
import { STATES } from '../words/agent.ts';

/** What is read of the machine's state nodes. */
interface Node {
  readonly key: string;
  readonly type: string;
  readonly states: Readonly<Record<string, Node>>;
  readonly always?: readonly { readonly target?: readonly Node[] }[];
}

/** The states of the agent machine as people are shown them. */
interface States {
  readonly start: string;
  /** What holds an agent, in the order in which the machine judges it. */
  readonly held: readonly string[];
  readonly end: string;
}

/** Read from the machine's own definition: a state that is added there is drawn here. */
export function agentStates(root: Node = agentMachine.root): States {
  const all = Object.values(root.states);
  const judged = all
    .flatMap(({ always = [] }) => always)
    .flatMap(({ target = [] }) => target.map(({ key }) => key));
  const start = judged.at(-1) ?? '';
  const end = all.find(({ type }) => type === 'final')?.key ?? '';
  return { start, held: [...new Set(judged)].filter((key) => key !== start), end };
}

/** The state of the machine that an agent is in. Publicly, one that was transferred is called paused. */
function stateOf({ status, heldBy }: Pick<AgentDocument, 'status' | 'heldBy'>): string {
  return status === 'paused' && heldBy?.includes('new-owner') ? 'transferred' : status;
}

const [WIDTH, ROW, BOX_W, BOX_H] = [640, 50, 124, 34];
const COLUMNS = [4, 172, 340, 508] as const;

/** Where an agent stands among the states of its machine: drawn, and in a sentence beside. */
export function stateChart(agent: Pick<AgentDocument, 'status' | 'heldBy'>): Html {
  const { start, held, end } = agentStates();
  const now = stateOf(agent);
  const height = held.length * ROW;
  const middle = height / 2;
  const places: readonly (readonly [state: string, x: number, y: number])[] = [
    ['minting', COLUMNS[0], middle],
    [start, COLUMNS[1], middle],
    ...held.map((state, i) => [state, COLUMNS[2], ROW * (i + 0.5)] as const),
    [end, COLUMNS[3], middle],
  ];
  const arrow = (from: number, to: number, y1: number, y2: number, both: boolean) =>
    html`<path class="way" d="M${from} ${y1.toFixed(1)}C${from + 22} ${y1.toFixed(1)} ${to - 22} ${y2.toFixed(1)} ${to} ${y2.toFixed(1)}" marker-end="url(#to)"${both && raw(' marker-start="url(#to)"')}/>`;
  const right = (i: 0 | 1 | 2) => COLUMNS[i] + BOX_W + 2;
  return html`<figure class="states"><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${STATES.title(now)}">
<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>
${arrow(right(0), COLUMNS[1] - 2, middle, middle, false)}
${held.map((_, i) => html`${arrow(right(1), COLUMNS[2] - 2, middle, ROW * (i + 0.5), true)}${arrow(right(2), COLUMNS[3] - 2, ROW * (i + 0.5), middle, false)}`)}
${places.map(([state, x, y]) => html`<g${state === now && raw(' class="here"')}><rect x="${x}" y="${(y - BOX_H / 2).toFixed(1)}" width="${BOX_W}" height="${BOX_H}" rx="8"/><text x="${x + BOX_W / 2}" y="${(y + 5).toFixed(1)}">${state}</text></g>`)}
</svg><figcaption><strong>${now}</strong>: ${STATES.means[now] ?? STATES.other}</figcaption></figure>`;
}
