import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

/** When it all ends, as people say it in passing. */
export const HABIT_ENDS: WordTable = {
  ENDS: [
    each(
      'is',
      'when | where',
      'we | you | i | it | this | the agent | everything | all of this | the mandate | it all',
      'stop | stops | finish | finishes | end | ends | quit | quits | expire | expires | close | closes | call it a day | are done | is done | is over',
    ),
    each(
      'to | ',
      'end | stop | finish | cease',
      'its | your | the',
      'work | activity | activities | trading | buying | selling | task',
      ' | on | by',
    ),
    each(
      "it's | it is | this is | that's | that is",
      'fine | good | okay | ok | alright | all right | okay to go | valid',
      'until | till | up to | through',
    ),
    each(
      'it | this | this mandate | the mandate | my mandate | mandate',
      'works | holds | counts | stands | applies',
      'until | till | through',
    ),
    each('run | keep', 'it | this | things', ' | going | running', 'until | till | til'),
    each('kill | end', 'it | this', ' | off', ' | on | by | at'),
    'wrapped up, wrapped up by, wrapped up on, to be wrapped up by, to be wrapped up on',
    each('close | shut | wind', 'it | this | everything | things', 'down | up', ' | on | by'),
    each('out | through | done | finished | gone | off', 'on | by'),
    each(
      'everything | all | it all | all of it | the whole thing | the lot',
      'ends | stops | finishes | expires | closes | is over | lapses',
      ' | on | by | at',
    ),
    each(
      'do',
      'not | nothing',
      'go on | carry on | continue | keep going | buy | trade',
      'after | past | beyond',
    ),
    each(
      'you | it | the agent',
      'must | have to | has to | should | will | shall | are to | is to | need to',
      'stop | finish | end | quit | cease | be finished | be done | be through | wrap up',
      ' | on | by | buying | trading',
    ),
    each(
      'i | we',
      'want | need | would like',
      'you to',
      'stop | finish | end | be done | be finished | wrap up | quit',
      ' | on | by',
    ),
    each(
      'this | it | that | the offer | the order | the mandate | the deal',
      'dies | goes dead | runs dry | is dead | is off | falls away | becomes void | turns void',
      ' | on | after',
    ),
    "carry this out by, carry it out by, carry this out until, do this by, do it by, get this done by, get it done by, have this done by, have it done by, get all this done by, see this through by, complete this by, complete it by, finish this by, finish it by, finish the job by, i need them by, i need it by, i want them by, i want it by, permission ends, permission expires, permission withdrawn on, permission lapses, permission lapses on, permission ends on, permission expires on, shop until, use them until, use it until, use this until, keep shopping until, keep looking until, look until, search until, work till, go on until, go on till, keep at it till, ending with, ends with, finishing with, to finish on, to finish by, to stop by, to end by, to be over by, to be over on, to be wound up by, to close on, to expire on, set to expire on, set to expire, set to end on, set to end, due to end on, due to expire on, due to expire, scheduled to end on, that will be it, that is it on, good for use until, usable until, can be used until, may be used until, not valid after, no longer valid after, invalid after, void after, use by, use-by date, best before, do not use after, don't use after, nothing doing after, off duty after, off duty on, off duty from, end point, endpoint, finish date, finishing date, stopping date, closing day, stop day, cut off day, final deadline, hard deadline, firm deadline, strict deadline, absolute deadline",
  ].join(','),
  UNTIL: [
    each(
      'is | are | will be | stay | remain',
      'open | valid | good | live | on | active | in force | in effect | standing',
      'until | till | through | to | up to',
    ),
    'stays open until, remains open until, stays valid until, stays good until, remains good until, all the time until, from now until, from now till, from now to, from now through, from today until, from today till, from today to, from today through, starting now until, starting today until, starting today and until, between now and, anytime until, any time until, any time up to, anytime up to, any day until, any day up to, right through to, right until, right till, on until, on till, and until, up to and with, up to and through, through and including, until the close of, until the end of the day on, no later than the end of, not later than the end of, at the very latest on, at the very latest by, by no later than, by the latest on, by the end of the day on, on or before',
  ].join(','),
};
