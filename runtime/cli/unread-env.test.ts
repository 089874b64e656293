import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkEnvFile } from './doctor/settings.ts';
import { heedUnreadEnv, unreadEnv } from './unread-env.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
const holds = (text: string): void => writeFileSync(join(folder, '.env'), text);

describe('a .env in the working directory', () => {
  it('is doubtful to the doctor, who names it and says how it is read, and repeats no value', () => {
    holds('export PORT="5000"\nOPERATOR_API_KEY=secret-words\n# MODE=production\n');
    const [finding] = checkEnvFile({}, folder);
    expect(finding).toEqual({
      ...{ of: 'settings', state: 'doubtful' },
      says: '.env is not read: it sets OPERATOR_API_KEY, PORT, which the environment does not',
      remedy: expect.stringMatching(/set -a; \. \.\/\.env; set \+a.*node --env-file=\.env/),
    });
  });

  it('is nothing to tell of where it is missing, empty, of others, or in the environment already', () => {
    expect(unreadEnv({}, folder)).toBeNull();
    holds('OTHER=1\nPORT=\n');
    expect(unreadEnv({}, folder)).toBeNull();
    holds('PORT=5000\nRPC_URL_8453=http://127.0.0.1:1\n');
    expect(unreadEnv({ PORT: '1', RPC_URL_8453: 'x' }, folder)).toBeNull();
    expect(unreadEnv({ PORT: '1' }, folder)?.names).toEqual(['RPC_URL_8453']);
  });

  it('is told to whoever starts a process', () => {
    const told = vi.spyOn(console, 'error').mockReturnValue();
    holds('PORT=5000\n');
    heedUnreadEnv({}, folder);
    expect(told).toHaveBeenCalledWith(expect.stringContaining('.env is not read: it sets PORT'));
  });

  it.each(['MODE=production', "MODE='production'", 'PRICING=live'])(
    'lets nothing start that it means for production: %s',
    (line) => {
      holds(`${line}\n`);
      expect(() => heedUnreadEnv({}, folder)).toThrow(/\.env is not read.*node --env-file=\.env/s);
      vi.spyOn(console, 'error').mockReturnValue();
      for (const MODE of ['development', 'test', 'production'])
        expect(() => heedUnreadEnv({ MODE }, folder)).not.toThrow();
    },
  );
});
