import { takenFor } from '../../agents/determinations/wallet/look-alike/look-alike.ts';
import { isEvmAddress, sameAddress } from '../../agents/ids.ts';
import { formatUsd, MICRO_PER_USD } from '../../agents/money.ts';
import type { Challenge, Requirement } from './challenge.ts';
import { isIpAddress, isLoopback, isNamed, looksLike, namedIn } from './hosts.ts';
import type { Memory, Paid } from './memory.ts';
import { type GuardPolicy, limitsOf, type Objection, objection } from './policy.ts';
import { isSameHost, pathsOf, placesOf, type Sighting, type Visit } from './watch.ts';

/** What a payment is judged by. */
export interface Case {
  readonly challenge: Challenge;
  readonly chosen: Requirement;
  /** What was seen of the request; null where the client is not watched, and the challenge is all there is. */
  readonly sighting: Sighting | null;
  readonly policy: GuardPolicy;
  readonly memory: Memory;
  readonly at: number;
}

/** Judges one payment by the policy and by what was paid before; asks nobody. @returns the payment, or why not */
export function judgePayment(of: Case): Paid | Objection {
  const place = placeOf(of);
  if (place === null) return objection('resource-elsewhere', 'the challenge names no URL that can be read');
  const price = priceOf(of);
  return (
    byTransport(of, place) ??
    byHost(of, place) ??
    byTerms(of) ??
    (typeof price === 'bigint' ? null : price) ??
    byPayee(of, place) ??
    byPrice(of, place, price as bigint) ??
    paidAt(of, place, price as bigint)
  );
}

/** Where the payment goes by what was seen, else by what the challenge says. */
function placeOf({ sighting, challenge }: Case): URL | null {
  if (sighting !== null) return sighting.answered;
  const url = challenge.resource?.url;
  return url !== undefined && URL.canParse(url) ? new URL(url) : null;
}

function visitOf({ sighting }: Case, url: URL): Visit {
  return sighting ?? { method: 'GET', asked: url, answered: url };
}

function paidAt(of: Case, url: URL, price: bigint): Paid {
  const visit = visitOf(of, url);
  return {
    ...{ at: of.at, price, payTo: of.chosen.payTo, host: url.host, hostname: url.hostname },
    places: placesOf(visit),
    paths: pathsOf(visit),
  };
}

function byTransport({ challenge, sighting, policy, memory, at }: Case, url: URL): Objection | null {
  const claimed = challenge.resource?.url;
  if (sighting !== null) {
    const { asked, answered, bodyDiffers, isHidden, unservedAt } = sighting;
    if (bodyDiffers)
      return objection('challenge-changed', 'the body asks for another payment than the header');
    if (!isSameHost(asked, answered))
      return objection('redirected', `${asked.host} passed the request on to ${answered.origin}`);
    if (isHidden)
      return objection(
        'redirected',
        `${asked} leads to ${answered}, and no payment follows there: ask there`,
      );
    if (claimed !== undefined && (!URL.canParse(claimed) || new URL(claimed).host !== answered.host))
      return objection('resource-elsewhere', `${answered.host} asks for a payment to ${claimed}`);
    // The answer counts and not the payment: a seller may hold it back for as long as he likes.
    const isUnserved = unservedAt !== null && at - unservedAt < UNSERVED_MS;
    if (isUnserved && placesOf(sighting).some((place) => memory.priceOf(place) !== null))
      return objection('paid-already', `${url.host} was paid for this, did not serve it and asks again`);
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname) && policy.plaintext !== true)
    return objection('plaintext', `${url.host} is asked without encryption: anybody between could be paid`);
  return null;
}

const UNSERVED_MS = 60_000;

function byHost({ policy, memory, sighting }: Case, url: URL): Objection | null {
  const { hosts, lookAlikesOf = [], payees = {} } = policy;
  const named = [...(hosts ?? []), ...Object.keys(payees)];
  const known = [...named, ...lookAlikesOf];
  const shown = sighting?.asked ?? url;
  if (shown.username !== '' || url.username !== '')
    return objection('host-disguised', `it reads like ${shown.username || url.username} and is ${url.host}`);
  if (isNamed(url, hosts === undefined ? known : named)) return null;
  if (isIpAddress(url.hostname) && !isLoopback(url.hostname))
    return objection('host-disguised', `${url.host} has no name`);
  const meant = looksLike(url.hostname, [...known, ...memory.hostnames()]);
  if (meant !== null) return objection('host-look-alike', `${url.hostname} looks like ${meant} and is not`);
  return hosts === undefined ? null : objection('host-not-allowed', `${url.host} is none of the hosts named`);
}

const KNOWN_EXTRA = ['name', 'version', 'assetTransferMethod', 'paymentFlow'];
const LONGEST_NAME = 64;

