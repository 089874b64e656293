import type { Atom } from './atom.ts';
import { NAMING } from './atom-kinds.ts';
import { answers } from './beside-refused.ts';
import { bitsOf, Clauses } from './clauses.ts';
import { cover, type Found, settled } from './cover.ts';
import { Cursor } from './cursor.ts';
import type { Fact } from './facts.ts';
import { askedWhetherGoods } from './names-as-goods.ts';
import { about, aside } from './one-sided.ts';
import { behindGoods, fromThem, inOtherCases } from './other-cases.ts';
import { refusedOn } from './refused-on.ts';
import { approvalClause } from './rules/approval-rules.ts';
import { capClause } from './rules/cap-rules.ts';
import { checkClause, taintClause } from './rules/check-rules.ts';
import { cleanTopicsClause, uncleanClause } from './rules/clean-rules.ts';
import { countClause, lastDealClause, otherPeriodClause } from './rules/count-rules.ts';
import { anythingClause, elsewhereClause, nothingElseClause } from './rules/everything-rules.ts';
import { heldForOne } from './rules/exceptions.ts';
import { freedFromLimit } from './rules/freed-from-limits.ts';
import { allowClause, denyClause, markedClause } from './rules/list-rules.ts';
import { asAreClause, othersOffClause } from './rules/marked-rules.ts';
import { narrowedRule } from './rules/narrowed-rules.ts';
import { neitherClause } from './rules/over-rules.ts';
import { minimumClause, percentClause, rangeClause } from './rules/price-rules.ts';
import { refusedPriceClause } from './rules/refused-prices.ts';
import {
  currencyClause,
  neverSideClause,
  passiveClause,
  sideClause,
  whenBuyingClause,
} from './rules/side-rules.ts';
import { startClause } from './rules/start-rules.ts';
import { beforeClause, endClause, endlessClause } from './rules/time-rules.ts';
import { uncappedClause, vagueAmountClause } from './rules/uncapped-rules.ts';
import { unjudgedClause } from './rules/unjudged-rules.ts';
import { whenTradingClause } from './rules/when-trading-rules.ts';
import { sentencesOf } from './sentences.ts';
import { withNouns } from './sides-apart.ts';
import type { Said, Standing } from './standing.ts';
import { AT_START, standingAfter } from './standing-refusals.ts';
import type { Steps } from './steps.ts';

interface Rule {
  readonly read: (cursor: Cursor) => Fact[] | null;
  /** The kinds that its clause may begin with; any kind when left out. */
  readonly first?: ReadonlySet<string>;
  /** Sets of kinds. Of each set, one kind must occur within the horizon, or the rule is not tried. */
  readonly needs: readonly number[];
}

function rule(read: Rule['read'], first: string | null, ...needs: readonly (readonly string[])[]): Rule {
  return {
    read,
    ...(first === null ? {} : { first: new Set(first.split(' ')) }),
    needs: needs.map((kinds) => bitsOf(...kinds)),
  };
}

const AMOUNT = ['MONEY', 'NUMBER'];
const LIMITER = 'LIMIT UNDER NEG DENY';
const SCOPING = 'SCOPE PREP UNDER BETWEEN PER ART SINGLE NUMBER';
const LISTED = 'CATEGORY MODIFIER ITEM CHAIN PARTYWORD PARTY';

