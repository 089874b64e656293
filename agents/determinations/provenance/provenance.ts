import { lineageFaults, relationOf } from '../lineage/lineage.ts';
import { chainSource, check, type Judging, type Step, type View } from '../panel/judging.ts';
import { usable } from '../panel/lists.ts';
import type { Check, Source } from '../panel/types.ts';
import { certificateChecks } from './certificate-standing.ts';
import { holesIn, inOrder, unknownPrincipals } from './custody.ts';
import type { ProvenanceCommon, ProvenanceFacts } from './provenance-evidence.ts';
import { serialOf } from './provenance-keys.ts';
import { goodsCheck, heldAgainst, NOT_A_POLICE_SEARCH } from './provenance-lists.ts';
import { provenanceAdversary, provenanceStatistics } from './provenance-scores.ts';
import { timelineOf } from './timeline.ts';

type ProvenanceView = View<ProvenanceCommon, ProvenanceFacts>;

/**
 * Judges where a thing comes from: whether its serial can exist, whether a register of stolen or recalled goods lists
 * it, and who held the token that stands for it, from its mint until now.
 */
export const provenance: Judging<ProvenanceCommon, ProvenanceFacts> = {
  rules: (view) => [
    goodsCheck('list-stolen', view.common, 'stolen', view.at),
    goodsCheck('list-recalled', view.common, 'recalled', view.at),
    ...serialCheck(view),
    custodyCheck(view),
    ...lineageChecks(view),
    ...certificateChecks(view),
    ...holderChecks(view),
  ],
  statistics: provenanceStatistics,
  adversary: provenanceAdversary,
  walked,
};

function serialCheck({ common, at }: ProvenanceView): Check[] {
  const form = serialOf(common);
  if (form === null) return [];
  const source: Source = { name: form.standard, asOf: at, limit: form.limit };
  return [check('serial-form', form.outcome, form.says, [source])];
}

function custodySource(view: ProvenanceView): Source {
  const source =
    view.common.chain === undefined
      ? { name: 'chain of custody', asOf: view.at, limit: 'no chain was read' }
      : chainSource(view, view.common.chain);
  return {
    ...source,
    limit: `${source.limit}; who held the token, not who held the thing that it may stand for; ${NOT_A_POLICE_SEARCH}`,
  };
}

function custodyCheck(view: ProvenanceView): Check {
  const { custody, fault } = view.facts;
  const sources = [custodySource(view)];
  const answer = (outcome: Check['outcome'], says: string): Check =>
    check('chain-of-custody', outcome, `${says}; ${NOT_A_POLICE_SEARCH}`, sources);
  if (custody == null) return answer('INCONCLUSIVE', fault ?? 'who held it before is not examined');
  if (custody.length === 0) {
    return answer(
      'PASS',
      `no token stands or stood for it on ${view.common.chain}, so no custody is kept there`,
    );
  }
  const holes = custody.flatMap((c) => holesIn(c).map((hole) => `token ${short(c.tokenId)}: ${hole}`));
  if (holes.length > 0) {
    const more = holes.length > 5 ? ` and ${holes.length - 5} more` : '';
    return answer('INCONCLUSIVE', `the chain of custody has holes: ${holes.slice(0, 5).join('; ')}${more}`);
  }
  const lives = custody.map((c) => {
    const moves = inOrder(c.moves);
    const now = (c.holders ?? []).map((h) => h.address);
    const with_ = now.length === 0 ? 'it has ended' : `held now by ${now.slice(0, 3).join(', ')}`;
    return `token ${short(c.tokenId)}: ${moves.length} moves from its mint in block ${moves[0]?.block}, none missing, ${with_}`;
  });
  return answer('PASS', lives.join('; '));
}

/** What the token stands for, and what stands or stood for it. */
function lineageChecks(view: ProvenanceView): Check[] {
  const { lineage } = view.facts;
  if (lineage === undefined) return [];
  const lists = (view.common.contracts ?? []).map(
    ({ name, asOf, rows }): Source => ({ name, asOf, limit: `${rows} contracts; others are not known` }),
  );
  const sources = [custodySource(view), ...lists];
  const faults = lineageFaults(lineage);
  if (faults.length > 0)
    return [check('lineage-read', 'INCONCLUSIVE', faults.slice(0, 5).join('; '), sources)];
  const says = lineage.filter((t) => t.from !== null).map(relationOf);
  const alone = 'it stands for no other token, and none stands or stood for it';
  return [check('lineage-read', 'PASS', says.length === 0 ? alone : says.join('; '), sources)];
}

function holderChecks(view: ProvenanceView): Check[] {
  const { custody } = view.facts;
  if (custody?.length === 0) return [];
  const { sanctions, knownScam, editionRules: rules } = view.common;
  const judged = { at: view.at, rules };
  return [
    heldAgainst('custody-sanctions', sanctions, custody ?? null, judged),
    heldAgainst('custody-known-scam', knownScam, custody ?? null, judged),
    ...principalsCheck(view),
  ];
}

/** An account acts for its owner: who owned those that held the token is looked up like the holders themselves. */
function principalsCheck(view: ProvenanceView): Check[] {
  const custody = view.facts.custody ?? [];
  const read = custody.flatMap((c) => c.principals ?? []);
  if (custody.every((c) => c.principals === undefined)) return [];
  const sources = [custodySource(view)];
  const open = unknownPrincipals(custody);
  if (open.length > 0)
    return [check('custody-principals', 'INCONCLUSIVE', open.slice(0, 5).join('; '), sources)];
  const says =
    read.length === 0
      ? 'none of its holders is the account of a token'
      : read.map(({ holder, owners }) => `${holder} was owned by ${owners.join(', then ')}`).join('; ');
  return [check('custody-principals', 'PASS', says, sources)];
}

/** The timeline: every move of every token as one step, with what the lists say about who took it. */
function walked({ common, facts, at }: ProvenanceView): Step[] {
  const registers = [common.sanctions, common.knownScam].filter((r) => r !== undefined);
  const listed = new Map(registers.flatMap((r) => r.hits.map((h) => [h.key, h.list] as const)));
  const looked = registers.map((r) => new Set(usable(r, at) ? r.lookedUp : []));
  const known = (address: string): boolean =>
    looked.length === 2 && looked.every((keys) => keys.has(address));
  const { lineage = [] } = facts;
  return timelineOf(facts.custody ?? [], lineage).map(({ token, move: m, meaning }): Step => {
    const list = listed.get(m.to) ?? listed.get(m.from);
    const named = lineage.length > 1 ? `${short(token.tokenId)} of ${token.contract}` : short(token.tokenId);
    return {
      claim: `block ${m.block}: ${m.amount} of token ${named} from ${m.from} to ${m.to}${meaning === null ? '' : `: ${meaning}`}`,
      rule: 'every move starts where the one before it ended, and nobody in it is on a list',
      input: `log ${m.logIndex} of ${m.tx} on ${token.chain}`,
      outcome: list !== undefined ? `on ${list}` : known(m.to) ? 'on no list' : 'not looked up',
    };
  });
}

/** Shortens a token id, because a certificate's number has 78 digits. */
function short(tokenId: string): string {
  return tokenId.length <= 12 ? tokenId : `${tokenId.slice(0, 6)}…${tokenId.slice(-4)}`;
}
