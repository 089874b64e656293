import type { Change, Finding } from '../reading/reading.ts';
import type { AssetChangeAnswer, DeterminationAnswer } from './service.ts';

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

/** A determination of the service as the window shows it. A FLAGGED that only could not be checked says so. */
export function determinationWords(answer: DeterminationAnswer): {
  readonly verdict: 'CLEAN' | 'FLAGGED' | 'NOT CHECKED';
  readonly findings: readonly Finding[];
  readonly changes: readonly Change[] | undefined;
} {
  const open = answer.inconclusive ?? [];
  const reasons = answer.reasons.map(String);
  const onlyOpen =
    answer.verdict === 'FLAGGED' &&
    reasons.length > 0 &&
    reasons.every((r) => open.some((id) => r.startsWith(id)));
  const level = answer.verdict === 'FLAGGED' && !onlyOpen ? ('stop' as const) : ('note' as const);
  return {
    verdict: onlyOpen ? 'NOT CHECKED' : answer.verdict === 'CLEAN' ? 'CLEAN' : 'FLAGGED',
    findings: reasons.map((text) => ({ level, text })),
    changes: answer.assetChanges?.map(changeWords),
  };
}

function changeWords({ party, asset, delta }: AssetChangeAnswer): Change {
  const leaves = delta.startsWith('-');
  const amount = delta.replace('-', '');
  const units =
    asset.decimals === undefined || asset.decimals === null
      ? `${amount} units`
      : decimal(amount, asset.decimals);
  const what = asset.symbol ?? (asset.kind === 'native' ? 'of the chain’s own coin' : `of ${asset.token}`);
  return { way: leaves ? 'out' : 'in', text: `${party}: ${leaves ? '−' : '+'}${units} ${what}` };
}

function decimal(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0');
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || rest === '' ? whole : `${whole}.${rest}`;
}
