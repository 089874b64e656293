import type { Cursor } from '../cursor.ts';
import { type Fact, type Side, sideOf } from '../facts.ts';
import { CLEAN_TOPICS } from './check-rules.ts';

/**
 * "Price, bidding and provenance must all be clean", "a clean price, a clean provenance and clean bidding are required":
 * several determinations by their names alone, also behind "only buy if".
 */
export function cleanTopicsClause(c: Cursor): Fact[] | null {
  const before = c.peek(-1);
  if (before !== undefined && before.kind !== 'SEP') return null;
  const side = c.attempt(onlyWhen);
  const asked = side === null && c.sees('PASS');
  const names = new Set<string>();
  do {
    c.eatAll('ART');
    if (asked && c.eat('PASS', 'a clean', 'clean') === null) return null;
    const topic = c.eat('TOPIC', ...CLEAN_TOPICS);
    if (topic === null) return null;
    names.add(topic.value);
  } while (joined(c));
  if (names.size < 2) return null;
  c.eat('MODIFIER', 'all');
  // "Price and provenance both required clean".
  if (!asked && c.sees('PASS', ['clean'], 1)) c.eat('REQUIRE', 'required');
  const said = asked ? c.eat('REQUIRE') : c.eat('PASS');
  if (said === null || !(asked || /\bclean$/i.test(said.text)) || !c.atBreak) return null;
  return [
    { fact: 'clean', names: [...names].sort() },
    ...(side === null || side === 'none'
      ? []
      : [{ fact: 'side', side, spends: false, bare: true, goods: null } as const]),
  ];
}

/** "Only buy if the price and the provenance are clean", and not "buy if". */
function onlyWhen(c: Cursor): Side | 'none' | null {
  const only = c.eat('ONLY', 'only') !== null;
  const verb = c.eat('VERB');
  if (verb !== null && !/^(?:buy|purchase|sell|trade)$/i.test(verb.text)) return null;
  if (verb === null && c.eat('DEAL', 'deal') === null && c.eat('GOON', 'proceed', 'continue') === null)
    return null;
  const met = only
    ? c.eat('COND', 'if', 'when', 'where')
    : c.eat('REQUIRE', 'only if', 'only when', 'only where');
  if (met === null) return null;
  return verb === null ? 'none' : sideOf(verb.value);
}

/** "Don't touch anything if the provenance isn't clean": what fails is refused. */
export function uncleanClause(c: Cursor): Fact[] | null {
  if ((c.eat('NEG') ?? c.eat('DENY')) === null) return null;
  c.eat('VERB', 'buy');
  if ((c.eat('ANY', 'anything') ?? c.eat('DEAL')) === null) return null;
  if (c.eat('COND', 'if', 'when', 'where') === null) return null;
  c.eatAll('ART');
  const topic = c.eat('TOPIC', ...CLEAN_TOPICS);
  const failed = topic === null ? null : c.eat('FAIL', "isn't clean", 'not clean', 'unclean');
  return failed !== null && c.atBreak ? [{ fact: 'clean', names: [topic!.value] }] : null;
}

function joined(c: Cursor): boolean {
  const comma = c.eat('SEP', ',');
  return c.eat('SEP', 'and', '&') !== null || comma !== null;
}
