import { check } from '../panel/judging.ts';
import { isEmpty, listCheck, listSources, type RegisterState, whyUnusable } from '../panel/lists.ts';
import type { Check, Source } from '../panel/types.ts';
import { everyHolder, type TokenCustody } from './custody.ts';
import { listedHands } from './editions.ts';
import type { ProvenanceCommon, RegisterLookup } from './provenance-evidence.ts';
import { keysOf, lookupsOf } from './provenance-keys.ts';

export const NOT_A_POLICE_SEARCH = 'this is not a search of national police databases';

/**
 * Checks whether the thing is in a register of goods: in the lists imported here, or in one that somebody else keeps
 * and that was asked. Either hit is a FLAG. "Not listed" needs an answer from every one of them: a list that is too old
 * and a look-up without an answer are INCONCLUSIVE, and so is an empty register when nobody else was asked.
 */
export function goodsCheck(
  id: 'list-stolen' | 'list-recalled',
  common: ProvenanceCommon,
  name: RegisterLookup['register'],
  at: string,
): Check {
  const register = common[name];
  const lookups = lookupsOf(common, name);
  const lists = register === undefined ? [] : keysOf(common).map((key) => listCheck(id, register, key, at));
  const empty = register === undefined || isEmpty(register);
  const sources = limited([
    ...(register === undefined || (empty && lookups.length > 0) ? [] : listSources(register, at)),
    ...lookups.map(lookupSource),
    ...(register === undefined && lookups.length === 0
      ? [{ name: `register ${name}`, asOf: at, limit: 'it was not asked' }]
      : []),
  ]);
  const says = (detail: string): string => `${detail}; ${NOT_A_POLICE_SEARCH}`;
  const found = [
    ...lists.filter((c) => c.outcome === 'FLAG').map((c) => c.detail),
    ...lookups.filter((l) => l.answer === 'listed').map(listedBy),
  ];
  if (found.length > 0) {
    const detail = `${name}: ${[...new Set(found)].join('; ')}`;
    return check(id, 'FLAG', says(detail), sources, { hard: true });
  }
  const vague = (register?.hits ?? []).filter((hit) => common.vague?.includes(hit.key));
  const open = [
    ...vague.map((hit) => `${hit.key}, which may be this thing, stands on ${hit.list}`),
    ...(empty && lookups.length > 0 ? [] : lists.filter((c) => c.outcome !== 'PASS').map((c) => c.detail)),
    ...lookups.filter((l) => l.answer === null).map((l) => `${l.name}: ${l.fault ?? 'no answer'}`),
    ...(lists.length === 0 && lookups.length === 0 ? [`the register ${name} was not asked`] : []),
  ];
  if (open.length > 0) return check(id, 'INCONCLUSIVE', says([...new Set(open)].join('; ')), sources);
  const clear = [
    ...(empty ? [] : lists.map((c) => c.detail)),
    ...lookups.map((l) => `not listed by ${l.name} as of ${l.asOf}`),
  ];
  return check(id, 'PASS', says([...new Set(clear)].join('; ')), sources);
}

function listedBy(lookup: RegisterLookup): string {
  return `listed by ${lookup.name}${lookup.reference === null ? '' : ` as ${lookup.reference}`}`;
}

function lookupSource({ name, asOf }: RegisterLookup): Source {
  return { name, asOf, limit: 'a register that others keep: says what it holds under this very key' };
}

function limited(sources: readonly Source[]): Source[] {
  return sources.map((s) => ({ ...s, limit: `${s.limit}; ${NOT_A_POLICE_SEARCH}` }));
}

/** Compares everybody in the chain of custody with one register of addresses. */
export function heldAgainst(
  id: string,
  register: RegisterState | undefined,
  custody: readonly TokenCustody[] | null,
  { at, rules }: { readonly at: string; readonly rules: ProvenanceCommon['editionRules'] },
): Check {
  if (register === undefined) {
    const source = { name: 'registers of addresses', asOf: at, limit: 'they were not asked' };
    return check(id, 'INCONCLUSIVE', 'nobody in the chain of custody was looked up', [source]);
  }
  const sources = listSources(register, at);
  if (custody === null) return check(id, 'INCONCLUSIVE', 'who held it could not be read', sources);
  const holders = everyHolder(custody);
  const { against, open, told } = listedHands(custody, register, rules);
  const named = (who: readonly string[]): string => {
    const those = new Set(who);
    const hits = register.hits.filter((h) => those.has(h.key));
    const all = [...new Set(hits.map((h) => `${h.key} is on ${h.list}`))].sort();
    return `${all.slice(0, 5).join('; ')}${all.length > 5 ? ` and ${all.length - 5} more` : ''}`;
  };
  if (against.length > 0) {
    const says = `it was held by listed addresses: ${named(against)}`;
    return check(id, 'FLAG', says, sources, { hard: true });
  }
  if (open.length > 0) {
    const says = `units of it went through listed hands, and which ones are in question is not known: ${named(open)}`;
    return check(id, 'INCONCLUSIVE', says, sources);
  }
  const why = whyUnusable(register, at);
  if (why !== null) return check(id, 'INCONCLUSIVE', why, sources);
  const looked = new Set(register.lookedUp);
  const missed = holders.filter((h) => !looked.has(h));
  if (missed.length > 0)
    return check(
      id,
      'INCONCLUSIVE',
      `${missed.length} of ${holders.length} holders were not looked up`,
      sources,
    );
  if (told.length > 0) {
    const says = `no unit of it that others have went through listed hands, in which others lie: ${named(told)}`;
    return check(id, 'PASS', says, sources);
  }
  return check(id, 'PASS', `none of its ${holders.length} holders is on ${register.register}`, sources);
}