/** In order of preference: of the longest matches, the first one wins. */
const RULES: readonly Rule[] = [
  rule(
    approvalClause,
    `ASK ME APPROVAL REQUIRE VERB PREP BEFORE ONCE ANY DEAL GEN ART PER SINGLE KEEP SCOPE_NONE COND ABOVE ${LIMITER}`,
    ['ASK', 'APPROVAL', 'WITHOUT'],
    AMOUNT,
  ),
  rule(unjudgedClause, null, ['UNJUDGED']),
  rule(checkClause, null, ['CHECK', 'TOPIC']),
  rule(cleanTopicsClause, 'TOPIC ART PASS ONLY VERB DEAL GOON', ['TOPIC']),
  rule(uncleanClause, 'NEG DENY', ['TOPIC']),
  rule(taintClause, 'NEG DENY TAINT', ['TAINT']),
  rule(percentClause, null, ['MARKET', 'FACE']),
  rule(refusedPriceClause, 'DENY HALT COND KEEP ART DEAL ANY GEN PER ITEM PREP ABOVE', ['MARKET', 'FACE']),
  rule(minimumClause, 'VERB KEEP ART ANY DEAL GEN PER SINGLE PREP NEG DENY MINIMUM MONEY NUMBER', AMOUNT, [
    'MINIMUM',
    'UNDER',
  ]),
  rule(rangeClause, 'KEEP ART PREP BETWEEN', ['MONEY']),
  rule(countClause, `ONLY ONCE TWICE COUNT DEAL CAP KEEP ${LIMITER} ${SCOPING}`, [
    'ONCE',
    'TWICE',
    'NUMBER',
    'SINGLE',
  ]),
  rule(otherPeriodClause, 'NEG VERB SCOPE PREP PER UNDER BETWEEN', ['NUMBER'], ['VERB']),
  rule(lastDealClause, 'AFTER ENDS HALT', ['NUMBER']),
  rule(
    capClause,
    `COND UNIT DEAL VERB BUDGET CAP REQUIRE HEDGE KEEP ONLY MONEY ABOVE EXCEPT ${LIMITER} ${SCOPING}`,
    AMOUNT,
  ),
  rule(uncappedClause, 'NOCAP NEG'),
  rule(vagueAmountClause, `HEDGE ${LIMITER}`, ['HEDGE'], ['CURRENCY']),
  rule(endClause, 'DATE PREP SCOPE BUDGET ONLY ENDS UNTIL LIMIT UNDER BETWEEN ABOVE NEXT ART NUMBER', [
    'DATE',
    'UNIT',
    'VAGUE',
  ]),
  rule(endlessClause, 'ENDS NOEND', ['NOEND']),
  rule(neitherClause, 'NEG STARTS', ['DATE']),
  rule(startClause, 'PREP BETWEEN STARTS NOW AGO ONLY'),
  rule(beforeClause, 'ENDS BEFORE AFTER', ['DATE']),
  rule(denyClause, 'SEP LEAVE EXCEPT DENY NEG PARTYWORD CHAINWORD GEN', NAMING),
  rule(markedClause, `OFF ALLOWED ONLY GEN CHAINWORD PREP ${LISTED}`, NAMING),
  rule(allowClause, `ONLY BOUGHT DEAL ANY GEN PREP ART CHAINWORD ${LISTED}`, NAMING),
  rule(othersOffClause, 'OTHERTHAN', NAMING),
  rule(asAreClause, 'AS_ARE', NAMING),
  rule(anythingClause, 'PREP ANY', ['ANY']),
  rule(elsewhereClause, 'ELSEWHERE'),
  rule(nothingElseClause, 'DENY OFF NEG ANY', ['ANY']),
  rule(neverSideClause, 'NEG', ['VERB']),
  rule(currencyClause, 'MONEYWORD KEEP ONLY REQUIRE VERB PREP CURRENCY', ['CURRENCY']),
  rule(sideClause, 'ONLY PREP VERB', ['VERB']),
  rule(passiveClause, 'CATEGORY MODIFIER ITEM'),
  rule(whenBuyingClause, 'COND', ['VERB'], ['CATEGORY']),
  rule(whenTradingClause, 'COND', ['VERB'], AMOUNT),
];

const BY_FIRST = new Map<string, readonly Rule[]>();

/**
 * The rules whose clauses may begin with a kind. No clause begins with a separator, except with the "but" of "anything
 * but travel".
 */
function rulesFor(kind: string): readonly Rule[] {
  let rules = BY_FIRST.get(kind);
  if (rules === undefined) {
    rules = RULES.filter(({ first, read }) =>
      kind === 'SEP' ? read === denyClause : first === undefined || first.has(kind),
    );
    BY_FIRST.set(kind, rules);
  }
  return rules;
}

export interface Parse {
  readonly facts: readonly Fact[];
  /** Atoms that no rule consumed, by index. An accepted mandate has none. */
  readonly left: readonly number[];
}

/**
 * Divides each sentence into clauses. From left to right the longest clause at each place counts. A sentence that this
 * leaves open is searched for a division that leaves nothing open, with clauses whose parts may come in any order.
 */
export function parse(atoms: readonly Atom[], steps: Steps): Parse {
  const clauses = new Clauses(atoms, steps);
  const facts: Fact[] = [];
  const left: number[] = [];
  let standing = AT_START;
  for (const { from, to } of sentencesOf(atoms)) {
    const read = leftToRight(clauses, from, to, facts, standing);
    const open = read.left.length > 0 || !read.facts.every(settled);
    const whole = open ? searched(clauses, from, to, facts, standing) : null;
    facts.push(...(whole ?? read).facts);
    standing = (whole ?? read).standing;
    if (whole === null) left.push(...read.left);
  }
  return { facts, left };
}

