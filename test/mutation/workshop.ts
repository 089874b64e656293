import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { CONTRACTS } from './syntax.ts';

/** What became of one run of the contracts' tests. */
export type Outcome =
  | { readonly kind: 'passed'; readonly tests: number }
  | { readonly kind: 'failed'; readonly by: string }
  | { readonly kind: 'does-not-compile'; readonly why: string };

/** How long fuzzing and the random lives last: a glance for most mutants, in earnest for those that outlive it. */
export const STAGES = [
  { FOUNDRY_FUZZ_RUNS: '16', FOUNDRY_INVARIANT_RUNS: '1', FOUNDRY_INVARIANT_DEPTH: '20' },
  { FOUNDRY_FUZZ_RUNS: '256', FOUNDRY_INVARIANT_RUNS: '16', FOUNDRY_INVARIANT_DEPTH: '100' },
] as const;

interface Suites {
  readonly [suite: string]: {
    readonly test_results: Readonly<
      Record<string, { readonly status: string; readonly reason: string | null }>
    >;
  };
}

/**
 * A copy of the contracts and their tests in a folder of its own, with a warm compiler beside it. Sources and tests
 * lie apart there, for then forge deploys what the tests make by name, and a fault in one contract compiles that
 * contract alone. What the acts cost is not asked: the optimizer is off.
 */
export class Workshop {
  readonly #folder: string;
  readonly #tests = new Map<string, string>();
  #writes = 0;
  #compiler: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lays the copy out and starts the compiler. */
  async open(root: string): Promise<void> {
    const at = (name: string) => join(this.#folder, name);
    mkdirSync(this.#folder, { recursive: true });
    cpSync(join(root, CONTRACTS), at('src'), { recursive: true });
    rmSync(at('src/test'), { recursive: true });
    mkdirSync(at('test'));
    for (const file of readdirSync(join(root, CONTRACTS, 'test')).filter((name) => name !== 'Gas.t.sol')) {
      const text = readFileSync(join(root, CONTRACTS, 'test', file), 'utf8');
      this.#tests.set(file, text.replaceAll('from "../', 'from "../src/'));
      writeFileSync(at(`test/${file}`), this.#tests.get(file)!);
    }
    symlinkSync(join(root, 'node_modules'), at('node_modules'));
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

  /**
   * Puts `bytes` in the place of a source. A test that inherits from one of its contracts holds that contract's code
   * itself, which forge does not notice: it is made to look changed too.
   */
  write(file: string, bytes: Buffer): void {
    writeFileSync(join(this.#folder, 'src', file), bytes);
    const names = [...bytes.toString('utf8').matchAll(/^(?:abstract )?contract (\w+)/gm)].map(
      (match) => match[1]!,
    );
    const heir = new RegExp(`\\bis\\b[^{;]*\\b(?:${names.join('|')})\\b[^{;]*\\{`);
    for (const [test, text] of this.#tests) {
      if (names.length === 0 || !heir.test(text)) continue;
      writeFileSync(join(this.#folder, 'test', test), `${text}\n// ${++this.#writes}\n`);
    }
  }

  /** Runs all the tests, the shallow stage before the deep one, until one fails or a stage outlasts its limit. */
  async run(limitMs: number): Promise<Outcome> {
    let outcome: Outcome = { kind: 'failed', by: 'nothing was run' };
    for (const stage of STAGES) {
      outcome = await this.#forge(stage, limitMs);
      if (outcome.kind !== 'passed') return outcome;
    }
    return outcome;
  }

  async close(): Promise<void> {
    const compiler = this.#compiler;
    if (compiler !== undefined && compiler.exitCode === null) {
      const ended = new Promise((resolve) => compiler.once('exit', resolve));
      compiler.kill();
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #forge(stage: Readonly<Record<string, string>>, limitMs: number): Promise<Outcome> {
    const forge = createRequire(import.meta.url).resolve('@foundry-rs/forge/bin.mjs');
    // A process group of its own: forge is the child of the script, and both must end with the time.
    const child = spawn(process.execPath, [forge, 'test', '--json', '--fail-fast'], {
      cwd: this.#folder,
      env: { ...process.env, ...stage, FOUNDRY_CODE_SIZE_LIMIT: '1000000' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
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
  let suites: Suites;
  try {
    suites = JSON.parse(stdout) as Suites;
  } catch {
    const said = `${stdout}\n${stderr}`;
    if (/Compiler run failed|Error \(\d+\)/.test(said)) return { kind: 'does-not-compile', why: said };
    throw new Error(`forge gave no results:\n${said}`);
  }
  const all = Object.values(suites).flatMap(({ test_results }) => Object.entries(test_results));
  const failed = all.find(([, { status }]) => status !== 'Success');
  if (failed !== undefined) return { kind: 'failed', by: failed[0] };
  return { kind: 'passed', tests: all.length };
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
