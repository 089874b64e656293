import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const WE = "i | we | you | i'll | we'll | i will | we will | you may | you can | you will | you should";

/** Limits, ends and choices as people put them who write few mandates. */
export const PLAIN_WORDS: WordTable = {
  ASK: 'hit me up, hit me up first',
  ABOVE: 'go higher than, goes higher than, going higher than',
  NEG: each('i | we | ', "don't wanna"),
  MINIMUM: each(' | the | my | our', 'cheapest price', 'is'),
  CAP: 'hard limits, hard caps, hard ceilings',
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
    "can't tell | cannot tell | can't say | cannot say | can't judge | cannot judge",
    'whether | if',
    'a price | the price | its price',
    'is',
    'fair | reasonable | a fair one | a fair price',
  ),
  UNJUDGED: [
    each(
      'you | it | the agent',
      "can't tell | cannot tell | can't say | cannot say | can't judge | cannot judge",
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
  ].join(','),
};
