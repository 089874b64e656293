import type { Category } from '../../../categories.ts';
import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import { type Fact, sideOf } from '../facts.ts';
import { namesAll } from '../frames/nouns.ts';
import { onlyFor } from './limit-ends.ts';

/** "If provenance is clean", without the word "check". */
export const CLEAN_TOPICS = [
  'price-intelligence',
  'provenance',
  'shill-collusion',
  'double-pledge',
  'mandate-compliance',
] as const;
const SUBJECT = ['DEAL', 'PARTYWORD', 'GEN', 'ANY', 'ART', 'PER'] as const;

/**
 * Reads which determinations must be clean: "only deal with wallets that pass the wallet check", "no deals with wallets
 * flagged by the wallet check", "require a clean provenance check". Passing words, failing words and negations must add
 * up to "only if clean"; anything else is left over and becomes a question.
 */
export function checkClause(c: Cursor): Fact[] | null {
  const from = c.at;
  let negations = 0;
  let passing: boolean | null = null;
  let required = false;
  let names: string[] | null = null;
  let conditional = false;
  let stopped = false;
  let bought: Category[] | null = null;
  let verb: Atom | null = null;
  c.attempt((at) => (beforeEach(at) && at.eat('SEP', ',') ? true : null));
  for (;;) {
    if (
      c.eat('NEG') !== null ||
      c.eat('DENY') !== null ||
      c.eat('WITHOUT', 'without', 'unless') !== null ||
      c.eat('EXCEPT') !== null ||
      (names !== null && passing === false && c.eat('OFF') !== null)
    )
      negations++;
    else if (names === null && wanted(c)) required = true;
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
    // "What passes provenance and the wallet check", "must be clean: provenance, wallet".
    else if (
      names === null &&
      (passing === true || (required && c.peek(-1)?.kind === 'SEP')) &&
      c.sees('TOPIC', [...CLEAN_TOPICS])
    )
      names = checks(c);
    else if (
      names === null &&
      c.sees('TOPIC', [...CLEAN_TOPICS]) &&
      (c.sees('PASS', [], 1) || (c.sees('REQUIRE', [], 1) && / (?:checked|verified)$/i.test(c.peek(1)!.text)))
    ) {
      // "Checked by the seller" is another's check.
      if (c.sees('PREP', ['by'], 2)) return null;
      names = [c.eat('TOPIC')!.value];
    } else if (c.sees('COND', ['if', 'when', 'where'])) {
      conditional = true;
      c.skip();
    } else if (names === null && listsChecks(c)) names = checks(c);
    // "Seek the provenance scan for each lamp".
    else if (names === null && c.sees('ASK', ['seek', 'request']) && c.sees('CHECK', [], 1)) {
      required = true;
      c.skip();
    } else if (names !== null && c.attempt(beforeEach) !== null) continue;
    else if (names !== null && c.sees('SCOPE') && /^on all /i.test(c.peek()!.text)) c.skip();
    else if (verb === null && c.sees('VERB')) verb = c.eat('VERB');
    // "Every watch that you buy must pass …".
    else if (names === null && bought === null && c.sees('PER') && c.sees('CATEGORY', [], 1)) {
      c.skip();
      bought = [c.eat('CATEGORY')!.value as Category];
    } else if (names !== null && c.attempt((at) => allOf(at, names!.length)) !== null) continue;
    // "… before you buy any antique".
    else if (
      names !== null &&
      (passing === true || required) &&
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
      c.eat('BOUGHT') === null &&
      c.eat('ME', 'i', 'we', 'first', 'beforehand', 'in advance', 'upfront', 'up front') === null &&
      c.eat('KEEP', ...HAPPENS) === null &&
      c.eat('SEP', ':') === null
    )
      break;
  }
  if (passing === true && c.attempt(orNot) !== null) required = true;
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
  // "Every watch must pass" says nothing of wine, which the text allows, too.
  if (bought !== null && !namesAll(c.clauses.nouns, c.atoms.slice(from, c.at))) return null;
  const side = verb === null ? null : sideOf(verb.value);
  return [
    { fact: 'clean', names },
    ...(bought === null ? [] : onlyFor(bought, bought.join())),
    ...(side !== null && negations === 0
      ? [{ fact: 'side', side, spends: false, bare: true, goods: null } as const]
      : []),
  ];
}

/** "… before any sale is made": then it is known. */
function beforeEach(c: Cursor): true | null {
  if (c.eat('BEFORE', 'before', 'prior to') === null || c.eatAll('PER', 'ANY', 'ART') === 0) return null;
  if (c.eat('DEAL') === null) return null;
  c.eat('KEEP');
  return c.atBreak ? true : null;
}

