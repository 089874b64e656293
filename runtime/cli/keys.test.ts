import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openSecrets } from '../config/secrets.ts';
import { openKey } from '../keys/open-keys.ts';
import { agentCommand } from './agent.ts';
import { keysCommand } from './keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
const password = join(folder, 'password');
writeFileSync(password, 'a word\n');
const none = join(folder, 'none');
afterAll(() => rmSync(folder, { recursive: true }));

const make = async (file: string, env: Record<string, string>) =>
  await keysCommand({ DATA_DIR: folder, ...env })
    .exitOverride()
    .parseAsync(['make', file], { from: 'user' });

describe('a keystore', () => {
  const usage = (message: string) =>
    expect.objectContaining({ name: 'StartError', message: expect.stringContaining(message) });

  it('is not made without its password, nor where there is no folder, and the setting or the file is named', async () => {
    const file = join(folder, 'minter.json');
    await expect(make(file, { KEYSTORE_PASSWORD_FILE: none })).rejects.toEqual(
      usage('KEYSTORE_PASSWORD_FILE cannot be read'),
    );
    await expect(make(file, {})).rejects.toEqual(usage('set KEYSTORE_PASSWORD_FILE'));
    const nowhere = join(none, 'minter.json');
    await expect(make(nowhere, { KEYSTORE_PASSWORD_FILE: password })).rejects.toEqual(
      usage(`${nowhere} cannot be written`),
    );
    expect(existsSync(file)).toBe(false);
  });

  it('is opened with the password that it was made with, and without names the setting', async () => {
    const file = join(folder, 'operator.json');
    const said = vi.spyOn(console, 'log').mockImplementation(() => {});
    await make(file, { KEYSTORE_PASSWORD_FILE: password });
    const { address } = JSON.parse(String(said.mock.calls[0]![0])) as { address: string };
    said.mockRestore();
    expect(readFileSync(file, 'utf8')).not.toContain('a word');
    const open = async (passwordFile: string) =>
      await openKey(
        readConfig({
          DATA_DIR: folder,
          RPC_URL_1002: 'http://127.0.0.1:9',
          FACILITATOR_PRIVATE_KEY: generatePrivateKey(),
          SESSION_KEY_SEED: generatePrivateKey(),
          OPERATOR_SIGNER: `keystore:${file}`,
          KEYSTORE_PASSWORD_FILE: passwordFile,
        }),
        'operator',
      );
    expect((await open(password))?.address).toBe(address);
    await expect(open(none)).rejects.toEqual(usage('KEYSTORE_PASSWORD_FILE cannot be read'));
  });
});

describe('a command that takes a number', () => {
  const seed = generatePrivateKey();
  const env = { DATA_DIR: folder, SESSION_KEY_SEED: `1:${seed},0:${seed}` };
  const keys = async (...args: string[]) => {
    const command = keysCommand(env).exitOverride();
    for (const each of command.commands) each.exitOverride().configureOutput({ writeErr: () => {} });
    await command.parseAsync(args, { from: 'user' });
  };

  beforeAll(() => {
    openSecrets(readConfig({ DATA_DIR: folder }), (bytes) => 'ab'.repeat(bytes));
  });

  it.each(['retire-seed', 'drop-seed'])(
    'says of %s whether the version is none, in use or not held',
    async (act) => {
      await expect(keys(act, 'x')).rejects.toThrow('It must be a whole number from 0 to 1000000.');
      await expect(keys(act, '1')).rejects.toThrow('Version 1 is the one in use: "keys rotate-seed" first.');
      await expect(keys(act, '7')).rejects.toThrow(
        'Version 7 is not held: "keys seeds" shows those that are.',
      );
      await expect(keys(act, '7')).rejects.toHaveProperty('name', 'StartError');
    },
  );

  it.each(['x', '0', '-1', '1.5'])('does not take --batches %s for ten', async (batches) => {
    const command = agentCommand(env).exitOverride();
    for (const each of command.commands) each.exitOverride().configureOutput({ writeErr: () => {} });
    await expect(
      command.parseAsync(['replay', 'some-agent', '--batches', batches], { from: 'user' }),
    ).rejects.toThrow('It must be a whole number from 1 to 100000.');
  });
});
