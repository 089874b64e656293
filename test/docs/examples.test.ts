import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../runtime/cli/demo/client.ts';
import { fund } from '../../runtime/cli/dev.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { storyOn } from '../fixtures/story-stage.ts';

const run = promisify(execFile);
const pythonPresent = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
if (!pythonPresent)
  process.stdout.write('examples: no Python here (apt-get install python3), its example did not run\n');
const example = (name: string) => new URL(`../../docs/examples/${name}`, import.meta.url).pathname;

let folder: ServiceFolder;
let service: ServiceProcess;
/** What the paying example printed, and the record that it was given. */
let paid: string;
let recordUrl: string;

beforeAll(async () => {
  folder = await serviceFolder();
  service = await folder.start();
  await storyOn(folder).importLists();
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await fund(folder.env, address, '5');
  const env = { ...process.env, PAYER_PRIVATE_KEY: key };
  const node = process.execPath;
  paid = (await run(node, [example('determination.mjs'), address, service.baseUrl], { env })).stdout;
  recordUrl = /record: (\S+)/.exec(paid)?.[1] ?? '';
});
afterAll(() => folder?.remove());

describe('the examples of the documents, against a real service', () => {
  it('read what is free by curl, and show the challenge of what is paid', async () => {
    const { stdout } = await run('sh', [example('ask.sh'), service.baseUrl]);
    expect(stdout).toContain('{"status":"ok"');
    expect(stdout).toContain('"items":');
    expect(stdout).toContain('"sellerNetsUsd":294');
    expect(stdout).toMatch(/^400$/m);
    expect(stdout).toContain('402 Payment Required');
    expect(stdout).toContain('{"x402Version":2');
  });

  it('pay one cent with the stock client, and print verdict, checks, transaction and record', () => {
    expect(paid).toContain(' is CLEAN, confidence ');
    expect(paid).toMatch(/^ {2}PASS +list-sanctions: /m);
    expect(paid).toMatch(/paid on eip155:84532 in 0x[0-9a-f]{64}/);
    expect(recordUrl).toContain(`${service.baseUrl}/records/rec_`);
  });

  it('buy an agent in USDC with the stock client, exactly as the page has it', async () => {
    const page = readFileSync(new URL('../../docs/owner.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code!);
    const code = blocks.find((block) => block.includes('/agent/checkout'))!;
    const key = generatePrivateKey();
    await fund(folder.env, privateKeyToAccount(key).address, '5');
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '-e', code.replace('http://127.0.0.1:4021', service.baseUrl)],
      { env: { ...process.env, PAYER_PRIVATE_KEY: key }, cwd: new URL('../..', import.meta.url).pathname },
    );
    expect(stdout).toContain("status: 'paid'");
  });

  it('say what is missing where no key is set', async () => {
    const env = { ...process.env, PAYER_PRIVATE_KEY: '' };
    const asked = [example('determination.mjs'), `0x${'1'.repeat(40)}`, service.baseUrl];
    const failed = await run(process.execPath, asked, { env }).catch((error) => error);
    expect(failed.stderr).toContain('is PAYER_PRIVATE_KEY set?');
  });

  it.runIf(pythonPresent)(
    'prove that record against the chain with the standard library of Python',
    async () => {
      const { rpcUrl, ledger } = findRunning(folder.dataDir)!.chains['1002']!;
      await until('the anchor of the record', async () => {
        const response = await fetch(recordUrl, { headers: { accept: 'application/json' } });
        const { state } = (await response.json()) as { state: string };
        return state === 'anchored' ? state : null;
      });
      const { stdout } = await run('python3', [example('verify_record.py'), recordUrl, rpcUrl, ledger]);
      expect(stdout.trim().split('\n')).toHaveLength(7);
      expect(stdout).not.toContain('NO ');
    },
  );

  /** What the example of Python says of a document with some of its text replaced. */
  async function checkedWith(replaced: string, by: string): Promise<{ code: number; stdout: string }> {
    const genuine = await (await fetch(recordUrl, { headers: { accept: 'application/json' } })).text();
    const altered = genuine.replace(replaced, by);
    expect(altered).not.toBe(genuine);
    const server = createServer((_request, response) => response.end(altered));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const checked = await run('python3', [example('verify_record.py'), url]).catch((error) => error);
    server.close();
    return checked;
  }

  it.runIf(pythonPresent)('find one changed figure in a record and in its evidence', async () => {
    const { code, stdout } = await checkedWith('"verdict":"CLEAN"', '"verdict":"FLAGGED"');
    expect(code).toBe(1);
    expect(stdout).toContain('NO  the hash is that of the record');
  });

  it.runIf(pythonPresent).each([
    ['retracted', '"retracted":{"reason":"by mistake","at":"2026-11-29T00:00:00Z"}'],
    ['overturned', '"overturned":true'],
  ])('do not pass a record that was %s since', async (_, told) => {
    const { code, stdout } = await checkedWith('{', `{${told},`);
    expect(code).toBe(1);
    expect(stdout.match(/^NO .*$/gm)).toEqual(['NO  it was neither retracted nor overturned']);
  });

  it('stand beside a map of the interface that names every route and who must sign, and no other', async () => {
    const { paths } = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: readonly object[] }>>;
    };
    // The paid routes of the categories stand one by one in the description.
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security = [] }]) => ({
        route: `${method.toUpperCase()} ${path.replace(/(tier[23])\/[\w-]+$/, '$1/{category}')}`,
        signed: security.some((way) => 'ownerSignature' in way),
      })),
    );
    const routesOf = (text: string) =>
      [...new Set([...text.matchAll(/`((?:GET|POST|DELETE) \/[^`\s]*)`/g)].map(([, route]) => route))].sort();
    const map = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
    expect(routesOf(map)).toEqual([...new Set(served.map(({ route }) => route))].sort());
    const [, signed = ''] = map.split(/^## (?:Owner-signed|Confirmed by a signature for the contract)$/m);
    expect(routesOf(signed)).toEqual(
      served
        .filter((s) => s.signed)
        .map(({ route }) => route)
        .sort(),
    );
  });

  it('are short, and each says at its head how it is run', () => {
    for (const name of ['ask.sh', 'determination.mjs', 'verify_record.py']) {
      const text = readFileSync(example(name), 'utf8');
      expect(text.split('\n').length).toBeLessThan(130);
      expect(text.slice(0, 400)).toContain(`docs/examples/${name}`);
    }
  });
});
