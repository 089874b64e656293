/** What one look found. */
export interface Finding {
  /** What was looked at, in a few words. */
  readonly of: string;
  /** `left-out`: it could not be looked at, because something before it is wrong or nothing runs. */
  readonly state: 'well' | 'doubtful' | 'wrong' | 'left-out';
  readonly says: string;
  /** What to do; only of what is doubtful or wrong. */
  readonly remedy?: string;
}

export const well = (of: string, says: string): Finding => ({ of, state: 'well', says });
export const doubtful = (of: string, says: string, remedy: string): Finding => ({
  ...{ of, state: 'doubtful', says, remedy },
});
export const wrong = (of: string, says: string, remedy: string): Finding => ({
  ...{ of, state: 'wrong', says, remedy },
});
export const leftOut = (of: string, says: string): Finding => ({ of, state: 'left-out', says });
