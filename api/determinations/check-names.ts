import { CHECKS } from '../words/checks.ts';

/** The plain name of each check, and the group in which people are shown it. */

type Group = keyof typeof CHECKS.groups;
export const GROUPS = Object.keys(CHECKS.groups) as readonly Group[];

type Named = keyof typeof CHECKS.names;

const NAMES: Readonly<Record<string, string>> = CHECKS.names;

const CHECKS_OF: Readonly<Record<Group, readonly Named[]>> = {
  identity: [
    'address-form',
    'address-checksum',
    'dead-end',
    'look-alike',
    'principals',
    'seller-of-lot',
    'same-owner',
    'same-session-key',
    'serial-form',
    'custody-principals',
    'origin-imitates',
  ],
  lists: [
    'list-sanctions',
    'list-known-scam',
    'list-stolen',
    'list-recalled',
    'custody-sanctions',
    'custody-known-scam',
    'issuer-freeze',
    'transaction-parties',
    'origin-listed',
  ],
  money: [
    'transfers',
    'standing-grants',
    'exposure-one-hop',
    'address-poisoning',
    'funds-available',
    'comparables',
    'price-in-market',
    'bidders-money',
    'asset-returns',
    'money-between-sides',
    'transaction-simulated',
    'transaction-drain',
    'transaction-approvals',
    'sales-apart',
  ],
  code: [
    'contract-code',
    'eip7702-delegation',
    'key-live',
    'certificate-read',
    'token-held',
    'lineage-read',
    'transaction-owners',
    'transaction-conditions',
    'readings-agree',
    'adverse-facts',
    'chain-policy',
  ],
  history: [
    'certificate-standing',
    'open-loan',
    'platform-history',
    'behaviour',
    'chain-of-custody',
    'other-live-claim',
    'seller-side-bids',
    'bid-ring',
    'pair-trade',
    'loyal-loser',
    'bids-against-market',
    'flat-prices',
    'bidding-pattern',
    'lot-known',
  ],
  mandate: ['mandate-known', 'mandate-on-chain', 'agent-active'],
};

/** Each check that has a name is here once. */
export const MEMBERS: readonly Named[] = Object.values(CHECKS_OF).flat();

const GROUP_OF: ReadonlyMap<string, Group> = new Map(
  GROUPS.flatMap((group) => CHECKS_OF[group].map((id) => [id, group] as const)),
);

/** The ids of checks that have a name of their own. */
export const NAMED: ReadonlySet<string> = new Set(Object.keys(NAMES));

/** @returns for a check that has no name here, its id in words; the prefix decides its group */
export function checkName(id: string): { readonly name: string; readonly group: Group } {
  const known = NAMES[id];
  if (known !== undefined) return { name: known, group: GROUP_OF.get(id) ?? 'history' };
  const [kind = id, chain] = id.split(':');
  if (kind === 'chain-activity') return { name: CHECKS.onChain(chain ?? ''), group: 'history' };
  const words = kind.replaceAll('-', ' ');
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (kind.startsWith('mandate')) return { name, group: 'mandate' };
  if (kind.startsWith('list') || kind.startsWith('solana-listed')) return { name, group: 'lists' };
  return { name, group: kind.startsWith('solana') ? 'code' : 'history' };
}

/** A reason that begins with the id of a check, with that check's plain name. */
export function reasonWords(reason: string): string {
  const [, id = '', rest = ''] = /^([a-z0-9-]+): (.*)$/s.exec(reason) ?? [];
  return NAMED.has(id) ? `${checkName(id).name}: ${rest}` : reason;
}
