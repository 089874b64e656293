import { type Ask, type Fact, factsOf, UNLISTED } from './facts.ts';

/** "Everything is fine" beside a list of goods, chains or counterparties that are allowed. */
export function widened(facts: readonly Fact[], ask: Ask): void {
  const all = factsOf(facts, 'anything');
  const places = facts.filter(({ fact }) => fact === 'chains' || fact === 'parties');
  const allowed = (fact: Fact) => 'deny' in fact && !fact.deny;
  const narrow = all.some(({ elsewhere }) => !elsewhere) && facts.some(allowed);
  // "Elsewhere" is where no place was denied.
  const nowhere = all.some(({ elsewhere }) => elsewhere) && (places.length === 0 || places.some(allowed));
  if (narrow || nowhere)
    ask(
      'NOT_UNDERSTOOD',
      'The text says what is allowed, and also that everything is. Which of the two is meant?',
    );
}

/** "Nothing else": of goods that are named nowhere it says nothing. */
export function closed(facts: readonly Fact[], ask: Ask): void {
  if (factsOf(facts, 'no-more-goods').length > 0 && !factsOf(facts, 'goods').some(({ deny }) => !deny))
    ask('NOT_UNDERSTOOD', 'The text forbids everything else. Which goods are allowed?');
  if (factsOf(facts, 'no-more-places').length > 0 && !factsOf(facts, 'chains').some(({ deny }) => !deny))
    ask('NOT_UNDERSTOOD', 'The text forbids other chains. Which chains are allowed?');
}

/** The facts without goods that no category stands for. Those are asked about, so no limit is tied to goods beside them. */
export function listed(facts: readonly Fact[]): readonly Fact[] {
  const none: readonly string[] = [UNLISTED];
  const unlisted = facts.some((fact) => fact.fact === 'goods' && fact.list.some((c) => none.includes(c)));
  if (!unlisted) return facts;
  return facts.flatMap((fact): readonly Fact[] => {
    if (fact.fact === 'holds-for') return [];
    if (fact.fact === 'cap') return [{ ...fact, goods: null }];
    if (fact.fact !== 'goods') return [fact];
    const list = fact.list.filter((category) => !none.includes(category));
    return list.length === 0 ? [] : [{ ...fact, list, only: false }];
  });
}
