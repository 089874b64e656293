import type { Micro } from '../../money.ts';
import type { DateReading } from './date-reading.ts';

/** One unit of meaning, such as an amount, a date, a category or a limiting word, with the words it was read from. */
export interface Atom {
  readonly kind: string;
  readonly value: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The number of MONEY and NUMBER atoms, in millionths. */
  readonly micro?: Micro;
  readonly date?: DateReading;
  /** True for a word that forbids all that is listed behind its colon. */
  readonly heads?: true;
}
