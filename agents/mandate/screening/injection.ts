import { Steps } from '../grammar/steps.ts';
import type { Question } from '../terms/schema.ts';
import {
  MARKUP,
  NAME_COMMANDS,
  type Pattern,
  type PatternGroup,
  THIRD_PARTY,
  TO_THE_READER,
} from './injection-patterns.ts';

/** Signs that no sentence needs. One look at each character: nothing in it repeats. */
const SIGNS =
  /[{}[\]`\\|^]|<\s?[/!?a-z]|&(?:#\d|#x|lt|gt|amp|quot|nbsp)|"\s?:\s?["\d]|\/\*|\*\/|-->|\/\/|===|---|##|~~~|\*\*|%[0-9a-f]{2}%[0-9a-f]{2}/i;
const SNAKE = /^[a-z]+_[a-z]+(?:_[a-z]+)?$/i;

const GROUPS: readonly PatternGroup[] = [MARKUP, THIRD_PARTY, TO_THE_READER];

/** The patterns that may begin with a word, each with the place of its group. */
const BY_WORD = new Map<string, { readonly group: number; readonly pattern: Pattern }[]>();
GROUPS.forEach(({ patterns }, group) => {
  for (const pattern of patterns)
    for (const word of new Set(pattern.first)) {
      const known = BY_WORD.get(word);
      if (known === undefined) BY_WORD.set(word, [{ group, pattern }]);
      else known.push({ group, pattern });
    }
});

const LONGEST_WORD = Math.max(...[...BY_WORD.keys()].map((word) => word.length));

const CAP_ONLY =
  /(?<!\d)(?<!\d[,.])(\$?\d[\d,.]{0,30}k?\s?(?:usdc|usd|dollars)?)\s?(?:per|a|each|every|\/)\s?(?:deal|transaction|purchase)/i;

/** Looks for text that is not a mandate but an attack on its reader. Runs on the raw text, before the grammar. */
export function suspectInjection(text: string, steps: Steps = Steps.for(text)): Question | null {
  steps.take(3 * text.length);
  const plain = oneSpace(text).replace(/'/g, '’');
  const group = gravestIn(plain, steps);
  if (group !== null)
    return { reason: 'INJECTION_SUSPECTED', question: named(GROUPS[group]!, oneSpace(text)) };
  if (blob(text))
    return {
      reason: 'INJECTION_SUSPECTED',
      question: 'The text holds encoded data. Please restate the mandate in plain sentences.',
    };
  return null;
}

/** Runs of white space as one character: a line end where the run holds one. */
function oneSpace(text: string): string {
  return text.replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));
}

/** The first of the groups that has a pattern in the text. */
function gravestIn(text: string, steps: Steps): number | null {
  if (SIGNS.test(text)) return 0;
  let gravest = GROUPS.length;
  const word = /\w+/g;
  for (let run = word.exec(text); run !== null && gravest > 0; run = word.exec(text)) {
    steps.take();
    const at = run.index;
    if (SNAKE.test(run[0])) return 0;
    if (run[0].length <= LONGEST_WORD)
      for (const { group, pattern } of BY_WORD.get(run[0].toLowerCase()) ?? []) {
        if (group >= gravest) continue;
        steps.take(pattern.reach);
        pattern.found.lastIndex = at;
        if (pattern.found.test(text)) gravest = group;
      }
    if (gravest > 1 && commands(text, at, run[0], steps)) gravest = 1;
  }
  return gravest < GROUPS.length ? gravest : null;
}

/** A name or an address that is said to do something: tried where one ends. */
function commands(text: string, at: number, word: string, steps: Steps): boolean {
  const end = at + word.length;
  const ends =
    (/^eth$/i.test(word) && /[a-z0-9-]\.$/i.test(text.slice(Math.max(0, at - 2), at))) ||
    (word.length >= 42 && /0x[0-9a-f]{40}$/i.test(word.slice(-42)));
  if (!ends) return false;
  steps.take(NAME_COMMANDS.reach);
  NAME_COMMANDS.found.lastIndex = end;
  return NAME_COMMANDS.found.test(text);
}

function named(group: PatternGroup, text: string): string {
  const cap = group === THIRD_PARTY ? CAP_ONLY.exec(text)?.[1]?.trim() : undefined;
  return cap === undefined
    ? group.question
    : `A mandate cannot give a third party authority to change it. Do you want the ${cap} cap only?`;
}

/** A long unbroken run that is neither an address nor a word. */
function blob(text: string): boolean {
  return text
    .split(/[\s,;:()"']+/)
    .some(
      (word) =>
        word.length >= 45 ||
        (word.length >= 24 && /[+/=]/.test(word) && /\d/.test(word)) ||
        /^[A-Za-z0-9+/]{20,}={1,2}$/.test(word),
    );
}
