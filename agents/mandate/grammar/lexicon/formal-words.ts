import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const AGENT = 'you | the agent | my agent | our agent | the said agent | an agent | its agent | it';

/** How people write who are formal: requests, appointments, and checks that are called for. */
export const FORMAL_WORDS: WordTable = {
  FILL: [
    each('for the attention of | attention', 'the agent | my agent | our agent'),
    each(
      'please accept | accept | please take | take | please treat | treat | please consider | consider',
      'this | the following',
      'as',
      'my | our | an | the | a',
      ' | purchasing | buying | selling | trading | standing | formal | written',
      'instruction | instructions | order | mandate | request | authority | brief',
    ),
    each(
      'my | our | the | these | this | your',
      'instruction | instructions | order | orders | request | requests | mandate | brief | rules | terms | task | wishes',
      'is | are',
      'short | simple | brief | clear | easy | plain | few | the following',
    ),
    each(
      'is | are | be',
      'hereby | duly | herewith',
      'authorised | empowered | instructed | appointed | engaged',
    ),
    'please execute, execute, please execute the following, execute the following',
    each(
      'my | our',
      'late',
      'husband | wife | father | mother | dad | mum | uncle | aunt | grandfather | grandmother | grandad | granny | brother | sister | partner | parents | grandparents',
    ),
    each(
      'from',
      'largest to smallest | smallest to largest | biggest to smallest | small to large | large to small | top to bottom',
    ),
    each('i | we', 'wish | intend', 'to'),
    each('i | we', 'wish | require', AGENT, 'to'),
    each('might | may | could | can', 'i | we', 'ask | request | trouble', 'you', 'to'),
    each("it is | it's", 'my | our', 'wish | intention', 'to'),
    each('my | our', 'wish | intention', 'is', 'to'),
    each(
      'i | we',
      'kindly | politely | hereby | now | formally | respectfully',
      'ask | request | instruct | authorise | direct | permit | allow | task | require',
      AGENT,
      'to',
    ),
    each(
      ' | are | is | be | shall be | are hereby | is hereby',
      ' | kindly | respectfully | politely',
      'requested to | directed to | entitled to | appointed to | called upon to | invited to',
    ),
    each(
      'the principal | principal | the owner | the client | the undersigned | the company',
      'appoints | engages | instructs | authorises | directs | requests | retains | empowers | permits | allows',
      AGENT,
      'to',
    ),
    each(
      'on behalf of',
      'our | my | the | a | an',
      'fund | shop | store | gallery | restaurant | hotel | club | choir | school | charity | family | office | team | studio | museum | library | society | association | co op | cooperative | trust | partnership | agency | label | collection | client | clients | employer',
    ),
  ].join(','),
  'VERB buy': [
    each('what', 'i | we', 'want | need | would like | seek', 'is | are'),
    each('is | are', 'what', 'i | we', 'seek | hunt'),
    each(
      'the undersigned | the principal | the owner | the client | the company',
      ' | hereby',
      'authorises | approves | allows | permits | instructs',
      'the purchase of | purchases of | the buying of | buying | the acquisition of',
    ),
    each('the purchase | purchases | acquisition | the acquisition', 'of'),
  ].join(','),
  'VERB spend': each('i | we', 'wish | intend', 'to', 'pay | spend'),
  ASK: [
    each(
      "i'd like | we'd like | i want | we want | i would like | we would like | i'd want",
      'a say | my say | a word',
      'in | on | over | about',
    ),
    each(
      'he | she | it | you | the agent',
      'must | has to | have to | should | shall | is to | are to | needs to | need to',
      'ask | consult | check with',
      'me | us',
      ' | first',
    ),
  ].join(','),
  APPROVAL: each(
    'my | our',
    'prior | express | written | personal | explicit',
    'approval | consent | permission | agreement | authorisation',
  ),
  REQUIRE:
    'obligatory, imperative, indispensable, non negotiable, vital, called for, a must, must have, a precondition, a prerequisite, prerequisite, precondition, i ask that, we ask that, i ask for, we ask for, we need a, obligated, see to it that, make certain, make certain that, ensure that, it is required that, it is necessary that, it is a must that',
  PASS: [
    each(
      'give | gives | return | returns | show | shows | yield | yields | produce | produces | come up with | comes up with | bring | brings',
      'a clean | clean',
      'result | results | verdict | bill of health | reading',
    ),
    each('come | comes | came | be | is | are', 'out | up', 'clean', ' | in | from | of | on | out of'),
    each('come | comes', 'clean', ' | out of | in | from | on'),
    each(
      'clean | comes back clean | come back clean | passes | pass | passed',
      'before',
      'anything is bought | anything gets bought | you proceed | you go ahead | proceeding | a purchase | any deal is made | a deal | you commit | money moves | you spend anything | spending anything',
    ),
  ].join(','),
  NEG: each('i | we', "would not | wouldn't | should not", 'want | wish | wish for | like'),
  KEEP: 'goes ahead, goes through',
  FAIL: each(
    "does not | do not | doesn't | don't | did not | fails to | fail to",
    'come | come back | come out | come up | test',
    'clean',
    ' | out of | in | from | on',
  ),
  OFF: each(' | is | are', 'disqualified | inadmissible | not admissible | struck off | struck out'),
  ENDS: [
    each(
      'my | our',
      'permission | authorisation | consent | approval',
      'ends | expires | lapses | runs out | ceases | stops | finishes',
      ' | on',
    ),
    'in the period ending, in the period ending on, for the period ending, for the period ending on, in the period to, for a period ending on, this permission finishes on, permission finishes on, permission runs out on, authority ceases on, shall cease on, shall end on, shall expire on',
  ].join(','),
  FROM_THEM: each('from | with', 'them'),
  GEN: 'items are, items to buy are, items to sell are, the items are, the goods are, the lots are, lots are, the things are, goods wanted, wanted goods, goods sought, item class, asset class, asset type',
};
