import type { Atom } from './atoms.ts';

/** How far one clause may reach. Longer ones fail, which keeps reading linear in the length of the text. */
const HORIZON = 240;

/** A place in the atoms that rules move along. A rule that does not match leaves it where it was. */
export class Cursor {
  readonly atoms: readonly Atom[];
  at: number;
  readonly #end: number;

  constructor(atoms: readonly Atom[], at = 0) {
    this.atoms = atoms;
    this.at = at;
    this.#end = at + HORIZON;
  }

  peek(ahead = 0): Atom | undefined {
    return this.at + ahead < this.#end ? this.atoms[this.at + ahead] : undefined;
  }

  /** True when the atom `ahead` is of the kind, and one of the values when any are given. */
  sees(kind: string, values: readonly string[] = [], ahead = 0): boolean {
    const atom = this.peek(ahead);
    return (
      atom?.kind === kind && (values.length === 0 || values.includes(atom.value || atom.text.toLowerCase()))
    );
  }

  eat(kind: string, ...values: readonly string[]): Atom | null {
    return this.sees(kind, values) ? this.atoms[this.at++]! : null;
  }

  /** Eats as many atoms of these kinds as stand here. */
  eatAll(...kinds: readonly string[]): number {
    const from = this.at;
    while (kinds.includes(this.peek()?.kind ?? '')) this.at++;
    return this.at - from;
  }

  word(text: string): boolean {
    return this.peek()?.text.toLowerCase() === text;
  }

  get ended(): boolean {
    return this.at >= this.atoms.length;
  }

  /** At the end, or before something that parts clauses. */
  get atBreak(): boolean {
    return this.ended || this.sees('SEP');
  }

  /** Runs a rule; when it answers null the cursor goes back. */
  attempt<T>(rule: (cursor: Cursor) => T | null): T | null {
    const from = this.at;
    const result = rule(this);
    if (result === null) this.at = from;
    return result;
  }
}
