import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const WE = 'i | we';
const GRANT =
  'authorise | permit | allow | appoint | instruct | empower | engage | ask | direct | hereby authorise | hereby permit | hereby allow | hereby appoint | hereby instruct';
const AGENT = 'the agent | my agent | our agent | this agent | you';
const OVER = ' | please';

/** Words of people who explain themselves: who permits, what is all they have, what they would love to own. */
export const PLAIN_WORDS: WordTable = {
  'VERB buy': [
    each(
      "i would | i'd | we would | we'd | would | i | we",
      'love | like | wish | hope | want | dearly love',
      'to own | to have | to buy | to get hold of',
      ' | some',
    ),
    each("it is | it's", 'my | our', 'wish | hope | intention | plan', 'to buy | to acquire | to get'),
    each(WE, 'need | want', 'to get hold of | to stock up on | to buy | to order | to get'),
    each(
      WE,
      'hereby permit | hereby authorise | hereby allow | hereby approve',
      'purchases of | the purchase of | buying',
    ),
    each('surprise | treat | spoil', 'him | her | them | us | me', 'with | to', ' | some'),
    each('treat', 'yourself to'),
    'needing, wants to buy, hoping to buy, hoping to find, aiming to buy, see about getting, have a go at getting',
  ].join(','),
  'VERB sell': each(
    "i would | i'd | we would | we'd | i | we",
    'love | like | wish | hope | want',
    'to sell | to find buyers for | to move on',
    ' | off',
  ),
  'VERB spend': [
    each(
      'idle | spare | our | my | extra',
      'cash | money | savings',
      'goes | go | should go | may go',
      'into',
    ),
    each(WE, 'wish | want | plan | intend | hope | mean | am able | are able', 'to', 'pay | spend | invest'),
  ].join(','),
  FILL: [
    each(WE, GRANT, AGENT, 'to'),
    each(
      'principal | company | firm | undersigned | client | fund | trust',
      'authorises | permits | allows | appoints | instructs | empowers | engages',
      'the agent | its agent | you',
      'to',
    ),
    each('is | are', 'hereby | ', 'authorised | permitted | empowered | instructed | appointed'),
    each(OVER, 'asap | as soon as possible', ''),
    each(
      WE,
      'hold | keep | have',
      'my | our | all my',
      'usdc | stablecoins | funds | balance',
      'there | on it | on that',
    ),
    each(
      `${WE} | `,
      'have',
      'no',
      'use for | need for | room for | time for',
      'it | them | either | those | any of it | any of them',
    ),
    "4 me, 4 us, it's my first time here, it is my first time here, first time here, this is my first time here, no hurry, no rush, there is no hurry",
    each('if', 'you', 'like | please | will | would'),
    'in the first place, as it happens, to be honest, tbh, for the record, in case you wonder, you see, mind you, as you know, for context, for background, background, long story short, to cut a long story short, ty, tysm, tia, ta, asap, lets start small, start small, to start small, much appreciated, ok so, right so, basically, literally, honestly, frankly, anyway, btw, fyi, lol, haha, mate, folks, pal, buddy, sir, madam, the undersigned',
  ].join(','),
  LIMIT: [
    each(
      'is | are',
      'all | as much as | the most that | the most',
      "i can | we can | i could | we could | i'm able to | we're able to | i am able to | i want to | we want to | i'm willing to | we're willing to | i wish to | we wish to | i care to | i dare to | i feel like",
      'pay | spend | afford | part with | put in | give | invest | manage',
    ),
    each(
      'is | are',
      'all | as much as',
      "i'm | i am | we're | we are",
      'spending | paying | putting in | prepared to spend | prepared to pay',
    ),
    each('no | not', 'more | higher', 'as'),
    each("don't | do not | never | please don't", 'close | strike | conclude | make | do', 'more than'),
    "that's the maximum, that's the limit, that's the cap, that is the cap, that's my maximum, that is my maximum, that's our maximum, that's the most, that is the most",
  ].join(','),
  BUDGET: [
    each(
      'my | our | the',
      'budget | purse | money',
      'is',
      'tight | small | modest | limited | thin | not huge | not big',
    ),
    each(
      'is | are',
      'all',
      "i have | we have | i've got | we've got | there is",
      'to spend | to work with | to play with | to put in',
    ),
    each('there is | there are', 'only', ''),
  ].join(','),
  'SCOPE deal':
    'for one buying, for one buy, per one buying, per buying, in one purchase, in one deal, for one lot, a deal apiece, on a single lot, on a single one',
  ONLY: [
    each("i | we | i'll | we'll | i will | we will | i'd | you", 'only', ' | ever'),
    each(WE, 'can only', 'handle | manage | cope with | take | do | deal with | fit in'),
    each(WE, 'only have', 'room for | time for | space for'),
  ].join(','),
  NEG: each(
    WE,
    'also',
    "wouldn't | would not | don't | do not | won't | will not",
    'want to | like to | wish to | care to | ',
  ),
  UNTIL: [
    each(
      'this | it | that | all this | all of this | everything | the whole thing | the mandate | this mandate | you',
      'goes on | go on | carries on | carry on | runs | run | keeps going | lasts | is good | is on | stands | holds',
      'until | till | through | up to',
    ),
    each("you're | you are | it's | this is", 'on | good', 'until | till'),
    'on until, up and running until, open for business until',
  ].join(','),
  APPROVAL: [
    each(
      "i've | i have | we've | we have",
      "approved | okayed | agreed | signed off | said yes | confirmed | ok'd | cleared | seen and approved",
      ' | it | to it | on it | them | that | the deal | the purchase',
    ),
    each('my | our', 'okay | ok | approval | yes | go-ahead | blessing | sign-off', 'first'),
  ].join(','),
  EXCEPT: each('from | with', 'sellers | buyers | wallets | people', 'other than | except'),
  ASK: each(
    "i want | i need | we want | i would like | i'd like",
    'to see | to look at',
    'first | beforehand | before you buy',
  ),
  ANY: each('anything', 'you | it', 'like | want | fancy | wish | find | see fit to buy'),
  ABOVE: 'drop more than, drop over, put down more than',
  BOTHWAYS: 'either way, in either direction, either direction',
  MODIFIER: 'new, nearly new, as new',
  PASS: each(
    'clean | come back clean | comes back clean',
    'before',
    'anything is bought | any deal is done | any purchase is made | any money moves | you commit | we commit',
  ),
  CAP: each('fund | club | company | team | house | group', 'limit | cap | ceiling'),
  HALT: each(
    'the deal | the purchase | the sale | it | that deal | the whole deal',
    "falls through | doesn't happen | does not happen | is not going ahead",
  ),
  KEEP: 'tag of',
};
