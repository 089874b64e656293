import { DAY_MS } from '../../terms/instants.ts';
import type { Atom } from '../atom.ts';
import type { Fact } from '../facts.ts';

/** The end of the day that a date says, or the question that it leaves open. */
export function endOf(date: Atom): Fact[] {
  const reading = date.date!;
  if (reading.value === undefined)
    return [
      { fact: 'ask', reason: 'AMBIGUOUS_DATE', question: reading.question ?? `Which day is ${date.text}?` },
    ];
  const { ms, dateOnly } = reading.value;
  return [{ fact: 'ends', ms: dateOnly ? ms + DAY_MS - 1000 : ms, text: date.text }];
}
