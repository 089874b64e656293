import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../runtime/cli/demo/client.ts';
import { fund } from '../../runtime/cli/dev.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { storyOn } from '../fixtures/story-stage.ts';
import { pack } from './pack.ts';

const run = promisify(execFile);
const example = (name: string) => fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url));
const key = generatePrivateKey();
const payer = privateKeyToAccount(key).address;

/** On a list that the service holds. */
const LISTED = '0x7e57000000000000000000000000000000bad001';

let made: { service: string; client: string };
/** Holds nothing but the light package. */
let empty: string;
let folder: ServiceFolder;
let service: ServiceProcess;

beforeAll(async () => {
  const out = mkdtempSync(join(tmpdir(), 'packages-'));
  made = await pack(join(out, 'dist'));
  empty = join(out, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', made.client], { cwd: empty });
  folder = await serviceFolder();
  service = await folder.start();
  await storyOn(folder).importLists({ register: 'known-scam', address: LISTED });
  await fund(folder.env, payer, '5');
});
afterAll(async () => {
  await folder?.remove();
  if (empty) rmSync(join(empty, '..'), { recursive: true, force: true });
});

/** Runs a program in the empty folder. */
async function program(source: string, args: readonly string[] = []): Promise<string> {
  const file = join(empty, 'program.mjs');
  writeFileSync(file, source);
  const env = { ...process.env, PAYER_PRIVATE_KEY: key };
  return (await run(process.execPath, [file, ...args], { cwd: empty, env })).stdout;
}

describe('the light package, in an empty folder', () => {
  it('brings no other package, and types for each entry', () => {
    expect(readdirSync(join(empty, 'node_modules')).filter((n) => !n.startsWith('.'))).toEqual([
      '@safe-handshake',
    ]);
    const at = join(empty, 'node_modules/@safe-handshake/client');
    for (const entry of ['client', 'guard', 'mcp', 'verify'])
      expect(existsSync(join(at, `types/client/${entry}.d.ts`))).toBe(true);
  });

  it('is at most 150 kB for verify and guard together, and runs without Node', async () => {
    const contents =
      "export * from '@safe-handshake/client/verify'; export * from '@safe-handshake/client/guard';";
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: empty },
      ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
    });
    const size = gzipSync(outputFiles[0]!.contents).length;
    process.stdout.write(`verify and guard: ${size} bytes gzip\n`);
    expect(size).toBeLessThanOrEqual(150_000);
  });

  it('has types that a strict program of somebody else compiles against', async () => {
    writeFileSync(
      join(empty, 'typed.ts'),
      `import { handshake, HandshakeError, privateKeyToAccount } from '@safe-handshake/client';
import { guard, type Reason } from '@safe-handshake/client/guard';
import { mcpTools } from '@safe-handshake/client/mcp';
import { verifyRecord } from '@safe-handshake/client/verify';
const service = handshake('http://x', { account: privateKeyToAccount('0x1') });
const { verdict }: { verdict: 'CLEAN' | 'FLAGGED' } = await service.check('0x');
const page = await service.call('catalogue', { query: { limit: 3 } });
const first: string | undefined = page.items[0]?.category;
const reason: Reason | undefined = guard().refusals[0]?.reason;
export const all = [verdict, first, reason, mcpTools, (await verifyRecord({})).ok, HandshakeError];
`,
    );
    const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
    ];
    const told = await run(process.execPath, [compiler, ...options, '--types', '', 'typed.ts'], {
      cwd: empty,
    }).catch((error) => error);
    expect(told.stdout).toBe('');
  });

  it('buys by the five lines of the example, and verifies what it bought when the service is away', async () => {
    cpSync(example('check.mjs'), join(empty, 'check.mjs'));
    const env = { ...process.env, PAYER_PRIVATE_KEY: key };
    const { stdout } = await run(process.execPath, ['check.mjs', payer, service.baseUrl], {
      cwd: empty,
      env,
    });
    const [verdict, recordId] = stdout.trim().split(' ');
    expect(verdict).toBe('CLEAN');
    const kept = await until('the anchor of the record', async () => {
      const response = await fetch(`${service.baseUrl}/records/${recordId}`, {
        headers: { accept: 'application/json' },
      });
      const document = (await response.json()) as { state: string };
      return document.state === 'anchored' ? document : null;
    });
    writeFileSync(join(empty, 'record.json'), JSON.stringify(kept));
    const checked = await program(`
      import { readFileSync } from 'node:fs';
      import { verifyRecord } from '@safe-handshake/client/verify';
      globalThis.fetch = () => { throw new Error('nobody is asked'); };
      const genuine = JSON.parse(readFileSync('record.json', 'utf8'));
      const signer = genuine.signature.signer;
      const forged = structuredClone(genuine);
      forged.record.content.record.verdict = 'FLAGGED';
      const other = '0x00000000000000000000000000000000000000aa';
      const of = async (document, trusted) => (await verifyRecord(document, trusted)).ok;
      console.log(await of(genuine, { signer }), await of(forged, { signer }), await of(genuine, { signer: other }));`);
    expect(checked.trim()).toBe('true false false');
  });

  it('buys what a transaction would do, and what is known of the site that asks for it', async () => {
    const told = await program(
      `
      import { handshake, privateKeyToAccount } from '@safe-handshake/client';
      const [url, from, to] = process.argv.slice(2);
      const service = handshake(url, { account: privateKeyToAccount(process.env.PAYER_PRIVATE_KEY) });
      const transaction = { from, to, value: '5', data: '0x' };
      const asked = { chainId: 1002, origin: 'https://shop.example/pay', transaction };
      const { verdict, simulation, assetChanges, origin } = await service.check(to, asked);
      const gained = assetChanges?.filter(({ party }) => party === to.toLowerCase()).map(({ delta }) => delta);
      console.log(JSON.stringify([verdict, simulation?.outcome, gained, origin?.host]));`,
      [service.baseUrl, payer, LISTED],
    );
    expect(JSON.parse(told)).toEqual(['FLAGGED', 'success', ['5'], 'shop.example']);
  });

  it('refuses to pay a listed payee, with the verdict that the service signed', async () => {
    const told = await program(
      `
      import { createServer } from 'node:http';
      import { handshake, privateKeyToAccount } from '@safe-handshake/client';
      import { guard } from '@safe-handshake/client/guard';
      const [url, payTo] = process.argv.slice(2);
      const service = handshake(url, { account: privateKeyToAccount(process.env.PAYER_PRIVATE_KEY) });
      const guarded = guard({ opinion: { service } });
      let hook;
      guarded.attach({ onBeforePaymentCreation: (given) => (hook = given) });
      const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
      const terms = { scheme: 'exact', network: 'eip155:84532', amount: '10000', asset, payTo, maxTimeoutSeconds: 60 };
      const paymentRequired = { x402Version: 2, resource: { url: 'https://shop.example/' }, accepts: [terms] };
      const stopped = await hook({ paymentRequired, selectedRequirements: terms });
      const [{ reason, verdict }] = guarded.refusals;
      console.log(JSON.stringify([stopped.abort, reason, verdict.verified.verdict, verdict.verified.ok]));`,
      [service.baseUrl, LISTED],
    );
    expect(JSON.parse(told)).toEqual([true, 'payee-flagged', 'FLAGGED', true]);
  });

  it('gives an agent its tools over MCP, and pays for those that it calls', async () => {
    cpSync(example('agent-loop.mjs'), join(empty, 'agent-loop.mjs'));
    const env = { ...process.env, PAYER_PRIVATE_KEY: key };
    const loop = async (address: string) =>
      (await run(process.execPath, ['agent-loop.mjs', address, service.baseUrl], { cwd: empty, env })).stdout;
    expect(await loop(payer)).toBe(`quote: answered\ncheck: answered\n${payer} may be paid.\n`);
    expect(await loop(LISTED)).toContain(`${LISTED} must not be paid: `);
  });

  it('bridges the tools to standard input and output', async () => {
    const bridge = join(empty, 'node_modules/.bin/safe-handshake-mcp');
    const asked = run(process.execPath, [bridge, service.baseUrl], { cwd: empty });
    const ask = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const version = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    asked.child.stdin?.end(ask(1, 'initialize', version) + ask(2, 'tools/list', {}));
    const answers = (await asked).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1].result.tools.map(({ name }: { name: string }) => name)).toContain('check');
  });

  it('says by a code what went wrong, and spends nothing beyond its budget', async () => {
    const told = await program(
      `
      import { handshake, privateKeyToAccount } from '@safe-handshake/client';
      const [url] = process.argv.slice(2);
      const account = privateKeyToAccount(process.env.PAYER_PRIVATE_KEY);
      const codeOf = (asked) => asked.then(() => 'none', ({ code, name }) => code ?? name);
      const address = account.address;
      const stopped = AbortSignal.abort();
      console.log(JSON.stringify([
        await codeOf(handshake(url).check(address)),
        await codeOf(handshake(url, { account, maxUsd: 0.005 }).check(address)),
        await codeOf(handshake(url, { account }).check('0x12')),
        await codeOf(handshake('http://127.0.0.1:1', { account, patienceMs: 0 }).check(address)),
        await codeOf(handshake(url, { account }).check(address, { signal: stopped })),
        await codeOf(handshake(url).call('agent', { path: { handle: 'no-such-agent' } })),
        await codeOf(handshake(url, { account }).call('settings', { body: { wallet: address, onFlagged: 'stop' } })),
      ]));`,
      [service.baseUrl],
    );
    expect(JSON.parse(told)).toEqual([
      ...['account-missing', 'over-budget', 'address-malformed', 'unreachable'],
      ...[20, 'not-found', 'none'],
    ]);
  });
});

