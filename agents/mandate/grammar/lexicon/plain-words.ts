import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const WE = "i | we | you | i'll | we'll | i will | we will | you may | you can | you will | you should";

const UNTOLD = "can't tell | cannot tell | can't say | cannot say | can't judge | cannot judge";

/** Limits, ends and choices as people put them who write few mandates. */
export const PLAIN_WORDS: WordTable = {
  ASK: 'hit me up, hit me up first',
  ABOVE: 'go higher than, goes higher than, going higher than',
  NEG: each('i | we | ', "don't wanna"),
  MINIMUM: each(' | the | my | our', 'cheapest price', 'is'),
  CAP: 'hard limits, hard caps, hard ceilings',
  'VERB sell': each(
    "i'd | we'd | i would | we would",
    'be',
    ' | much | very',
    'obliged | grateful | glad | happy | pleased | thankful',
    'if you',
    'sold',
  ),
  HALT: 'turn the deal down, turn that deal down, turn the purchase down, turn the sale down',
  // "Nothing that costs us more than 25 USDC": whoever pays.
  KEEP: each(' | that | which', 'costs | cost', 'me | us'),
  FROM_THEM: each('from | with', 'her | him'),
  'TOPIC provenance': each(
    'where',
    'an item | the item | each item | a lot | the lot | the thing',
    'came from | comes from',
  ),
  MARKET: each('what', 'the market', 'paying'),
  ENDS: [each('it | this', 'goes', 'until | till'), each(' | and', "that's it | that is it", 'after')].join(
    ',',
  ),
  // "The only one we deal with", where a seller that "we buy from" says nothing of selling.
  ONLY: each(
    'is | are',
    'the only',
    'one | ones | party | parties | counterparty | counterparties',
    WE,
    'deal with | do business with | trade with',
  ),
  'UNJUDGED price-intelligence': each(
    'you | it | the agent',
    `${UNTOLD} | can't make out | cannot make out | can't work out | cannot work out`,
    'whether | if',
    'a price | the price | its price',
    'is',
    'fair | right | reasonable | a fair one | a fair price',
  ),
  UNJUDGED: [
    each(
      'you | it | the agent',
      UNTOLD,
      'whether | if',
      'a deal | the deal',
      'is',
      'ok | okay | clean | sound',
    ),
    each(
      'prove | proves | proved | turns out',
      ' | to be',
      'impossible to',
      'assess | judge | determine | establish | evaluate | verify',
    ),
    each(
      'should',
      'you | it | the agent',
      'be unable to | fail to | not be able to',
      'assess | judge | determine | establish | evaluate | verify | make out | work out | tell',
    ),
  ].join(','),
};
