import { formatUsd, type Micro } from '../../money.ts';
import { check } from '../panel/judging.ts';
import type { Feature, Ground } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import type { Customers } from './payees.ts';
import type { Funding, SharedFunder } from './shill-evidence.ts';

/** An address with more customers than this is a faucet or an exchange, and links nobody. */
export const FUNDER_REACH = 5;
/**
 * A buyer to whom so much of the price came back from its seller did not pay it, in percent; a fifth may have been a wage, a
 * refund or a part of the price. Of less nobody can make a price: a seller and a buyer may well have other business.
 */
const BACK = { most: 50n, much: 20n } as const;

/** Who paid less of one side's money, in percent, may be anybody: a stranger can pay a part of it to two whom he means ill. */
const TIES = 50;

/** What a reading says of the money between the sides; null where transfers could not be read, undefined where none were. */
type Read = Funding | null | undefined;
/** The deal's price in micro-dollars; undefined in evidence from when any transfer counted. */
type Price = string | undefined;

/**
 * How much of the price came back; in evidence of before, whether anything did. Where most of it only gave back what had
 * gone the other way before, it may be a loan that was paid back, or a refund; or somebody paid it there for that.
 */
function cameBack({ returned, sent, setOff = '0' }: Funding, price: Price): 'most' | 'much' | 'little' {
  if (sent === undefined || price === undefined) return returned.length > 0 ? 'most' : 'little';
  const hundredfold = BigInt(sent) * 100n;
  const of: Micro = BigInt(price);
  if ((BigInt(sent) - BigInt(setOff)) * 100n >= of * BACK.most) return 'most';
  return hundredfold >= of * BACK.much ? 'much' : 'little';
}

export function fundingCheck(
  { funding, fault }: { readonly funding: Funding | null; readonly fault: string | null },
  price: Price,
  sources: readonly Source[],
): Check {
  const id = 'money-between-sides';
  if (funding === null) {
    return check(id, 'INCONCLUSIVE', `transfers could not be read: ${fault ?? 'no reading'}`, sources);
  }
  const { least } = funding;
  const what = least === undefined ? 'the first money' : `at least ${least} percent of all money`;
  const into = ({ funder, others }: SharedFunder): string =>
    `${funder} put ${what} into both sides, and ${others > FUNDER_REACH ? 'less ' : ''}into ${others} others`;
  const back = cameBack(funding, price);
  const sent = sentText(funding, price);
  const says = [...(back === 'most' ? [sent] : []), ...fundersWith('few', funding).map(into)];
  if (says.length > 0) return check(id, 'FLAG', says.join('; '), sources, { hard: true });
  const open = [
    ...(back === 'much' ? [`${sent}: it may be for something else`] : []),
    ...fundersWith('open', funding).map((f) => `${into(f)}: ${openText(f)}`),
  ];
  if (open.length > 0) return check(id, 'INCONCLUSIVE', open.join('; '), sources);
  const put = least === undefined ? 'the first' : `${least} percent`;
  const went =
    funding.sent === undefined || funding.sent === '0'
      ? "no money went from the seller's side to the buyer's"
      : `${sent}, which is less than ${BACK.much} percent`;
  return check(
    id,
    'PASS',
    `in the last ${funding.blocks} blocks ${went}, and nobody near put ${put} into both`,
    sources,
  );
}

function sentText({ returned, sent, setOff }: Funding, price: Price): string {
  const where = returned.length === 0 ? '' : ` in ${returned.map((r) => r.tx).join(', ')}`;
  if (sent === undefined) return `the seller's side sent money to the buyer's${where}`;
  const of = price === undefined ? '' : ` for a price of ${formatUsd(BigInt(price))}`;
  const back =
    setOff === undefined ? '' : `, ${formatUsd(BigInt(setOff))} of it back of what had gone the other way`;
  return `the seller's side sent ${formatUsd(BigInt(sent))} dollars to the buyer's${where}${of}${back}`;
}

/** Those who join both sides, by how many customers they have: of who paid less than half of a side's money it is open. */
function fundersWith(customers: Customers, { sharedFunders }: Funding): readonly SharedFunder[] {
  const joining = (f: SharedFunder): Customers => {
    const counted = f.customers ?? (f.others <= FUNDER_REACH ? 'few' : 'many');
    return counted === 'few' && isSlight(f) ? 'open' : counted;
  };
  return sharedFunders.filter((f) => joining(f) === customers);
}

const isSlight = ({ share = 100 }: SharedFunder): boolean => share < TIES;

function openText(funder: SharedFunder): string {
  return isSlight(funder)
    ? `that is ${funder.share} percent of one side's, and anybody may pay that to both`
    : 'they may be customers';
}

/** The same as numbers. */
export function fundingFeatures(funding: Read, price: Price): Feature[] {
  if (funding == null) return [];
  const near = fundersWith('few', funding).length;
  return [
    {
      name: 'money-returned',
      value: cameBack(funding, price) === 'most' ? Math.max(1, funding.returned.length) : 0,
      weight: 100,
      meaning: `${funding.returned.length} transfers from the seller's side to the buyer's`,
      hard: true,
    },
    { name: 'shared-funders', value: near, weight: 100, meaning: `${near} who funded both`, hard: true },
  ];
}

/** What may be honest but prevents CLEAN, because nothing here can tell the two apart. */
export function fundingDoubts(funding: Read, price: Price): string[] {
  if (funding == null) return [];
  return [
    ...(cameBack(funding, price) === 'much' ? [sentText(funding, price)] : []),
    ...fundersWith('open', funding).map((f) => `${f.funder} paid both sides: ${openText(f)}`),
  ];
}

export function fundingGrounds(read: readonly Read[], price: Price): Ground[] {
  const fundings = read.flatMap((f) => (f == null ? [] : [f]));
  return [
    {
      holds: fundings.some((f) => cameBack(f, price) === 'most' || fundersWith('few', f).length > 0),
      hard: true,
      says: 'money joins the two sides',
    },
    {
      holds: fundings.some((f) => cameBack(f, price) === 'much'),
      unread: true,
      says: "a part of the price came from the seller's side",
    },
    {
      holds: fundings.some((f) => fundersWith('open', f).length > 0),
      unread: true,
      says: 'one who paid both sides may have customers, or paid little of what one has',
    },
  ];
}
