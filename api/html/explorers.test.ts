import { describe, expect, it } from 'vitest';
import { readConfig } from '../../runtime/config/config.ts';
import { explorerSite, onChain } from './explorers.ts';

const tx = `0x${'ab'.repeat(32)}`;
const chain = { chainId: 8453, name: 'Base', blockSeconds: 2, native: 'ETH', dollars: [] };
const known = new Map([[8453, { ...chain, explorer: 'https://basescan.org' }]]);
const siteOf = (chainId: number, env: Record<string, string> = {}) =>
  explorerSite({ config: readConfig(env), evidence: { known } as never }, chainId);

describe('the way to a block explorer', () => {
  it('is the Blockscout that is configured, or the one of a public chain; a chain of this machine has none', () => {
    expect(siteOf(8453)).toBe('https://basescan.org');
    expect(siteOf(8453, { EXPLORER_URL_8453: 'https://base.blockscout.com/api/v2' })).toBe(
      'https://base.blockscout.com',
    );
    expect(siteOf(8453, { EXPLORER_URL_8453: 'https://api.etherscan.io/v2/api?apikey=k' })).toBe(
      'https://basescan.org',
    );
    expect(siteOf(1002)).toBeNull();
  });

  it('never tells the key of an interface that is asked by programs', () => {
    const asked = { EXPLORER_URL_1002: 'https://api.etherscan.io/v2/api?apikey=k' };
    expect(siteOf(1002, asked)).toBeNull();
  });

  it('leads to the value there, and is left out where there is no site or no such value', () => {
    expect(onChain('https://basescan.org', 'tx', tx).text).toContain(`href="https://basescan.org/tx/${tx}"`);
    expect(onChain(null, 'tx', tx).text).not.toContain('<a ');
    expect(onChain('https://basescan.org', 'address', '"><script>').text).not.toContain('<a ');
  });
});
