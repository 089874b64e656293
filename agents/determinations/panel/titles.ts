import type { DeterminationId } from './types.ts';

const TITLES: Readonly<Record<DeterminationId, string>> = {
  wallet: 'Counterparty wallet',
  'shill-collusion': 'Shill bidding and collusion',
  'double-pledge': 'Double pledge',
  provenance: 'Provenance and stolen goods',
  'mandate-compliance': 'Mandate compliance',
  'price-intelligence': 'Price intelligence',
};

/** The title of a determination; the id itself when it is unknown here. */
export function titleOf(id: string): string {
  return TITLES[id as DeterminationId] ?? id;
}
