import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Code } from './code.ts';
import { CONTRACTS } from './syntax.ts';

/** What became of one run of the contracts' tests. */
export type Outcome =
  | { readonly kind: 'passed'; readonly suites: readonly Suite[] }
  | { readonly kind: 'failed'; readonly by: string; readonly suite?: string }
  | { readonly kind: 'does-not-compile'; readonly why: string };

/** A contract of tests, as it went by. */
export interface Suite {
  readonly name: string;
  /** How long its tests took, one after the other. */
  readonly ms: number;
  /** Whether it tries values or lives at random. */
  readonly isRandom: boolean;
}

/** How long fuzzing and the random lives last. */
export type Depth = Readonly<Record<`FOUNDRY_${string}`, string>>;
/** For most mutants. */
export const GLANCE: Depth = {
  FOUNDRY_FUZZ_RUNS: '16',
  FOUNDRY_INVARIANT_RUNS: '1',
  FOUNDRY_INVARIANT_DEPTH: '20',
};
/** For those that outlive it. */
export const EARNEST: Depth = {
  FOUNDRY_FUZZ_RUNS: '256',
  FOUNDRY_INVARIANT_RUNS: '16',
  FOUNDRY_INVARIANT_DEPTH: '100',
};

/** Stands in the folder of a workshop that was not closed: it may still hold a fault. */
const MARK = 'open';

interface Artefact {
  readonly bytecode: { object: string };
  readonly deployedBytecode: { object: string };
}
interface Duration {
  readonly secs: number;
  readonly nanos: number;
}
interface Results {
  readonly [suite: string]: {
    readonly test_results: Readonly<
      Record<string, { readonly status: string; readonly kind: object; readonly duration: string | Duration }>
    >;
  };
}

/**
 * A copy of the contracts and their tests in a folder of its own, with a warm compiler beside it. Sources and tests
 * lie apart there, for then forge deploys what the tests make by name: from the artefact, into which the code of a
 * fault is put, so that forge compiles nothing. What the acts cost is not asked: the optimizer is off.
 */
