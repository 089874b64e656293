import { describe, expect, it } from 'vitest';
import { openMetrics } from './metrics.ts';

describe('the metrics', () => {
  it('show what relays burnt and may still burn, and how each list stands', async () => {
    const text = await openMetrics().text({
      relays: async () => ({ spent: 1_200n, limit: 1_500n }),
      registers: async () => [
        { list: 'sanctions/ofac', state: 'stale' },
        { list: 'known-scam/scamsniffer', state: 'failing' },
      ],
    });
    expect(text).toContain('handshake_relay_gas_spent 1200\n');
    expect(text).toContain('handshake_relay_gas_left 300\n');
    expect(text).toContain('handshake_register_list{list="sanctions/ofac",state="stale"} 1\n');
    expect(text).toContain('handshake_register_list{list="known-scam/scamsniffer",state="failing"} 1\n');
  });

  it('show how old the head is that each reader of a chain tells, and which of them is not ready', async () => {
    const text = await openMetrics().text({
      heads: async () => [
        { chain: '1002', reader: 'viem', block: '7', ageSeconds: 3, fault: null },
        { chain: '1002', reader: 'ethers', block: null, ageSeconds: null, fault: 'does not answer' },
      ],
    });
    expect(text).toContain('handshake_chain_head_age_seconds{chain="1002",reader="viem"} 3\n');
    expect(text).not.toContain('handshake_chain_head_age_seconds{chain="1002",reader="ethers"}');
    expect(text).toContain('handshake_chain_reader_ready{chain="1002",reader="viem"} 1\n');
    expect(text).toContain('handshake_chain_reader_ready{chain="1002",reader="ethers"} 0\n');
  });

  it('say nothing of what could not be read, in place of what it was before', async () => {
    const metrics = openMetrics();
    await metrics.text({
      relays: async () => ({ spent: 2_000n, limit: 1_500n }),
      registers: async () => [{ list: 'sanctions/ofac', state: 'fresh' }],
    });
    const text = await metrics.text({
      relays: () => Promise.reject(new Error('no database')),
      registers: () => Promise.reject(new Error('no database')),
    });
    expect(text).not.toMatch(/^handshake_relay_gas/m);
    expect(text).not.toMatch(/^handshake_register_list/m);
  });
});
