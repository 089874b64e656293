import type { OnInconclusive } from '../../../deal/effect.ts';
import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import { type Fact, sideOf } from '../facts.ts';
import { asksOwner } from './approval-rules.ts';

/** What is to be done; null where that is not said, or more than one thing is. */
export function choiceSaid(c: Cursor): OnInconclusive | null {
  // "The sale shall be stopped".
  if ((c.sees('DEAL') || c.sees('VERB', ['buy', 'sell'])) && c.sees('HALT', [], 1)) c.skip();
  const negated = c.eat('NEG') !== null;
  c.eat('ONLY', 'just');
  const goes = c.eat('GOON') ?? c.eat('APPROVAL', 'go ahead', 'go-ahead') ?? c.attempt(goOn);
  if (goes !== null) {
    object(c);
    return negated ? 'stop' : 'proceed';
  }
  // "If the price can't be judged, don't."
  if (negated)
    return (c.atBreak && /^(?:don['’]?t|do not)$/i.test(c.peek(-1)!.text)) || c.attempt(undone) !== null
      ? 'stop'
      : null;
  if (
    (c.eat('HALT') ??
      c.eat('ENDS', 'stop', 'stop it', 'end it', 'kill it') ??
      c.eat('DENY') ??
      c.eat('OFF', ...DECLINED) ??
      c.attempt(passes)) !== null
  ) {
    object(c);
    return 'stop';
  }
  if (asksOwner(c)) {
    object(c);
    return 'ask';
  }
  return null;
}

/** "Don't do the deal", "don't buy it": nothing is said of what else is not to be done. */
function undone(c: Cursor): true | null {
  if (c.eat('KEEP', 'do', 'make', 'take', 'accept', 'close') === null) {
    const verb = c.eat('VERB');
    if (verb === null || !UNDONE.test(verb.text)) return null;
  }
  c.eatAll('ART');
  c.eat('DEAL', 'deal', 'item') ?? c.eat('ANY', 'anything');
  return c.atBreak || c.sees('COND', ['if', 'when', 'whenever', 'where']) ? true : null;
}

const UNDONE = /^(?:buy|purchase|sell|trade|bid)$/i;

/** "Anything inconclusive is to be declined". */
const DECLINED = ['is', 'are', 'must', 'should', 'shall'].flatMap((be) =>
  ['declined', 'refused', 'rejected', 'turned down', 'skipped'].map(
    (done) => `${be} ${be === 'is' || be === 'are' ? 'to ' : ''}be ${done}`,
  ),
);

/** "Pass": what the agent does, where "it passes" is said of the thing. */
function passes(c: Cursor): true | null {
  return c.eat('PASS', 'pass') !== null && (c.atBreak || c.sees('PREP', ['on'])) ? true : null;
}

/** Two words that elsewhere part: what agents bid may "go on" paintings. */
function goOn(c: Cursor) {
  return c.eat('KEEP', 'go') && c.eat('PREP', 'on');
}

/** "… with the deal". */
function object(c: Cursor): void {
  c.attempt((at) => {
    at.eat('PREP', 'with', 'on', 'about');
    at.eatAll('ART', 'PER');
    return at.eat('DEAL');
  });
}

/** "Don't buy": where the agent sells as well, it may be said of one of the two. */
export function undoneSides(atoms: readonly Atom[]): Fact[] {
  return atoms.flatMap(({ kind, value, text }, at): Fact[] => {
    const side = kind === 'VERB' && atoms[at - 1]?.kind === 'NEG' ? sideOf(value) : 'both';
    return side === 'both' ? [] : [{ fact: 'about', side, words: text, limit: false }];
  });
}
