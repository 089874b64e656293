import type { AnyStateMachine } from 'xstate';

/** One way from a state, as the machine declares it. */
export interface ChartEdge {
  /** Ids of states. */
  readonly from: string;
  /** Null: the state stays. */
  readonly to: string | null;
  /** The event, `after <delay>`, or null for one that is taken at once. */
  readonly on: string | null;
  readonly guard: string | null;
  /** Effects it asks for. */
  readonly effects: readonly string[];
}

export interface ChartState {
  readonly id: string;
  readonly name: string;
  readonly parent: string | null;
  /** `passing`: it is left in the same step in which it is entered. */
  readonly kind: 'atomic' | 'compound' | 'final' | 'passing';
  readonly initial: string | null;
  /** Effects asked for on the way in and out. */
  readonly entry: readonly string[];
  readonly exit: readonly string[];
}

/** A machine as it is to be drawn. States and edges stand in the order of the machine's own text. */
export interface Chart {
  readonly id: string;
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}

/** What is read of XState's state nodes. */
interface Node {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly parent?: Node;
  readonly initial?: { readonly target?: readonly Node[] };
  readonly states: Readonly<Record<string, Node>>;
  readonly entry: readonly unknown[];
  readonly exit: readonly unknown[];
  readonly transitions: ReadonlyMap<string, readonly Transition[]>;
  readonly always?: readonly Transition[];
  readonly after: readonly { readonly eventType: string; readonly delay: number | string }[];
}

interface Transition {
  readonly target?: readonly Node[];
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
}

/** Reads a machine's states and transitions; `effects` tells which of its actions become effects. */
export function readChart(logic: AnyStateMachine, effects: readonly string[]): Chart {
  const root: Node = logic.root as Node;
  const asked = (actions: readonly unknown[]): string[] => {
    const names = actions.map(nameOf).filter((name) => name !== null && effects.includes(name));
    return [...new Set(names)] as string[];
  };
  const states: ChartState[] = [];
  const edges: ChartEdge[] = [];
  const add = (node: Node, on: string | null, { target, guard, actions }: Transition): void => {
    const [to] = target ?? [];
    edges.push({
      from: node.id,
      to: to?.id ?? null,
      on,
      guard: guardOf(guard),
      effects: asked(actions),
    });
  };
  const visit = (node: Node): void => {
    const { id, key, parent, initial, entry, exit, always = [] } = node;
    states.push({
      id,
      name: key,
      parent: parent?.id ?? null,
      kind: kindOf(node),
      initial: initial?.target?.[0]?.id ?? null,
      entry: asked(entry),
      exit: asked(exit),
    });
    for (const transition of always) add(node, null, transition);
    const delays = new Map(node.after.map(({ eventType, delay }) => [eventType, `after ${delay}`]));
    for (const [event, transitions] of node.transitions) {
      // A timer of an earlier version, which a snapshot may still hold, is no part of the picture.
      if (event.startsWith('xstate.') && !delays.has(event)) continue;
      for (const transition of transitions) add(node, delays.get(event) ?? event, transition);
    }
    for (const child of Object.values(node.states)) visit(child);
  };
  visit(root);
  return { id: root.id, states, edges };
}

function kindOf({ type, always = [], transitions }: Node): ChartState['kind'] {
  if (type === 'final' || type === 'compound') return type;
  const certain = always.some(({ guard }) => guard === undefined);
  return certain && transitions.size === 0 ? 'passing' : 'atomic';
}

function nameOf(action: unknown): string | null {
  if (typeof action === 'string') return action;
  const type = (action as { type?: unknown } | null)?.type;
  return typeof type === 'string' ? type : null;
}

/** A guard by its name; one written in place has none, and shows as an ellipsis. */
function guardOf(guard: unknown): string | null {
  if (guard === undefined || guard === null) return null;
  if (typeof guard === 'function') {
    const [inner] = (guard as { guards?: readonly unknown[] }).guards ?? [];
    return inner === undefined ? '…' : `not ${guardOf(inner)}`;
  }
  const { type, params } = (typeof guard === 'string' ? { type: guard } : guard) as {
    type: string;
    params?: Record<string, unknown>;
  };
  return params === undefined ? type : `${type} ${Object.values(params).join(' ')}`;
}
