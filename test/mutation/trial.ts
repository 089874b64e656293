import { isDeepStrictEqual } from 'node:util';
import { type Code, type Compiler, codesOf, PLAIN } from './code.ts';
import { isSameCode } from './same-code.ts';
import { type Depth, EARNEST, GLANCE, type Outcome, type Suite, type Workshop } from './workshop.ts';

/** The first run compiles everything, on a machine that may be busy. */
const FIRST_LIMIT_MS = 600_000;
/** A fault that loops is caught by the clock: at the earliest after this, and after many times a sound run. */
const SHORTEST_LIMIT_MS = 60_000;
const SOUND_RUNS = 10;
/** Suites that take longer than this at a glance wait until the others have passed. */
const SLOW_MS = 1_000;
/** How many of the suites that noticed most faults of a file are asked first. */
const NEAREST = 4;

type Codes = ReadonlyMap<string, Code>;

/** What the contracts' tests say of one fault. */
export interface Verdict {
  readonly kind: 'caught' | 'same-code' | 'survived' | 'does-not-compile';
  /** The test that caught it. */
  readonly by?: string;
}

interface Setting {
  readonly workshop: Workshop;
  readonly sources: ReadonlyMap<string, Buffer>;
  /** By file, how many of its faults each suite noticed so far. */
  readonly catchers: Map<string, Map<string, number>>;
  /** Without the slow suites and the long random lives. */
  readonly glance: boolean;
}

/**
 * Tries faults in one workshop. Every test is asked before a fault counts as survived; the order alone is for speed:
 * suites that noticed faults of the same file, the other quick ones, the slow ones, and the random ones at length.
 */
export class Trial {
  readonly #setting: Setting;
  readonly #compile: Compiler;
  readonly #limitMs: number;
  readonly #quick: readonly Suite[];
  readonly #slow: readonly Suite[];
  readonly #sound = new Map<string, Codes>();

  private constructor(setting: Setting, suites: readonly Suite[], soundMs: number) {
    this.#setting = setting;
    this.#limitMs = Math.max(SHORTEST_LIMIT_MS, SOUND_RUNS * soundMs);
    this.#compile = (input) => setting.workshop.compile(input);
    this.#quick = suites.filter(({ ms }) => ms <= SLOW_MS);
    this.#slow = suites.filter(({ ms }) => ms > SLOW_MS);
  }

  /** @throws Error when the tests fail on the contracts as they are: then nothing would be proved */
  static async begin(setting: Setting): Promise<Trial> {
    const { workshop, glance } = setting;
    const began = performance.now();
    const sound = await workshop.run(GLANCE, FIRST_LIMIT_MS);
    if (sound.kind !== 'passed') throw new Error(`without any fault: ${JSON.stringify(sound)}`);
    const trial = new Trial(setting, sound.suites, performance.now() - began);
    if (!glance) {
      const long = await trial.#run(
        sound.suites.filter(({ isRandom }) => isRandom),
        EARNEST,
        FIRST_LIMIT_MS,
      );
      if (long.kind !== 'passed') throw new Error(`without any fault: ${JSON.stringify(long)}`);
    }
    return trial;
  }

  /** Tries versions of a file with a fault in each, and tells of them one by one. */
  async *of(file: string, versions: readonly Buffer[]): AsyncGenerator<Verdict> {
    const sound = await this.#soundCodeOf(file);
    const codes = await codesOf(this.#compile, this.#setting.sources, file, versions, PLAIN);
    for (const [i, version] of versions.entries()) yield await this.#ofOne(file, version, codes[i]!, sound);
  }

  async #ofOne(file: string, mutated: Buffer, codes: Codes | string, sound: Codes): Promise<Verdict> {
    if (typeof codes === 'string') return { kind: 'does-not-compile' };
    const { workshop, sources, glance } = this.#setting;
    workshop.deploy(codes);
    let held = false;
    try {
      const near = this.#nearest(file);
      const others = this.#quick.filter((suite) => !near.includes(suite));
      for (const suites of glance ? [near, others] : [near, others, this.#slow]) {
        const outcome = await this.#run(suites, GLANCE);
        if (outcome.kind !== 'passed') return this.#caught(file, outcome);
      }
      if (await isSameCode(this.#compile, sources, file, mutated)) return { kind: 'same-code' };
      held = workshop.heirsOf(sources.get(file)!).length > 0;
      if (held) {
        workshop.deploy(sound);
        workshop.write(file, mutated);
        const outcome = await this.#run(glance ? this.#quick : [...this.#quick, ...this.#slow], GLANCE);
        if (outcome.kind !== 'passed') return this.#caught(file, outcome);
      }
      if (glance) return { kind: 'survived' };
      const random = [...this.#quick, ...this.#slow].filter(({ isRandom }) => isRandom);
      const outcome = await this.#run(random, EARNEST, FIRST_LIMIT_MS);
      return outcome.kind === 'passed' ? { kind: 'survived' } : this.#caught(file, outcome);
    } finally {
      if (held) {
        // The next fault finds everything compiled.
        workshop.write(file, sources.get(file)!);
        await workshop.run(GLANCE, FIRST_LIMIT_MS, [this.#quick[0]!.name]);
      } else workshop.deploy(sound);
    }
  }

  /** The code of a file without a fault, held to what forge compiled for the tests. */
  async #soundCodeOf(file: string): Promise<Codes> {
    const { workshop, sources } = this.#setting;
    const known = this.#sound.get(file);
    if (known !== undefined) return known;
    const [codes] = await codesOf(this.#compile, sources, file, [sources.get(file)!], PLAIN);
    if (typeof codes !== 'object') throw new Error(codes);
    for (const [contract, code] of codes) {
      if (!isDeepStrictEqual(workshop.deployed(contract), code))
        throw new Error(`${contract} is compiled otherwise for the tests`);
    }
    this.#sound.set(file, codes);
    return codes;
  }

  #caught(file: string, outcome: Exclude<Outcome, { kind: 'passed' }>): Verdict {
    if (outcome.kind === 'does-not-compile') throw new Error(`for the tests alone: ${outcome.why}`);
    const ofFile = this.#setting.catchers.get(file) ?? new Map<string, number>();
    this.#setting.catchers.set(file, ofFile);
    if (outcome.suite !== undefined) ofFile.set(outcome.suite, (ofFile.get(outcome.suite) ?? 0) + 1);
    return { kind: 'caught', by: outcome.by };
  }

  /** The suites that noticed most of a file's faults, and those that bear its name. */
  #nearest(file: string): readonly Suite[] {
    const counts = this.#setting.catchers.get(file);
    const rank = ({ name }: Suite) =>
      counts?.get(name) ?? (name.startsWith(file.split('/').at(-1)!.replace('.sol', '')) ? 0.5 : 0);
    return this.#quick
      .filter((suite) => rank(suite) > 0)
      .sort((a, b) => rank(b) - rank(a))
      .slice(0, NEAREST);
  }

  async #run(suites: readonly Suite[], depth: Depth, limitMs?: number): Promise<Outcome> {
    if (suites.length === 0) return { kind: 'passed', suites: [] };
    return await this.#setting.workshop.run(
      depth,
      limitMs ?? this.#limitMs,
      suites.map(({ name }) => name),
    );
  }
}
