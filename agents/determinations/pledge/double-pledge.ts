import { chainSource, check, type Judging, type Opinion, type View } from '../panel/judging.ts';
import { argue, scorecard } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import { contentsChecks, contentsDoubts, contentsGrounds } from './contents.ts';
import { escrowChecks, escrowDoubts, escrowFeatures, escrowGrounds, holderAnswers } from './escrow.ts';
import type { Claim, PledgeCommon, PledgeFacts } from './pledge-evidence.ts';

export const doublePledge: Judging<PledgeCommon, PledgeFacts> = {
  rules,
  statistics,
  adversary: ({ common, readings }) => {
    const { foreign, unattributed, otherMakers } = sort(common);
    return argue([
      { holds: foreign.some((c) => c.sameKey), hard: true, says: `another live claim: ${refs(foreign)}` },
      { holds: foreign.length > 0, says: `the same number stands under ${refs(foreign)}` },
      {
        holds: readings.some((r) => lenderOf(common, r) !== null),
        hard: true,
        says: 'the token lies at a lending contract',
      },
      ...readings.flatMap((r) => escrowGrounds(r, common.lenders)),
      ...contentsGrounds(common.contents),
      {
        holds: unattributed.length > 0,
        unread: true,
        says: `a live pledge that nobody here explains: ${refs(unattributed)}`,
      },
      { holds: otherMakers.length > 0, unread: true, says: ofAnotherMaker(otherMakers) },
      {
        holds: common.claims.some((c) => c.lender !== null && c.otherMaker !== true),
        says: 'a lender holds a claim on it',
      },
      {
        holds: readings.some((r) => r.token === null || r.token?.holder === null),
        unread: true,
        says: 'who holds the token is not known',
      },
      {
        holds: readings.some((r) => r.lot === null) || new Set(readings.map((r) => r.lot)).size > 1,
        unread: true,
        says: 'what the certificate stands for is not certain',
      },
    ]);
  },
};

interface Sorted {
  /** They collide. */
  readonly foreign: Claim[];
  /** They may be the asker's own, because no listing was named. */
  readonly unattributed: Claim[];
  /** They may be of another thing, whose maker gave it the same number. */
  readonly otherMakers: Claim[];
}

function sort(common: PledgeCommon): Sorted {
  const isOther = (c: Claim): boolean => c.otherMaker === true;
  const otherMakers = common.claims.filter((c) => isOther(c) && !isOwn(common, c));
  const claims = common.claims.filter((c) => !isOther(c));
  return { ...sortOfThing({ ...common, claims }), otherMakers };
}

function isOwn({ listingRef, handle }: PledgeCommon, claim: Claim): boolean {
  return listingRef !== null ? claim.listingRef === listingRef : claim.holder === handle;
}

function sortOfThing(common: PledgeCommon): Omit<Sorted, 'otherMakers'> {
  const { claims, listingRef, handle } = common;
  const liens = claims.filter((c) => isLien(common, c));
  if (liens.length > 0) {
    const others = claims.filter((c) => !liens.includes(c));
    const { foreign, unattributed } = sortOfThing({ ...common, claims: others });
    return { foreign: [...liens, ...foreign], unattributed };
  }
  if (listingRef !== null)
    return { foreign: claims.filter((c) => c.listingRef !== listingRef), unattributed: [] };
  if (handle !== null) return { foreign: claims.filter((c) => c.holder !== handle), unattributed: [] };
  if (new Set(claims.map((c) => c.listingRef)).size > 1) return { foreign: [...claims], unattributed: [] };
  return { foreign: [], unattributed: claims.filter((c) => c.kind !== 'listing') };
}

/** A lender's lien is nobody's own claim: whatever reference the asker names, the thing answers for a debt. */
function isLien(common: PledgeCommon, claim: Claim): boolean {
  return common.liens !== undefined && claim.kind === 'pledge' && claim.lender !== null;
}

function refs(claims: readonly Claim[], at?: string): string {
  const said = ({ kind, listingRef, until, on }: Claim): string => {
    const named = on === undefined ? `${kind} ${listingRef}` : `${kind} ${listingRef} on ${on}`;
    const overdue = at !== undefined && until != null && Date.parse(until) <= Date.parse(at);
    return overdue ? `${named}, overdue since ${until}, not released` : named;
  };
  return [...new Set(claims.map(said))].sort().join(', ');
}

function ofAnotherMaker(claims: readonly Claim[], at?: string): string {
  return `the same number of another maker is claimed by ${refs(claims, at)}`;
}

function rules(view: View<PledgeCommon, PledgeFacts>): Check[] {
  const { common, at } = view;
  const contents = contentsChecks(common.contents, common.chain ?? '', at);
  return [...certificate(view), ...token(view), ...contents, ...escrowChecks(view), claim(view)];
}

function certificate(view: View<PledgeCommon, PledgeFacts>): Check[] {
  const { common, facts } = view;
  if (facts.lot === undefined) return [];
  const sources = [chainSource(view, common.chain ?? '')];
  if (facts.lot !== null)
    return [check('certificate-read', 'PASS', `the certificate stands for ${facts.lot}`, sources)];
  const why = `what the certificate stands for could not be read: ${facts.fault ?? 'no reading'}`;
  return [check('certificate-read', 'INCONCLUSIVE', why, sources)];
}

