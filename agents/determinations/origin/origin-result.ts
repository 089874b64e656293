import { voteOfChecks } from '../panel/judging.ts';
import { readHost } from './host.ts';
import { type OriginEvidence, originChecks } from './origin.ts';
import type { OriginResult } from './origin-shape.ts';

/** The verdict on an origin: one FLAG flags it, and without a usable list nothing is known of it. */
export function judgeOrigin(evidence: OriginEvidence, at: string): OriginResult {
  const checks = originChecks(evidence, at);
  const lists = [...evidence.phishing.lists, ...evidence.known.lists].filter((list) => list.rows > 0);
  return {
    host: readHost(evidence.given).host,
    verdict: voteOfChecks(checks),
    reasons: checks.filter((c) => c.outcome !== 'PASS').map((c) => `${c.id}: ${c.detail}`),
    checks: checks.map(({ id, outcome, detail }) => ({ id, outcome, detail })),
    lists: lists.map(({ name, asOf, undated, rows, root, synthetic }) => ({
      ...{ name, asOf: undated === true ? null : asOf, size: rows },
      ...{ root: root ?? null, synthetic: synthetic === true },
    })),
  };
}
