import type { Finding } from './campaign.ts';
import { apply, idOf } from './mutants.ts';

/** `N mutants, N caught, N equivalent, N survived`; what does not compile was never a mutant. */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (...kinds: readonly Finding['kind'][]) =>
    findings.filter(({ kind }) => kinds.includes(kind)).length;
  const stillborn = count('does-not-compile');
  return [
    `${findings.length - stillborn} mutants, ${count('caught')} caught,`,
    `${count('listed', 'same-code')} equivalent, ${count('survived')} survived`,
    `(${count('same-code')} of the equivalent compile to the same code; ${stillborn} more did not compile)`,
  ].join(' ');
}

/** A survivor's name, and its lines as they were and as they are. */
export function diffOf({ mutant }: Finding, sources: ReadonlyMap<string, Buffer>): string {
  const before = sources.get(mutant.file)!;
  const lines = (bytes: Buffer) => bytes.toString('utf8').split('\n');
  const [old, now] = [lines(before), lines(apply(before, mutant))];
  const first = mutant.line - 1;
  const last = before.subarray(0, mutant.end).toString('utf8').split('\n').length;
  const grown = now.length - old.length;
  return [
    idOf(mutant),
    `--- chain/contracts/${mutant.file}:${mutant.line}`,
    ...old.slice(first, last).map((line) => `-${line}`),
    ...now.slice(first, last + grown).map((line) => `+${line}`),
  ].join('\n');
}
