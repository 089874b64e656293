import { check } from '../panel/judging.ts';
import { listSources, type RegisterState, unproved, whyUnusable } from '../panel/lists.ts';
import type { Check, Source } from '../panel/types.ts';
import { mixesScripts } from './confusable.ts';
import { namesOf, readHost, registrable } from './host.ts';
import { brandOf, type Imitation, imitates, UNSURE } from './imitation.ts';
import { unicodeLabel } from './punycode.ts';

/** Where a request says that it comes from, and what lists say of it. */
export interface OriginEvidence {
  /** As it was given: a URL or a host. */
  readonly given: string;
  readonly phishing: RegisterState;
  /** The names that are worth imitating. */
  readonly known: Pick<RegisterState, 'lists' | 'missing'> & {
    /** Absent in evidence of earlier releases, which took no name for another also without a list of names. */
    readonly maxAgeDays?: number;
    /** The longest of the host's names that stands there; null: none. */
    readonly match: string | null;
    /** Those that the host could be taken for. */
    readonly near: readonly string[];
  };
}

/** Checks on where a request comes from: one for lists, one for what the name pretends to be. */
export function originChecks({ given, phishing, known }: OriginEvidence, at: string): Check[] {
  const read = readHost(given);
  if (read.kind === 'local') {
    const itself: Source = { name: 'the address itself', asOf: at, limit: 'says nothing about who runs it' };
    return [check('origin-listed', 'PASS', `${read.host} is this machine or this network`, [itself])];
  }
  const trusted = known.match !== null && !phishing.hits.some((hit) => hit.key.length >= known.match!.length);
  return [
    listed(read.host, phishing, trusted ? known.match : null, at),
    pretending(given, { known, trusted, at }),
  ];
}

function listed(host: string, phishing: RegisterState, trusted: string | null, at: string): Check {
  const sources = listSources(phishing, at);
  const id = 'origin-listed';
  const hits = phishing.hits.filter((hit) => namesOf(host).includes(hit.key));
  if (hits.length > 0 && trusted === null) {
    const lists = [...new Set(hits.map((hit) => hit.list))].sort().join(', ');
    return check(id, 'FLAG', `${hits[0]!.key} is on ${lists}`, sources, { hard: true });
  }
  const why = whyUnusable(phishing, at);
  if (why !== null) return check(id, 'INCONCLUSIVE', why, sources);
  const open = namesOf(host).filter(
    (name) =>
      !phishing.lookedUp.includes(name) || (!isHit(phishing, name) && unproved(phishing, name).length > 0),
  );
  if (open.length > 0)
    return check(id, 'INCONCLUSIVE', `nothing proves that ${open.join(', ')} is not listed`, sources);
  const known = trusted === null ? '' : `; ${trusted} is a known name`;
  return check(id, 'PASS', `${namesOf(host).join(', ')}: on no phishing list${known}`, sources);
}

const isHit = (phishing: RegisterState, name: string): boolean =>
  phishing.hits.some((hit) => hit.key === name);

const SAYS: Readonly<Record<Imitation, string>> = {
  homograph: 'is drawn like',
  misspelling: 'is a slip of the pen away from',
  near: 'is spelled almost like',
  bait: 'puts words of bait beside',
  'in-front': 'puts in front of another name',
  borrowed: 'is a page, where anybody gets one, under the name of',
  namesake: 'is a page, on a shared host, under the name of',
  below: 'puts below another name',
};

interface Pretending {
  readonly known: OriginEvidence['known'];
  readonly trusted: boolean;
  readonly at: string;
}

function pretending(given: string, { known, trusted, at }: Pretending): Check {
  const { host, kind, pretended } = readHost(given);
  const id = 'origin-imitates';
  const named = knownSources(known, at);
  if (pretended !== null)
    return check(id, 'FLAG', `"${pretended}" stands before an @: the host is ${host}`, named);
  if (kind === 'address') return check(id, 'FLAG', `${host} is a number: nobody can tell whose it is`, named);
  if (trusted) return check(id, 'PASS', `${known.match} is a known name`, named);
  return likeness(host, { known, named, at });
}

function knownSources({ lists }: OriginEvidence['known'], at: string): Source[] {
  if (lists.length === 0) return [{ name: 'the address itself', asOf: at, limit: 'no names are known' }];
  return lists.map((list) => ({
    name: list.name,
    asOf: list.asOf,
    limit: `${list.rows} names; finds imitations of these only`,
  }));
}

function likeness(
  host: string,
  { known, named, at }: Pick<Pretending, 'known' | 'at'> & { readonly named: readonly Source[] },
): Check {
  const id = 'origin-imitates';
  const rows = known.lists.reduce((sum, list) => sum + list.rows, 0);
  const found = known.near.flatMap((name) => {
    const how = imitates(host, brandOf(name));
    return how === null ? [] : [{ how, says: `${shown(host)} ${SAYS[how]} ${name}` }];
  });
  const strong = found.filter(({ how }) => !UNSURE.has(how));
  const said = (all: typeof found) =>
    all
      .slice(0, 3)
      .map(({ says }) => says)
      .join('; ');
  if (strong.length > 0) return check(id, 'FLAG', said(strong), named);
  const mixed = host.split('.').find(mixesScripts);
  if (mixed !== undefined)
    return check(id, 'FLAG', `${unicodeLabel(mixed)} mixes letters of several scripts`, named);
  if (found.length > 0)
    return check(id, 'INCONCLUSIVE', `${said(found)}; it may be a name of its own`, named);
  const { maxAgeDays } = known;
  const why =
    maxAgeDays === undefined ? null : whyUnusable({ ...known, register: 'known-domains', maxAgeDays }, at);
  if (why !== null) return check(id, 'INCONCLUSIVE', why, named);
  return check(id, 'PASS', `${registrable(host)} is taken for none of ${rows} known names`, named);
}

function shown(host: string): string {
  const unicode = host.split('.').map(unicodeLabel).join('.');
  return unicode === host ? host : `${unicode} (${host})`;
}
