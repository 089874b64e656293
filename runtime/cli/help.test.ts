import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { helpPage, wholeProgram } from '../docs/help-page.ts';
import { EXIT_CODES, exitCodeTable } from './exit-codes.ts';
import { HELP_FILE, helpAsked, readHelp } from './help.ts';
import { nearest } from './nearest.ts';

const PROGRAM = [new URL('../bin.mjs', import.meta.url).pathname];
/** The same unbundled, each source a module. */
const SOURCES = ['--import', 'tsx', new URL('../handshake.ts', import.meta.url).pathname];
const ROOT = new URL('../../', import.meta.url).href;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The program as anybody calls it. */
function run(words: readonly string[], env: NodeJS.ProcessEnv = {}, program = PROGRAM): Promise<Ended> {
  const child = spawn(process.execPath, [...program, ...words], {
    env: { ...process.env, DATA_DIR: join(tmpdir(), 'nothing-runs-here'), BASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr.on('data', (chunk) => (said.err += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

/** The project's own modules that were loaded by a call, and the packages. */
async function loadedBy(words: readonly string[]): Promise<{ own: string[]; packages: string[] }> {
  const dir = mkdtempSync(join(tmpdir(), 'loaded-'));
  try {
    await run(words, { NODE_V8_COVERAGE: dir }, SOURCES);
    const urls = readdirSync(dir).flatMap((file) => {
      const told = JSON.parse(readFileSync(join(dir, file), 'utf8')) as { result: { url: string }[] };
      return told.result.map(({ url }) => url).filter((url) => url.startsWith('file://'));
    });
    const packages = urls.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
    const own = urls.filter((url) => url.startsWith(ROOT) && !url.includes('node_modules'));
    return { own: [...new Set(own)], packages: [...new Set(packages)] };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function leaves(command: Command): Command[] {
  const isLeaf = command.commands.length === 0 || command.registeredArguments.length > 0;
  return [...(isLeaf ? [command] : []), ...command.commands.flatMap(leaves)];
}

describe('help', () => {
  it('is that of the commands as they are: otherwise run `npm run docs`', async () => {
    expect(readFileSync(HELP_FILE, 'utf8')).toBe(await helpPage());
  });

  it.each([
    [['--help']],
    [['register', 'import', '--help']],
    [['help', 'deploy', 'rotate']],
    [['--version']],
  ])('loads a dozen modules and one package, whatever the command works with: %j', async (words) => {
    const { own, packages } = await loadedBy(words);
    expect(own.length).toBeGreaterThan(3);
    expect(own.length).toBeLessThanOrEqual(12);
    expect(
      packages.filter((name) => !['tsx', 'esbuild', 'get-tsconfig', 'commander'].includes(name)),
    ).toEqual([]);
  });

  it('and the version are told at once, on standard output', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    for (const words of [['--version'], ['-V']])
      expect(await run(words)).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('is shown for the command that is named, whatever options stand around', () => {
    const table = readHelp();
    const asked = (text: string) => helpAsked(text.split(' '), table);
    expect(asked('--help')).toBe('');
    expect(asked('register import sanctions/ofac --help')).toBe('register import');
    expect(asked('register -h --json')).toBe('register');
    expect(asked('help agent show')).toBe('agent show');
    expect(asked('help nothing')).toBe('');
    expect([asked('register import'), asked('mandate parse -- --help')]).toEqual([null, null]);
  });
});

describe('every command', () => {
  it('takes --json', async () => {
    const all = leaves(await wholeProgram());
    expect(all.length).toBeGreaterThan(35);
    expect(all.filter((c) => !c.options.some((o) => o.long === '--json')).map((c) => c.name())).toEqual([]);
  });

  it('tells an error as one line of JSON with --json, and ends with a code of the table', async () => {
    const told = await run(['register', 'status', '--json']);
    expect([told.code, told.out]).toEqual([EXIT_CODES.usage.code, '']);
    expect(JSON.parse(told.err)).toEqual({
      error: { message: expect.stringContaining('No database runs on'), exitCode: 2 },
    });
    const plain = await run(['register', 'status']);
    expect([plain.code, plain.err]).toEqual([2, expect.stringMatching(/^No database runs on/)]);
  });

  it.each([
    [
      ['agent', 'suspend', 'harbour-desk'],
      /^Required option '--reason <text>' not specified\. "agent suspend --help" says/,
    ],
    [['agent', 'show'], /^Missing required argument 'handle'\. "agent show --help" says/],
    [['up', '--nope'], /^Unknown option '--nope'\. "up --help" says/],
    [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish\. "completion --help" says/],
    [['dev', 'fund', '0x12', '--usd', '-5'], /^This command is for|^No service runs on/],
  ] as const)(
    'that is used wrongly is told what is wrong, by its code and with --json: %j',
    async (words, said) => {
      const [plain, json] = await Promise.all([run(words), run([...words, '--json'])]);
      expect([plain.code, plain.out, plain.err]).toEqual([2, '', expect.stringMatching(said)]);
      expect(plain.err.trim().split('\n')).toHaveLength(1);
      expect([json.code, json.out]).toEqual([2, '']);
      expect(JSON.parse(json.err)).toEqual({
        error: { message: expect.stringMatching(said), exitCode: 2 },
      });
    },
  );

  it('without one of those under it is answered with its help, by the same code', async () => {
    const told = await run(['agent']);
    expect([told.code, told.out, told.err]).toEqual([2, '', readHelp().agent!.text]);
  });

  it('that is misspelt is told as JSON, too, where that is asked for', async () => {
    const told = await run(['regsiter', '--json']);
    expect([told.code, JSON.parse(told.err).error.message]).toEqual([
      2,
      'There is no command "regsiter". Did you mean "register"?',
    ]);
  });

  it('that is misspelt is answered with the one that was meant', async () => {
    const told = await run(['regsiter']);
    expect([told.code, told.err]).toEqual([2, 'There is no command "regsiter". Did you mean "register"?\n']);
    const none = await run([]);
    expect([none.code, none.err]).toEqual([2, readHelp()['']!.text]);
  });
});

describe('exit codes', () => {
  it('stand in the help and in the documents as in the one table', () => {
    expect(readFileSync(new URL('../../docs/operator.md', import.meta.url), 'utf8')).toContain(
      exitCodeTable(),
    );
    for (const { code, says } of Object.values(EXIT_CODES))
      expect(readHelp()['']!.text).toContain(`  ${String(code).padEnd(4)} ${says}`);
  });
});

it('a name that is near another is told, and one that is near none is not', () => {
  const names = ['RPC_URL_1002', 'REDIS_URL', 'PORT'];
  expect(nearest('RDEIS_URL', names)).toBe('REDIS_URL');
  expect(nearest('RPC_URL_102', names)).toBe('RPC_URL_1002');
  expect(nearest('PROT', names)).toBe('PORT');
  expect([nearest('PATH', names), nearest('HOME', names)]).toEqual([null, null]);
});
