import type { Database } from './database.ts';
import { behindOnce } from './read-once.ts';

/**
 * One of several who ask the same of a database at one moment, each about keys of its own, as both sides of a deal do of
 * each other's accounts. They wait for one another, and ask about all of them in one statement.
 */
export interface Party {
  /**
   * Asks `question` about these keys together with the others, once each of them asks it as well or has left.
   * @param ask asks about the keys of all, of whose answer everybody takes what is about its own
   */
  ask<T>(question: string, keys: readonly string[], ask: (keys: readonly string[]) => Promise<T>): Promise<T>;
  /** Asks nothing more: nobody waits for it any longer. */
  leave(): void;
}

/** Who asks alone. */
export const ALONE: Party = { ask: (_, keys, ask) => ask(keys), leave: () => {} };

const meetings = new WeakMap<Database, Meeting>();

/**
 * Joins those who ask a database that is read once; whoever asks another one is alone. It must leave, whatever happens:
 * others wait for it.
 */
export function joinAt(db: Database): Party {
  if (behindOnce(db) === null) return ALONE;
  const meeting = meetings.get(db) ?? new Meeting();
  meetings.set(db, meeting);
  return meeting.join();
}

interface Asked {
  readonly keys: readonly string[];
  readonly ask: (keys: readonly string[]) => Promise<unknown>;
  readonly answer: (found: Promise<unknown>) => void;
}

class Meeting {
  readonly #present = new Set<Party>();
  readonly #open = new Map<string, Map<Party, Asked>>();

  join(): Party {
    const party: Party = {
      ask: <T>(question: string, keys: readonly string[], ask: (all: readonly string[]) => Promise<T>) =>
        new Promise<T>((resolve) => {
          const asked = this.#open.get(question) ?? new Map<Party, Asked>();
          this.#open.set(question, asked);
          asked.set(party, { keys, ask, answer: (found) => resolve(found as Promise<T>) });
          this.#close(question);
          this.#closeMissed();
        }),
      leave: () => {
        this.#present.delete(party);
        for (const question of this.#open.keys()) this.#close(question);
        this.#closeMissed();
      },
    };
    this.#present.add(party);
    return party;
  }

  /** Asks what everybody who is present wants to know by now. */
  #close(question: string): void {
    const asked = this.#open.get(question);
    if (asked !== undefined && [...this.#present].every((party) => asked.has(party))) this.#ask(question);
  }

  /** Where everybody waits, each for another: one of them came later than the others, who had asked this before. */
  #closeMissed(): void {
    const waiting = new Set([...this.#open.values()].flatMap((asked) => [...asked.keys()]));
    if ([...this.#present].every((party) => waiting.has(party)))
      for (const question of [...this.#open.keys()]) this.#ask(question);
  }

  #ask(question: string): void {
    const asked = this.#open.get(question);
    const [first] = asked?.values() ?? [];
    if (asked === undefined || first === undefined) return;
    this.#open.delete(question);
    const keys = [...new Set([...asked.values()].flatMap((one) => one.keys))].sort();
    const found = first.ask(keys);
    for (const { answer } of asked.values()) answer(found);
  }
}
