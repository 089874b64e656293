import { judge } from '../determinations/panel/judge.ts';
import type {
  Depth,
  DeterminationEvidence,
  DeterminationId,
  Outcome,
  Verdict,
} from '../determinations/panel/types.ts';
import { FormError, requireObject } from './form.ts';
import { priceOfFile } from './price-form.ts';
import { atDepth, fromFile, readEvidence } from './read-evidence.ts';
import { shillOfFile } from './shill-form.ts';

/** The determinations by the names under which they may be asked for. */
export const ASKED: Readonly<Record<string, DeterminationId>> = {
  wallet: 'wallet',
  shill: 'shill-collusion',
  'shill-collusion': 'shill-collusion',
  pledge: 'double-pledge',
  'double-pledge': 'double-pledge',
  provenance: 'provenance',
  mandate: 'mandate-compliance',
  'mandate-compliance': 'mandate-compliance',
  price: 'price-intelligence',
  'price-intelligence': 'price-intelligence',
};

type Id = string | number | null;

/** One line of verdicts. */
export interface VerdictLine {
  readonly id: Id;
  readonly verdict: Verdict;
  readonly confidence: number;
  readonly checks: readonly { readonly id: string; readonly outcome: Outcome; readonly detail: string }[];
  readonly votes: readonly { readonly seat: string; readonly vote: Verdict }[];
}

/** A line that could not be judged: it has no verdict. */
export interface RefusedLine {
  readonly id: Id;
  readonly line: number;
  readonly error: { readonly field: string; readonly message: string };
}

/**
 * Judges one line of evidence by the rules of this release, also for its confidence. It reads nothing but the line: no chain, register or clock.
 * @param depth left out: the depth of the evidence, or 2-of-2 where a plain form has none
 */
export function evaluateLine(
  id: DeterminationId,
  text: string,
  line: number,
  depth?: Depth,
): VerdictLine | RefusedLine {
  let given: Id = null;
  try {
    const value = requireObject(parsed(text), 'line');
    given = idOf(value);
    const { verdict, confidence, checks, panel } = judge({ ...evidenceIn(id, value, depth), confidence: 2 });
    return {
      id: given,
      verdict,
      confidence,
      checks: checks.map(({ id: name, outcome, detail }) => ({ id: name, outcome, detail })),
      votes: panel.votes.map(({ seat, vote }) => ({ seat, vote })),
    };
  } catch (error) {
    const known = error instanceof FormError;
    const message = known ? error.message : 'cannot be judged: something in it has a form that no rule knows';
    return { id: given, line, error: { field: known ? error.field : 'evidence', message } };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormError('line', 'is not JSON');
  }
}

function idOf(value: Readonly<Record<string, unknown>>): Id {
  const found = value.id ?? value.recordId;
  return typeof found === 'string' || typeof found === 'number' ? found : null;
}

function evidenceIn(
  id: DeterminationId,
  value: Readonly<Record<string, unknown>>,
  depth: Depth | undefined,
): DeterminationEvidence {
  if (id === 'shill-collusion' && 'lots' in value) {
    const { common, at } = shillOfFile(value);
    return fromFile(id, common, { at, depth: depth ?? '2-of-2' });
  }
  if (id === 'price-intelligence' && 'subject' in value) {
    const { common, at } = priceOfFile(value);
    return fromFile(id, common, { at, depth: depth ?? '2-of-2' });
  }
  const evidence = readEvidence(id, partOf(id, value));
  return depth === undefined ? evidence : atDepth(evidence, depth);
}

/** The evidence itself, under `evidence`, or one of a record's `determinations`. */
function partOf(id: DeterminationId, value: Readonly<Record<string, unknown>>): unknown {
  const inside = 'evidence' in value ? requireObject(value.evidence, 'evidence') : value;
  if (!('determinations' in inside)) return inside;
  if (!Array.isArray(inside.determinations)) throw new FormError('determinations', 'must be a list');
  const own = inside.determinations.find((d) => (d as { id?: unknown } | null)?.id === id);
  if (own === undefined) throw new FormError('determinations', `holds no evidence of ${id}`);
  return own;
}