const HAPPENS = [
  ...['goes ahead', 'goes through', 'happens', 'happen', 'takes place', 'take place'],
  ...['be made', 'is made', 'be concluded', 'be entered into', 'be completed', 'be carried out', 'be closed'],
];

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
  c.eat('THEN');
  if (c.eat('HALT') !== null || c.eat('ENDS', ...CALLED_OFF) !== null) return true;
  return c.eat('NEG') !== null && c.eat('VERB') !== null ? true : null;
}

const CALLED_OFF = ['the deal is off', 'deal is off', 'it is off', 'that is off', "it's off", "that's off"];

/** ", or skip", "or no deal": what passing means anyway. */
function orNot(c: Cursor): true | null {
  c.eat('SEP', ',', '-');
  if (c.eat('OR') === null) return null;
  const not = c.eat('HALT') ?? c.eat('DENY') ?? (c.sees('DEAL', [], 1) ? c.eat('NEG', 'no') : null);
  if (not === null) return null;
  c.eat('DEAL');
  return c.atBreak ? true : null;
}

export const WANTING = /^(?:i|we)\b.* ?(?:want|need|like)$/i;

/** "I want the wallet check passed": no side is said by that. */
function wanted(c: Cursor): boolean {
  if (!c.sees('VERB', ['buy']) || !WANTING.test(c.peek()!.text)) return false;
  return c.sees('CHECK', [], 1) || c.sees('PASS', [], 1) || c.sees('CHECK', [], 2) ? c.skip() : false;
}

/** "Shill-collusion and price-intelligence checks": names, of which the last has the word. */
function listsChecks(c: Cursor): boolean {
  // "Wallet, double-pledge and provenance checks".
  const wallet = c.sees('PARTYWORD', ['wallet']) && c.sees('SEP', [',', 'and', '&'], 1);
  if (!wallet && !c.sees('TOPIC', [...CLEAN_TOPICS])) return false;
  for (let at = wallet ? 2 : 1; at < 10; at++) {
    if (c.sees('CHECK', [], at)) return /s$/i.test(c.peek(at)!.text);
    if (!['TOPIC', 'SEP', 'ART', 'OR'].includes(c.peek(at)?.kind ?? '')) return false;
  }
  return false;
}

/** ": all three", "= must pass": said of the names before. */
function allOf(c: Cursor, count: number): true | null {
  c.eat('SEP', ':', '-', ',');
  const all = c.eat('MODIFIER', 'all', 'all of') !== null;
  const number = all ? c.eat('NUMBER') : null;
  if (number !== null && number.micro !== BigInt(count) * 1_000_000n) return null;
  return c.peek(-1)?.kind !== 'CHECK' && (c.sees('PASS') || c.sees('REQUIRE')) ? true : null;
}

/** "Make sure the wallet check is clean". */
function ensured(c: Cursor): boolean {
  return c.eat('KEEP', 'make sure', 'ensure', 'see to it') !== null;
}

/** "… provenance, wallet" at the end of the names. */
function walletToo(c: Cursor): true | null {
  if (c.eat('SEP', ',', 'and') === null) return null;
  c.eat('SEP', 'and');
  return c.eat('PARTYWORD', 'wallet') !== null && c.atBreak ? true : null;
}

function checks(c: Cursor): string[] {
  const found: string[] = [];
  const first = c.attempt((at) => {
    if (at.eat('PARTYWORD', 'wallet') === null || at.eat('SEP') === null) return null;
    at.eat('SEP', 'and');
    return at.sees('CHECK') || at.sees('TOPIC', [...CLEAN_TOPICS]) ? true : null;
  });
  if (first !== null) found.push('wallet');
  for (;;) {
    found.push(...((c.eat('CHECK') ?? c.eat('TOPIC'))?.value.split(',') ?? []));
    const more = c.attempt((at) => {
      const comma = at.eat('SEP', ',');
      if (at.eat('SEP', 'and') === null && at.eat('OR') === null && comma === null) return null;
      at.eat('PREP', 'by', 'from', 'in');
      at.eat('ART');
      return at.sees('CHECK') || at.sees('TOPIC', [...CLEAN_TOPICS]) ? true : null;
    });
    if (more === null && c.attempt(walletToo) !== null) found.push('wallet');
    else if (more === null) return [...new Set(found)].sort();
  }
}
