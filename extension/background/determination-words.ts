import type { Change, Finding, Power } from '../reading/reading.ts';
import { amountWords } from '../reading/values.ts';
import type { AssetChangeAnswer, DeterminationAnswer, SimulationAnswer } from './service.ts';

/** What the window says of a request, or of what was asked about it. */
export type Verdict = 'CLEAN' | 'FLAGGED' | 'NOT CHECKED';

/** A determination of the service as the window shows it. */
export interface DeterminationWords {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** What the service saw happen; null where it could not try. */
  readonly changes: readonly Change[] | null;
  readonly notChecked: readonly string[];
}

/** What several determinations on one request say: Clean where each is. */
export function wordsTogether(all: readonly DeterminationWords[]): DeterminationWords {
  const says = (verdict: Verdict) => all.some((one) => one.verdict === verdict);
  const texts = new Set(all.flatMap(({ findings }) => findings.map(({ text }) => text)));
  return {
    verdict: says('FLAGGED') ? 'FLAGGED' : says('NOT CHECKED') ? 'NOT CHECKED' : 'CLEAN',
    findings: [...texts].map((text) => ({ level: 'stop', text })),
    changes: all.length === 1 ? all[0]!.changes : null,
    notChecked: [...new Set(all.flatMap(({ notChecked }) => notChecked))],
  };
}

/**
 * A FLAGGED that nothing but open checks caused is shown as not checked; any other FLAGGED as malicious.
 * @param trial what it was asked to try out: an answer that tried out something else, or nothing, clears nothing
 */
export function determinationWords(answer: DeterminationAnswer, trial: Power | null): DeterminationWords {
  const checks = answer.evidence?.checks ?? [];
  const flags = checks.filter(({ outcome }) => outcome === 'FLAG').map(({ detail }) => String(detail));
  const open = checks.filter(({ outcome }) => outcome === 'INCONCLUSIVE').map(({ detail }) => String(detail));
  const unchecked = answer.verdict === 'FLAGGED' && flags.length === 0 && open.length > 0;
  const stops = answer.verdict !== 'CLEAN' && !unchecked;
  const reasons = flags.length > 0 ? flags : answer.reasons.map(String);
  const { simulation } = answer;
  const fault = trial === null ? null : faultOf(simulation, trial);
  return {
    verdict: stops ? 'FLAGGED' : unchecked || fault !== null ? 'NOT CHECKED' : 'CLEAN',
    findings: stops ? reasons.map((text) => ({ level: 'stop', text })) : [],
    // Of a power that is only signed nothing happens yet.
    changes:
      trial?.spender === null && fault === null ? changesOf(simulation!, answer.assetChanges ?? []) : null,
    notChecked: [...(unchecked ? open : []), ...(fault === null ? [] : [fault])],
  };
}

/** Why what the service tried out is not this transaction of this account; null where it is. */
function faultOf(simulation: SimulationAnswer | undefined, trial: Power): string | null {
  const { from } = trial.transaction;
  if (simulation === undefined) return 'The service did not try it out.';
  if (simulation.assumedSender !== false || simulation.from.toLowerCase() !== from)
    return 'The service tried it out for another account than the one that sends it.';
  if (simulation.outcome !== 'success') return `The service could not try it out: ${simulation.reason}.`;
  const { spender } = trial;
  const isGiven = simulation.approvals.some(
    (a) => a.owner === from && a.spender === spender && a.amount !== '0',
  );
  return spender === null || isGiven ? null : 'What it allows was not allowed when the service tried it out.';
}

export const NOTHING: readonly Change[] = [
  { way: 'in', text: 'nothing, and nothing leaves, when the service tried it out.' },
];

/** What the sender gains and loses, and what anybody else loses: a Safe's owner sends what the Safe pays. */
function changesOf(seen: SimulationAnswer, moved: readonly AssetChangeAnswer[]): Change[] {
  const { from, approvals, ownerChanges = [] } = seen;
  const isSender = ({ role }: AssetChangeAnswer) => role === 'sender';
  const others = moved.filter((change) => !isSender(change) && change.delta.startsWith('-'));
  return [
    ...moved.filter(isSender).map(changeWords),
    ...others.map((c): Change => ({ way: 'other', text: `${changeWords(c).text}, of ${c.party}` })),
    ...approvals
      .filter(({ owner, amount }) => owner === from || amount !== '0')
      .map((approval) => approvalWords(approval, from)),
    ...ownerChanges.map(({ contract, event, to }): Change => {
      return { way: 'allow', text: `${to ?? 'somebody else'} decides over ${contract} (${event}).` };
    }),
  ];
}

function approvalWords(given: SimulationAnswer['approvals'][number], from: string): Change {
  const { owner, spender, token, amount, unlimited } = given;
  const what = `${unlimited ? 'any amount' : amountWords(BigInt(amount))} of ${token}`;
  return {
    way: 'allow',
    text: `${spender} may take ${what}${owner === from ? '' : `, of ${owner}`}.`,
  };
}

function changeWords({ asset, delta }: AssetChangeAnswer): Change {
  const leaves = delta.startsWith('-');
  const amount = delta.replace('-', '');
  const decimals = asset.decimals ?? (asset.kind === 'native' ? 18 : null);
  const units = decimals === null ? `${amount} units` : decimal(amount, decimals);
  const token = asset.tokenId === null ? '' : `token ${asset.tokenId} `;
  const what =
    asset.kind === 'native' ? 'of the chain’s own coin' : `${asset.symbol ?? ''} ${token}(${asset.token})`;
  return { way: leaves ? 'out' : 'in', text: `${units} ${what}` };
}

function decimal(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || rest === '' ? whole : `${whole}.${rest}`;
}
