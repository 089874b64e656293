import { type LineageToken, lineageFaults, loanText, relationOf } from '../lineage/lineage.ts';
import { chainSource, check, type View } from '../panel/judging.ts';
import type { Feature, Ground } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import type { PledgeCommon, PledgeFacts } from './pledge-evidence.ts';

type Lenders = PledgeCommon['lenders'];
type Held = Pick<PledgeFacts, 'lineage'>;

const NO_TABLE = 'no list of lending contracts, wrappers and bridges is imported for its chain';

/** Whether a token of the table holds the token in question and says itself that no loan is open. */
export function holderAnswers(lineage: PledgeFacts['lineage']): boolean {
  return lineage?.[0]?.loan?.open === false;
}

/** The tokens of a lineage that answer for an open loan, and those of which that cannot be told. */
function pledged(lineage: readonly LineageToken[], lenders: Lenders): { open: string[]; untold: string[] } {
  const known = new Map((lenders ?? []).map((l) => [l.address, l.source]));
  const open = lineage.flatMap(({ key, loan, holder, relation }) => {
    if (loan?.open === true) return [`${key} answers for ${loanText(loan)}`];
    // The token itself is judged where its holder is.
    const label = relation === 'asked' || loan?.open === false ? undefined : known.get(holder ?? '');
    return label === undefined ? [] : [`${key} lies at ${holder}, a lending contract (${label})`];
  });
  const untold = lineage.flatMap(({ key, loan }) =>
    loan?.open === null
      ? [`${key} lies at ${loan.contract} (${loan.list}): ${loan.fault ?? 'no answer'}`]
      : [],
  );
  return { open, untold };
}

/** A power over this very token, given to a lending contract, is how a loan against it begins. */
function givenAway(lineage: readonly LineageToken[], lenders: Lenders): string[] {
  const listed = new Set((lenders ?? []).map((l) => l.address));
  return lineage.flatMap(({ key, approved }) =>
    approved?.token != null && listed.has(approved.token)
      ? [`${approved.token}, a lending contract, may take ${key} at any time`]
      : [],
  );
}

/** Whether the thing, what it stands for or what stands for it lies with a lender. */
export function escrowChecks(view: View<PledgeCommon, PledgeFacts>): Check[] {
  const { common, facts } = view;
  if (common.contracts === undefined || facts.token === undefined) return [];
  const source = chainSource(view, common.chain ?? '');
  if (facts.lineage === undefined)
    return common.contracts.length > 0
      ? [check('lineage-read', 'INCONCLUSIVE', 'what stands for the token could not be read', [source])]
      : [check('lineage-read', 'PASS', `nothing is known to stand for the token: ${NO_TABLE}`, [source])];
  const { lineage } = facts;
  const lists = common.contracts.map(
    ({ name, asOf, rows }): Source => ({
      name,
      asOf,
      limit: `${rows} contracts; a contract that it does not name is not known`,
    }),
  );
  const sources = [source, ...lists];
  const faults = lineageFaults(lineage);
  const told = lineage.length === 1 ? 'it stands for no other token, and none stands for it' : '';
  const relations = lineage.slice(1).map(relationOf).join('; ');
  const read =
    faults.length > 0
      ? check('lineage-read', 'INCONCLUSIVE', faults.join('; '), sources)
      : check('lineage-read', 'PASS', `${told}${relations}`, sources);
  return [read, loanCheck(lineage, common.lenders, sources)];
}

function loanCheck(lineage: readonly LineageToken[], lenders: Lenders, sources: readonly Source[]): Check {
  const { open, untold } = pledged(lineage, lenders);
  if (open.length > 0) return check('open-loan', 'FLAG', open.join('; '), sources, { hard: true });
  const doubts = [...untold, ...givenAway(lineage, lenders)];
  if (doubts.length > 0) return check('open-loan', 'INCONCLUSIVE', doubts.join('; '), sources);
  const ended = lineage.flatMap(({ loan }) =>
    loan === null ? [] : [`${loan.contract} says that no loan is open`],
  );
  const may = lineage.flatMap((t) => t.approved?.lenders ?? []);
  const power =
    may.length === 0 ? [] : [`its holder lets ${may.join(', ')} take what it has in this collection`];
  return check(
    'open-loan',
    'PASS',
    [...ended, 'no open loan at a contract that is known', ...power].join('; '),
    sources,
  );
}

/** Points for each token of the lineage that a lender has. */
export function escrowFeatures({ lineage = [] }: Held, lenders: Lenders): Feature[] {
  const { open } = pledged(lineage, lenders);
  return [
    {
      ...{ name: 'tokens-in-escrow', value: open.length, weight: 100, hard: true },
      meaning: `${open.length} of ${lineage.length} tokens of its lineage answer for a loan`,
    },
  ];
}

/** What keeps the statistics from saying that nothing is pledged. */
export function escrowDoubts({ lineage = [], token }: Pick<PledgeFacts, 'lineage' | 'token'>): string[] {
  if (token === undefined) return [];
  const untold = lineage.filter((t) => t.loan?.open === null).length;
  const faults = lineage.filter((t) => t.fault !== null).length;
  return [
    ...(untold > 0 ? [`${untold} lending contracts do not tell whether a loan is open`] : []),
    ...(faults > 0 ? [`${faults} tokens of its lineage were not read as they should be`] : []),
  ];
}

export function escrowGrounds({ lineage = [] }: Held, lenders: Lenders): Ground[] {
  const { open, untold } = pledged(lineage, lenders);
  return [
    { holds: open.length > 0, hard: true, says: `an open loan: ${open.join('; ')}` },
    {
      holds: untold.length > 0,
      unread: true,
      says: 'a lending contract holds it, and does not tell of a loan',
    },
    { holds: lineageFaults(lineage).length > 0, unread: true, says: 'what stands for it is not certain' },
    { holds: givenAway(lineage, lenders).length > 0, unread: true, says: 'a lending contract may take it' },
  ];
}
