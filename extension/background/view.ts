import type { Change, Finding } from '../reading/reading.ts';
import { amountWords } from '../reading/values.ts';
import type { AssetChangeAnswer, DeterminationAnswer, SimulationAnswer } from './service.ts';

/** What the extension's window shows. All of it is shown as text. */
export interface View {
  readonly title: string;
  readonly host: string;
  readonly verdict: 'CLEAN' | 'FLAGGED' | 'NOT CHECKED';
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  /** What is signed, where it is text. */
  readonly text: string | null;
  readonly notChecked: readonly string[];
  /** True where nothing can be chosen: it was refused. */
  readonly final: boolean;
}

/** A determination of the service as the window shows it. */
export interface DeterminationWords {
  readonly verdict: View['verdict'];
  readonly findings: readonly Finding[];
  /** What the service saw happen; null where it could not try. */
  readonly changes: readonly Change[] | null;
  readonly notChecked: readonly string[];
}

/** A FLAGGED that nothing but open checks caused is shown as not checked; any other FLAGGED as malicious. */
export function determinationWords(answer: DeterminationAnswer): DeterminationWords {
  const checks = answer.evidence?.checks ?? [];
  const flags = checks.filter(({ outcome }) => outcome === 'FLAG').map(({ detail }) => String(detail));
  const open = checks.filter(({ outcome }) => outcome === 'INCONCLUSIVE').map(({ detail }) => String(detail));
  const unchecked = answer.verdict === 'FLAGGED' && flags.length === 0 && open.length > 0;
  const stops = answer.verdict !== 'CLEAN' && !unchecked;
  const reasons = flags.length > 0 ? flags : answer.reasons.map(String);
  const { simulation } = answer;
  const tried = simulation?.outcome === 'success';
  const failed =
    simulation !== undefined && !tried ? [`The service could not try it out: ${simulation.reason}.`] : [];
  return {
    verdict: unchecked ? 'NOT CHECKED' : stops ? 'FLAGGED' : 'CLEAN',
    findings: stops ? reasons.map((text) => ({ level: 'stop', text })) : [],
    changes: tried ? changesOf(simulation, answer.assetChanges ?? []) : null,
    notChecked: [...(unchecked ? open : []), ...failed],
  };
}

function changesOf({ from, approvals }: SimulationAnswer, moved: readonly AssetChangeAnswer[]): Change[] {
  const mine = moved.filter(({ role }) => role === 'sender').map(changeWords);
  const allowed = approvals.filter(({ owner }) => owner === from).map(approvalWords);
  const all = [...mine, ...allowed];
  return all.length > 0
    ? all
    : [{ way: 'in', text: 'nothing, and nothing leaves, when the service tried it out.' }];
}

function approvalWords({ spender, token, amount, unlimited }: SimulationAnswer['approvals'][number]): Change {
  return {
    way: 'allow',
    text: `${spender} may take ${unlimited ? 'any amount' : amountWords(BigInt(amount))} of ${token}.`,
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
