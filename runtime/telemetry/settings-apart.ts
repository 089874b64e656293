import type { ProcessRow } from '../../store/durable/processes.ts';

/** A setting that is not the same in all processes of one database. */
export interface SettingApart {
  readonly setting: string;
  /** Which process has what. */
  readonly says: string;
}

/** Seconds: as much as `HEAD_AGE_<chainId>` takes, and so no limit. */
export const NO_HEAD_AGE = 31_536_000;

const COMPARED = [
  ['CONFIRMATIONS_1002', ({ confirmations }) => String(confirmations)],
  ['HEAD_AGE_1002', ({ head_age_1002: age }) => ageInWords(age)],
  ['HEAD_AGE_84532', ({ head_age_84532: age }) => ageInWords(age)],
] as const satisfies readonly (readonly [string, (row: ProcessRow) => string])[];

/**
 * Finds what processes of one database take otherwise. Each goes on by its own: what one books another may wait for, in
 * vain.
 */
export function settingsApart(processes: readonly ProcessRow[]): SettingApart[] {
  return COMPARED.flatMap(([setting, shownBy]) => {
    const values = [...new Set(processes.map(shownBy))];
    if (values.length <= 1) return [];
    const told = values.map((value) => {
      const holders = processes.filter((row) => shownBy(row) === value);
      return `${value} in ${holders.map(({ host, pid }) => `process ${pid} on ${host}`).join(', ')}`;
    });
    return [{ setting, says: `${setting} is not the same in all processes: ${told.join('; ')}` }];
  });
}

const ageInWords = (seconds: number): string =>
  seconds >= NO_HEAD_AGE ? `no limit (${NO_HEAD_AGE})` : `${seconds} s`;