/** What one sentence says, and what stands over the next. */
interface Sentence {
  readonly facts: readonly Fact[];
  readonly standing: Standing;
}

/**
 * @param before what the sentences before say
 * @param ended what stands when these were read
 */
function leftToRight(
  clauses: Clauses,
  from: number,
  to: number,
  before: readonly Fact[],
  ended: Standing,
): Sentence & Parse {
  const { atoms, steps } = clauses;
  const facts: Fact[] = [];
  const left: number[] = [];
  let standing = ended;
  let at = from;
  while (at < to) {
    const best = longest(rulesAt(clauses, at));
    if (best !== null) {
      steps.take(best.to - at);
      const clause = { ...best, at };
      const told = toldBy(clauses, standing, clause);
      facts.push(...told.facts);
      standing = told.standing;
      at = best.to;
      continue;
    }
    const kind = atoms[at]!.kind;
    if (
      kind !== 'SEP' &&
      kind !== 'ART' &&
      !fromThem(atoms, at, [...before, ...facts]) &&
      !inOtherCases(atoms, at, facts.length > 0 && !behindGoods(atoms, at) ? facts : before)
    )
      left.push(at);
    at++;
  }
  return { facts, left, standing };
}

/** Every clause that a rule reads from a place, in order of preference. */
function rulesAt(clauses: Clauses, at: number): Found[] {
  if (leftOut(clauses.atoms, at) || answers(clauses.atoms, at)) return [];
  if (heldForOne(clauses, at)) return [];
  const freed = narrowedRule(clauses, at) ?? freedFromLimit(clauses, at);
  if (freed !== null) return [freed];
  const found: Found[] = [];
  for (const { read, needs } of rulesFor(clauses.atoms[at]!.kind)) {
    clauses.steps.take();
    if (!needs.every((bits) => clauses.near(at, bits))) continue;
    const cursor = new Cursor(clauses, at);
    const facts = read(cursor);
    if (facts !== null && cursor.at > at) found.push({ to: cursor.at, facts });
  }
  return found;
}

/** "Anything but travel …": what stands behind the "but" is left out, and begins no clause of its own. */
function leftOut(atoms: readonly Atom[], at: number): boolean {
  const [before, ahead] = [atoms[at - 1], atoms[at - 2]];
  return (
    before?.kind === 'SEP' &&
    before.text.toLowerCase() === 'but' &&
    ['ANY', 'NEG', 'GEN'].includes(ahead?.kind ?? '')
  );
}

function longest(found: readonly Found[]): Found | null {
  return found.reduce<Found | null>((best, next) => (next.to > (best?.to ?? 0) ? next : best), null);
}

function searched(
  clauses: Clauses,
  from: number,
  to: number,
  before: readonly Fact[],
  ended: Standing,
): Sentence | null {
  const read = cover(
    clauses,
    from,
    to,
    (at) => rulesAt(clauses, at),
    (at) => at === from && inOtherCases(clauses.atoms, at, before),
  );
  if (read === null) return null;
  const facts: Fact[] = [];
  let standing = ended;
  for (const clause of read) {
    const told = toldBy(clauses, standing, clause);
    facts.push(...told.facts);
    standing = told.standing;
  }
  return { facts, standing };
}

/** What a clause says behind those before it. */
function toldBy(clauses: Clauses, standing: Standing, clause: Found & Said): Sentence {
  const asked = refusedOn(clauses, standing, clause);
  return {
    facts: asked ?? spanned(clauses, clause.at, clause),
    standing: standingAfter(clauses.atoms, standing, clause, asked !== null),
  };
}

/** The facts of a clause, with where its questions belong and the side that it speaks of. */
function spanned(clauses: Clauses, at: number, { to, facts }: Found): Fact[] {
  const { atoms } = clauses;
  const span = { start: atoms[at]!.start, end: atoms[to - 1]!.end };
  return [
    ...facts.map((fact) =>
      fact.fact === 'ask' ? { about: span, ...fact } : withNouns(fact, atoms.slice(at, to)),
    ),
    ...about(atoms.slice(at, to), facts),
    ...aside(clauses.ledBy(to - 1), atoms.slice(at, to), facts),
    ...askedWhetherGoods(clauses, atoms.slice(at, to), facts),
  ];
}
