import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const WHO = 'i | we | you | it | the agent | my agent';
const OWNER = 'i | we';
const WILL =
  ' | will | can | may | would | should | could | want to | would like to | am willing to | are willing to | am prepared to | are prepared to | am ready to | am happy to';
const CONTRACTED =
  "i'll | we'll | i'd | we'd | i'm willing to | we're willing to | i'm prepared to | we're prepared to | i'm happy to | we're happy to | i'm ready to | you'll | it'll";
const PAY = 'pay | spend | bid | give | go to | part with | put in';
const SHOP =
  'shop | store | company | business | firm | office | team | restaurant | club | family | home | house | hotel | gallery | warehouse | fund | studio | collection | portfolio | cafe | workshop | cellar | school';

/** How owners speak of themselves and of the agent: who pays, who wants something, whose shop it is. */
export const OWNER_WORDS: WordTable = {
  LIMIT: [
    each(
      'the most | the very most | the maximum | the absolute maximum | the highest amount | the most that',
      WHO,
      WILL,
      PAY,
    ),
    each('the most | the very most | the maximum | the most that', CONTRACTED, PAY),
    each('at most | no more than | not more than', 'what', WHO, WILL, PAY),
    'priced at most, valued at most, costing at most, priced at or below, priced at or under, price at most, set at most',
  ].join(','),
  MINIMUM: [
    each(
      OWNER,
      'want | need | expect | ask | would like | take | accept | will take | will accept',
      'at least | no less than | not less than | a minimum of',
    ),
    each('the least', OWNER, 'will | would | can | want to | ', 'take | accept | get | sell for | receive'),
    each('the least', "i'll | we'll | i'd | we'd", 'take | accept | sell for'),
    'priced at least, valued at least',
  ].join(','),
  'VERB spend': [
    each(
      OWNER,
      ' | will | can | would | could | am willing to | are willing to | am prepared to | are prepared to | am happy to | am ready to',
      'pay | spend',
    ),
    each(CONTRACTED, 'pay | spend'),
  ].join(','),
  'VERB buy': [
    each(
      OWNER,
      'authorise | approve | allow | permit',
      'purchases of | the purchase of | buying | the buying of | purchasing',
    ),
    each(OWNER, 'want | need | would like'),
    "i'd like, we'd like, i'm after, we're after, i am after, we are after, i'm in the market for, we're in the market for",
    each(
      'find | find me | find us | find and buy | find and buy me | look for | look out for | search for | track down | seek out | go for | go after | get hold of | get your hands on | shop around for | keep buying | stock up on | book | book me | book us | reserve | reserve me | secure | secure me | pick out | pick up some | hunt down | bid for | bid on | place bids on | place orders for | make offers on | make offers for',
    ),
    each(
      'handle | take care of | see to | manage | do | arrange | look after',
      'the | ',
      'buying of | buying | purchase of | purchasing of | purchasing',
    ),
  ].join(','),
  'VERB sell': [
    each(OWNER, 'authorise | approve | allow | permit', 'the sale of | sales of | selling'),
    each(
      'handle | take care of | see to | manage | do | arrange | look after',
      'the | ',
      'selling of | selling | sale of',
    ),
  ].join(','),
  KEEP: [
    each(OWNER, 'allow | permit | set | authorise | will allow'),
    'keeping, holding, do, doing, complete, completing, close out at, enter into, carry out, conclude',
  ].join(','),
  NEG: [
    'none of them, none of these, none of those, none of which, not one of them, not one of these',
    each(
      OWNER,
      "won't | will not | will never | would never | don't | do not | don't want to | do not want to | would not | wouldn't | can't | cannot | never | never want to | am not willing to | am not prepared to | refuse to | don't wish to",
    ),
    "i'd never, we'd never, i'll never, we'll never, i'm not willing to, i'm not prepared to, i'm not going to, we're not willing to, we're not going to",
    each(
      'you | it | the agent',
      'must never | may never | should never | can never | is never to | are never to | is not to | are not to',
    ),
  ].join(','),
  ME: "i need to, i have to, i must, i should, i want to be, i need to be, i have to be, we need to, we have to, i get to, i would like to be, i'd like to be, i want to personally",
  ENDS: 'hard stop, hard stop on, hard stop at, final day, final date, last date, the final day, last valid day, last trading day, stop everything, stop everything on, stop work on, over on, is over on, end everything, end everything on, shut it down, shut it down on, shut it off on, switch off, switch off on, switch it off on, turns off on, closing date, end day, stops working on, stop working on',
  ASK: "i want to be asked, i need to be asked, i have to be asked, i must be asked, i should be asked, i'd like to be asked, i would like to be asked, ask my, ask me for my, come and ask me, speak to me",
  APPROVAL:
    "i want to approve, i need to approve, i have to approve, i must approve, i will approve, i'll approve, i would like to approve, i'd like to approve, we must approve",
  FILL: [
    each(
      'i | we',
      'want | need | would like | am looking for | are looking for',
      'an agent | a bot | my agent | the agent | this agent | someone',
      'that | to | who | that will | that can | which',
    ),
    each(
      "i'd like | we'd like | i'm looking for | we're looking for | looking for",
      'an agent | a bot | someone',
      'that | to | who | that will | that can',
    ),
    each('i | we', 'need', 'you to | it to'),
    each("i'd", 'like | want', 'it to | my agent to | this agent to'),
    each(
      'you | it | the agent | my agent',
      'have | has',
      'my | our',
      'permission | authority | leave | approval | ok | consent',
      'to',
    ),
    each(
      'i | we',
      'give | grant',
      'you | it | the agent | my agent | this agent',
      'permission | authority | leave | the right | power',
      'to',
    ),
    each(
      "i am | i'm | we are | we're",
      'letting | allowing | authorising',
      'you to | the agent to | my agent to | it to',
    ),
    each(
      "your | the agent's | the | this agent's | its",
      'job | task | mission | goal | purpose | role',
      'is to',
    ),
    each('for', 'our | my | the', SHOP),
    'on behalf of our company, on behalf of my company, on behalf of the company, on behalf of our firm, on behalf of our shop',
    each(
      'our | my',
      'company | shop | business | firm | store | restaurant | gallery | fund | studio',
      'wants to | would like to | needs to',
    ),
    'good morning, good afternoon, good evening, good day, greetings, hi agent, hello agent, dear, many thanks in advance, thanks in advance, thank you in advance, thank you very much, thank you so much, have a nice day, kind wishes, thx',
    "whenever you like, whenever you want, whenever you please, not a cent more, and not a cent more, not a penny more, and not a penny more, not one cent more, and not one cent more, not a dollar more, and not a dollar more, that is all, that's all, that is it, that's it, nothing fancy, no excuses, as the owner, in my name, in our name, here is the mandate, here are the rules, here are my rules, these are the rules, these are my rules, the rules are, the rules, my rules, rules, terms, the terms, details, the details, summary, mandate text, instructions, my instructions, brief",
  ].join(','),
};
