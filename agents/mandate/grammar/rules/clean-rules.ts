import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { CLEAN_TOPICS } from './check-rules.ts';

/**
 * "Price, bidding and provenance must all be clean", "a clean price, a clean provenance and clean bidding are required":
 * several determinations by their names alone.
 */
export function cleanTopicsClause(c: Cursor): Fact[] | null {
  const before = c.peek(-1);
  if (before !== undefined && before.kind !== 'SEP') return null;
  const asked = c.sees('PASS');
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
  const said = asked ? c.eat('REQUIRE') : c.eat('PASS');
  if (said === null || !(asked || /\bclean$/i.test(said.text)) || !c.atBreak) return null;
  return [{ fact: 'clean', names: [...names].sort() }];
}

function joined(c: Cursor): boolean {
  const comma = c.eat('SEP', ',');
  return c.eat('SEP', 'and', '&') !== null || comma !== null;
}
