import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

/** Politeness and asides, which are dropped everywhere: none of them limits, widens, dates or conditions anything. */
export const POLITE_WORDS: WordTable = {
  FILL: [
    each('use | using | with | from | out of', 'my | our', 'funds | money | cash | savings'),
    each('as | as and when', 'you', 'see | find | spot | come across', 'them | fit them'),
    each(
      ' | a | the',
      'mandate | instruction | instructions | order | orders | rules | brief',
      'for',
      'my agent | the agent | you',
    ),
    'before anything else, helping, for helping, for helping out, for helping me, above all,',
    each(
      'thanks | thank you | many thanks',
      'for',
      'taking this on | doing this for me | doing so | your service | your work | your time | your assistance | looking after this | taking care of this | everything you do',
    ),
    'do so, and do so, please do so, be careful, please be careful, take care that, here and there, now and then, every now and then, from time to time, as and when, what you may spend, what you can spend, what it may spend, what i will spend, what i can spend',
    each('is | are', 'okay | ok | fine | welcome | alright | good to go'),
    each('whenever | when | wherever', 'you', 'see | find | spot | come across', 'them | some | one | any'),
    each(
      'the rule | the rules | my rule | my rules | rule',
      'for',
      'money | goods | time | spending | buying | dates | the money | the goods | the time',
    ),
    each('keep | make', 'it', 'simple | short | easy | brief'),
    each('just', 'so | to', "we're clear | we are clear | be clear | you know | be sure | be safe"),
    each("you're | you are | it's | it is", 'to | here to | supposed to | asked to | expected to'),
    "it all, this all, my wish is simple, wish is simple, it's simple, simple as that, as simple as that, easy as that, the period, this period, i should like to, i'd like some, i should like you, in general, in particular, in practice, in principle, in essence, in other words,",
    each(
      'this is | here is | here are | these are | that is',
      'what i want | what i need | what i pay | what i would like | my wish | the plan | my plan | my order | my request | the brief | how it works | the arrangement | what to do',
    ),
    each(
      'apart from | other than | aside from | beyond | besides | except for',
      'that',
      ' | restriction | one rule',
    ),
    each('whatever', 'you buy | it buys | the agent buys | my agent buys | we buy | you purchase'),
    each(
      'i | we',
      'leave it to you to | count on you to | rely on you to | trust you to | task you to | ask you to | ask that you | request that you | want you buying | propose that you | suggest that you',
    ),
    each(
      "it would help if you | it would help me if you | i was hoping you could | i was hoping you would | i was wondering if you could | i wonder if you could | could you possibly | would it be possible to | is it possible to | would it be ok to | how about you | why don't you | see that you | see to it that you | i should like you to | i'd ask you to | we'd like you to | we would like you to | we need you to | i'd be glad if you | i would be glad if you | i'd be happy if you | it would be lovely if you | it would be kind if you",
      '',
    ),
    each(
      'if you',
      "would | please | don't mind | do not mind | would be so kind | could | can | would please",
    ),
    each(
      "if that's | if that is | if it's",
      'ok | okay | alright | all right | fine | fine with you | ok with you | not too much trouble',
    ),
    each(
      'your | the | its | this',
      'job | task | mission | assignment | purpose | aim | goal',
      ' | is | is simple | is simply',
    ),
    "job, task, purpose, assignment, when you can, when you get a chance, whenever you get a chance, at your convenience, in between, in the meantime, meanwhile, applies, applies too, applies as well, applies here, i'd rather, i would rather, i'd prefer to, i would prefer to, i prefer to, freely, oh and, oh, ok so, okay so, right, alright, so then, now then, also please, and please, as discussed, as agreed, as usual, as we discussed, quick one, quick request, quick note, small request, one more thing, last thing, lastly, finally, first of all, firstly, secondly, thirdly, to start with, to begin with, in addition to that, that said, having said that, other than this, that would be great, that would be lovely, that would be perfect, that'd be great, would be great, i appreciate it, we appreciate it, appreciate it, appreciated, ta, thanks ever so much, thanks for everything, thank you for everything, god bless, good luck, happy hunting, have fun, talk soon, speak soon, sorry to bother you, excuse me, greetings from me, my dear agent, dear helper, dear sir or madam, dear sir, to whom it may concern, folks, team, buddy, pal, friend, no rush, take your time, no hurry, if i may, may i, might i, do this for me, help me, help me to, help us, help us to, be a dear and, be a good agent and, do your best to, i beg you, many thanks indeed, thanks indeed",
  ].join(','),
};
