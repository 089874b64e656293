/** The budget for reading a mandate, in steps for each character. */
export const STEPS_A_CHARACTER = 55;

/** Thrown within the reader when a text takes more steps than its length allows. */
export class TooHard extends Error {
  override readonly name = 'TooHard';
}

/**
 * Counts the work of reading one text. A step is one character, token, word of a phrase or atom that is looked at, or
 * one rule that is tried. A regular expression is charged for what it may look at, not for what it did. No clock is
 * used, so the same text takes the same steps on every machine.
 */
export class Steps {
  readonly budget: number;
  #taken = 0;

  constructor(budget: number) {
    this.budget = budget;
  }

  /** The budget of one text. */
  static for(text: string): Steps {
    return new Steps(text.length * STEPS_A_CHARACTER);
  }

  get taken(): number {
    return this.#taken;
  }

  /** @throws TooHard when the budget is exceeded */
  take(steps = 1): void {
    this.#taken += steps;
    if (this.#taken > this.budget) throw new TooHard();
  }
}
