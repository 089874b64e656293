import { generatePrivateKey } from 'viem/accounts';
import { expect, it } from 'vitest';
import { demoCommand } from './demo.ts';
import type { Starters } from './starters.ts';

it('is refused where a chain is given, and starts nothing', async () => {
  const env = {
    RPC_URL_1002: 'http://127.0.0.1:1',
    OPERATOR_PRIVATE_KEY: generatePrivateKey(),
    FACILITATOR_PRIVATE_KEY: generatePrivateKey(),
    SESSION_KEY_SEED: generatePrivateKey(),
  };
  const service = () => Promise.reject(new Error('a service was started'));
  const demo = demoCommand(env, { service } as unknown as Starters).exitOverride();
  await expect(demo.parseAsync(['node', 'demo', '--json'])).rejects.toThrow('for embedded chains only');
});