function byTerms({ challenge, chosen, policy }: Case): Objection | null {
  const limits = limitsOf(policy);
  const { scheme, extra, maxTimeoutSeconds } = chosen;
  if (challenge.x402Version !== 2)
    return objection('version-not-allowed', `x402 version ${challenge.x402Version} binds no resource`);
  if (scheme !== 'exact')
    return objection('scheme-not-allowed', `the scheme ${scheme} lets the payee decide what is taken`);
  const { assetTransferMethod: method, paymentFlow: flow } = extra ?? {};
  if (method !== undefined && method !== 'eip3009')
    return objection(
      'terms-odd',
      `it asks for an allowance by ${String(method)}, which outlives the payment`,
    );
  if (flow !== undefined && flow !== 'authorization')
    return objection('terms-odd', `it asks for the money before the answer (${String(flow)})`);
  const names = Object.entries(extra ?? {}).filter(([name]) => KNOWN_EXTRA.includes(name));
  if (names.some(([, value]) => typeof value !== 'string' || value.length > LONGEST_NAME))
    return objection('terms-odd', 'the name or version of the token is no name');
  if (!Number.isInteger(maxTimeoutSeconds) || maxTimeoutSeconds < 1)
    return objection('terms-odd', 'it says no time within which it is valid');
  if (maxTimeoutSeconds > limits.timeoutSeconds)
    return objection('terms-odd', `it would stay valid for ${maxTimeoutSeconds} seconds`);
  return null;
}

/** The price in micro-dollars, rounded up. */
function priceOf({ chosen, policy }: Case): bigint | Objection {
  const { network, asset, amount } = chosen;
  const known = limitsOf(policy).assets.find(
    (a) => a.network === network && sameAddress(a.asset, String(asset)),
  );
  if (known === undefined)
    return objection('asset-not-allowed', `${asset} on ${network} is no token that may be paid with`);
  if (typeof amount !== 'string' || !/^[1-9]\d{0,38}$/.test(amount))
    return objection('amount-malformed', `"${String(amount).slice(0, 48)}" is no amount`);
  const unit = 10n ** BigInt(known.decimals ?? 6);
  return (BigInt(amount) * MICRO_PER_USD + unit - 1n) / unit;
}

function byPayee(of: Case, url: URL): Objection | null {
  const { chosen, policy, memory } = of;
  const { payTo, asset } = chosen;
  if (!isEvmAddress(String(payTo))) return objection('payee-malformed', `${payTo} is no address`);
  // The zero address, precompiles and addresses of system contracts begin with zeros; nobody holds a key of theirs.
  if (/^0x0{20}/.test(payTo) || /^0x0*dead$/i.test(payTo) || sameAddress(payTo, asset))
    return objection('payee-malformed', `${payTo} is nobody's wallet`);
  const { deny = [], payees = {} } = policy;
  if (deny.some((d) => sameAddress(d, payTo)))
    return objection('payee-denied', `${payTo} is on your own list`);
  const pinned = namedIn(url, payees);
  if (pinned?.some((p) => sameAddress(p, payTo))) return null;
  const known = [...Object.values(payees).flat(), ...memory.payees()];
  const [meant] = takenFor(payTo.toLowerCase(), { days: 1, addresses: known.map((k) => k.toLowerCase()) });
  if (meant !== undefined) return objection('payee-look-alike', `${payTo} looks like ${meant} and is not`);
  if (pinned !== undefined)
    return objection('payee-not-pinned', `${url.host} is paid at ${pinned.join(', ')}`);
  const before = pathsOf(visitOf(of, url)).map((path) => memory.payeeOf(path));
  const other = before.find((payee) => payee !== null && !sameAddress(payee, payTo));
  if (other && policy.anyPayee !== true)
    return objection('payee-changed', `it was paid at ${other} and now asks for ${payTo}`);
  return null;
}

const DAY_MS = 86_400_000;

function byPrice(of: Case, url: URL, price: bigint): Objection | null {
  const { memory, chosen, challenge } = of;
  const { most, perHost, budget, drift, repeats } = limitsOf(of.policy);
  const usd = formatUsd(price);
  if (price > most)
    return objection('over-max', `${usd} USD is more than ${formatUsd(most)} for one payment`);
  const cheaper = challenge.accepts.find(
    (a) =>
      a.network === chosen.network &&
      sameAddress(String(a.asset), chosen.asset) &&
      a.scheme === chosen.scheme &&
      /^[1-9]\d{0,38}$/.test(a.amount) &&
      BigInt(a.amount) < BigInt(chosen.amount),
  );
  if (cheaper)
    return objection(
      'dearer-than-offered',
      `it offers the same for ${cheaper.amount} instead of ${chosen.amount}`,
    );
  const places = placesOf(visitOf(of, url));
  for (const before of places.map((place) => memory.priceOf(place)))
    if (before !== null && price * 10_000n > before * (10_000n + drift))
      return objection('price-drift', `it cost ${formatUsd(before)} USD before and now costs ${usd}`);
  const recent = memory.since(repeats.seconds * 1000);
  const again = recent.filter((p) => p.places.some((place) => places.includes(place))).length;
  if (again >= repeats.count)
    return objection('repeated', `it was paid for ${again} times in ${repeats.seconds} seconds`);
  const day = memory.since(DAY_MS);
  const sum = (paid: readonly Paid[]): bigint => paid.reduce((total, p) => total + p.price, price);
  const { hostname } = url;
  if (sum(day.filter((p) => p.hostname === hostname)) > perHost)
    return objection(
      'over-host-budget',
      `${hostname} would be paid more than ${formatUsd(perHost)} USD in a day`,
    );
  if (sum(day) > budget)
    return objection('over-budget', `more than ${formatUsd(budget)} USD would be paid in a day`);
  return null;
}
