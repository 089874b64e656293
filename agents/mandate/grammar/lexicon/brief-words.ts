import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const REST =
  'rest | the rest | all the rest | the remainder | everything else | anything else | all else | whatever else | other goods | the other goods | all other goods | any other goods | other stuff | all other stuff | other categories | the other categories | all other categories | any other category | every other category | other purchases | all other purchases | any other purchase | every other purchase | all other deals | any other deal';
const WELCOME =
  'fine | ok | okay | good | alright | all right | allowed | permitted | welcome | fair game | in order | acceptable | up for grabs | on the table | good to go | no problem | fine by me | fine with me | fine by us | ok by me | ok with me | okay by me | okay with me';
const OWNERS = "i | we | i'd | we'd | i would | we would | i'll | we'll | i will | we will | i can | we can";

/** How people write who are short of time: signs and stumps of words, and one word for how it all ends. */
export const BRIEF_WORDS: WordTable = {
  'SEP and': 'n',
  'PREP with': 'w /',
  WITHOUT: 'w / o',
  FILL: [
    'bless you, bless ya, bless, ty, tysm, tyvm, tnx, thank u, thanks mate, thanks pal, thank you mate, cheers mate, cheers pal, nice one, ta mate, many ta, ta ta, kthx, tks, much love, laters, toodle pip, cheerio',
    each('you', 'are | ', 'a', 'legend | gem | treasure | hero | lifesaver | diamond | darling | angel'),
    each('as a', 'hobby | pastime | sideline | living | business'),
    'up to then, up until then, by then, till that date, until that date, until that day, till that day',
  ].join(','),
  BOTHWAYS: 'in either direction, either direction',
  MARKET: [
    each('what', 'the market', 'pays | is paying | will pay | would pay'),
    'price vs market, price versus market, price against market, price to market, asking price vs market',
  ].join(','),
  GOON: each(
    'go ahead | carry on | continue | go on',
    'with',
    'a | the | any | that',
    'deal | purchase | trade | sale',
  ),
  ITEM: 'track, tracks',
  'VERB spend': each(
    ' | idle | spare | surplus | extra',
    'cash | money | funds',
    'goes into | is to go into | should go into | may go into',
  ),
  'VERB both':
    'purchase and sale of, purchase and sale, purchases and sales, purchases and sales of, sale and purchase, sale and purchase of, sales and purchases, flip, flipping, wheel and deal in, buy and flip, buy to flip',
  'VERB buy': 'buy away, shop away, gimme, gimme some, hook me up with, hook us up with',
  EXCEPT: each('all', 'except | except for | other than | apart from | save for | besides'),
  UNTIL: [
    each('open', 'until | till | through | up to'),
    each('up to | until | till', 'and | &', 'incl | inc | including | with'),
  ].join(','),
  ENDS: [
    each('shut | shuts | shutting | shut up | shuts up', ' | shop', ' | on | by'),
    each('fold | folds | folding | folds up', ' | on | by'),
    each('off again | out again | gone again | over and done | over and done with | all over', 'on | by'),
    each('pack up | packs up | packs it in | pack it up | packing up | packing it in', 'on | by'),
    each('wind down | winds down | winding down | winding up', ' | on | by'),
    each('sign off | signs off | signing off | clock off | clocks off | knock off | knocks off', 'on | by'),
    each('wrap | wraps | wrapping | wrapped', 'up | it up | this up', ' | on | by'),
    each('end of', 'life | run | the run | play'),
    each('game over | curtains | lights out | pencils down | time', 'on | by | at'),
    each("that's a wrap | that is a wrap", ' | on | by'),
    each(
      'stand | stands | hold | holds | go on | goes on | continue | continues | remain | remains | apply | applies',
      'until | till | til | through',
    ),
    'stands for, holds for, goes on for, continues for',
    each('do | keep doing | carry on with | keep up', 'this | it | that', 'for | until | till | through'),
    each('keep | carry on | continue | go on | keep going | keep at it | keep this up', 'for'),
    'termination, termination date, terminates, terminates on, expiration, expiry day, lapse date, lapsing, sunset date, closure, closing, close date, closing time, closed on, closed by, kaput on, dead on, done and dusted by, done and dusted on, through on, finito on, finito',
  ].join(','),
  LIMIT: [
    each(
      'is | are | as | being',
      'my | our | the',
      'max | maximum | absolute max | absolute maximum | hard limit | hard cap | upper limit | top whack | top dollar | top price | top number | top figure | top amount | highest price | highest number | maximum price | maximum number | maximum amount | most',
    ),
    each(
      ' | and | but',
      "that's | that is",
      'my | our | the',
      'max | maximum | limit | ceiling | cap | absolute max | absolute maximum | top whack | most',
    ),
    each(
      'below | lower | less | smaller | under | less than | lower than | smaller than | equal to',
      'or',
      'equal | equal to | the same as',
    ),
    each('equal | equal to', 'or', 'below | under | less | less than | lower than | smaller than'),
    each(
      ' | is | are',
      'approved | authorised | allowed | permitted',
      'up to | to a maximum of | to a limit of',
    ),
    'as much as but no more than, top whack, top dollar, ceiling is, for as much as, to as much as',
  ].join(','),
  MINIMUM: [
    each(
      'lowest | least | minimum | smallest | cheapest',
      ' | price | offer | amount',
      OWNERS,
      'take | accept | sell at | sell for | settle for | go | go to | go down to | let it go for | let one go for | part with it for',
    ),
    each(
      'the',
      'lowest | least | minimum | smallest | cheapest',
      ' | price | offer | amount',
      OWNERS,
      'take | accept | sell at | sell for | settle for | go | go to | go down to | let it go for | let one go for | part with it for',
    ),
    each('lowest | least | minimum | smallest', 'acceptable', 'price | offer | amount | bid'),
    each('lowest | minimum', 'offer | bid | sale price | selling price | asking price | sum'),

    'lowest, at lowest, rock bottom, rock bottom price, rock bottom is, bottom dollar',
  ].join(','),
  TOOLITTLE: [
    each(
      ' | is | are | would be',
      'far | much | way | simply | just | ',
      'too',
      'little | low | cheap | small',
    ),
    each('is | are', 'not enough | an insult | peanuts | daylight robbery'),
    'not enough',
  ].join(','),
  ANY: [
    each(REST, ' | is | are', WELCOME),
    each('anything else | everything else | all else', 'goes'),
    each(
      'any | every',
      'kind | sort | type',
      'of',
      'stuff | thing | things | product | products | item | asset',
    ),
    each('anything | everything', 'you', 'like | want | fancy | please | wish | see fit'),
    each('all', 'kinds | sorts | types', 'of', 'stuff | things'),
    each(
      'any | every | all',
      'other',
      'kind of | kinds of | sort of | sorts of | type of | types of',
      'goods | thing | things | stuff | product | products | item | items',
    ),
    'other things, all other things, any other thing, every other thing, any stuff, any thing, any old thing, all and sundry, any category at all, anything at all, whatever it is, whatever it may be',
  ].join(','),
  ELSEWHERE: [
    each(
      ' | on | in | with | from',
      'any other | every other | all other',
      'chain | chains | network | networks | blockchain | blockchains',
    ),
    'elsewhere, anywhere else, everywhere else',
  ].join(','),
  ONLY: [
    each(
      'only',
      'these | those | the following',
      ' | may be | can be | should be | are to be',
      ' | on | used | involved',
    ),
    each(
      ' | and | - ',
      ' | from | with | on | to',
      'these | those',
      ' | two | three | four | five',
      ' | chains | networks | sellers | buyers | wallets | addresses | parties',
      'alone | only | and no others | and no other | and none other | and nowhere else | and nobody else | and no one else',
    ),
    each(
      'no | not any',
      'seller | sellers | buyer | buyers | wallet | wallets | counterparty | counterparties | chain | chains | network | networks | one',
      'other than | but | except | besides | save | apart from',
    ),
    each(
      'nothing | no deal | no deals | no purchase | no purchases',
      'on',
      'chains | any chain | a chain | networks | any network',
      'other than | but | except | besides | apart from',
    ),
    each(
      'nothing | no deal | no deals | no purchase | no purchases',
      'from | with',
      'sellers | any seller | a seller | anyone | anybody | wallets | any wallet',
      'other than | but | except | besides | apart from',
    ),
    each('i | we', 'can', 'only', 'handle | manage | do | take | cope with | take on | process'),
  ].join(','),
  'SCOPE deal':
    'in each case, in every case, in amounts of, in lots of, in sizes of, in steps of, in any single case, per case by case',
  'SCOPE day': [
    each('daily', 'sales volume | volume | turnover | sales total | buying | purchases | sales'),
    'day total, total for the day, total for one day',
  ].join(','),
  'SCOPE week': [
    each('weekly', 'sales volume | volume | turnover | sales total | buying | purchases | sales'),
    'week total, total for the week, total for one week',
  ].join(','),
  'SCOPE month': [
    each('monthly', 'sales volume | volume | turnover | sales total | buying | purchases | sales'),
    'month total, total for the month, total for one month',
  ].join(','),
  'SCOPE total': [
    each(
      'over | for | across | during',
      'the whole | the entire | the full',
      'life | lifetime | term | run',
      'of',
      'this | the',
      'mandate | order | arrangement | instruction',
    ),
    each(
      'is',
      'all',
      'i | we | you',
      'can | may | want to',
      'spend',
      'in total | in all | altogether | overall',
    ),
  ].join(','),
};
