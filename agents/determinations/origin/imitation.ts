import { looksOf } from './confusable.ts';
import { labelsBelow, ownLabel, registrable, sharedAs } from './host.ts';

/**
 * `homograph`: drawn alike; `misspelling`: a letter too many, too few or swapped, under the same top level; `bait`: the name
 * with words such as `login` beside it; `in-front`: the whole name stands before another host; `borrowed`: its label is that
 * of a page where anybody gets one. `near`: otherwise spelled almost alike, as honest names are, too; `namesake`: its label is
 * that of a page which may be its own; `below`: its label stands below another name.
 */
export type Imitation =
  | 'homograph'
  | 'misspelling'
  | 'bait'
  | 'in-front'
  | 'borrowed'
  | 'near'
  | 'namesake'
  | 'below';

/** Those which honest names are, too. */
export const UNSURE: ReadonlySet<Imitation> = new Set(['near', 'namesake', 'below']);

/** Shorter names are too near to too many others. */
const SHORTEST = 6;
/** The same label says more than a similar one. */
const SHORTEST_SAME = 4;
/** From this length on two letters may differ. */
const LONG = 11;
/** What is put beside a known name to lead to a login, a gift or a repair. */
const BAIT =
  /^(?:app|apps|airdrop|airdrops|claim|claims|connect|login|logins|signin|sign|wallet|wallets|support|help|secure|security|verify|verification|restore|recover|recovery|reward|rewards|bonus|gift|mint|sync|validate|validator|migrate|migration|unlock|update|upgrade|official|portal|dapp|extension|defi|token|tokens|swap|stake|staking|free|nft|nfts|event|giveaway|io|com|org|net|web|www|web3|eth|us|en|auth|account|refund|kyc|rectify|fix|node|nodes|live|online|pro|plus|v2|v3)+$/;

/** Labels that sites give to parts of themselves, or to the network that these are about: such a name imitates nobody. */
const ORDINARY: ReadonlySet<string> = new Set(
  (
    'docs mail blog shop store test demo beta stage staging status static assets images media files upload uploads download ' +
    'downloads forum forums community governance developer developers explorer exchange blockchain bridge launchpad market ' +
    'markets marketplace dashboard finance network protocol service services payment payments checkout careers research ' +
    'academy studio gateway mobile server public trading analytics console register partner partners global ethereum ' +
    'bitcoin solana polygon arbitrum optimism avalanche mainnet testnet'
  ).split(' '),
);
const isOrdinary = (label: string): boolean => ORDINARY.has(label) || BAIT.test(label);

/** A name that is worth imitating, prepared to be compared with many. */
export interface Brand {
  readonly name: string;
  readonly own: string;
  readonly label: string;
  readonly looks: string;
}

export function brandOf(name: string): Brand {
  const label = ownLabel(name);
  return { name, own: registrable(name), label, looks: looksOf(label) };
}

/**
 * How a host imitates a known name; null when it does not, or when it belongs to that name.
 * @param host punycode, lower case
 */
export function imitates(host: string, brand: Brand): Imitation | null {
  return imitation(namedOf(host), brand);
}

/** The names that a host imitates, first those that are beyond doubt: whoever keeps only some keeps these. */
export function imitated(host: string, brands: readonly Brand[]): string[] {
  const own = namedOf(host);
  const found = brands.flatMap((brand) => {
    const how = imitation(own, brand);
    return how === null ? [] : [{ name: brand.name, isSure: !UNSURE.has(how) }];
  });
  return [...found.filter((f) => f.isSure), ...found.filter((f) => !f.isSure)].map(({ name }) => name);
}

/** A host, prepared to be compared with many names. */
interface Named extends Brand {
  readonly dotted: string;
  readonly shared: ReturnType<typeof sharedAs>;
  readonly below: readonly { readonly label: string; readonly looks: string }[];
}

function namedOf(host: string): Named {
  const below = labelsBelow(host).map((label) => ({ label, looks: looksOf(label) }));
  return { ...brandOf(host), dotted: `.${host}`, shared: sharedAs(host), below };
}

function imitation(own: Named, brand: Brand): Imitation | null {
  const { dotted } = own;
  if (own.own === brand.own) return null;
  if (dotted.includes(`.${brand.own}.`) || dotted.includes(`.${brand.own.replaceAll('.', '-')}.`))
    return 'in-front';
  if (own.label === brand.label && own.shared !== null) return pageOf(own.shared, brand.label);
  if (brand.label.length < SHORTEST) return null;
  return likeness(own, brand) ?? placedBelow(own, brand);
}

/** How a page that bears the label of a name, where such pages are to be had, is taken. */
function pageOf(shared: NonNullable<Named['shared']>, label: string): Imitation | null {
  if (label.length < SHORTEST_SAME || isOrdinary(label)) return null;
  return shared === 'anybody' && label.length >= SHORTEST ? 'borrowed' : 'namesake';
}

function placedBelow({ below }: Named, { label, looks }: Brand): Imitation | null {
  const found = isOrdinary(label) ? undefined : below.find((part) => part.looks === looks);
  if (found === undefined) return null;
  return found.label === label ? 'below' : 'homograph';
}

/** What the label that somebody chose makes of a name; the same label under another top level is a name of its own. */
function likeness(own: Named, brand: Brand): Imitation | null {
  if (own.label === brand.label) return null;
  if (own.looks === brand.looks) return 'homograph';
  if (isBait(own.label, brand.label) || isBait(own.looks, brand.looks)) return 'bait';
  // Numbered siblings, and a plural, are names of their own.
  const plain = (label: string) => label.replaceAll(/\d/g, '');
  if (plain(own.label) === plain(brand.label) || own.label === `${brand.label}s`) return null;
  const most = brand.label.length >= LONG ? 2 : 1;
  const apart = distance(own.looks, brand.looks, most);
  if (apart > most) return null;
  const top = (name: string) => name.slice(name.indexOf('.'));
  const isSlip = apart === 1 && isSlipOf(own.looks, brand.looks) && top(own.own) === top(brand.own);
  return isSlip ? 'misspelling' : 'near';
}

/** Whether a letter more or less, or two swapped, makes the difference; another letter in its place makes other words. */
function isSlipOf(label: string, brand: string): boolean {
  return label.length !== brand.length || [...label].sort().join('') === [...brand].sort().join('');
}

/** The name with nothing but words of bait around it. */
function isBait(label: string, brand: string): boolean {
  const at = label.indexOf(brand);
  if (at < 0) return false;
  const rest = `${label.slice(0, at)}-${label.slice(at + brand.length)}`;
  const words = rest.split('-').filter((word) => word !== '');
  return words.length > 0 && words.every((word) => BAIT.test(word));
}

/**
 * How many letters must be changed, added, left out or swapped with their neighbour (Damerau and Levenshtein, without
 * overlaps); `most + 1` where it is more than `most`.
 */
export function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, before[j - 2]! + 1);
      next.push(best);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
