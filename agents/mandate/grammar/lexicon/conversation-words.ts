import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

/** How people put what they want when they talk: the thing first, the verb later, and the end as the day it is. */
export const CONVERSATION_WORDS: WordTable = {
  'VERB buy': [
    each("what i'm after | what we're after | what i am after | what we are after", 'is | are'),
    'go ahead with, go ahead and get, go ahead and buy',
  ].join(','),
  'PREP for': each(
    "that's | that is | this is | which is",
    'the | my | our',
    'budget | price | money',
    'for',
  ),
  'VERB spend': 'lay out, laying out, shell out, fork out',
  FILL: [
    each('will | would', 'do'),
    each('i hope | hope', 'you are well | all is well | this finds you well'),
    each(
      'here are | these are | below are | here is',
      'my | our',
      'limits | wishes | conditions | terms | instructions',
    ),
    each(
      "i'm | i am | we're | we are",
      'new here | new to this | a collector | collectors | a buyer | buyers',
    ),
    each('nice | pleased | good', 'to meet you | to hear from you'),
    each('nothing | there is nothing', 'more to say | else to say | to add'),
    each('that is | this is', 'all i ask | all we ask | my first time'),
    each('let us | let me', 'begin | start'),
    each('sorry', 'for', 'the trouble | the bother | bothering you | the short notice'),
    each('my | our', 'wish | interest | focus | hobby | passion', 'is | are'),
    'i collect, we collect, yours, love, i would be grateful, we would be grateful, i trust you, the rules are simple, the terms are simple',
    each('is | are', 'what', 'i | we', 'want | need | would like | look for'),
    each('is | are', 'what', "i'm | we're | i am | we are", 'after | looking for'),
    each('is | are', 'what', "i'd | we'd", 'like'),
    each(
      'we are | i am | i run | we run | i own | we own | i have | we have',
      'a | an | the',
      'small | little | family | local | tiny | large | big',
      'shop | store | company | business | firm | gallery | studio | fund | restaurant | hotel | office | team',
    ),
    each('keep', 'it | things', 'small | modest | tidy'),
    each("i'd be | i would be | we'd be | we would be", 'grateful | glad | happy | thankful | pleased', 'if'),
    "you are free to, you are free to go and, if you please, if you'd be so kind, if you'd be so good, if you would be so kind, if you would be so good, thank you very much indeed",
  ].join(','),
  PASS: each(
    'comes back clean | come back clean | came back clean | passes | passed',
    'before',
    'you buy | buying | you pay | paying | any purchase | each purchase | every purchase | any deal | each deal',
  ),
  ONLY: each(
    ' | and | but',
    ' | from | with | to',
    'nobody else | no one else | no other seller | no other sellers | no other party',
  ),
  ANY: each(
    'i | we',
    "don't mind | do not mind | don't care | do not care",
    'what',
    'it is | they are | you buy | it buys',
  ),
  EXCEPT: each(
    'as long as | so long as',
    "it isn't | it is not | it's not | they aren't | they are not | it is never",
  ),
  NEG: each(
    "don't | do not | never",
    'let',
    'any of them | one of them | any of these | any of it | a single one',
  ),
  UNDER: each('goes | go | is to go | be let go', 'below | under | for under | for below | for less than'),
  ABOVE: 'go past, goes past, going past, get past',
  MINIMUM: 'is the least, is the lowest, is the minimum',
  KEEP: 'treat, consider, regard',
  LIMIT: [
    each(
      'i | we | you',
      'can | could | may | might | will',
      'stretch to | go to | go up to | go as high as | manage | afford',
    ),
    each(
      'is | are',
      'as high as | as far as | as much as',
      'you | it | we | i | the agent',
      ' | may | can | should | will | would',
      'go | pay | spend | bid',
    ),
    'being the ceiling, being the limit, being the maximum, being the most, being the cap',
  ].join(','),
  'SCOPE total': [
    each('as', 'the | an | a | my | our', 'overall | total', 'maximum | limit | cap | ceiling | budget'),
    each('is', 'all', 'you have | you get | there is | i have | we have | you may spend'),
    'the whole, as the total, as a total, as the sum',
  ].join(','),
  ENDS: [
    'close it on, close it by, close on',
    each('as', 'the | its | my', 'last day | final day | end date | closing date | end | deadline'),
    each('is', 'the | its | my', 'end | last day | final day | end date | closing date | deadline'),
    each('the | your | my', 'date | day', 'to', 'stop | end | finish', ' | is | is on'),
    each(
      'the arrangement | this arrangement | the order | this order',
      'ends | closes | expires | stops',
      ' | on',
    ),
    'finish on, finishing, finishing on, finishes on, latest date, the latest date, you can stop on, you may stop on',
  ].join(','),
  UNTIL: [
    'and no later than, and not later than, and not after, not after, at the latest on, at the latest by',
    each(
      'as long as | so long as | provided',
      "it is | it's | that is",
      'no later than | not later than | by',
    ),
  ].join(','),
};