export class Workshop {
  readonly #folder: string;
  readonly #tests = new Map<string, string>();
  #writes = 0;
  #compiler: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lays the copy out and starts the compiler. What was compiled here before is compiled again only if it changed. */
  async open(root: string): Promise<void> {
    const at = (name: string) => join(this.#folder, name);
    if (existsSync(at(MARK))) rmSync(this.#folder, { recursive: true });
    for (const name of ['src', 'test']) rmSync(at(name), { recursive: true, force: true });
    mkdirSync(at('test'), { recursive: true });
    writeFileSync(at(MARK), '');
    cpSync(join(root, CONTRACTS), at('src'), { recursive: true });
    rmSync(at('src/test'), { recursive: true });
    const tests = readdirSync(join(root, CONTRACTS, 'test'), { recursive: true, encoding: 'utf8' });
    for (const file of tests.filter((name) => name.endsWith('.sol') && name !== 'Gas.t.sol')) {
      const text = readFileSync(join(root, CONTRACTS, 'test', file), 'utf8');
      const out = '../'.repeat(file.split('/').length);
      this.#tests.set(file, text.replaceAll(new RegExp(`from "${out}(?!\\.)`, 'g'), `from "${out}src/`));
      mkdirSync(dirname(at(`test/${file}`)), { recursive: true });
      writeFileSync(at(`test/${file}`), this.#tests.get(file)!);
    }
    rmSync(at('node_modules'), { force: true });
    symlinkSync(join(root, 'node_modules'), at('node_modules'));
    rmSync(at('solc.sock'), { force: true });
    cpSync(join(import.meta.dirname, 'solc-client.cjs'), at('solc.cjs'));
    writeFileSync(at('foundry.toml'), settings(readFileSync(join(root, 'foundry.toml'), 'utf8')));
    this.#compiler = spawn(
      process.execPath,
      [join(import.meta.dirname, 'compile-server.cjs'), this.#folder],
      {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      },
    );
    const version = await new Promise<string>((resolve, reject) => {
      this.#compiler!.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')));
      this.#compiler!.once('exit', () => reject(new Error('the compiler ended before it began')));
    });
    writeFileSync(at('solc.version'), version);
  }

  /** The same compiler, asked directly. */
  async compile(input: unknown): Promise<unknown> {
    const connection = connect(join(this.#folder, 'solc.sock'));
    connection.end(JSON.stringify(input));
    const chunks: Buffer[] = [];
    for await (const chunk of connection) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  }

  /** Puts the code of contracts in the place of what the tests deploy. */
  deploy(codes: ReadonlyMap<string, Code>): void {
    for (const [contract, { creation, deployed }] of codes) {
      const artefact = this.#artefact(contract);
      artefact.bytecode.object = `0x${creation}`;
      artefact.deployedBytecode.object = `0x${deployed}`;
      writeFileSync(this.#pathOf(contract), JSON.stringify(artefact));
    }
  }

  /** What the tests deploy. */
  deployed(contract: string): Code {
    const { bytecode, deployedBytecode } = this.#artefact(contract);
    return { creation: bytecode.object.slice(2), deployed: deployedBytecode.object.slice(2) };
  }

  /** Tests that hold the code of a source themselves: by inheriting a contract, or by what a library does inside. */
  heirsOf(source: Buffer): readonly string[] {
    const text = source.toString('utf8');
    const names = (kind: string) =>
      [...text.matchAll(new RegExp(`^(?:abstract )?${kind} (\\w+)`, 'gm'))].map((match) => match[1]!);
    const bases = names('contract').map((name) => `\\bis\\b[^{;]*\\b${name}\\b[^{;]*\\{`);
    const libraries = names('library').map((name) => `\\b${name}\\.[a-z]\\w*\\(|using ${name} for`);
    const held = [...bases, ...libraries].map((pattern) => new RegExp(pattern));
    return [...this.#tests].filter(([, test]) => held.some((one) => one.test(test))).map(([file]) => file);
  }

  /** Puts `bytes` in the place of a source, and makes its heirs look changed too, which forge does not notice. */
  write(file: string, bytes: Buffer): void {
    writeFileSync(join(this.#folder, 'src', file), bytes);
    for (const test of this.heirsOf(bytes)) {
      writeFileSync(join(this.#folder, 'test', test), `${this.#tests.get(test)!}\n// ${++this.#writes}\n`);
    }
  }

  #pathOf(contract: string): string {
    const [file, name] = contract.split(':');
    return join(this.#folder, '.forge/out', file!, `${name!}.json`);
  }

  #artefact(contract: string): Artefact {
    return JSON.parse(readFileSync(this.#pathOf(contract), 'utf8')) as Artefact;
  }

  /** Ends the compiler and leaves the folder as it was before any fault. */
  async close(): Promise<void> {
    const compiler = this.#compiler;
    if (compiler !== undefined && compiler.exitCode === null) {
      const ended = new Promise((resolve) => compiler.once('exit', resolve));
      compiler.kill();
      await ended;
    }
    rmSync(join(this.#folder, MARK));
  }

  /** Runs the tests of these suites, or of all, until one fails or the limit is reached. */
  async run(depth: Depth, limitMs: number, suites?: readonly string[]): Promise<Outcome> {
    const forge = createRequire(import.meta.url).resolve('@foundry-rs/forge/bin.mjs');
    const only = suites === undefined ? [] : ['--match-contract', `^(${suites.join('|')})$`];
    // A process group of its own: forge is the child of the script, and both must end with the time.
    const child = spawn(
      process.execPath,
      [forge, 'test', '--json', '--fail-fast', '--threads', '1', ...only],
      {
        cwd: this.#folder,
        env: { ...process.env, ...depth, FOUNDRY_CODE_SIZE_LIMIT: '1000000' },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    );
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      process.kill(-child.pid!, 'SIGKILL');
    }, limitMs);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    if (late) return { kind: 'failed', by: 'the time limit' };
    return read(Buffer.concat(stdout).toString('utf8'), Buffer.concat(stderr).toString('utf8'));
  }
}

function read(stdout: string, stderr: string): Outcome {
  let results: Results;
  try {
    results = JSON.parse(stdout) as Results;
  } catch {
    const said = `${stdout}\n${stderr}`;
    if (/Compiler run failed|Error \(\d+\)/.test(said)) return { kind: 'does-not-compile', why: said };
    throw new Error(`forge gave no results:\n${said}`);
  }
  const suites: Suite[] = [];
  for (const [path, { test_results }] of Object.entries(results)) {
    const name = path.split(':').at(-1)!;
    const tests = Object.entries(test_results);
    const failed = tests.find(([, { status }]) => status !== 'Success');
    if (failed !== undefined) return { kind: 'failed', by: failed[0], suite: name };
    suites.push({
      name,
      ms: tests.reduce((sum, [, { duration }]) => sum + msOf(duration), 0),
      isRandom: tests.some(([, { kind }]) => !('Unit' in kind)),
    });
  }
  return { kind: 'passed', suites };
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, s: 1_000, ms: 1, µs: 1e-3, ns: 1e-6 };

/** Forge writes durations as `1s 20ms 3µs`. */
function msOf(duration: string | Duration): number {
  if (typeof duration !== 'string') return duration.secs * 1_000 + duration.nanos / 1e6;
  return duration.split(' ').reduce((sum, part) => {
    const [, count, unit] = /^([\d.]+)(\D+)$/.exec(part) ?? [];
    return sum + Number(count) * (UNITS_MS[unit ?? ''] ?? Number.NaN);
  }, 0);
}

/** The project's own settings, but for the folders, the compiler and its optimizer. */
function settings(toml: string): string {
  const replaced = {
    src: '"src"',
    test: '"test"',
    solc: '"./solc.cjs"',
    optimizer: 'false',
  };
  return Object.entries(replaced).reduce(
    (text, [key, value]) => text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${value}`),
    toml.replace('[profile.default]', '[profile.default]\ndynamic_test_linking = true'),
  );
}
