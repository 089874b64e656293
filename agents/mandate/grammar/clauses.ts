import type { Atom } from './atom.ts';
import { sideOf } from './facts.ts';
import { type Nouns, nounsOf } from './frames/nouns.ts';
import { leadsPermission } from './leading-exceptions.ts';
import type { Item, ListKind } from './lists.ts';
import { endsSentence } from './sentences.ts';
import { type Headed, underRefusingHeads } from './standing-refusals.ts';
import type { Steps } from './steps.ts';

/**
 * How far a rule may look from the start of its clause, or from the end of a list in it. No phrase of the grammar is
 * that long, so longer clauses fail. Without a bound, rules would read the same words again from every place.
 */
export const HORIZON = 32;

/** Kinds of which a rule may need one, one bit each. */
const BITS: ReadonlyMap<string, number> = new Map(
  (
    'MONEY NUMBER ASK APPROVAL WITHOUT CHECK MARKET FACE MINIMUM UNDER ONCE TWICE SINGLE CURRENCY HEDGE DATE UNIT ' +
    'VAGUE NOEND CATEGORY CHAIN PARTY ANY VERB UNJUDGED TOPIC TAINT'
  )
    .split(' ')
    .map((kind, at) => [kind, 1 << at] as const),
);

/** The bits of several kinds. */
export function bitsOf(...kinds: readonly string[]): number {
  return kinds.reduce((bits, kind) => bits | BITS.get(kind)!, 0);
}

/**
 * The atoms of one text, with what rules ask about other places: what follows within the horizon, what came earlier in
 * the sentence, and lists, read once for each place. Each is found in one pass.
 */
export class Clauses {
  readonly atoms: readonly Atom[];
  readonly steps: Steps;
  /** The list that begins at each place, by kind; null when none does. */
  readonly lists: ReadonlyMap<ListKind, Map<number, Item | null>> = new Map(
    (['goods', 'chains', 'parties'] as const).map((kind) => [kind, new Map()]),
  );
  readonly #ahead: Int32Array;
  readonly #only: Uint8Array;
  readonly #forbids: Uint8Array;
  readonly #limits: Uint8Array;
  readonly #denies: Uint8Array;
  readonly #caps: Uint8Array;
  readonly #rules: Uint8Array;
  readonly #cases: Uint8Array;
  readonly #headed: readonly Headed[];
  readonly #led: ReturnType<typeof ledSides>;
  #sells: boolean | null = null;
  #deed: string | null = null;
  #nouns: Nouns | null = null;

