import type { Atom } from './atom.ts';
import { type Clauses, HORIZON } from './clauses.ts';
import type { Item } from './lists.ts';

/** A position in the atoms, which rules move forward. A rule that does not match leaves it unchanged. */
export class Cursor {
  readonly clauses: Clauses;
  readonly atoms: readonly Atom[];
  at: number;
  #end: number;

  constructor(clauses: Clauses, at = 0) {
    this.clauses = clauses;
    this.atoms = clauses.atoms;
    this.at = at;
    this.#end = at + HORIZON;
  }

  peek(ahead = 0): Atom | undefined {
    return this.at + ahead < this.#end ? this.atoms[this.at + ahead] : undefined;
  }

  /** True when the atom at offset `ahead` is of the kind, and has one of the values if any are given. */
  sees(kind: string, values: readonly string[] = [], ahead = 0): boolean {
    const atom = this.peek(ahead);
    return (
      atom?.kind === kind && (values.length === 0 || values.includes(atom.value || atom.text.toLowerCase()))
    );
  }

  eat(kind: string, ...values: readonly string[]): Atom | null {
    return this.sees(kind, values) ? this.#next() : null;
  }

  /** Consumes atoms of these kinds as long as they follow. */
  eatAll(...kinds: readonly string[]): number {
    const from = this.at;
    while (kinds.includes(this.peek()?.kind ?? '')) this.#next();
    return this.at - from;
  }

  /**
   * Consumes a list that was read before. The horizon then counts from the list's end, as if the clause began there.
   */
  take(list: Item): Item {
    this.clauses.steps.take();
    this.at = list.end;
    this.#end = this.at + HORIZON;
    return list;
  }

  /** Moves past atoms that were already looked at. */
  skip(atoms = 1): true {
    this.clauses.steps.take(atoms);
    this.at += atoms;
    return true;
  }

  get ended(): boolean {
    return this.at >= this.atoms.length;
  }

  /** True at the end, or before something that separates clauses. */
  get atBreak(): boolean {
    return this.ended || this.sees('SEP');
  }

  /** Runs a rule, and moves the cursor back when the rule returns null. */
  attempt<T>(rule: (cursor: Cursor) => T | null): T | null {
    const [from, end] = [this.at, this.#end];
    const result = rule(this);
    if (result === null) [this.at, this.#end] = [from, end];
    return result;
  }

  #next(): Atom {
    this.clauses.steps.take();
    return this.atoms[this.at++]!;
  }
}
