import type { DeterminationId } from './types.ts';

const TITLES: Readonly<Record<DeterminationId, string>> = {
  wallet: 'Counterparty wallet',
  'shill-collusion': 'Shill bidding and collusion',
  'double-pledge': 'Double pledge',
  provenance: 'Provenance and stolen goods',
  'mandate-compliance': 'Mandate compliance',
  'price-intelligence': 'Price intelligence',
};

/** What a determination is called; its id where it is none that is known here. */
export function titleOf(id: string): string {
  return TITLES[id as DeterminationId] ?? id;
}