  constructor(atoms: readonly Atom[], steps: Steps) {
    steps.take(9 * atoms.length);
    this.atoms = atoms;
    this.steps = steps;
    this.#ahead = ahead(atoms);
    this.#only = earlier(atoms, (atom) => atom.kind === 'ONLY');
    this.#forbids = earlier(
      atoms,
      (atom) => atom.kind === 'NEG' || (atom.kind === 'LIMIT' && /^n/i.test(atom.text)),
    );
    this.#denies = earlier(atoms, (atom) => DENYING.has(atom.kind));
    this.#caps = earlier(atoms, (atom) => atom.kind !== 'EXCEPT' && LIMITING.has(atom.kind), goesOn);
    this.#led = ledSides(atoms);
    this.#headed = underRefusingHeads(atoms);
    this.#limits = earlier(atoms, (atom) => LIMITING.has(atom.kind), goesOn);
    this.#rules = earlier(atoms, (atom) => RULING.has(atom.kind));
    this.#cases = earlier(atoms, (atom) => atom.kind === 'UNJUDGED');
  }

  /** True when one of the kinds, given as `bitsOf` makes them, occurs within the horizon of a place. */
  near(at: number, bits: number): boolean {
    return ((this.#ahead[at] ?? 0) & bits) !== 0;
  }

  /** True when "only" comes earlier in the sentence. */
  onlyBefore(at: number): boolean {
    return this.#only[at] === 1;
  }

  /** True when the sentence forbids something earlier. */
  forbiddenBefore(at: number): boolean {
    return this.#forbids[at] === 1;
  }

  /** True when a denial comes earlier in the sentence. */
  deniedBefore(at: number): boolean {
    return this.#denies[at] === 1;
  }

  /** True when a limit or a denial comes earlier in the sentence. */
  limitedBefore(at: number): boolean {
    return this.#limits[at] === 1;
  }

  /** True when a limit or a denial comes earlier in the sentence, other than one that leaves something out. */
  cappedBefore(at: number): boolean {
    return this.#caps[at] === 1;
  }

  /** True when a rule about asking, checks or a case comes earlier in the sentence. */
  ruledBefore(at: number): boolean {
    return this.#rules[at] === 1;
  }

  /** True when a rule for some cases comes earlier in the sentence. */
  casesBefore(at: number): boolean {
    return this.#cases[at] === 1;
  }

  /** The head that refuses what is listed behind its colon. */
  headedAt(at: number): Headed {
    return this.#headed[at] ?? null;
  }

  /** The side that "when buying," or "when selling," earlier in the sentence leads a place by. */
  ledBy(at: number): 'buy' | 'sell' | null {
    return this.#led[at] ?? null;
  }

  /** The nouns by which the text names goods. */
  get nouns(): Nouns {
    if (this.#nouns === null) {
      this.steps.take(this.atoms.length);
      this.#nouns = nounsOf(this.atoms);
    }
    return this.#nouns;
  }

  /** What the text has done with goods, as the verb of a sentence. */
  get deed(): string {
    if (this.#deed === null) {
      this.steps.take(this.atoms.length);
      const sides = new Set(
        this.atoms.flatMap(({ kind, value }, at) =>
          kind === 'VERB' && !this.deniedBefore(at) ? [sideOf(value)] : [],
        ),
      );
      const sells = sides.has('sell');
      this.#deed = sides.has('both') || (sells && sides.has('buy')) ? 'Buy and sell' : sells ? 'Sell' : 'Buy';
    }
    return this.#deed;
  }

  /** True when the text speaks of selling and of nothing else. */
  get onlySells(): boolean {
    if (this.#sells === null) {
      this.steps.take(this.atoms.length);
      const verbs = this.atoms.flatMap(({ kind, value }) =>
        kind === 'VERB' ? [sideOf(value)] : kind === 'SOLD' ? ['sell'] : kind === 'BOUGHT' ? ['buy'] : [],
      );
      this.#sells = verbs.length > 0 && verbs.every((side) => side === 'sell');
    }
    return this.#sells;
  }
}

const DENYING = new Set(['NEG', 'DENY', 'EXCEPT', 'OFF']);
const RULING = new Set(['ASK', 'APPROVAL', 'REQUIRE', 'COND', 'UNJUDGED', 'TOPIC', 'CHECK']);
/** What holds in some way. An exception behind it is one from the rule, and refuses nothing. */
const LIMITING = new Set(['NEG', 'DENY', 'EXCEPT', 'OFF', 'LIMIT', 'UNDER', ...RULING]);

/**
 * "The price must be clean. Except on Base": the sentence goes on, where "except: travel" is a label, and "buy anything,
 * 50 USDC at most. Except travel" takes away from what is bought.
 */
function goesOn(atoms: readonly Atom[], at: number): boolean {
  if (atoms[at + 1]?.kind !== 'EXCEPT' || atoms[at + 2]?.value === ':') return false;
  if (leadsPermission(atoms, at + 1)) return false;
  let allows = false;
  for (let place = at - 1; place >= 0 && !endsSentence(atoms[place]!); place--) {
    const { kind } = atoms[place]!;
    if (RULING.has(kind)) return true;
    if (ALLOWING.has(kind)) allows = true;
  }
  return !allows;
}

const ALLOWING = new Set(['VERB', 'ANY', 'CATEGORY', 'BOUGHT', 'SOLD', 'ALLOWED']);

/** For each place, the side that "when buying," or "when selling," earlier in its sentence leads it by. */
function ledSides(atoms: readonly Atom[]): readonly ('buy' | 'sell' | null)[] {
  let led: 'buy' | 'sell' | null = null;
  return atoms.map((atom, at) => {
    if (endsSentence(atom)) led = null;
    const [before, when, verb] = [atoms[at - 3], atoms[at - 2], atoms[at - 1]];
    const leads = when?.kind === 'COND' && (before === undefined || before.kind === 'SEP');
    if (!leads || verb?.kind !== 'VERB' || atom.kind !== 'SEP' || ![',', ':'].includes(atom.value))
      return led;
    const side = sideOf(verb.value);
    led = side === 'both' ? null : side;
    return led;
  });
}

/**
 * For each place, 1 when an earlier atom of the same sentence is marked.
 * @param joins whether the sentence goes on behind the sign at a place
 */
function earlier(
  atoms: readonly Atom[],
  marked: (atom: Atom) => boolean,
  joins: (atoms: readonly Atom[], at: number) => boolean = () => false,
): Uint8Array {
  const found = new Uint8Array(atoms.length + 1);
  for (let at = 0; at < atoms.length; at++) {
    const atom = atoms[at]!;
    const ends = endsSentence(atom) && !joins(atoms, at);
    found[at + 1] = ends ? 0 : marked(atom) ? 1 : found[at]!;
  }
  return found;
}

/**
 * For each place, the bits of the kinds within the horizon. They are joined within blocks from both ends, so that each
 * place costs two lookups.
 */
function ahead(atoms: readonly Atom[]): Int32Array {
  const length = atoms.length;
  const bit = (at: number): number => BITS.get(atoms[at]!.kind) ?? 0;
  const toEnd = new Int32Array(length);
  for (let at = length - 1; at >= 0; at--)
    toEnd[at] = bit(at) | ((at + 1) % HORIZON === 0 || at + 1 === length ? 0 : toEnd[at + 1]!);
  const fromStart = new Int32Array(length);
  for (let at = 0; at < length; at++) fromStart[at] = bit(at) | (at % HORIZON === 0 ? 0 : fromStart[at - 1]!);
  return toEnd.map((bits, at) => bits | (fromStart[Math.min(at + HORIZON, length) - 1] ?? 0));
}
