import type { Category } from '../../../categories.ts';
import type { Atom } from '../atoms.ts';
import type { Cursor } from '../cursor.ts';
import { type Fact, sideOf } from '../facts.ts';
import { onlyFor } from './limit-ends.ts';

/** "If provenance is clean", without the word "check". */
const CLEAN_TOPICS = ['price-intelligence', 'provenance', 'shill-collusion', 'double-pledge'] as const;
const SUBJECT = ['DEAL', 'PARTYWORD', 'GEN', 'ANY', 'ART', 'PER'] as const;

/**
 * Reads which determinations must be clean: "only deal with wallets that pass the wallet check", "no deals with wallets
 * flagged by the wallet check", "require a clean provenance check". Passing words, failing words and negations must add
 * up to "only if clean"; anything else is left over and becomes a question.
 */
export function checkClause(c: Cursor): Fact[] | null {
  let negations = 0;
  let passing: boolean | null = null;
  let required = false;
  let names: string[] | null = null;
  let conditional = false;
  let stopped = false;
  let bought: Category[] | null = null;
  let verb: Atom | null = null;
  for (;;) {
    if (
      c.eat('NEG') !== null ||
      c.eat('DENY') !== null ||
      c.eat('WITHOUT', 'without', 'unless') !== null ||
      c.eat('EXCEPT') !== null
    )
      negations++;
    // "Unless provenance is clean, don't buy".
    else if (names !== null && passing !== null && negations <= 1 && c.attempt(stops) !== null) {
      negations++;
      stopped = true;
    } else if (c.eat('REQUIRE') !== null || c.eat('ONLY') !== null || ensured(c)) required = true;
    else if (c.eat('PASS') !== null) {
      if (passing === false) return null;
      passing = true;
    } else if (c.eat('FAIL') !== null) {
      if (passing === true) return null;
      passing = false;
    } else if (names === null && c.sees('CHECK')) names = checks(c);
    // "What passes provenance and the wallet check".
    else if (names === null && passing === true && c.sees('TOPIC', [...CLEAN_TOPICS])) names = checks(c);
    else if (names === null && c.sees('TOPIC', [...CLEAN_TOPICS]) && c.sees('PASS', [], 1))
      names = [c.eat('TOPIC')!.value];
    else if (c.sees('COND', ['if', 'when', 'where'])) {
      conditional = true;
      c.skip();
    } else if (verb === null && c.sees('VERB')) verb = c.eat('VERB');
    // "… before you buy any antique".
    else if (
      names !== null &&
      passing === true &&
      bought === null &&
      c.sees('PER') &&
      c.sees('CATEGORY', [], 1)
    ) {
      c.skip();
      bought = [c.eat('CATEGORY')!.value as Category];
    } else if (names !== null && c.atBreak) break;
    else if (
      c.eatAll(...SUBJECT) === 0 &&
      c.eat('MODIFIER', 'all', 'all of') === null &&
      c.eat('PREP', 'with', 'from', 'by', 'in', 'on', 'of', 'to', 'for') === null &&
      c.eat('AFTER') === null &&
      c.eat('SCOPE', 'deal') === null &&
      c.eat('SEP', ':') === null
    )
      break;
  }
  if (names === null || !c.atBreak) return null;
  // "1,000 USDC if the wallet check passes" would make a limit depend on the check. Only "only if" is a plain
  // requirement.
  if (conditional && !required && !stopped) return null;
  // Without a negation the check must pass; with one, what fails is refused. "No deals without a clean check" has two.
  const demands =
    passing === false
      ? negations === 1
      : passing === true
        ? negations === 0 || negations === 2
        : required && negations === 0;
  if (!demands) return null;
  const side = verb === null ? null : sideOf(verb.value);
  return [
    { fact: 'clean', names },
    ...(bought === null ? [] : onlyFor(bought, bought.join())),
    ...(side !== null && negations === 0
      ? [{ fact: 'side', side, spends: false, bare: true, goods: null } as const]
      : []),
  ];
}

/** "Never buy stolen goods", "nothing that is pledged twice": the determination that would find it must be clean. */
export function taintClause(c: Cursor): Fact[] | null {
  // "Stolen goods are off limits".
  const first = c.attempt((at) => (at.sees('TAINT') && at.sees('OFF', [], 1) ? at.eat('TAINT') : null));
  if (first !== null) {
    c.eat('OFF');
    return c.atBreak ? [{ fact: 'clean', names: [first.value] }] : null;
  }
  if ((c.eat('NEG') ?? c.eat('DENY')) === null) return null;
  while (c.eatAll(...SUBJECT) > 0 || c.eat('VERB', 'buy', 'both') !== null);
  const names = new Set<string>();
  do {
    c.eatAll(...SUBJECT);
    const taint = c.eat('TAINT');
    if (taint === null) return null;
    names.add(taint.value);
  } while (c.eat('OR') !== null);
  return c.atBreak ? [{ fact: 'clean', names: [...names].sort() }] : null;
}

/** What is not to be done then: ", don't buy", ", walk away". */
function stops(c: Cursor): true | null {
  if (c.eat('SEP', ',') === null) return null;
  return c.eat('HALT') !== null || (c.eat('NEG') !== null && c.eat('VERB') !== null) ? true : null;
}

/** "Make sure the wallet check is clean". */
function ensured(c: Cursor): boolean {
  return c.eat('KEEP', 'make sure', 'ensure', 'see to it') !== null;
}

function checks(c: Cursor): string[] {
  const found: string[] = [];
  for (;;) {
    found.push(...(c.eat('CHECK') ?? c.eat('TOPIC'))!.value.split(','));
    const more = c.attempt((at) => {
      const comma = at.eat('SEP', ',');
      if (at.eat('SEP', 'and') === null && at.eat('OR') === null && comma === null) return null;
      at.eat('ART');
      return at.sees('CHECK') || at.sees('TOPIC', [...CLEAN_TOPICS]) ? true : null;
    });
    if (more === null) return [...new Set(found)].sort();
  }
}