/** Whether the token is there to be pledged: a contract, and somebody who holds it. */
function token(view: View<PledgeCommon, PledgeFacts>): Check[] {
  const { common, facts } = view;
  if (facts.token === undefined) return [];
  const sources = [chainSource(view, common.chain ?? '')];
  const open = (why: string): Check[] => [check('token-held', 'INCONCLUSIVE', why, sources)];
  if (facts.token === null)
    return open(`who holds the token could not be read: ${facts.fault ?? 'no reading'}`);
  if (!facts.token.contract) return open('there is no contract at the address of the token');
  if (facts.token.holder === null) return open('nobody holds the token: it was never minted, or is burnt');
  const lender = lenderOf(common, facts);
  if (lender !== null) {
    const says = `the token lies at ${lender.address}, a lending contract (${lender.source}): it answers for a loan`;
    return [check('token-held', 'FLAG', says, sources, { hard: true })];
  }
  return [check('token-held', 'PASS', `the token is held by ${facts.token.holder}`, sources)];
}

/** The lending contract that holds the token as collateral; null where nobody known as one does. */
function lenderOf(
  { lenders = [] }: PledgeCommon,
  { token: held, lineage }: PledgeFacts,
): NonNullable<PledgeCommon['lenders']>[number] | null {
  if (holderAnswers(lineage)) return null;
  return lenders.find(({ address }) => address === held?.holder) ?? null;
}

function claim({ common, at }: View<PledgeCommon, PledgeFacts>): Check {
  const sources: Source[] = [
    {
      name: "this platform's pledges and live listings",
      asOf: at,
      limit:
        'knows what was pledged or listed here, under any spelling of the asset; not what was pledged elsewhere',
    },
  ];
  const { foreign, unattributed, otherMakers } = sort(common);
  if (foreign.length > 0) {
    const hard = foreign.some((c) => c.sameKey);
    const how = hard ? 'already claimed by' : 'the same number, under another key, is claimed by';
    return check('other-live-claim', 'FLAG', `${common.assetKey}: ${how} ${refs(foreign, at)}`, sources, {
      hard,
    });
  }
  if (otherMakers.length > 0) {
    const detail = `${common.assetKey}: ${ofAnotherMaker(otherMakers, at)}; who made it is the word of whoever wrote it`;
    return check('other-live-claim', 'INCONCLUSIVE', detail, sources);
  }
  if (unattributed.length > 0) {
    const detail = `pledged under ${refs(unattributed, at)}; give listingRef to say whether that is this deal`;
    return check('other-live-claim', 'INCONCLUSIVE', detail, sources);
  }
  const own =
    common.claims.length === 0 ? 'no live pledge or listing' : `only the live ${refs(common.claims, at)}`;
  return check('other-live-claim', 'PASS', `${common.assetKey}: ${own}`, sources);
}

/** Counts instead of comparing names: the distinct references, without the one that is allowed to claim. */
function statistics({ common, facts }: View<PledgeCommon, PledgeFacts>): Opinion {
  const claims = common.claims.filter((c) => c.otherMaker !== true);
  const liens = claims.filter((c) => isLien(common, c)).length;
  const exact = new Set(claims.filter((c) => c.sameKey).map((c) => c.listingRef));
  const near = new Set(claims.filter((c) => !c.sameKey).map((c) => c.listingRef));
  const ours = claims.filter((c) => isOwn(common, c));
  const alike = common.claims.filter((c) => c.otherMaker === true && !isOwn(common, c)).length;
  const allowed = new Set(ours.map((c) => c.listingRef));
  const named = common.listingRef !== null || common.handle !== null;
  const excess = named
    ? [...exact].filter((r) => !allowed.has(r)).length
    : Math.max(0, new Set([...exact, ...near]).size - 1);
  const nearExcess = named ? [...near].filter((r) => !allowed.has(r)).length : 0;
  const loose = !named && claims.some((c) => c.kind === 'pledge' && !isLien(common, c));
  const unheld = facts.token === null || facts.token?.holder === null;
  const open = [...escrowDoubts(facts), ...contentsDoubts(common.contents)];
  return scorecard(
    [
      {
        name: 'liens',
        value: liens,
        weight: 100,
        meaning: `${liens} liens that no lender released`,
        hard: true,
      },
      {
        name: 'held-by-lender',
        value: lenderOf(common, facts) === null ? 0 : 1,
        weight: 100,
        meaning: 'the token lies at a lending contract',
        hard: true,
      },
      ...escrowFeatures(facts, common.lenders),
      {
        name: 'claims-too-many',
        value: excess,
        weight: 100,
        meaning: `${excess} live claims too many`,
        hard: true,
      },
      {
        name: 'claims-on-same-serial',
        value: nearExcess,
        weight: 60,
        meaning: `${nearExcess} claims on the same number under another key`,
      },
    ],
    loose || alike > 0 || facts.lot === null || unheld || open.length > 0 ? 0 : 1,
    [
      ...open,
      ...(alike > 0 ? [`${alike} claims on the same number of another maker`] : []),
      ...(loose ? ['one pledge cannot be told from the one in question'] : []),
      ...(facts.lot === null ? ['the certificate could not be read'] : []),
      ...(unheld ? ['who holds the token is not known'] : []),
    ],
  );
}
