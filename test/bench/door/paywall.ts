import type { RoutesConfig } from '@x402/core/server';
import type { Network } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { declareDiscoveryExtension } from '@x402/extensions/bazaar';

/** What the peers ask for the same call: the same cent, on the same two chains, through the same facilitator. */
export interface PaywallTerms {
  readonly facilitatorUrl: string;
  readonly payTo: string;
  readonly networks: readonly {
    readonly chainId: number;
    readonly asset: string;
    readonly name: string;
    readonly version: string;
  }[];
}

export function routesOf({ payTo, networks }: PaywallTerms): RoutesConfig {
  return {
    'GET /determination': {
      accepts: networks.map(({ chainId, asset, name, version }) => ({
        scheme: 'exact',
        network: `eip155:${chainId}` as const,
        payTo,
        price: { asset, amount: '10000', extra: { name, version } },
        maxTimeoutSeconds: 300,
      })),
      description: 'A determination on one counterparty wallet: CLEAN or FLAGGED, with evidence',
      mimeType: 'application/json',
      extensions: {
        ...declareDiscoveryExtension({
          input: { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F', chainId: 1002 },
          inputSchema: { properties: { address: { type: 'string' } }, required: ['address'] },
          output: { example: { verdict: 'CLEAN' } },
        }),
      },
    },
  };
}

export function schemesOf({ networks }: PaywallTerms) {
  return networks.map(({ chainId }) => ({
    network: `eip155:${chainId}` as Network,
    server: new ExactEvmScheme(),
  }));
}
