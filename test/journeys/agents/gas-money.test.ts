import { toHex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { serviceClient, until } from '../../../runtime/cli/demo/client.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';

interface Shown {
  readonly role: string;
  readonly address: string;
  readonly balance: string;
  readonly low: boolean;
}

let folder: ServiceFolder;
afterEach(() => folder.remove());

describe('the keys that pay for gas', { timeout: 400_000 }, () => {
  it('are in /health with their balances, which is degraded when one runs out, and the log says so', async () => {
    folder = await serviceFolder();
    const service = await folder.start();
    const api = serviceClient(service.baseUrl);
    const health = async () => (await api.get('/health')).body;
    const whole = await until('a health that is whole', async () => {
      const found = await health();
      return found.status === 'ok' ? found : null;
    });
    // Of each chain the keys that send there: what is not paid for on the other goes to the first.
    for (const [chainId, roles] of [
      ['1002', ['operator', 'facilitator']],
      ['84532', ['facilitator']],
    ] as const) {
      const signers = whole.checks.chains[chainId].signers as Shown[];
      expect(signers.map((s) => s.role)).toEqual(roles);
      for (const shown of signers) {
        expect(shown).toMatchObject({ address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/), low: false });
        expect(Number(shown.balance)).toBeGreaterThan(1);
      }
    }

    const poor = whole.checks.chains['1002'].signers[1] as Shown;
    const { rpcUrl } = findRunning(folder.dataDir)!.chains['1002']!;
    await rpc(rpcUrl, 'anvil_setBalance', [poor.address, toHex(10n ** 15n)]);
    // A part that a busy machine answers too late is down for one check, which must not count here.
    const degraded = await until('a health that is degraded by it alone', async () => {
      const found = await health();
      const { chains } = found.checks;
      return chains['1002'].status === 'degraded' && chains['84532'].status === 'ok' ? found : null;
    });
    expect(degraded.status).toBe('degraded');
    expect(degraded.checks.chains['1002']).toMatchObject({
      status: 'degraded',
      detail: 'low on gas: facilitator',
      signers: [{ low: false }, { low: true, balance: '0.001' }],
    });
    const said = /a key that pays for gas is running out of it/;
    await until('the log', async () => (said.test(service.output()) ? true : null));
    expect(service.output()).toContain(poor.address);
  });
});
