/** A date the grammar can use. `ms` is the start of the day for a date without a time. */
export interface DateValue {
  readonly ms: number;
  readonly dateOnly: boolean;
}

/** A date expression: its value, or the question that it leaves open. */
export interface DateReading {
  readonly length: number;
  readonly value?: DateValue;
  readonly question?: string;
}
