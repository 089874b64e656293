/** The plain name of each check, and the group in which people are shown it. */

export const GROUPS = ['Identity', 'Lists', 'Money', 'Code', 'History', 'Mandate'] as const;
export type Group = (typeof GROUPS)[number];

const NAMES: Readonly<Record<string, readonly [name: string, group: Group]>> = {
  'address-form': ['Can be read as an address', 'Identity'],
  'address-checksum': ['No letter is mistyped', 'Identity'],
  'dead-end': ['Somebody stands behind it', 'Identity'],
  'look-alike': ['Not made to look like somebody you know', 'Identity'],
  principals: ['Who decides over it', 'Identity'],
  'seller-of-lot': ['The seller listed this lot', 'Identity'],
  'same-owner': ['The two sides have different owners', 'Identity'],
  'same-session-key': ['The two sides have different keys', 'Identity'],
  'serial-form': ['The serial is well formed', 'Identity'],
  'list-sanctions': ['Sanctions lists', 'Lists'],
  'list-known-scam': ['Lists of known scams', 'Lists'],
  'list-stolen': ['Lists of stolen goods', 'Lists'],
  'list-recalled': ['Lists of recalled goods', 'Lists'],
  'custody-sanctions': ['Earlier holders on sanctions lists', 'Lists'],
  'custody-known-scam': ['Earlier holders on scam lists', 'Lists'],
  'custody-principals': ['Who stood behind earlier holders', 'Identity'],
  'issuer-freeze': ['Not frozen by the dollar’s issuer', 'Lists'],
  transfers: ['Where its money came from and went', 'Money'],
  'standing-grants': ['Who else may move its tokens', 'Money'],
  'exposure-one-hop': ['Those it dealt with here', 'Money'],
  'address-poisoning': ['Sends no bait transfers', 'Money'],
  'funds-available': ['The money for it is there', 'Money'],
  comparables: ['Enough comparable sales', 'Money'],
  'price-in-market': ['The price is within the market', 'Money'],
  'bidders-money': ['Nobody bids with the seller’s money', 'Money'],
  'asset-returns': ['The lot does not go round in a ring', 'Money'],
  'money-between-sides': ['No money goes back to the buyer', 'Money'],
  'contract-code': ['What runs at the address', 'Code'],
  'eip7702-delegation': ['Who its code is delegated to', 'Code'],
  'key-live': ['Its key is live on chain', 'Code'],
  'certificate-read': ['The certificate stands for it', 'Code'],
  'token-held': ['Somebody holds the token', 'Code'],
  'certificate-standing': ['The certificate is neither void nor disputed', 'History'],
  'lineage-read': ['What it stands for, and what stands for it', 'Code'],
  'open-loan': ['No loan is open on it', 'History'],
  'transaction-simulated': ['What the transaction would do is known', 'Money'],
  'transaction-parties': ['Who takes part in the transaction', 'Lists'],
  'transaction-drain': ['Takes no more than it says', 'Money'],
  'transaction-approvals': ['Gives no stranger power over tokens', 'Money'],
  'transaction-owners': ['Nobody else decides afterwards', 'Code'],
  'transaction-conditions': ['Does what its preview shows', 'Code'],
  'origin-listed': ['Lists of phishing sites', 'Lists'],
  'origin-imitates': ['The site is not made to look like another', 'Identity'],
  'platform-history': ['Its deals on this platform', 'History'],
  behaviour: ['Behaves unlike drainers and bots', 'History'],
  'chain-of-custody': ['Who held it before', 'History'],
  'sales-apart': ['Sales it is compared with are between strangers', 'Money'],
  'other-live-claim': ['Not pledged or listed elsewhere', 'History'],
  'seller-side-bids': ['The seller does not bid', 'History'],
  'bid-ring': ['No ring of bidders', 'History'],
  'pair-trade': ['The two do not trade back and forth', 'History'],
  'loyal-loser': ['Nobody bids only to lose', 'History'],
  'bids-against-market': ['Those who bid here bid as others do', 'History'],
  'flat-prices': ['Its prices differ as prices do', 'History'],
  'bidding-pattern': ['The bidding looks natural', 'History'],
  'lot-known': ['The lot is known here', 'History'],
  'readings-agree': ['Both readers agree', 'Code'],
  'adverse-facts': ['No adverse fact was found', 'Code'],
  'chain-policy': ['All that its chain requires was read', 'Code'],
  'mandate-known': ['The agent has a mandate', 'Mandate'],
  'mandate-on-chain': ['The mandate is the one on chain', 'Mandate'],
  'agent-active': ['The agent may trade', 'Mandate'],
};

/** The ids of checks that have a name of their own. */
export const NAMED: ReadonlySet<string> = new Set(Object.keys(NAMES));

/** @returns for a check that has no name here, its id in words; the prefix decides its group */
export function checkName(id: string): { readonly name: string; readonly group: Group } {
  const known = NAMES[id];
  if (known !== undefined) return { name: known[0], group: known[1] };
  const [kind = id, chain] = id.split(':');
  if (kind === 'chain-activity') return { name: `What it did on chain ${chain ?? ''}`, group: 'History' };
  const words = kind.replaceAll('-', ' ');
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (kind.startsWith('mandate')) return { name, group: 'Mandate' };
  if (kind.startsWith('list') || kind.startsWith('solana-listed')) return { name, group: 'Lists' };
  return { name, group: kind.startsWith('solana') ? 'Code' : 'History' };
}

/** A reason that begins with the id of a check, with that check's plain name. */
export function reasonWords(reason: string): string {
  const [, id = '', rest = ''] = /^([a-z0-9-]+): (.*)$/s.exec(reason) ?? [];
  return NAMED.has(id) ? `${checkName(id).name}: ${rest}` : reason;
}
