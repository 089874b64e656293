import { thousandsApart } from '../../figures.ts';
import { chainSource, check, type View } from '../panel/judging.ts';
import type { Check } from '../panel/types.ts';
import type { TokenCustody } from './custody.ts';
import { firstPrincipals, holdersOf, weighDisputes, withOwners } from './dispute-weights.ts';
import { MOST_DISPUTES_COUNTED, type ProvenanceCommon, type ProvenanceFacts } from './provenance-evidence.ts';

type Evidence = Pick<ProvenanceCommon, 'assetKey' | 'disputes' | 'moreDisputes' | 'disputeRules' | 'scope'>;

/** What is held against the certificate in question, what leaves it open, and what is only told; in words. */
export interface Standing {
  readonly against: readonly string[];
  /** Whether its issuer marked it void, or it is a wrong one of before under another number. */
  readonly hard: boolean;
  readonly open: readonly string[];
  /** Other certificates of what may be the same thing, which leave it open, too. */
  readonly others: readonly string[];
  readonly told: readonly string[];
  /** Of what is told, the disputes. */
  readonly disputed: readonly string[];
  /** How many more disputes there are, in words; empty where there is none. */
  readonly more: readonly string[];
}

/**
 * How the certificates among the lives stand: the one in question, which is the one that was asked about or else the
 * newest, and those before it. A void one is issued anew to whoever is right, and not to whoever held it.
 * Null where none of them is a certificate, none of the thing is disputed, and no other may stand for it.
 */
export function standingOf(
  common: Evidence,
  facts: Pick<ProvenanceFacts, 'custody' | 'alike' | 'earlier' | 'earlierUnread'>,
): Standing | null {
  const { custody, alike = [] } = facts;
  const lives = (custody ?? []).filter((c) => c.void !== undefined);
  const asked = lives.find(
    (c) => common.assetKey.endsWith(`/${c.tokenId}`) && common.assetKey.includes(c.contract),
  );
  const own = asked ?? lives.at(-1) ?? null;
  const disputed = weighDisputes(common, own, [...lives, ...alike]);
  const others = othersIn(facts);
  if (own === null && disputed.length === 0 && others.length === 0) return null;
  const of = (weight: (typeof disputed)[number]['weight']): string[] =>
    disputed.filter((d) => d.weight === weight).map((d) => d.says);
  const { voided, told } = own === null ? { voided: [], told: [] } : voidsOf(own, lives);
  const wrong = [...voided, ...of('again')];
  return {
    against: [...wrong, ...of('against')],
    hard: wrong.length > 0,
    open: of('open'),
    others,
    told,
    disputed: of('told'),
    more: moreOf(common),
  };
}

function othersIn({
  earlier = [],
  earlierUnread: unread = 0,
}: Pick<ProvenanceFacts, 'earlier' | 'earlierUnread'>): string[] {
  const found = earlier.map(
    ({ tokenId, on, holder, block }) =>
      `certificate ${tokenId}, issued in block ${block}, stands for ${on}, which may be the same thing, and is with ${holder}`,
  );
  if (unread === 0) return found;
  const were = unread === 1 ? '1 more certificate' : `${unread} more certificates`;
  return [...found, `${were} of what may be the same thing ${unread === 1 ? 'was' : 'were'} not read`];
}

function moreOf({ moreDisputes = 0 }: Evidence): string[] {
  if (moreDisputes === 0) return [];
  const many =
    moreDisputes === MOST_DISPUTES_COUNTED + 1
      ? `more than ${thousandsApart(String(MOST_DISPUTES_COUNTED))}`
      : moreDisputes;
  const are = moreDisputes === 1 ? 'is 1 more dispute' : `are ${many} more disputes`;
  return [`there ${are} of the thing, none of which counts for more than these`];
}

/** Whether the certificate in question is void, and whose those were that were void before it. */
function voidsOf(
  own: TokenCustody,
  lives: readonly TokenCustody[],
): Pick<Standing, 'told'> & { voided: string[] } {
  const before = lives.slice(0, lives.indexOf(own)).filter((c) => c.void === true);
  const first = firstPrincipals(own);
  const again = before.filter((c) =>
    holdersOf(c)
      .slice(-1)
      .flatMap((holder) => withOwners(c, holder))
      .some((h) => first.includes(h)),
  );
  return {
    voided: [
      ...(own.void === true ? [`certificate ${own.tokenId} is void`] : []),
      ...again.map(
        (c) => `certificate ${c.tokenId} was void, and who held it had ${own.tokenId} issued in its place`,
      ),
    ],
    told: before
      .filter((c) => !again.includes(c))
      .map((c) => `certificate ${c.tokenId} before it is void, and was somebody else's`),
  };
}

/** Whether the certificate that stands for the thing is void or disputed, or another may stand for it. */
export function certificateChecks(view: View<ProvenanceCommon, ProvenanceFacts>): Check[] {
  const { common, facts, at } = view;
  const standing = standingOf(common, facts);
  if (standing === null) return [];
  const { against, hard, told, disputed, more } = standing;
  const open = [...standing.open, ...standing.others];
  const sources = [
    ...(common.chain === undefined ? [] : [chainSource(view, common.chain)]),
    { name: "this platform's disputes of certificates", asOf: at, limit: 'knows what was disputed here' },
  ];
  const id = 'certificate-standing';
  if (against.length > 0)
    return [check(id, 'FLAG', [...against, ...open, ...more].join('; '), sources, { hard })];
  if (open.length > 0) return [check(id, 'INCONCLUSIVE', [...open, ...more].join('; '), sources)];
  const stands = disputed.length === 0 ? 'neither void nor disputed' : 'not void';
  return [check(id, 'PASS', [stands, ...disputed, ...more, ...told].join('; '), sources)];
}
