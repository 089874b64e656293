import type { Mandate } from '../mandate/terms/schema.ts';

/** The type that EIP-8004 gives to registration files ("Agent URI and Agent Registration File"). */
export const REGISTRATION_TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1' as const;

export interface RegisteredAgent {
  readonly handle: string;
  readonly displayName: string | null;
  readonly about: string | null;
  readonly tier: 'AGENT' | 'EXECUTOR';
  readonly depth: string | null;
  /** Null when the chain, which determines it, could not be read. */
  readonly status: string | null;
  readonly chainId: number;
  /** Lower case, as is the account. */
  readonly contract: string;
  readonly tokenId: bigint;
  readonly account: string;
  readonly since: Date;
  /** The mandate on chain; null when it could not be read, or is not the mandate that is known here. */
  readonly mandate: { readonly hash: string; readonly version: number; readonly structured: Mandate } | null;
}

interface Attribute {
  readonly trait_type: string;
  readonly value: string | number;
  readonly display_type?: 'number' | 'date';
}

/** One entry of `registrations`: which token of which collection on which chain. */
export interface Registration {
  readonly agentId: number;
  /** CAIP-10 of the collection. */
  readonly agentRegistry: string;
}

export function registrationOf({
  chainId,
  contract,
  tokenId,
}: Pick<RegisteredAgent, 'chainId' | 'contract' | 'tokenId'>): Registration {
  return { agentId: Number(tokenId), agentRegistry: `eip155:${chainId}:${contract}` };
}

/**
 * An agent's registration file (EIP-8004), which is also its ERC-721 metadata. Names and descriptions are its owner's
 * words, so whoever displays them must escape them.
 * @param baseUrl the service's public address
 */
export function registrationFile(agent: RegisteredAgent, baseUrl: string) {
  const page = `${baseUrl}/agent/${agent.handle}`;
  return {
    type: REGISTRATION_TYPE,
    name: agent.displayName === null ? agent.handle : `${agent.displayName} (${agent.handle})`,
    description: [
      agent.about,
      `${agent.handle} is an ${agent.tier} of Safe Handshake: a token with an account of its own, bound to a mandate that the chain enforces. The account, not its owner, is the counterparty of record.`,
    ]
      .filter((part) => part !== null && part !== '')
      .join('\n\n'),
    image: portraitUrl(agent, baseUrl),
    external_url: page,
    services: [
      { name: 'web', endpoint: page },
      { name: 'activity', endpoint: `${page}/activity` },
      { name: 'agentWallet', endpoint: `eip155:${agent.chainId}:${agent.account}` },
    ],
    // The agent pays by x402, but none of the endpoints above costs anything.
    x402Support: false,
    active: agent.status === 'active',
    registrations: [registrationOf(agent)],
    supportedTrust: ['reputation'],
    attributes: attributes(agent),
  };
}

export function portraitUrl(
  { chainId, tokenId }: Pick<RegisteredAgent, 'chainId' | 'tokenId'>,
  baseUrl: string,
): string {
  return `${baseUrl}/metadata/${chainId}/${tokenId}/portrait.svg`;
}

const CAPS = [
  ['cap_per_deal', 'cap per deal (USD)'],
  ['cap_per_day', 'cap per day (USD)'],
  ['cap_per_week', 'cap per week (USD)'],
  ['cap_per_month', 'cap per month (USD)'],
  ['cap_total', 'cap in all (USD)'],
  ['min_price', 'lowest price of a sale (USD)'],
] as const;

function attributes({ tier, depth, status, since, mandate }: RegisteredAgent): readonly Attribute[] {
  return [
    { trait_type: 'tier', value: tier },
    { trait_type: 'status', value: status ?? 'unknown' },
    { trait_type: 'depth', value: depth ?? 'none' },
    { trait_type: 'minted', display_type: 'date', value: Math.floor(since.getTime() / 1000) },
    ...(mandate === null
      ? [{ trait_type: 'mandate', value: 'unknown' }]
      : [
          { trait_type: 'mandate hash', value: mandate.hash },
          { trait_type: 'mandate version', display_type: 'number' as const, value: mandate.version },
          { trait_type: 'side', value: mandate.structured.side },
          { trait_type: 'expires', value: mandate.structured.expires_at },
          ...CAPS.flatMap(([field, trait_type]) => {
            const value = mandate.structured[field];
            return value === undefined
              ? []
              : [{ trait_type, display_type: 'number' as const, value: Number(value) }];
          }),
        ]),
  ];
}
