import { each } from './phrase-table.ts';
import { MAY, TERM_NOUN } from './request-words.ts';
import type { WordTable } from './word-table.ts';

/** How orders are written out: what may be done with money, who is asked, and how long it all stands. */
export const ORDER_WORDS: WordTable = {
  ABOVE: 'more as, higher as',
  MINIMUM:
    'not cheaper as, not less as, not lower as, no less as, never cheaper as, no lower, nothing lower, and no lower, but no lower, never lower, not lower, and not lower',
  BUDGET:
    'total pot, overall pot, kitty, total kitty, war chest, money available, funds available, money at hand, available funds, available money, amount available',
  LIMIT: [
    each(
      'must | should | may | shall | can | will | is to | are to',
      'not | never',
      'be',
      'exceeded | surpassed | overstepped | passed',
    ),
    each('not to be | never to be | is not to be | are not to be', 'exceeded | surpassed | overstepped'),
    each('or', 'smaller | beneath | not more | nothing more | lower only | whatever is less'),
    each(
      'as',
      'the most | the very most | the maximum | my maximum | our maximum | my limit | our limit | the upper limit',
      'for',
    ),
    each(
      'the',
      'maximum | most | highest | limit',
      'what',
      'you | i | we',
      'can | may | will | could',
      'pay | spend | go to',
    ),
    each('for', 'maximum | max | maximally'),
    'maximal, maximally of, not more as, no more as, not higher as, never more as',
    'nte, not to exceed, lmt, up to and not over, not going over, stay at or under, staying at or under, stay at or below, keep at or below, keep at or under',
  ].join(','),
  'SCOPE total': [
    each('for | of | across | over', 'all', 'the | these | those | my | our', 'deals | purchases | trades'),
    'in sum, whole mandate, whole term, in its entirety, total over all, for all of it, all of it together, all deals taken together, in the whole, as a whole',
    each('across | over | for', 'the', 'lot | entire lot | whole lot | whole term | whole run | full term'),
  ].join(','),
  'SCOPE deal': 'of deal, of the deal, clip, a clip, per clip, each clip',
  'SCOPE day': [each('of', 'the day'), 'of day, in the day, day spend, day spending, day outlay'].join(','),
  'SCOPE week': [each('of', 'the week'), 'of week, in the week, week spend, week spending, week outlay'].join(
    ',',
  ),
  'SCOPE month': [
    each('of', 'the month'),
    'of month, in the month, month spend, month spending, month outlay',
  ].join(','),
  DENY: 'deny, denying, refuse any, disallow, forbid, prohibit, bar any, veto, rule out, turn off',
  ONLY: [
    'do this only, do so only, this is only, only do this, all of this only',
    each(
      'purchases | deals | all purchases | all deals | goods | they | these | it | the purchases | the deals | trades',
      MAY,
      'come | be made | be done | originate | be | be bought | take place | happen | run',
      'only | solely | exclusively',
      ' | from | with | on | through | via',
    ),
    each(
      'purchases | deals | all purchases | all deals | they | these | it | the purchases | the deals',
      MAY,
      'consist | be made up | be composed',
      'only | solely | exclusively',
      'of',
    ),
    each(
      'purchases | deals | all purchases | all deals | they | trades | i | we | you',
      'are',
      'confined to | restricted to | limited solely to',
    ),
  ].join(','),
  'PREP on': each(
    'is | are | be | shall be',
    ' | hereby',
    'placed | set | imposed | put',
    'on | upon',
    ' | the purchase of | purchases of | the buying of | buying',
  ),
  TERM: 'bounds, trust',
  ALLOWED: [
    each(' | is | are', 'open | fair game | in scope | on the menu | in order | allowable'),
    'welcome, is allowed, are allowed, is permitted, are permitted, is acceptable, are acceptable',
  ].join(','),
  ELSEWHERE:
    'other chains, other networks, the other chains, the other networks, remaining chains, all remaining chains, every remaining chain',
  OTHERTHAN: each(
    'chains | networks | sellers | counterparties | wallets | goods | categories',
    'other than | except | but | besides | apart from',
  ),
  AS_ARE: 'as are, as is, so are, so is, and so are, and so is, as well as are',
  ASK: [
    each(
      'put | submitted | referred | brought | presented | shown | sent | passed | reported | forwarded | taken',
      'to | before | by | past',
      'me | us',
    ),
    each(
      'be | is | are',
      'put | submitted | referred | brought | presented | shown | passed',
      'to | before | by | past',
      'me | us',
    ),
    each('obtain | seek | request | secure', 'my | our'),
  ].join(','),
  PASS: [
    each(
      ' | be | is | are | comes back | come back | comes out | come out',
      'without',
      'findings | any findings | a finding | any finding | objections | objection | hits | any hits | a hit | flags | any flags | a flag | remarks | problems | any problems | issues | any issues',
    ),
    each(
      'come up | comes up | come back | comes back | come out | comes out | turn out | turns out | show up | be',
      'clean | clear | green | all clear | spotless | ok',
    ),
    'all green',
  ].join(','),
  KEEP: 'be made, is made, be concluded, be entered into, be completed, be carried out, be closed, we also set, i also set, also set',
  ENDS: [
    each('pot | kitty', 'closes | ends | shuts | expires', ' | on'),
    each(
      `the ${TERM_NOUN.replaceAll('| ', '| the ')}`,
      'extends to | extends until | extends through | reaches to | goes to | goes until | runs to | is good through | is good until | is good to | holds until | stands until',
    ),
    each('extends | extending', 'to | until | till | through | up to'),
    each('shall | should | must | will | may', 'remain | stay | continue', 'in', 'force | effect'),
    each('remain | remains | stay | stays | continue | continues', 'in', 'force | effect', ' | for'),
    each('continue | continues', 'in', 'force | effect', 'until | till | through'),
    each(
      'close | closure | closing | expiry | expiration | termination | conclusion | date of expiry | day of expiry | date of termination | date of end | end date | last day | final day | last day of validity',
      'of',
      ` | the | this | my | our`,
      TERM_NOUN,
    ),
    'and out, flat by, flat on, out by, finish up, finishes up, finishing up, wrap, or earlier, or sooner, date of expiry, date of expiration, day of expiry, date of end, date of closing, last day of validity, end of validity, good till date, gtd, valid to date, tif, gtc until, good till cancelled until',
    each(
      'they are to | it is to | this is to | deals are to | purchases are to',
      'cease | end | stop | finish',
      ' | on',
    ),
    each(
      "i'd like | we'd like | i would like | we would like | i want | we want",
      'all this | this | it | it all | all of this',
      'to',
      'end | stop | finish | be over',
      ' | on | by',
    ),
    each(
      'must | should | shall | is to | has to | will',
      'stop | end | finish | cease | close | lapse | expire',
      ' | on | by',
    ),
  ].join(','),
  UNTIL: each('until | till | up to | through', 'the date | date | the day | the date of | the day of'),
  STARTS: each('shall | should | must | is to | will | may', 'start | begin | commence', ' | on | from'),
};
