import { titleOf } from '../../agents/determinations/panel/titles.ts';
import { EVALUATION, FACTS, FORETOLD, PARTS } from '../words/desk/evaluation.ts';
import { UNSAID_DEPTH } from '../words/desk/paid.ts';
import { at, category, type DeskCommand, field, handle, wallet } from './command.ts';
import { evaluationBody, foreseen, halfGiven } from './evaluation-facts.ts';
import { contract, serial, serialKind, tokenId } from './goods-commands.ts';
import { depth, network } from './paid-commands.ts';

/** The command that has a deal evaluated before it is made: tier 2 and tier 3 of the paid API. */
export const EVALUATE: DeskCommand = {
  id: 'evaluate',
  ...EVALUATION,
  fields: [
    field('tier', EVALUATION.fields.tier),
    category,
    { ...contract, ...EVALUATION.fields.contract, optional: true, part: PARTS.thing },
    { ...tokenId, ...EVALUATION.fields.tokenId, optional: true, part: PARTS.thing },
    field('chainId', EVALUATION.fields.chainId, { optional: true, part: PARTS.thing }),
    { ...serial, ...EVALUATION.fields.serial, optional: true, part: PARTS.thing },
    { ...serialKind, part: PARTS.thing },
    field('listingRef', EVALUATION.fields.listingRef, { kind: 'code', optional: true, part: PARTS.sale }),
    field('seller', EVALUATION.fields.seller, { kind: 'code', optional: true, part: PARTS.sale }),
    field('priceUsd', EVALUATION.fields.priceUsd, { kind: 'money', optional: true, part: PARTS.sale }),
    { ...handle, ...EVALUATION.fields.handle, optional: true, part: PARTS.agent },
    field('side', EVALUATION.fields.side, { optional: true, part: PARTS.agent }),
    field('counterparty', EVALUATION.fields.counterparty, {
      kind: 'code',
      optional: true,
      part: PARTS.agent,
    }),
    depth(UNSAID_DEPTH.agent),
    { ...wallet, ...EVALUATION.fields.wallet },
    network,
  ],
  by: 'usdc',
  priced: 'tiers',
  lacks: halfGiven,
  foretold(typed) {
    const { run, not } = foreseen(typed);
    const without = not.map((id) => FORETOLD.needs(titleOf(id), FACTS[id]));
    return [
      [FORETOLD.run, run.map(titleOf)],
      [FORETOLD.not, without],
    ];
  },
  request: (typed) => ({
    method: 'POST',
    path: `/determinations/${at(typed.tier)}/${at(typed.category)}`,
    body: evaluationBody(typed),
  }),
};
