import type { VerifyStep } from './verify.ts';

/** What became of a record after it was filed: it stays as it was hashed, and its verdict no longer counts. */
export type Withdrawal = 'retracted' | 'overturned';

/**
 * Why the verdict of a record no longer counts, as its document says; null where it does. The operator retracts, an
 * appeal overturns.
 */
export function withdrawalOf(document: {
  readonly retracted?: object;
  readonly overturned?: boolean;
}): Withdrawal | null {
  if (document.retracted !== undefined) return 'retracted';
  return document.overturned === true ? 'overturned' : null;
}

const TAKEN_BACK = 'the service took it back';

/** That a record was withdrawn, as a step that fails. No signature is on that, so that nothing else can fail by it. */
export function withdrawalSteps(document: Parameters<typeof withdrawalOf>[0]): VerifyStep[] {
  const how = withdrawalOf(document);
  if (how === null) return [];
  const why =
    how === 'retracted' ? `its operator retracted it${reasonOf(document)}` : 'an appeal overturned it';
  return [{ step: `${TAKEN_BACK}: ${why}`, ok: false }];
}

function reasonOf({ retracted }: Parameters<typeof withdrawalOf>[0]): string {
  const { reason } = retracted as { readonly reason?: unknown };
  return typeof reason === 'string' ? ` (${reason})` : '';
}

/** Whether a record is as it was filed, whether or not it was withdrawn since. */
export function isAsFiled(steps: readonly VerifyStep[]): boolean {
  return steps.every(({ step, ok }) => ok || step.startsWith(TAKEN_BACK));
}
