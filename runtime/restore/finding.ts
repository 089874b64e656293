/** What the chain or the card processor has and a restored database lacks. */
export interface RestoreFinding {
  /** `done`: it is mended. `due`: a run that may change something mends it. `by-itself`: the service does. `by-hand`: a person. */
  readonly state: 'done' | 'due' | 'by-itself' | 'by-hand';
  readonly says: string;
}
