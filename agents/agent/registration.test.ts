import { describe, expect, it } from 'vitest';
import { type RegisteredAgent, registrationFile, registrationOf } from './registration.ts';

const agent: RegisteredAgent = {
  handle: 'harbour-desk',
  displayName: null,
  about: null,
  tier: 'AGENT',
  depth: '2-of-2',
  status: 'active',
  chainId: 1002,
  contract: `0x${'aa'.repeat(20)}`,
  tokenId: 7n,
  account: `0x${'bb'.repeat(20)}`,
  since: new Date('2026-09-06T12:00:00Z'),
  mandate: {
    hash: `0x${'cc'.repeat(32)}`,
    version: 2,
    structured: {
      side: 'both',
      currency: 'USDC',
      cap_per_deal: '500',
      cap_total: '2500.5',
      expires_at: '2026-12-31T00:00:00Z',
    },
  },
};
const BASE = 'https://handshake.test';
const file = (change: Partial<RegisteredAgent> = {}) => registrationFile({ ...agent, ...change }, BASE);
const trait = (name: string, change: Partial<RegisteredAgent> = {}) =>
  file(change).attributes.find(({ trait_type }) => trait_type === name)?.value;

describe('a registration file', () => {
  it('has every member that EIP-8004 and EIP-721 name', () => {
    expect(file()).toMatchObject({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'harbour-desk',
      description: expect.stringContaining('harbour-desk is an AGENT'),
      image: `${BASE}/metadata/1002/7/portrait.svg`,
      external_url: `${BASE}/agent/harbour-desk`,
      services: [
        { name: 'web', endpoint: `${BASE}/agent/harbour-desk` },
        { name: 'activity', endpoint: `${BASE}/agent/harbour-desk/activity` },
        { name: 'agentWallet', endpoint: `eip155:1002:${agent.account}` },
      ],
      x402Support: false,
      active: true,
      registrations: [{ agentId: 7, agentRegistry: `eip155:1002:${agent.contract}` }],
      supportedTrust: ['reputation'],
    });
    expect(registrationOf(agent)).toEqual(file().registrations[0]);
  });

  it('puts the handle beside a chosen name, so that one name cannot pass for another agent', () => {
    expect(file({ displayName: 'USDC Treasury', about: 'Official.' })).toMatchObject({
      name: 'USDC Treasury (harbour-desk)',
      description: expect.stringMatching(/^Official\.\n\nharbour-desk is an AGENT/),
    });
  });

  it('lists tier, status, mandate and the caps that the mandate sets, and no other caps', () => {
    expect(file().attributes).toEqual([
      { trait_type: 'tier', value: 'AGENT' },
      { trait_type: 'status', value: 'active' },
      { trait_type: 'depth', value: '2-of-2' },
      { trait_type: 'minted', display_type: 'date', value: 1_788_696_000 },
      { trait_type: 'mandate hash', value: `0x${'cc'.repeat(32)}` },
      { trait_type: 'mandate version', display_type: 'number', value: 2 },
      { trait_type: 'side', value: 'both' },
      { trait_type: 'expires', value: '2026-12-31T00:00:00Z' },
      { trait_type: 'cap per deal (USD)', display_type: 'number', value: 500 },
      { trait_type: 'cap in all (USD)', display_type: 'number', value: 2500.5 },
    ]);
    expect(trait('depth', { tier: 'EXECUTOR', depth: null })).toBe('none');
  });

  it('does not call an agent active, or its mandate known, when the chain was not read', () => {
    const unread = { status: null, mandate: null };
    expect(file(unread).active).toBe(false);
    expect([trait('status', unread), trait('mandate', unread), trait('mandate hash', unread)]).toEqual([
      'unknown',
      'unknown',
      undefined,
    ]);
    expect(file({ status: 'paused' }).active).toBe(false);
  });
});
