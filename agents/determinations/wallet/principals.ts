import type { Ground } from '../panel/scorecard.ts';
import { originFindings, originsOn } from './origins.ts';
import { edgeFindings, HARD_DISTANCE } from './principal-edges.ts';
import type { WalletCommon, WalletFacts } from './wallet-evidence.ts';
import { type Finding, listedFinding, type WalletView, worstOf } from './wallet-findings.ts';

/**
 * Checks the owners behind the account on one chain, nearest first, each like the account itself. A hit on any of them
 * is a hit on the account, because the account acts for them.
 */
export function principalsOn(view: WalletView, chain: string): Finding {
  const reading = view.facts.chains.find((c) => c.chain === chain);
  if (reading?.principals == null)
    return { outcome: 'INCONCLUSIVE', says: `${chain} could not be read: ${reading?.fault ?? 'no reading'}` };
  const { owners, unknown, edges = [] } = reading.principals;
  const parties = owners.map((address, i) => ({ address, what: `${ownerAt(i)} on ${chain}` }));
  const origins = originFindings(view, chain);
  const against = worstOf([
    ...parties.map(({ address, what }) => listedFinding(view, address, what)),
    ...edgeFindings(view, edges, chain),
    ...origins,
  ]);
  if (against?.outcome === 'FLAG') return against;
  if (unknown !== null)
    return { outcome: 'INCONCLUSIVE', says: `who stands behind it on ${chain} is not known: ${unknown}` };
  if (against !== null) return against;
  const others = edges.map(
    ({ of, who, role, source }) => `${who} is ${role.replace(/^its /, 'the ')} of ${of} (${source})`,
  );
  const from = originsOn(view.common, chain).map(
    ({ who, role, source }) => `${who} is ${role.replace(/^its /, 'the ')} (${source})`,
  );
  const named = [...parties.map(({ address, what }) => `${what} is ${address}`), ...others, ...from].join(
    ', ',
  );
  const told = origins.map((o) => o.says).join(', ');
  if (told !== '') return { outcome: 'PASS', says: `${named}; ${told}` };
  return {
    outcome: 'PASS',
    says: named === '' ? `nobody stands behind it on ${chain}` : `${named}, and no list names any`,
  };
}

/** Checks the session keys that sign in the account's name, as {@link principalsOn} checks the owners. */
export function sessionKeysOf(view: WalletView): Finding[] {
  return (view.common.sessionKeys ?? []).map(
    (key) =>
      listedFinding(view, key, 'its session key') ?? {
        outcome: 'PASS',
        says: `its session key is ${key}, which no list names`,
      },
  );
}

function ownerAt(index: number): string {
  return index === 0 ? 'its owner' : `the owner at distance ${index + 1}`;
}

/** Every owner behind the account in these facts. */
export function principalsIn(facts: WalletFacts): string[] {
  return facts.chains.flatMap((c) => [
    ...(c.principals?.owners ?? []),
    ...(c.principals?.edges ?? []).map((e) => e.who),
  ]);
}

/** The same in numbers. `unread`: the chains on which the owners behind it are unknown. */
export function principalScore(common: WalletCommon, facts: WalletFacts) {
  const listed = new Set([...common.sanctions.hits, ...common.knownScam.hits].map((h) => h.key));
  const edges = facts.chains.flatMap((c) => c.principals?.edges ?? []);
  const owners = facts.chains.flatMap((c) => c.principals?.owners ?? []);
  const near = edges.filter((e) => e.alone && e.distance <= HARD_DISTANCE).map((e) => e.who);
  const close = new Set([...owners, ...near, ...(common.sessionKeys ?? [])]);
  const principals = new Set([...close, ...edges.map((e) => e.who)]);
  const asked = common.sessionKeys !== undefined;
  return {
    hits: [...close].filter((who) => listed.has(who)).length,
    far: [...principals].filter((who) => listed.has(who) && !close.has(who)).length,
    unknown: asked
      ? facts.chains.filter((c) => c.principals == null || c.principals.unknown !== null).length
      : 0,
    unlooked: [...principals].filter(
      (who) => ![common.sanctions, common.knownScam].every((r) => r.lookedUp.includes(who)),
    ).length,
  };
}

/** The adversary's grounds against the principals. */
export function principalGrounds(common: WalletCommon, readings: readonly WalletFacts[]): Ground[] {
  if (common.sessionKeys === undefined) return [];
  const chains = readings.flatMap((r) => r.chains);
  return [
    {
      holds: common.chains.some(
        (chain) => !chains.some((c) => c.chain === chain && c.principals?.unknown === null),
      ),
      unread: true,
      says: 'who stands behind it is not known on every chain',
    },
  ];
}