describe('the package of the service', () => {
  it('carries its program, and no test', async () => {
    const { stdout } = await run('tar', ['-tzf', made.service], { maxBuffer: 32_000_000 });
    const files = stdout.trim().split('\n');
    expect(files).toContain('package/runtime/bin.mjs');
    expect(files).toContain('package/store/migrations/0001-initial.sql');
    expect(files.filter((f) => f.endsWith('.test.ts') || f.startsWith('package/test/'))).toEqual([]);
  });

  it('runs its command from an installed place', async () => {
    const at = join(empty, '..', 'installed/node_modules/safe-handshake');
    mkdirSync(at, { recursive: true });
    await run('tar', ['-xzf', made.service, '--strip-components=1', '-C', at]);
    // Its dependencies are those of this checkout: what is proved is that its sources run within node_modules.
    const { symlinkSync } = await import('node:fs');
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(at, 'node_modules'));
    // The test runner sets BASE_URL for its own use.
    const env = { ...process.env, BASE_URL: '' };
    const asked = run(process.execPath, [join(at, 'runtime/bin.mjs'), 'mandate', 'parse', '--json'], {
      env,
      cwd: tmpdir(),
    });
    asked.child.stdin?.end('Buy.');
    const { stdout } = await asked.catch((error) => error);
    expect(stdout).toContain('"decision":"REFUSE"');
  });
});
