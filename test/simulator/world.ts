import { createHash } from 'node:crypto';
import { type Random, random } from './random.ts';

/** One process of the simulated service. Once dead it never goes on: what it had in hand is left as it was. */
export interface Process {
  readonly name: string;
  /** Added to the world's clock by this process's own. */
  skewMs: number;
  alive: boolean;
  /** Until then it stands still, as one that swaps or is paused. */
  frozenUntil: number;
}

interface DeadLetter {
  readonly process: Process;
  readonly what: string;
  readonly go: () => void;
}

interface Timer {
  readonly process: Process;
  readonly everyMs: number | null;
  readonly run: () => void;
  at: number;
}

const immediately = globalThis.setImmediate;
const TRACE_KEPT = 400;

/**
 * Everything that happens, one thing at a time: whoever reaches for the outside is paused, the seed says who goes on
 * next, and until that one reaches out again nobody else moves. Time passes only when the world lets it.
 */
export class World {
  now = Date.parse('2026-11-02T09:00:00Z');
  steps = 0;
  readonly random: Random;
  /** Whose code runs now: timers set by it are its own and die with it. */
  current: Process;
  /** The end of the history, to be read. */
  readonly lines: string[] = [];
  readonly #hash = createHash('sha256');
  readonly #deadLettered: DeadLetter[] = [];
  readonly #timers = new Set<Timer>();

  constructor(seed: string) {
    this.random = random(seed);
    this.current = this.process('world');
  }

  process(name: string): Process {
    return { name, skewMs: 0, alive: true, frozenUntil: 0 };
  }

  /** Writes down what happened: two runs of a seed must write the same. */
  note(line: string): void {
    this.#hash.update(line).update('\n');
    if (this.lines.push(`${this.now % 100_000_000} ${line}`) > TRACE_KEPT) this.lines.shift();
  }

  traceHash(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Parks the running process until its turn comes. For one that is dead it never does. */
  reach(process: Process, what: string): Promise<void> {
    return new Promise((go) => {
      if (process.alive) this.#deadLettered.push({ process, what, go });
    });
  }

  timer(process: Process, run: () => void, ms: number, everyMs: number | null = null): Timer {
    const timer = { process, run, everyMs, at: this.now + Math.max(0, ms) };
    this.#timers.add(timer);
    return timer;
  }

  cancel(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  kill(process: Process): void {
    process.alive = false;
    for (const timer of this.#timers) if (timer.process === process) this.#timers.delete(timer);
    for (let i = this.#deadLettered.length - 1; i >= 0; i--)
      if (this.#deadLettered[i]!.process === process) this.#deadLettered.splice(i, 1);
  }

  /** Whether a process has reached out and waits: then something is under way. */
  isBusy(): boolean {
    return this.#deadLettered.length > 0;
  }

  /**
   * Lets one thing happen, chosen by the seed among all that can; with nothing to do, time goes on to the next timer.
   * @returns false when nothing will ever happen again
   */
  async step(): Promise<boolean> {
    const free = (p: Process): boolean => p.alive && p.frozenUntil <= this.now;
    const ready = this.#deadLettered.filter((p) => free(p.process));
    const due = [...this.#timers].filter((t) => t.at <= this.now && free(t.process));
    const count = ready.length + due.length;
    if (count === 0) return this.#wait();
    this.steps += 1;
    const n = this.random.below(count);
    if (n < ready.length) {
      const next = ready[n]!;
      this.#deadLettered.splice(this.#deadLettered.indexOf(next), 1);
      this.note(`${next.process.name} ${next.what}`);
      this.current = next.process;
      next.go();
      this.now += this.random.below(3);
    } else {
      const timer = due[n - ready.length]!;
      if (timer.everyMs === null) this.#timers.delete(timer);
      else timer.at = this.now + timer.everyMs;
      this.current = timer.process;
      timer.run();
    }
    await new Promise((drained) => immediately(drained));
    return true;
  }

  #wait(): boolean {
    let next = Number.POSITIVE_INFINITY;
    for (const { at, process } of this.#timers)
      if (process.alive) next = Math.min(next, Math.max(at, process.frozenUntil));
    for (const { process } of this.#deadLettered)
      if (process.alive) next = Math.min(next, process.frozenUntil);
    if (next === Number.POSITIVE_INFINITY) return false;
    this.now = Math.max(this.now + 1, next);
    return true;
  }
}
