import { expect, it } from 'vitest';
import { readMandate } from '../../agents/mandate/grammar/read.ts';
import { STEPS_A_CHARACTER, Steps } from '../../agents/mandate/grammar/steps.ts';
import { hostileTexts, repeated } from '../../agents/mandate/screening/hostile-texts.ts';

const REF = '2026-12-01T00:00:00Z';
const COUNT = 10_000;

it('ten thousand generated mandates stay within the budget of steps a character, and in proportion to their length', () => {
  let most = 0;
  let steepest = 0;
  const read = (text: string): { steps: number; why: string } => {
    const steps = new Steps(Number.POSITIVE_INFINITY);
    const answer = readMandate(text, REF, steps);
    most = Math.max(most, steps.taken / text.length);
    return { steps: steps.taken, why: answer.decision === 'REFUSE' ? answer.questions[0]!.reason : 'read' };
  };
  // A cut that leaves a quotation open spares its words: another cut close by shows what the text costs.
  const mostNear = (head: string, cycle: readonly string[]): number =>
    Math.max(...[700, 850, 1000].map((length) => read(repeated(head, cycle, length)).steps));
  for (const { head, cycle } of hostileTexts(COUNT, { seed: 2, from: 300 })) {
    const [short, long] = [repeated(head, cycle, 1000), repeated(head, cycle, 4000)];
    const [one, four] = [read(short), read(long)];
    const [few, many] = [one.steps, four.steps];
    // Where the short text was cut so that it is refused sooner, by another reason, its steps are no measure.
    if (one.why === four.why) {
      const times = many / few > 6 ? many / mostNear(head, cycle) : many / few;
      steepest = Math.max(steepest, times);
      expect(times, JSON.stringify({ head, cycle })).toBeLessThanOrEqual(6);
    }
    expect(few / short.length, JSON.stringify({ head, cycle })).toBeLessThanOrEqual(STEPS_A_CHARACTER);
    expect(many / long.length, JSON.stringify({ head, cycle })).toBeLessThanOrEqual(STEPS_A_CHARACTER);
  }
  process.stdout.write(
    `${COUNT} generated mandates: at most ${most.toFixed(1)} steps a character, ${steepest.toFixed(2)} times for four times the text\n`,
  );
}, 1_800_000);
