import { titleOf } from '../../agents/determinations/panel/titles.ts';
import { at, category, type DeskCommand, type FieldPart, handle, wallet } from './command.ts';
import { evaluationBody, FACTS_WORDS, foreseen, halfGiven } from './evaluation-facts.ts';
import { contract, serial, serialKind, tokenId } from './goods-commands.ts';
import { depth, network } from './paid-commands.ts';

const THING: FieldPart = {
  title: 'The thing',
  hint: 'A token, or a serial: whether it is pledged twice and, in tier 3, where it comes from.',
};
const SALE: FieldPart = {
  title: 'The sale',
  hint: 'The listing with its seller: whether bids are shilled. The price: what such things sell for.',
};
const AGENT: FieldPart = {
  title: 'Your agent',
  hint: 'With the price: whether its mandate and its caps on chain allow the deal.',
};

/** The command that has a deal evaluated before it is made: tier 2 and tier 3 of the paid API. */
export const EVALUATE: DeskCommand = {
  id: 'evaluate',
  title: 'Have a deal evaluated',
  lead: 'CLEAN or FLAGGED about a deal before value moves, from up to five determinations. Give what you know: what lacks its facts is not run, and you are told before you pay. Your wallet signs a transfer of what it costs, in test USDC; nothing is charged unless the answer is delivered.',
  fields: [
    {
      name: 'tier',
      label: 'How much to look at',
      options: [
        ['tier2', 'Tier 2: bids, pledges, mandate and price'],
        ['tier3', 'Tier 3, certified: also where it comes from, and all the reasoning'],
      ],
    },
    category,
    { ...contract, label: 'Token contract (optional)', optional: true, part: THING },
    { ...tokenId, label: 'Token number (optional)', optional: true, part: THING },
    {
      name: 'chainId',
      label: 'Chain of the token',
      options: [
        ['1002', '1002'],
        ['84532', '84532'],
      ],
      optional: true,
      part: THING,
    },
    {
      ...serial,
      label: 'Serial (optional)',
      hint: 'In place of a token. As it stands on the thing.',
      optional: true,
      part: THING,
    },
    { ...serialKind, part: THING },
    {
      name: 'listingRef',
      label: 'Listing (optional)',
      hint: 'As the catalogue names it.',
      kind: 'code',
      optional: true,
      part: SALE,
    },
    {
      name: 'seller',
      label: 'Seller (optional)',
      hint: 'Its handle or its address.',
      kind: 'code',
      optional: true,
      part: SALE,
    },
    { name: 'priceUsd', label: 'Price in dollars (optional)', kind: 'money', optional: true, part: SALE },
    { ...handle, label: 'Agent’s handle (optional)', optional: true, part: AGENT },
    {
      name: 'side',
      label: 'It would',
      options: [
        ['buy', 'Buy'],
        ['sell', 'Sell'],
      ],
      optional: true,
      part: AGENT,
    },
    {
      name: 'counterparty',
      label: 'With whom (optional)',
      hint: 'Where its mandate names who it may deal with, or may not.',
      kind: 'code',
      optional: true,
      part: AGENT,
    },
    depth('As usual: 2-of-2'),
    { ...wallet, hint: 'It pays.' },
    network,
  ],
  button: 'Go on to what it costs',
  done: 'This is what was found.',
  by: 'usdc',
  priced: 'tiers',
  waiting:
    'Signed. The reviewers read the chains and vote: a few seconds, with superconsensus up to half a minute.',
  lacks: halfGiven,
  foretold(typed) {
    const { run, not } = foreseen(typed);
    const without = not.map((id) => `${titleOf(id)}: it needs ${FACTS_WORDS[id]}`);
    return [
      ['Will be looked at', run.map(titleOf)],
      ['Will not', without],
    ];
  },
  request: (typed) => ({
    method: 'POST',
    path: `/determinations/${at(typed.tier)}/${at(typed.category)}`,
    body: evaluationBody(typed),
  }),
};
