import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const AGENT = 'the agent | this agent | my agent | our agent | its agent | the said agent | you';
const TRADE = 'sale | sales | purchase | purchases | deal | deals | transaction | transactions';
const OWNER = 'me | us | the undersigned | the owner';
const CONCLUDED =
  'bought | purchased | acquired | sold | accepted | concluded | made | completed | entered into';

/** How deeds, powers and letters of instruction are written: "shall", passives, and what is subject to approval. */
export const DEED_WORDS: WordTable = {
  FILL: [
    each('and', 'shall not | may not', 'be breached | be exceeded'),
    each('two | three | the following', 'limits', 'bind | govern', 'it | the agent'),
    'in all cases, nonetheless, nevertheless, in the form of tokenised, in tokenised form, in tokenized form, asks that, ask that, therefore, accordingly, thus, herein, hereunder, thereunder, forthwith, henceforth, until that date, until then',
    each('granted | given | conferred | contained | set out', 'herein | hereby | hereunder'),
    each('the authority | the power | the permission', 'i | we', 'give | grant | confer'),
    each(
      'is | are',
      'therefore | accordingly | hereby | thus | further | duly',
      'to | authorised to | instructed to | empowered to | directed to | requested to | at liberty to | permitted to',
    ),
    each('is | are', 'at liberty | entitled', 'to'),
    each('i | we', ' | hereby', 'direct | empower | appoint | engage', AGENT, 'to'),
    each('i | we', ' | hereby', 'direct | instruct | order', 'that'),
    each('i | we', ' | hereby', 'direct | ask | request', 'that', AGENT),
    each('within | under', 'that | this | the said', 'ceiling | sum | amount | cap | limit'),
    each('the following limits | these limits', 'shall | will', 'govern | apply'),
    'within them',
    each('before', 'the sale | the purchase | the deal', 'is', 'made | concluded | completed'),
    each('assets | all assets | holdings', 'shall be | must be | are to be', 'held'),
    each('and', AGENT, 'shall observe', 'that | this', 'exclusion | restriction | prohibition'),
  ].join(','),
  ONLY: [
    'and upon no other, upon no other',
    each(' | shall | is to', 'confine | confines | limit | limits | restrict | restricts', 'itself to'),
    each('extends', 'solely | only | exclusively', 'to'),
  ].join(','),
  LIMIT: [
    each('should | shall | must | is to', 'stop | cease', 'when | once'),
    'under or at, at or beneath',
    each(
      'subject always to | always subject to',
      'a limit of | a ceiling of | a cap of | a maximum of | an overall limit of | an overall ceiling of',
    ),
    each(' | the', 'highest | maximum | greatest', 'price | sum | amount', 'payable'),
    each(' | the', 'highest | greatest', 'admissible | permissible | allowable', 'price | sum | amount'),
    each('prepared to | ready to | willing to', 'pay | spend | bid', 'up to | no more than | at most'),
  ].join(','),
  'SCOPE total': [
    each(' | the', 'total', 'committed | expended | laid out | disbursed'),
    each(' | its | the | our', 'total commitment'),
    each('the sum of', 'its | all | our', 'purchases | sales'),
    "is all i've got, is all we've got",
    each('for', 'the whole of', 'the mandate | this mandate'),
  ].join(','),
  'SCOPE deal': [
    each('per | for each | for a single | for any one | for any single', 'film | work | volume | holding'),
    each('at', 'a unit price', ' | of | that'),
  ].join(','),
  KEEP: [
    each(
      'cost | costs',
      'the firm | the company | the trust | the fund | the estate | the foundation | the club | us | me',
    ),
    each('has | have', 'fixed | set', ' | upon'),
    each('i | we', 'have settled', 'upon | on'),
    each(' | is', 'allotted to', 'the agent | this agent'),
    each(' | the', 'fund | acquisitions fund', 'stands at'),
    'stands at, stand at, allots, to the agent for, be held, fixes, be bound to, is bound to, fee',
  ].join(','),
  ENDS: [
    each('shall | will | must | is to | ', 'cease to act', ' | on | after'),
    each(
      'shall | may | will | is to | ',
      'conclude | make | enter into',
      'no',
      ' | further',
      TRADE,
      'after | beyond | later than',
    ),
    each('shall | may | will', 'come | comes', 'to an end', ' | on'),
    each(
      'shall | may | will | the agent shall | it shall',
      'cease | stop',
      'trading | dealing | buying | selling',
      ' | altogether',
      'on | after',
    ),
    each('shall | may | will', 'not outlast | be at an end on | end on | conclude on'),
    'concludes on, conclude on, is at an end on, and none at all after, and none after, comes to an end, comes to an end on, and not thereafter, and not after that',
  ].join(','),
  UNTIL: [
    each('may | shall | is to', 'act', 'until | through'),
    each(TRADE, 'may be made | are to be made | shall be made | may be concluded', 'until | through'),
  ].join(','),
  'DEAL deal': each('shall | may | is to', 'act | operate'),
  MINIMUM: [
    each('the reserve | the reserve price', 'for | on | is'),
    each(
      'is',
      'the lowest | the least',
      "i'd | i'll | i would | i will | we'd | we'll",
      'go | take | accept',
    ),
    'at the least, at the lowest, or greater, not lower than, no lower than, at a figure not lower than, at a figure of not less than',
    each('obtain', 'not less than | no less than | at least'),
    each('fetch | realise | bring | command | yield', 'at least | not less than | no less than'),
  ].join(','),
  ABOVE: [
    each('attract | fetch | bring | command', 'more than'),
    each('surpass | outstrip | go past', ''),
    each('should bidding carry', 'it | one', 'beyond | past'),
    each('where a buyer offers | if a buyer offers | should a buyer offer', 'more than | over | above'),
  ].join(','),
  COND: 'in order that, so that the, to the end that',
  'COND if': each('should', 'the agent | it', 'wish to | propose to | intend to'),
  NEG: each('i am | we are', 'not prepared', 'to see | to have'),
  ME: each('of | by | from', 'the undersigned | the owner of this agent'),
  ASK: [
    each(' | are | is | be', 'reserved', 'for | to', 'my | our'),
    each(' | are | is | be', 'laid before | put before | brought before | placed before', OWNER, ' | for'),
    each(
      ' | are | is | be',
      'submitted | referred | presented',
      'for my | for our | to me for | to us for | to the undersigned for',
    ),
    each('shall be | must be | is to be | be | are', 'held | kept | put aside', 'for my | for our'),
    each('shall be | must be | is to be | be', 'shown to', 'me | us', ' | first'),
    each('shall | must', 'refer to', 'me | us', 'for approval | for a decision'),
    each('i | we', 'require', 'to be asked', ' | for my approval | for our approval'),
    each('call on | turn to', 'me | us', ' | for'),
    each('i | we', ' | should | would', 'wish to approve | wish to be consulted and to approve'),
    each('i | we', 'reserve', ' | to myself | to ourselves', 'the', 'approval of | right to approve'),
    each('be put to | be brought to', 'me | us', 'before', 'it proceeds | it is concluded | it is made'),
    each('refer | put | submit | bring', 'the matter | the question', 'to', 'me | us', ' | for a decision'),
    each(
      'the agent shall | it shall | the agent must | it must | the agent is to',
      'ask me',
      'how to proceed | what to do | whether to proceed | for a decision',
    ),
  ].join(','),
  APPROVAL: [
    each(
      'be | first be | be first',
      'approved by | authorised by | confirmed by | sanctioned by',
      OWNER,
      ' | first | in advance | beforehand',
    ),
    each('my | our', 'approval | consent', 'must be | shall be | is to be', 'sought | obtained', ' | first'),
    each('i | we', 'shall', 'approve', ' | any price | any sum | every price'),
    each(
      'the sale | the purchase | the deal',
      'shall not be | may not be | must not be | is not to be',
      'concluded | completed | made',
      'until | unless',
      'i have approved | we have approved',
      ' | it',
    ),
    each('my | our', 'approval | consent', 'has been | have been', 'given | obtained'),
    'approval from my office, approval of my office',
  ].join(','),
  REQUIRE: [
    each('shall be | may be | must be | are to be | is to be | be', CONCLUDED, 'only', 'with | upon | after'),
    each('shall be | must be | is to be | are to be | be', 'checked | verified'),
    each('shall | may', 'proceed | go ahead', 'only', 'with | after | upon'),
  ].join(','),
  'PREP on': 'upon',
  WITHOUT: each(
    'unless | until',
    'i have | we have',
    ' | first',
    'approved | agreed to | consented to',
    ' | it',
  ),
  PASS: each(
    'obtain | obtains | obtained | received | receive | have obtained | have received | hold | holds | has received | has obtained',
    'a clean',
  ),
  'CHECK wallet': [
    each(' | any', 'wallet whose determination'),
    each(
      'buyer | seller | counterparty',
      'wallet',
      'shall have been | must have been | shall be | must be | is | has been',
      ' | determined',
    ),
  ].join(','),
  HALT: each(
    'shall be | must be | is to be | should be | be',
    'stopped | abandoned | called off | cancelled | halted | broken off | discontinued',
  ),
  UNJUDGED: [
    each(
      'be | is | are',
      'unable',
      'to reach | to come to | to arrive at',
      'a',
      'finding | conclusion | verdict',
    ),
    'comes up blank, comes up empty, draws a blank, comes back blank, comes back empty',
    each(
      'prove | proves | prove to be | proves to be',
      'impossible to judge | inconclusive | impossible to determine',
    ),
  ].join(','),
  'VERB spend': 'investments in, expend, laid out, expended, disbursed',
  'VERB sell': 'dump',
};
