import { lineageFaults } from '../lineage/lineage.ts';
import type { AllReadings, Opinion, View } from '../panel/judging.ts';
import { isEmpty, usable } from '../panel/lists.ts';
import { argue, scorecard } from '../panel/scorecard.ts';
import { standingOf } from './certificate-standing.ts';
import { everyHolder, outOfBalance, type TokenCustody, unknownPrincipals } from './custody.ts';
import { type ListedHands, listedHands } from './editions.ts';
import type { ProvenanceCommon, ProvenanceFacts } from './provenance-evidence.ts';
import { keysOf, lookupsOf, serialOf } from './provenance-keys.ts';
import { NOT_A_POLICE_SEARCH } from './provenance-lists.ts';

const ANOTHER = 'an earlier certificate may stand for the same thing';

/** Judges provenance by counts and sums over the same evidence, with its own code. */
export function provenanceStatistics({
  common,
  facts,
  at,
}: View<ProvenanceCommon, ProvenanceFacts>): Opinion {
  const reports = { stolen: reportsOf(common, 'stolen'), recalled: reportsOf(common, 'recalled') };
  const holders = new Set(everyHolder(facts.custody ?? []));
  const listed = handsOf(common, facts.custody ?? []);
  const dirty = new Set(listed.flatMap((hands) => hands.against)).size;
  const form = serialOf(common);
  const balances = (facts.custody ?? []).map(outOfBalance);
  const unbalanced = balances.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  const standing = standingOf(common, facts);
  const faults = lineageFaults(facts.lineage ?? []).length;
  const missing = [
    ...(faults > 0 ? [`${faults} tokens of its lineage were not read as they should be`] : []),
    ...(standing !== null && standing.open.length > 0 ? ['its certificate is disputed'] : []),
    ...(standing !== null && standing.others.length > 0 ? [ANOTHER] : []),
    ...(['stolen', 'recalled'] as const)
      .filter((r) => !answered(common, r, at))
      .map((r) => `no fresh answer on ${r}`),
    ...(form?.outcome === 'INCONCLUSIVE' ? ['the serial cannot be told from its form'] : []),
    ...(facts.custody == null || balances.includes(null) ? ['its chain of custody is not examined'] : []),
    ...(unbalanced > 0 ? [`${unbalanced} addresses are out of balance: moves are missing`] : []),
    ...unknownPrincipals(facts.custody ?? []),
    ...(listed.some(({ open }) => open.length > 0) ? ['units of it went through listed hands'] : []),
    ...(holders.size > 0 && !lookedUp(common, holders, at)
      ? ['not every holder was looked up on fresh lists']
      : []),
  ];
  return scorecard(
    [
      ...(['stolen', 'recalled'] as const).map((register) => ({
        name: `${register}-hits`,
        value: reports[register],
        weight: 100,
        meaning: `${reports[register]} reports of ${register === 'stolen' ? 'theft' : 'recall'}`,
        hard: true,
      })),
      {
        name: 'listed-holders',
        value: dirty,
        weight: 100,
        meaning: `${dirty} of ${holders.size} holders are on a list`,
        hard: true,
      },
      {
        name: 'certificate-against',
        value: standing?.against.length ?? 0,
        weight: standing?.hard === true ? 100 : 60,
        meaning: (standing?.against ?? []).join('; '),
        hard: standing?.hard === true,
      },
      {
        name: 'serial-misfit',
        value: form?.outcome === 'FLAG' ? 1 : 0,
        weight: 60,
        meaning: form === null ? 'no serial' : form.says,
      },
    ],
    missing.length === 0 ? 1 : Math.max(0, 1 - missing.length / 5),
    missing.length === 0 ? [] : [...missing, NOT_A_POLICE_SEARCH],
  );
}

