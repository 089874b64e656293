import { mandateCompliance } from '../mandate/mandate-compliance.ts';
import { doublePledge } from '../pledge/double-pledge.ts';
import { priceIntelligence } from '../price/price-intelligence.ts';
import { provenance } from '../provenance/provenance.ts';
import { shillCollusion } from '../shill/shill-collusion.ts';
import { coverageOf } from '../wallet/coverage.ts';
import { wallet } from '../wallet/wallet.ts';
import { confidenceOf } from './confidence.ts';
import { check, type Judging, type Opinion, type Step, voteOfChecks } from './judging.ts';
import { applyModelVeto } from './model-veto.ts';
import { decide, panelFor } from './panel.ts';
import { agreement, type Contradiction, contradictions, disputeSentence } from './readings.ts';
import type {
  Check,
  Determination,
  DeterminationEvidence,
  DeterminationId,
  Outcome,
  SeatReading,
  Source,
  TraceStep,
  Verdict,
  Vote,
} from './types.ts';

const JUDGES: Readonly<Record<DeterminationId, Judging<never, never>>> = {
  wallet,
  'shill-collusion': shillCollusion,
  'double-pledge': doublePledge,
  provenance,
  'mandate-compliance': mandateCompliance,
  'price-intelligence': priceIntelligence,
};

interface SeatVerdict extends Opinion {
  readonly reading: SeatReading;
  readonly checks: readonly Check[];
  /** The single steps of the rules, computed only when a trace is asked for. */
  readonly walk?: () => readonly Step[];
}

/**
 * Judges evidence. It is pure and total: the same evidence always gives the same determination. CLEAN needs the quorum
 * of the depth, no hard flag, and a PASS in every check, of which one is that the adversary found no adverse fact.
 */
export function judge(evidence: DeterminationEvidence, options: { trace?: boolean } = {}): Determination {
  const plan = panelFor(evidence.depth, evidence.models);
  const judging = JUDGES[evidence.id];
  const seated = plan.seats.map(
    (p) => evidence.seats.find((s) => s.seat === p.seat) ?? vacant(p.seat, p.method),
  );
  const verdicts = plan.seats.map((p, i) => {
    const reading = seated[i]!;
    if (p.base === undefined) return seatVerdict(judging, evidence, reading);
    const own = seatVerdict(judging, evidence, { ...reading, method: p.base });
    return { ...applyModelVeto(own, evidence, reading), reading };
  });
  const disputes = contradictions(seated);
  const checks = [
    ...mergeChecks(verdicts),
    ...agreement(seated, disputes, evidence),
    ...adverseFacts(verdicts, evidence),
  ];
  const hard = verdicts.some((v) => v.hard) || checks.some((c) => c.hard === true && c.outcome === 'FLAG');
  const voted = decide(
    verdicts.map((v) => v.vote),
    plan.quorum,
    hard,
  );
  const verdict = voted === 'CLEAN' ? voteOfChecks(checks) : voted;
  const silent = evidence.performer === 'EXECUTOR';
  const votes: Vote[] = verdicts.map((v) => ({
    seat: v.reading.seat,
    method: v.reading.method,
    source: heardBy(v.reading),
    vote: v.vote,
    ...(v.hard ? { hard: true as const } : {}),
    reasons: silent ? [] : v.reasons,
  }));
  return {
    id: evidence.id,
    verdict,
    confidence: confidenceOf(evidence, {
      ...{ verdict, votes, hard, checks, doubt: doubtIn(verdict, verdicts) },
      sample: sampleOf(judging, evidence),
    }),
    confidenceBasis: 'uncalibrated',
    checks,
    reasons: silent ? [] : reasons(verdict, checks, verdicts),
    ...(evidence.id === 'wallet' ? { coverage: coverageOf(evidence) } : {}),
    evidence,
    panel: {
      depth: evidence.depth,
      seats: plan.seats.length,
      quorum: plan.quorum,
      votes,
      dissent: dissent(verdict, verdicts, disputes),
      block: evidence.blocks,
      latencyMs: evidence.latencyMs,
    },
    ...(options.trace === true && !silent ? { trace: trace(verdicts) } : {}),
  };
}

function sampleOf(judging: Judging<unknown, unknown>, { common }: DeterminationEvidence): number | null {
  return judging.sample?.(common) ?? null;
}

/** The source that a seat read, and the model that heard it. */
function heardBy({ source, heard }: SeatReading): string {
  return heard === undefined ? source : `${source}; ${heard.by}`;
}

function vacant(seat: string, method: SeatReading['method']): SeatReading {
  return { seat, method, source: 'none', limit: '', facts: null, fault: 'the seat was never filled' };
}

