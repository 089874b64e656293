import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const LIMITS =
  'limits | bounds | rules | terms | conditions | restrictions | constraints | parameters | figures';
const ORDER =
  'mandate | order | authority | instruction | instructions | authorisation | commission | brief | request';
export const MAY = 'may | can | must | should | shall | will | are to | is to | have to | has to';
export const TERM_NOUN =
  'mandate | authority | authorisation | permission | order | instruction | arrangement | brief | commission | agreement';

/** How requests and orders open, in formal English: what they say is that something is to be bought or sold. */
export const REQUEST_WORDS: WordTable = {
  FILL: [
    each(
      'our | my | the',
      'company | firm | fund | shop | team | office | family | club | gallery | business',
      'wishes | intends | seeks | desires | plans | is looking',
      'to',
    ),
    each(
      'i | we',
      'should | would',
      'be',
      'grateful | obliged | glad | pleased | happy',
      'if you | if you would | if you could | were you to',
    ),
    each('the following', 'is | are', 'authorised | allowed | permitted | approved | agreed'),
    each(' | please | kindly', 'be', 'advised | informed | aware | notified', 'that'),
    each('i | we', 'would', 'ask', 'you | the agent', 'to'),
    each('i | we', 'wish | want', 'that you'),
    'with this letter, by this letter, with this message, with this order, with this note, by this order, by this message',
    each(
      ' | would you | will you | could you',
      'be so good as to | be so kind and | be so kind to | be good enough to | have the goodness to | have the kindness to | do us the favour to',
    ),
    each('please see to it that you | kindly see to it that you | see to it that you'),
    each(
      'i | we',
      'hereby | herewith',
      'confirm | place | issue | give | grant | set out | establish | open',
    ),
    each(
      'let me | let us | allow me to | allow us to | may i | i will | we will | i shall | we shall',
      'set out | lay out | lay down | spell out | state | explain | put down | list',
      'the | my | our',
      `${LIMITS} | details | task | job | order | plan`,
    ),
    each(
      'within | inside | under | subject to | in line with | according to | observing | respecting | keeping to',
      'these | those | the following | the above | the | all these | our | my',
      LIMITS,
    ),
    'within that, inside that, within those, within this frame, within this, within that frame',
    each(
      'you are | the agent is | you will be',
      'bound by | held to | limited by | subject to',
      ' | the following | these',
      ` | ${LIMITS}`,
    ),
    each(
      'thank you | thanks | many thanks',
      'for',
      'reading | reading this | your attention | your help with this | your help in this | your kind help | your efforts | your effort | your support | your cooperation | listening | handling this | doing this for us',
    ),
    each(
      "it is | it's | this is | here is | here comes",
      'a | an',
      'simple | short | standing | plain | small | easy | new | formal',
      'order | request | task | mandate | job | instruction',
    ),
    each(
      'what',
      'i | we',
      'let | want | allow | permit | ask | would like',
      'you | the agent | it',
      'to do | do',
    ),
    each('allowed is | permitted is | allowed are | permitted are', 'only | just | this'),
    each('how about | what about | how does this sound', ' | this | it'),
    each('within | of | from', 'what | whatever', 'remains | is left | is left over'),
    'here goes, here we go, here is the deal, in and out, apply as well, applies as well, applies too, apply too, applies also, apply also, if you would be so kind, if you please, if you would, if you do not mind, please and thanks, please and thank you',
    each(`the ${TERM_NOUN.replaceAll('| ', '| the ')}`, 'is for | is to'),
    each(
      'the | all | our | these',
      'deals | purchases | trades',
      'concern | concerns | relate to | regard | involve | are about | are for',
    ),
    each('by | through', 'the agent | my agent | our agent | you'),
    each(
      'which | and this | and that | this | that',
      'is',
      'also | likewise | at the same time',
      'the',
      'end | expiry | last day | deadline | expiry date | end date',
      ` | of the mandate | of this mandate | of it`,
    ),
    each('my | our', 'wish | desire | request | order | instruction', 'is that you | is for you to'),
    each(
      "it is | it's | it would be",
      'my | our',
      'wish | desire | request | pleasure | intention',
      'that you',
    ),
    each('i | we', 'kindly | respectfully | hereby | politely', 'ask | request', 'that you'),
    each('i | we', 'request | ask', 'that you | of you to'),
    'for purchases and sales alike, for purchases and sales, for buying and selling alike',
  ].join(','),
  'VERB buy': [
    each(
      'i | we',
      'entrust | charge | task',
      'you | the agent',
      'with',
      'the purchase of | purchases of | buying | purchasing | the buying of',
    ),
    each(
      ' | a | the | this | our | my',
      'purchase | purchasing | buying | procurement | acquisition',
      ORDER,
      'for | over | covering | of | on | concerning',
    ),
    each(
      'what | all',
      'i am | we are',
      'hoping | asking',
      "you'll | you will | you would",
      'buy | get | purchase',
      'is | are',
    ),
    each(
      'what | all',
      'i | we',
      'hope | expect | want | wish | ask | would like',
      "you to | you'll | you will",
      'buy | get | purchase',
      'is | are',
    ),
    each(
      "i'd | we'd | i would | we would",
      'appreciate it if you | be grateful if you | be glad if you | be happy if you | be pleased if you | be obliged if you',
      'bought | purchased | acquired',
    ),
    each('it would be', 'great | nice | lovely | good | kind', 'if you', 'purchased | acquired'),
    each('it would', 'please | suit | help', 'me | us', 'if you', 'bought | purchased | acquired'),
    each('please see to it that | kindly see to it that', 'we get'),
    'to the purchase of, for the purchase of, for buying of',
  ].join(','),
  'VERB sell': [
    each(
      ' | a | the | this | our | my',
      'sale | sales | selling',
      ORDER,
      'for | over | covering | of | on | concerning',
    ),
    each(
      "i'd | we'd | i would | we would",
      'appreciate it if you | be grateful if you | be glad if you | be happy if you | be pleased if you',
      'sold',
    ),
    each(
      'what | all',
      'i | we',
      'hope | expect | want | wish | ask | would like',
      "you to | you'll | you will",
      'sell',
      'is | are',
    ),
    'to the sale of, for the sale of',
  ].join(','),
  'VERB both': each(
    'buying and selling | both buying and selling | selling and buying | purchases and sales | purchase and sale | sales and purchases',
    'are | is',
    ' | both',
    'allowed | permitted | ok | okay | fine | authorised | possible | in scope',
  ),
  'VERB spend': [
    each(
      MAY,
      'be',
      'placed | committed | laid out | paid | paid out | invested | used | allocated | deployed | risked | disbursed | expended',
    ),
    each('is | are', 'the most that', 'may | can', 'be', 'spent | paid'),
  ].join(','),
};
