import { Type } from 'typebox';
import { panelFor } from '../determinations/panel/panel.ts';
import { RULES_OF_NOW } from '../determinations/panel/rules-of-now.ts';
import type {
  Depth,
  DeterminationEvidence,
  DeterminationId,
  SeatReading,
} from '../determinations/panel/types.ts';
import { evidenceForms } from './evidence-forms.ts';
import { FormError, requireForm, requireObject, requireTime } from './form.ts';

const closed = { additionalProperties: false } as const;
const Text = Type.String();
const Methods = Type.Enum(['rules', 'statistics', 'adversarial', 'llm']);
const Block = Type.Object({ number: Text, hash: Text, at: Text }, closed);
const Seat = Type.Object(
  {
    ...{ seat: Text, method: Methods, source: Text, limit: Text },
    ...{
      facts: Type.Unknown(),
      fault: Type.Union([Text, Type.Null()]),
      heard: Type.Optional(Type.Unknown()),
    },
  },
  closed,
);
const Envelope = Type.Object(
  {
    ...{ id: Text, rules: Type.Literal(1), at: Text, performer: Type.Enum(['AGENT', 'EXECUTOR']) },
    depth: Type.Union([Type.Enum(['1-of-1', '2-of-2', 'superconsensus']), Type.Null()]),
    adversary: Type.Optional(Type.Union([Type.Literal(2), Type.Literal(3)])),
    confidence: Type.Optional(Type.Literal(2)),
    agreement: Type.Optional(Type.Literal(2)),
    models: Type.Optional(Type.Integer({ minimum: 0 })),
    ...{ common: Type.Object({}), blocks: Type.Record(Text, Block), seats: Type.Array(Seat) },
    latencyMs: Type.Optional(Type.Number()),
  },
  closed,
);

/**
 * Reads one determination's evidence as a record keeps it.
 * @throws FormError naming the first field that has the wrong form
 */
export function readEvidence(id: DeterminationId, value: unknown): DeterminationEvidence {
  const given = requireObject(value, 'evidence');
  requireForm(Envelope, given, '');
  const evidence = value as DeterminationEvidence;
  if (evidence.id !== id) throw new FormError('id', `must be ${id}: the determination that was asked for`);
  requireTime(evidence.at, 'at');
  const forms = evidenceForms(id, requireObject(evidence.common, 'common'));
  requireForm(forms.common, evidence.common, 'common');
  for (const [i, seat] of evidence.seats.entries())
    if (seat.facts !== null) requireForm(forms.facts, seat.facts, `seats.${i}.facts`);
  return { ...evidence, latencyMs: evidence.latencyMs ?? 0 };
}

/**
 * The same evidence for another panel: each seat judges what was read through its own client. A seat whose client read
 * nothing stays empty, and an empty seat never says CLEAN. Models are left out.
 */
export function atDepth(evidence: DeterminationEvidence, depth: Depth): DeterminationEvidence {
  const { models: _, ...rest } = evidence;
  const seats = panelFor(depth).seats.flatMap(({ seat, method, client }): SeatReading[] => {
    if (client === 'all')
      return [
        { ...{ seat, method, source: "every other seat's reading" }, limit: '', facts: null, fault: null },
      ];
    const read = evidence.seats.find((s) => s.method !== 'adversarial' && s.seat.endsWith(`/${client}`));
    return read === undefined ? [] : [{ ...withoutModel(read), seat, method }];
  });
  return { ...rest, performer: 'AGENT', depth, seats };
}

function withoutModel({ heard: _, ...reading }: SeatReading): SeatReading {
  return reading;
}

/** Evidence of which no chain is read: every seat judges the same file. */
export function fromFile(
  id: DeterminationId,
  common: object,
  { at, depth }: { readonly at: string; readonly depth: Depth },
): DeterminationEvidence {
  const seats = panelFor(depth).seats.map(
    ({ seat, method }): SeatReading => ({
      ...{ seat, method, source: 'the file', limit: 'all seats rest on this one file' },
      ...{ facts: method === 'adversarial' ? null : {}, fault: null },
    }),
  );
  return {
    id,
    ...RULES_OF_NOW,
    at,
    performer: 'AGENT',
    depth,
    common,
    blocks: {},
    seats,
    latencyMs: 0,
  };
}
