import { thousandsApart } from '../../agents/figures.ts';

/**
 * What determinations write into records, said for people. A record keeps its own words, which are hashed and are judged
 * again to the letter, so they change only where they are shown.
 */

/** One manner of speaking in records, and how people say it. They apply in turn. */
export type Saying = readonly [found: RegExp, said: string | ((...parts: string[]) => string)];

const COUNTED =
  'rows?|days?|lots?|hops?|hits?|claims?|limits?|counterparties|dealings?|holders?|moves?|sales?|deals?|trades?|reports?|tokens?|blocks?|chains?|names|codes|points|findings|addresses|transactions|accounts?|agents?|serials?';

/** An amount that a record writes as a bare number, digit by digit: large ones lose none. */
function dollars(amount: string): string {
  const [whole = '', part = ''] = amount.split('.');
  return `$${thousandsApart(whole)}${part === '' ? '' : `.${part.padEnd(2, '0')}`}`;
}

/** So much of a chain's own coin, from its smallest part, to six places. */
function coins(smallest: string, decimals: number): string {
  const digits = smallest.padStart(decimals + 1, '0');
  const places = digits.slice(-decimals).slice(0, 6);
  const part = places.slice(0, [...places].findLastIndex((digit) => digit !== '0') + 1);
  const whole = thousandsApart(digits.slice(0, -decimals));
  if (part === '' && whole === '0') return 'less than 0.000001';
  return part === '' ? whole : `${whole}.${part}`;
}

const LISTS: Readonly<Record<string, string>> = {
  sanctions: 'sanctions',
  'known-scam': 'known scams',
  stolen: 'stolen goods',
  recalled: 'recalled goods',
};

const REVIEWERS: Readonly<Record<string, string>> = {
  rules: 'fixed rules',
  statistics: 'points',
  adversarial: 'the opponent',
};
const READERS: Readonly<Record<string, string>> = { viem: 'first reader', ethers: 'second reader' };

/** A reviewer of a panel, by how it judges and through whom it reads. */
export function reviewer(seat: string): string {
  const [, method = '', reader = ''] = /^(rules|statistics|adversarial)\/(viem|ethers|all)$/.exec(seat) ?? [];
  const by = REVIEWERS[method];
  if (by === undefined) return seat;
  const named = `${by.charAt(0).toUpperCase()}${by.slice(1)}`;
  return READERS[reader] === undefined ? named : `${named}, ${READERS[reader]}`;
}

const plural = (noun: string): string =>
  noun === 'counterparties' ? 'counterparty' : noun.replace(/s$/, '');

export const SAYINGS: readonly Saying[] = [
  // Who says it.
  [
    /\b(rules|statistics|adversarial)\/(?:viem|ethers|all)(?=: | voted | could not say)/g,
    (_, method = '') => `by ${REVIEWERS[method]}`,
  ],
  [/^by ([a-z])/, (_, first = '') => `By ${first}`],
  [/\bscore (\d+) of (\d+)/g, (_, points = '', at = '') => `${points} points, and ${at} make a flag`],
  [/\bscore (\d+), below (\d+)/g, (_, points = '', at = '') => `${points} points, and ${at} make a flag`],
  // What an account holds and did.
  [
    /\bnonce (\d+), balance/g,
    (_, sent = '') => `it sent ${sent} ${sent === '1' ? 'transaction' : 'transactions'}, balance`,
  ],
  [/\bbalance 0 (?:wei|lamports)/g, 'and holds none of the chain’s coin'],
  [/\bbalance (\d+) wei/g, (_, wei = '') => `and holds ${coins(wei, 18)} of the chain’s coin`],
  [/\bbalance (\d+) lamports/g, (_, lamports = '') => `holds ${coins(lamports, 9)} SOL`],
  [/\bno Solana RPC is configured\b/g, 'this service is connected to no Solana node'],
  // Lists.
  [/\(SYNTHETIC, /g, '(made up for tests, '],
  [/\b0 days old\b/g, 'of today'],
  [/\bthe lists (?=(?:sanctions|known-scam)\/)/g, ''],
  [/\b(sanctions|known-scam|stolen|recalled)\/(?=\S)/g, (_, list = '') => `the list of ${LISTS[list]} `],
  [
    /\b(?:the )?register (sanctions|known-scam|stolen|recalled)\b/g,
    (_, list = '') => `the list of ${LISTS[list]}`,
  ],
  [
    /\b(is|are) on (sanctions|known-scam|stolen|recalled)\b/g,
    (_, verb = '', list = '') => `${verb} on a list of ${LISTS[list]}`,
  ],
  [
    /\bno fresh answer on (sanctions|known-scam|stolen|recalled)\b/g,
    (_, list = '') => `no fresh list of ${LISTS[list]}`,
  ],
  // Money.
  [/\bThe price is (\d+(?:\.\d+)?)(?=[ ;.])/g, (_, usd = '') => `The price is ${dollars(usd)}`],
  [/\bThe limit: (\d+(?:\.\d+)?)\./g, (_, usd = '') => `The limit: ${dollars(usd)}.`],
  [/; (\d+(?:\.\d+)?) is left\b/g, (_, usd = '') => `; ${dollars(usd)} is left`],
  [
    /\bthe chain leaves (\d+(?:\.\d+)?) after what is in flight/g,
    (_, usd = '') => `the chain leaves ${dollars(usd)} beside deals under way`,
  ],
  [
    /\bthe account holds (\d+(?:\.\d+)?) for (\d+(?:\.\d+)?)/g,
    (_, held = '', needed = '') => `the account holds ${dollars(held)}, and needs ${dollars(needed)}`,
  ],
  [
    /^(\d+(?:\.\d+)?) dollars cannot be judged/,
    (_, usd = '') => `whether ${dollars(usd)} is a fair price cannot be judged`,
  ],
  [
    /(?<=: )(\d+(?:\.\d+)?) dollars cannot be judged/g,
    (_, usd = '') => `whether ${dollars(usd)} is a fair price cannot be judged`,
  ],
  [
    /\bfrom (\d+(?:\.\d+)?) to (\d+(?:\.\d+)?), half of them below (\d+(?:\.\d+)?)/g,
    (_, low = '', high = '', middle = '') =>
      low === high
        ? `at ${dollars(low)}`
        : `from ${dollars(low)} to ${dollars(high)}, half of them below ${dollars(middle)}`,
  ],
  // Counts of one.
  [/\bany of 1 counterparties in 1 dealings\b/g, 'the one whom it dealt with'],
  [/\bthose 1 who bid here\b/g, 'the one who bids here'],
  [
    new RegExp(`(?<![\\d.,$])\\b1 ((?:list|live|listed|other|hard) )?(${COUNTED})\\b`, 'g'),
    (_, kind = '', noun = '') => `1 ${kind ?? ''}${noun === 'addresses' ? 'address' : plural(noun)}`,
  ],
  // Ids that name nothing to a reader are cut as addresses are.
  [/\b(lst|rec|deal|ord)_([0-9a-f]{8})[0-9a-f]{16,}\b/g, (_, kind = '', start = '') => `${kind}_${start}…`],
];
