import { chainSource, check, type View } from '../panel/judging.ts';
import type { Check } from '../panel/types.ts';
import { everyHolder, inOrder, type TokenCustody } from './custody.ts';
import type { CertificateDispute, ProvenanceCommon, ProvenanceFacts } from './provenance-evidence.ts';

type Evidence = Pick<ProvenanceCommon, 'assetKey' | 'disputes' | 'scope'>;

/** What is held against the certificate in question, what leaves it open, and what is only told; in words. */
export interface Standing {
  readonly against: readonly string[];
  /** Whether its issuer marked it void, or it is the void one of before under another number. */
  readonly hard: boolean;
  readonly open: readonly string[];
  readonly told: readonly string[];
}

/**
 * How the certificates among the lives stand: the one in question, which is the one that was asked about or else the
 * newest, and those before it. A void one is issued anew to whoever is right, and not to whoever held it.
 * Null where none of them is a certificate.
 */
export function standingOf(common: Evidence, custody: readonly TokenCustody[]): Standing | null {
  const lives = custody.filter((c) => c.void !== undefined);
  const asked = lives.find(
    (c) => common.assetKey.endsWith(`/${c.tokenId}`) && common.assetKey.includes(c.contract),
  );
  const own = asked ?? lives.at(-1);
  if (own === undefined) return null;
  const before = lives.slice(0, lives.indexOf(own)).filter((c) => c.void === true);
  const first = holdersOf(own)
    .slice(0, 1)
    .flatMap((holder) => principalsOf(own, holder));
  const again = before.filter((c) =>
    holdersOf(c)
      .slice(-1)
      .flatMap((holder) => principalsOf(c, holder))
      .some((h) => first.includes(h)),
  );
  const disputed = (common.disputes ?? [])
    .filter((d) => d.tokenId === own.tokenId)
    .map((d) => [weightOf(d, common.scope === 'deal' ? everyHolder(custody) : null), textOf(d)] as const);
  const of = (weight: Weight): string[] => disputed.filter(([w]) => w === weight).map(([, text]) => text);
  const voided = [
    ...(own.void === true ? [`certificate ${own.tokenId} is void`] : []),
    ...again.map(
      (c) => `certificate ${c.tokenId} was void, and who held it had ${own.tokenId} issued in its place`,
    ),
  ];
  return {
    against: [...voided, ...of('against')],
    hard: voided.length > 0,
    open: of('open'),
    told: [
      ...before
        .filter((c) => !again.includes(c))
        .map((c) => `certificate ${c.tokenId} before it is void, and was somebody else's`),
      ...of('told'),
    ],
  };
}

/** Those who held a certificate, in order. */
function holdersOf({ moves, holders }: TokenCustody): string[] {
  const all = inOrder(moves).map((m) => m.to);
  const ended = (holders ?? []).length === 0 ? all.slice(0, -1) : all;
  return ended.length > 0 ? ended : (holders ?? []).map((h) => h.address);
}

/** A holder, and who owned it. */
function principalsOf({ principals = [] }: TokenCustody, holder: string): string[] {
  return [holder, ...principals.filter((p) => p.holder === holder).flatMap((p) => p.owners)];
}

type Weight = 'against' | 'open' | 'told';

/**
 * A dispute that was upheld is held against the certificate, and one that is held leaves it open. One that nobody decided
 * leaves it open, too; in a deal only from somebody who held it, because any wallet may disclose one.
 */
function weightOf(
  { state, ruling, closed, by }: CertificateDispute,
  holders: readonly string[] | null,
): Weight {
  if (closed) return 'told';
  if (state === 'upheld' || (state === 'appealed' && ruling === 'upheld')) return 'against';
  if (state === 'held') return 'open';
  if (state === 'rejected') return 'told';
  return holders === null || holders.includes(by) ? 'open' : 'told';
}

function textOf({ disputeId, by, state, ruling, filedAt }: CertificateDispute): string {
  const how = {
    disclosed: 'is not decided',
    held: 'holds it',
    upheld: 'was upheld',
    rejected: 'was rejected',
    appealed: `was ${ruling ?? 'decided'}, and appealed against`,
  }[state];
  return `the dispute ${disputeId} of ${by}, filed at ${filedAt}, ${how}`;
}

/** Whether the certificate that stands for the thing is void or disputed. */
export function certificateChecks(view: View<ProvenanceCommon, ProvenanceFacts>): Check[] {
  const { common, facts, at } = view;
  const standing = standingOf(common, facts.custody ?? []);
  if (standing === null) return [];
  const { against, hard, open, told } = standing;
  const sources = [
    ...(common.chain === undefined ? [] : [chainSource(view, common.chain)]),
    { name: "this platform's disputes of certificates", asOf: at, limit: 'knows what was disputed here' },
  ];
  const id = 'certificate-standing';
  if (against.length > 0) return [check(id, 'FLAG', [...against, ...open].join('; '), sources, { hard })];
  if (open.length > 0) return [check(id, 'INCONCLUSIVE', open.join('; '), sources)];
  return [check(id, 'PASS', ['neither void nor disputed', ...told].join('; '), sources)];
}
