import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

/** Turns of phrase that limit, widen, date and condition nothing, and are dropped. */
export const HABIT_FILLERS: WordTable = {
  FILL: [
    each('i | we', 'ask | request | instruct | order', 'it | you | the agent | my agent', ' | to'),
    "could, i'd be glad if the agent could, i would be glad if the agent could",
    each('both | all', 'as', 'maximums | maxima | limits | caps'),
    each('since | as | because', 'i | we', 'travel', 'a lot | often | much'),
    each('the | our | my | this', 'fund | company | firm | club | shop | team | trust', 'mandate'),
    each('through | via | by way of', 'you | the agent | my agent | this agent'),
    each(
      'in | within | during | over | for',
      'that | this | the said',
      'time | period | span | stretch | time span',
    ),
    each('please | kindly | ', 'note | mind | observe', 'the following'),
    each('small | tight | modest | limited', 'budget', ''),
    each(' | to', 'try', 'this | it', ' | out'),
    "the following, sorry, we'd like to try this, i'd like to try this, we would like to try this, i would like to try this, god bless you, hello dear, dears",
    each('in', 'the name of | the name and on behalf of', 'the', 'principal | owner | client | undersigned'),
    each('on | for | to', "my | our | the principal's | the owner's", 'account | behalf'),
    each('for', 'the account of', 'the principal | the owner'),
    each(
      'by',
      'the',
      'pallet | lot | case | bottle | box | crate | truckload | load | batch | bunch | dozen | unit | item | kilo | barrel | cask | pair',
    ),
    each(
      'within | inside | under',
      'those | these | the above',
      'bounds | limits | terms | conditions | rules',
    ),
    each(' | would you | will you | could you | please', 'be', 'so', 'good | kind', 'as to'),
    'whichever way it goes, whichever way, subject to the following terms, on the following terms, under the following terms, with the following terms, on these terms, on the following conditions, under the following conditions',
    each(
      'i | we',
      'have decided | decided | have chosen | am going | are going | am about | are about',
      'to',
    ),
    each('whatever happens | come what may | no matter what | in any case | in any event | at any rate', ''),
    each('of | from | out of', 'which | that', ''),
    each(
      'here',
      'is | are | comes | come',
      'the | my | your',
      'task | job | deal | plan | list | limits | caps | details | conditions | facts | rules | order | request | numbers',
    ),
    each(
      'this is | that is | here is',
      'what',
      ' | i | we',
      'expect | ask | have in mind | had in mind | wish',
    ),
    each(
      'let me | allow me to',
      'explain | spell it out | put it simply | put it this way | be brief | keep it short | keep this short | get to the point',
    ),
    each(
      'i | we',
      'have | had',
      'a',
      ' | small | quick | little',
      'request | favour to ask | job for you | task for you | order',
    ),
    each(
      'i',
      "am | 'm",
      'writing to you | writing | getting in touch',
      ' | because | so that you can | to ask you to',
    ),
    each('as', 'your | the', 'principal | client | customer | boss | employer | owner', ''),
    each('you', 'are', 'my | our', 'agent | buyer | helper', ' | now'),
    each(
      'thanks | thank you',
      'and',
      'have a nice day | have a good day | best wishes | best regards | kind regards | regards | goodbye | bye | good luck',
    ),
    each('much | very much | greatly', 'appreciated | obliged'),
    "thanking you kindly, thanks a million, thanks a bunch, thanks loads, a million thanks, you're a star, you are a star, you're the best, you are the best, well done, good work, lots of love, hugs, looking forward to it, looking forward, i look forward to it, i look forward to your purchases, can't wait, that'll be all, that will be all, nothing else to add, end of message, over to you, excellent, super, brilliant, wonderful, splendid, alright then, all right, all right then, hmm, um, er, uh, erm, ah, oh yes, ah yes, well then, well now, right now then, please and thank you, pretty please with sugar on top, on this one, for this one, on this, for this, about this, here, in here, over here, around here, as before, as ever, as always, same as always, as per usual, as normal, accordingly, correspondingly, as listed, as noted, as stated, as written, as agreed before, as we agreed, as we said, quite simply, put simply, simply put, plainly, plainly put, in plain words, in plain english, in a word, in one sentence, in two words, long story short, bottom line up front, to cut a long story short, to make it short, to keep it short, to put it simply, to put it briefly, to be brief, to begin, for starters, for a start, first up, next up, after that, and finally, last of all, last but not least, lastly then, one last thing, one other thing, one thing more, another thing, ps, p.s., nb",
  ].join(','),
};