/** Argues for FLAGGED from the worst of all readings. */
export function provenanceAdversary({
  common,
  at,
  readings,
}: AllReadings<ProvenanceCommon, ProvenanceFacts>): Opinion {
  const lives = readings.flatMap((r) => r.custody ?? []);
  const holders = new Set(everyHolder(lives));
  const hits = [...(common.sanctions?.hits ?? []), ...(common.knownScam?.hits ?? [])];
  const listed = readings.flatMap((r) => handsOf(common, r.custody ?? []));
  const against = new Set(listed.flatMap((hands) => hands.against));
  const dirty = hits.filter((h) => against.has(h.key));
  const form = serialOf(common);
  const standings = readings.flatMap((r) => standingOf(common, r) ?? []);
  return argue([
    {
      holds: standings.some((s) => s.against.length > 0),
      hard: standings.some((s) => s.hard),
      says: `its certificate: ${[...new Set(standings.flatMap((s) => s.against))].join('; ')}`,
    },
    { holds: standings.some((s) => s.open.length > 0), unread: true, says: 'its certificate is disputed' },
    { holds: standings.some((s) => s.others.length > 0), unread: true, says: ANOTHER },
    {
      holds: readings.some((r) => lineageFaults(r.lineage ?? []).length > 0),
      unread: true,
      says: 'what it stands for, or what stands for it, is not certain',
    },
    { holds: reportsOf(common, 'stolen') > 0, hard: true, says: 'it is reported stolen' },
    { holds: reportsOf(common, 'recalled') > 0, hard: true, says: 'it is recalled' },
    {
      holds: dirty.length > 0,
      hard: true,
      says: `somebody on a list held it: ${[...new Set(dirty.map((h) => h.list))].sort().join(', ')}`,
    },
    { holds: form?.outcome === 'FLAG', says: `its serial cannot exist: ${form?.says}` },
    {
      holds: form?.outcome === 'INCONCLUSIVE',
      unread: true,
      says: 'its serial cannot be told from its form',
    },
    {
      holds: !answered(common, 'stolen', at),
      unread: true,
      says: 'no fresh register of stolen goods was at hand',
    },
    {
      holds: !answered(common, 'recalled', at),
      unread: true,
      says: 'no fresh register of recalled goods was at hand',
    },
    {
      holds: readings.every((r) => r.custody == null) || lives.some((c) => outOfBalance(c) !== 0),
      unread: true,
      says: 'who held it before is not known to the last move',
    },
    {
      holds: listed.some(({ open }) => open.length > 0),
      unread: true,
      says: 'units of it went through listed hands',
    },
    {
      holds: unknownPrincipals(lives).length > 0,
      unread: true,
      says: 'who stood behind somebody who held it is not known',
    },
    {
      holds: holders.size > 0 && !lookedUp(common, holders, at),
      unread: true,
      says: 'somebody who held it was not looked up on fresh lists',
    },
  ]);
}

/** Who of each list had the thing. */
function handsOf(common: ProvenanceCommon, custody: readonly TokenCustody[]): ListedHands[] {
  return [common.sanctions, common.knownScam].map((register) =>
    listedHands(custody, register ?? { hits: [] }, common.editionRules),
  );
}

function reportsOf(common: ProvenanceCommon, register: 'stolen' | 'recalled'): number {
  const keys = keysOf(common);
  const imported = (common[register]?.hits ?? []).filter((h) => keys.includes(h.key)).length;
  return imported + lookupsOf(common, register).filter((l) => l.answer === 'listed').length;
}

/** Whether somebody was asked, and everybody who was asked could answer. */
function answered(common: ProvenanceCommon, name: 'stolen' | 'recalled', at: string): boolean {
  const register = common[name];
  const lookups = lookupsOf(common, name);
  if (lookups.some((l) => l.answer === null)) return false;
  if (register === undefined || isEmpty(register)) return lookups.length > 0;
  return usable(register, at) && keysOf(common).every((k) => register.lookedUp.includes(k));
}

function lookedUp(common: ProvenanceCommon, holders: ReadonlySet<string>, at: string): boolean {
  return [common.sanctions, common.knownScam].every((register) => {
    if (register === undefined || !usable(register, at)) return false;
    const keys = new Set(register.lookedUp);
    return [...holders].every((holder) => keys.has(holder));
  });
}
