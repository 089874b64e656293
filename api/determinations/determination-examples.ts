import type { Category } from '../../agents/categories.ts';
import type { Discovery } from '../x402/extensions.ts';

/** Whole examples of paid calls and their answers. They must satisfy the schemas of the routes. */

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const RECORDED = {
  filed: true,
  recordId: 'rec_7d3f',
  recordUrl: 'https://handshake.example/records/rec_7d3f',
} as const;

export const WALLET_EXAMPLE = {
  verdict: 'CLEAN',
  address: ADDRESS,
  addressType: 'evm',
  chainId: 1002,
  confidence: 81,
  confidenceBasis: 'uncalibrated',
  reasons: [],
  checks: ['list-sanctions', 'list-known-scam', 'look-alike'],
  inconclusive: [],
  coverage: {
    lists: [
      {
        name: 'sanctions/ofac',
        asOf: '2026-11-22T00:00:00.000Z',
        ageDays: 0,
        rows: 812,
        root: null,
        synthetic: false,
      },
    ],
    chains: [
      {
        chain: 'eip155:1002',
        block: '4711',
        read: true,
        code: 'none',
        required: ['principals', 'lists', 'code'],
      },
    ],
    hops: 1,
    principals: 0,
    history: { dealsDays: 365, transfers: null },
    notLookedAt: ['any chain but these', 'what no list, chain or deal here shows'],
    asFarAs:
      'the lists sanctions/ofac (812 rows, 0 days old); code, owners and activity on eip155:1002 at 4711; its deals here of 365 days, 1 hop far. Not looked at: any chain but these; what no list, chain or deal here shows.',
  },
  evidence: {
    checks: [
      {
        id: 'list-sanctions',
        outcome: 'PASS',
        detail: 'not on it',
        sources: [{ name: 'ofac', asOf: '2026-11-22T00:00:00.000Z', limit: 'lists what OFAC published' }],
      },
    ],
  },
  recorded: RECORDED,
} as const;

const SENDER = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';

export const TRANSACTION_INPUT = {
  address: ADDRESS,
  chainId: 1002,
  transaction: { to: ADDRESS, value: '1000', from: SENDER },
  origin: 'https://shop.example/pay',
} as const;

/** Short: the challenge carries it in a header. */
export const TRANSACTION_EXAMPLE = {
  ...WALLET_EXAMPLE,
  coverage: { ...WALLET_EXAMPLE.coverage, lists: [], notLookedAt: [], asFarAs: 'no list' },
  evidence: { checks: [] },
  assetChanges: [{ party: SENDER, asset: { kind: 'native' }, delta: '-1000' }],
  simulation: { chainId: 1002, block: '4711', node: 'viem over node.example', outcome: 'success' },
  origin: { host: 'shop.example', verdict: 'CLEAN', reasons: [] },
} as const;

/** An example of a deal with the facts for every determination of its tier. */
export function tierExample(tier: 'tier2' | 'tier3', category: Category): Discovery {
  const asset = { chainId: 1002, contract: ADDRESS, tokenId: '17' };
  const determinationsRun = [
    'shill-collusion',
    'double-pledge',
    ...(tier === 'tier3' ? ['provenance'] : []),
    'mandate-compliance',
    'price-intelligence',
  ];
  return {
    input: {
      lotRef: 'lst_5b1c',
      seller: 'harbour-desk',
      listingRef: 'lst_5b1c',
      asset,
      handle: 'my-agent',
      proposal: { side: 'buy', asset, category, priceUsd: 130 },
      priceUsd: 130,
      ...(tier === 'tier3' ? { subject: asset } : {}),
      depth: '2-of-2',
    },
    output: {
      tier,
      category,
      priceUsd: 0.01,
      verdict: 'CLEAN',
      flagged: [],
      inconclusive: [],
      determinations: determinationsRun.map((id) => ({
        id,
        verdict: 'CLEAN',
        confidence: 74,
        confidenceBasis: 'uncalibrated',
      })),
      determinationsRun,
      determinationsNotRun: [],
      recorded: RECORDED,
    },
  };
}
