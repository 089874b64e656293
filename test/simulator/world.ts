import { createHash } from 'node:crypto';
import { type Random, random } from './random.ts';

/** One process of the simulated service. A dead process never continues, and what it had begun stays unfinished. */
export interface Process {
  readonly name: string;
  /** The difference between this process's clock and the world's. */
  skewMs: number;
  alive: boolean;
  /** Until this time the process does nothing, like one that is paused or swapped out. */
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
 * Runs everything, one thing at a time. Code that calls the outside is suspended, and the seed chooses who continues;
 * until that one calls the outside again, nobody else runs. Time passes only when the world advances it.
 */
export class World {
  now = Date.parse('2026-11-02T09:00:00Z');
  steps = 0;
  readonly random: Random;
  /** The process whose code runs now: the timers that it sets belong to it and die with it. */
  current: Process;
  /** The last lines of the history, for people to read. */
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

  /** Writes down what happened; two runs of a seed must write the same. */
  note(line: string): void {
    this.#hash.update(line).update('\n');
    if (this.lines.push(`${this.now % 100_000_000} ${line}`) > TRACE_KEPT) this.lines.shift();
  }

  traceHash(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Suspends the running process until its turn comes. A dead process never gets a turn. */
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

  /** Whether a process waits for the outside, which means that something is in progress. */
  isBusy(): boolean {
    return this.#deadLettered.length > 0;
  }

  /**
   * Does one thing, chosen by the seed among everything that is possible. When there is nothing to do, time advances to
   * the next timer.
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