function seatVerdict(
  judging: Judging<unknown, unknown>,
  evidence: DeterminationEvidence,
  reading: SeatReading,
): SeatVerdict {
  const { common, at, blocks, adversary: version = 1 } = evidence;
  if (reading.method === 'adversarial') {
    const readings = evidence.seats.filter((s) => s.method !== 'adversarial' && s.facts !== null);
    if (readings.length === 0) return unheard(reading, 'no seat read anything to argue from');
    return {
      reading,
      checks: [],
      ...judging.adversary({ common, at, blocks, version, readings: readings.map((s) => s.facts) }),
    };
  }
  if (reading.facts === null) return unheard(reading, reading.fault ?? 'it read nothing');
  const view = { common, facts: reading.facts, at, source: reading.source, limit: reading.limit, blocks };
  if (reading.method === 'statistics') return { reading, checks: [], ...judging.statistics(view) };
  const checks = judging.rules(view);
  return {
    reading,
    checks,
    vote: voteOfChecks(checks),
    hard: checks.some((c) => c.outcome === 'FLAG' && c.hard === true),
    reasons: checks.filter((c) => c.outcome !== 'PASS').map((c) => `${c.id}: ${c.detail}`),
    steps: checks.map((c) => ({
      claim: c.detail,
      rule: c.id,
      input: c.sources.map((s) => `${s.name} as of ${s.asOf}`).join('; '),
      outcome: c.outcome,
    })),
    walk: () => judging.walked?.(view) ?? [],
  };
}

function unheard(reading: SeatReading, why: string): SeatVerdict {
  return { reading, checks: [], vote: 'INCONCLUSIVE', hard: false, reasons: [why], steps: [] };
}

/**
 * Merges the seats' checks into one answer each: a FLAG of any seat stands, and what one seat could not read another
 * may have.
 */
function mergeChecks(verdicts: readonly SeatVerdict[]): Check[] {
  const rank: Readonly<Record<Outcome, number>> = { FLAG: 2, PASS: 1, INCONCLUSIVE: 0 };
  const merged = new Map<string, Check>();
  for (const next of verdicts.flatMap((v) => v.checks)) {
    const held = merged.get(next.id);
    if (held === undefined) {
      merged.set(next.id, next);
      continue;
    }
    const winner = rank[next.outcome] > rank[held.outcome] ? next : held;
    const hard = [held, next].some((c) => c.outcome === 'FLAG' && c.hard === true);
    const sources = distinct([...held.sources, ...next.sources]);
    merged.set(next.id, check(winner.id, winner.outcome, winner.detail, sources, { hard }));
  }
  return [...merged.values()];
}

function distinct(sources: readonly Source[]): Source[] {
  return [...new Map(sources.map((s) => [`${s.name}|${s.asOf}|${s.limit}`, s])).values()];
}

/**
 * What the adversary found against CLEAN, though all other seats may pass it. A gap that it names is no fact. Its vote
 * tells that it found nothing.
 */
function adverseFacts(verdicts: readonly SeatVerdict[], { adversary, at }: DeterminationEvidence): Check[] {
  const seat = verdicts.find((v) => v.reading.method === 'adversarial');
  if (adversary === undefined || seat?.facts === undefined || seat.facts.length === 0) return [];
  const source: Source = {
    name: seat.reading.source,
    asOf: at,
    limit: 'what the kept evidence shows; each fact can be looked up again where it says',
  };
  return [check('adverse-facts', 'FLAG', seat.facts.join('; '), [source])];
}

function dissent(
  verdict: Verdict,
  verdicts: readonly SeatVerdict[],
  disputes: readonly Contradiction[],
): string[] {
  const seats = verdicts
    .filter((v) => v.vote === 'INCONCLUSIVE' || v.vote !== verdict)
    .map((v) => {
      const said = v.vote === 'INCONCLUSIVE' ? 'could not say' : `voted ${v.vote}`;
      return `${v.reading.seat} ${said}${v.reasons.length > 0 ? `: ${v.reasons.join('; ')}` : ''}`;
    });
  return [...seats, ...disputes.map(disputeSentence)];
}

function reasons(verdict: Verdict, checks: readonly Check[], verdicts: readonly SeatVerdict[]): string[] {
  if (verdict === 'CLEAN') return checks.map((c) => `${c.id}: ${c.detail}`);
  const adverse = checks.filter((c) => c.outcome !== 'PASS').map((c) => `${c.id}: ${c.detail}`);
  const voted = verdicts
    .filter((v) => v.reading.method !== 'rules' && v.vote !== 'CLEAN')
    .map((v) => `${v.reading.seat}: ${v.reasons.join('; ')}`);
  const all = [...adverse, ...voted];
  return all.length > 0 ? all : verdicts.filter((v) => v.vote !== 'CLEAN').flatMap((v) => v.reasons);
}

/** What a CLEAN loses by what a seat found odd and did not flag. */
function doubtIn(verdict: Verdict, verdicts: readonly SeatVerdict[]): number {
  return verdict === 'CLEAN' ? Math.max(0, ...verdicts.map((v) => v.doubt ?? 0)) : 0;
}

function trace(verdicts: readonly SeatVerdict[]): TraceStep[] {
  const steps = verdicts.flatMap((v) =>
    [...v.steps, ...(v.walk?.() ?? [])].map((s: Step) => ({ seat: v.reading.seat, ...s })),
  );
  return steps.map((s, i) => ({ step: i + 1, ...s }));
}
