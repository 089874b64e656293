import { titleOf } from '../../agents/determinations/panel/titles.ts';
import { chainInSentence } from '../html/components.ts';
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
    'agent-contents',
    'lineage-read',
    'transaction-owners',
    'transaction-conditions',
    'readings-agree',
    'adverse-facts',
    'chain-policy',
    'solana-curve',
    'solana-program',
    'solana-token-account',
    'solana-frozen',
    'solana-delegate',
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
  mandate: [
    'mandate-known',
    'mandate-on-chain',
    'agent-active',
    'mandate-side',
    'mandate-window',
    'mandate-category',
    'mandate-chain',
    'mandate-counterparty',
    'mandate-cap-deal',
    'mandate-cap-day',
    'mandate-cap-week',
    'mandate-cap-month',
    'mandate-cap-total',
    'mandate-live-limits',
    'mandate-deals-day',
    'mandate-deals-total',
    'mandate-min-price',
    'mandate-market',
    'mandate-face',
  ],
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
  if (kind === 'chain-activity') return { name: CHECKS.onChain(chainOf(chain)), group: 'history' };
  const [, clean] = /^mandate-clean-(.+)$/.exec(kind) ?? [];
  if (clean !== undefined) return { name: CHECKS.mustBeClean(titleOf(clean)), group: 'mandate' };
  const words = kind.replaceAll('-', ' ');
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (kind.startsWith('mandate')) return { name, group: 'mandate' };
  if (kind.startsWith('list') || kind.startsWith('solana-listed')) return { name, group: 'lists' };
  return { name, group: kind.startsWith('solana') ? 'code' : 'history' };
}

/** Solana has no number. */
function chainOf(chain = ''): string {
  return /^\d+$/.test(chain)
    ? chainInSentence(`eip155:${chain}`)
    : `${chain.charAt(0).toUpperCase()}${chain.slice(1)}`;
}

/** A reason, with the plain name of each check that it names by its id before a colon. */
export function reasonWords(reason: string): string {
  return reason.replace(/(?<=^|; |: )[a-z0-9-]+(?::[a-z0-9]+)?(?=: )/g, (id) => {
    const known = NAMED.has(id) || /^chain-activity:|^mandate-clean-/.test(id);
    return known ? checkName(id).name : id;
  });
}
