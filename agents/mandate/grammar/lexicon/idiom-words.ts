import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const SPENT = 'purchases | deals | spending | spend | buys | trades | bookings | orders | total';

/** "A day's purchases together", "all deals of one week". The possessive is dropped before words are looked up. */
function periodSpending(unit: string): string {
  return [
    each('a | one | any | each | every | any one | the', unit, SPENT, ' | together'),
    each(
      'all | all the',
      SPENT,
      'of | in | on | within | during',
      'a | one | any | each | every | any one',
      unit,
    ),
  ].join(',');
}

/** Turns of phrase of people who never wrote a mandate. What is dropped limits, widens, dates and conditions nothing. */
export const IDIOM_WORDS: WordTable = {
  'VERB buy': [
    each(
      'find | find me | find us | pick up | look for | shop for | purchase | acquire | collect | get hold of | hunt for | look out for | order | fetch | secure | bid on | bid for',
      'some | a few | several | a couple of',
    ),
    each(
      "i'd be much obliged if you | i'd be obliged if you | i would be obliged if you | i'd be thankful if you | i'd be happy if you | i'd be glad if you | it would be great if you | it'd be great if you | i'd be grateful if you | it would be nice if you | it would be lovely if you | i'd love it if you",
      'bought | bought me | picked up | purchased | got | got me | acquired | found me',
    ),
    each(
      "i'm | i am | we're | we are",
      'looking for | hunting for | shopping for | interested in | keen on | only interested in | only looking for',
    ),
    each('i | we', 'only want | just want | only need | just need | really want | really need'),
    each('what i want is | what we want is | what i need is | what i want are', ' | some'),
    each("what i'd | what we'd | what i would | what we would", 'like', 'is | are', ' | some'),
    each(
      'get me | get | get us | buy me | buy | buy us | find me | find',
      ' | some',
      'good | nice | decent | great',
    ),
    each('could i | can i | may i | could we', 'have | have some | please have'),
    'get us some, buy us some, look to buy, looking to buy, look to purchase',
    each('see if you can', 'find | get | buy | get me | find me | buy me'),
    'treat me to, sort me out with, go shopping for, order me, line up, line up some, snag, snag me, nab, score me, land me, pick me up, pick me up some, invest my money in, lay hands on, take home, look into buying, consider buying, do the buying of, do my shopping for, do the shopping for',
  ].join(','),
  'VERB sell':
    'get rid of, let go of, flog, clear out, find a buyer for, put on the market, put on sale, sell for me, look into selling, list and sell, sell away, find new owners for, find a new owner for',
  LIMIT: [
    each(
      "i'm | i am | we're | we are",
      'happy | willing | prepared | ready | glad',
      'to',
      'go to | go up to | go as high as | pay up to | spend up to | stretch to',
    ),
    each(
      'not | and not',
      'a cent | one cent | a penny | one penny | a dollar | one dollar',
      'over | above | beyond',
    ),
    each(
      "you | we | i | it | the agent | the agent's spending | spending | spend",
      'may | can | could | might',
      'reach | go up to | use up to | run to | climb to',
    ),
    each(
      "i'll | i will | i'd | i would | we'll | we will",
      'go to | go up to | go as high as | stretch to | climb to',
    ),
    'and not more, but not more, and not more than, but not more than, and no more, but no more, and no more than, but no more than, no further than, go no further than, going no further than, maximum ticket, max ticket, maximum ticket size, no more, not more, nothing more, nothing above that, not above that, nothing over that',
    each('no | not | never', 'dearer | pricier | costlier', 'than'),
    each('must | should | may | can', 'not | never', 'cost more than | go for more than | be dearer than'),
    'maxed at, maxed out at, topped at, never to exceed, must not cost over, at the top end, or thereunder, keep it to, keep it at, keep them to, hold it to, kept to, stay at or under, stay at or below, keep at or under, keep at or below, up to but not over',
  ].join(','),
  MINIMUM:
    'or dearer, or upwards, and take no less, take no less, and no less, but no less, and not less, no less, nothing below, nothing under, no offer below, no offer under, no offers below, no offers under, not for under, not for below, not for less than, never for less than, never for under',
  ABOVE: 'dearer, in excess, any higher than, any more than',
  BUDGET: `i've put aside, i have put aside, we've put aside, i put aside, we set aside, we have set aside, overall outlay, i'm allowing, i am allowing, we're allowing, i allocate, i've allocated, i have allocated, i've budgeted, i have budgeted, i reserve, i've earmarked, i have earmarked, i earmark, earmarked,  i give you, we give you, i'm giving you, i am giving you, i grant you, i set aside, i have set aside, i've set aside, my funds are, my purse is, my pot is, the pot is, the kitty is, i put up, i am putting up, i'm putting up, i entrust you with, i trust you with, i'm trusting you with`,
  'SCOPE total': [
    each(
      'for | across | over | between',
      'all of them | all of it | the lot of them | the whole lot | all of these | the entire mandate | the life of the mandate | its lifetime | the whole period | the entire period',
    ),
    each(
      'all | all the | all of the | all these',
      'lots | deals | purchases | items | pieces | bookings | trades | orders | buys | transactions',
      'together | combined | put together | added up',
    ),
    'together, collectively, jointly, cumulatively, the whole lot, the whole thing, this whole thing, in the aggregate, put together, added together, added up, as a whole, on the whole job, for the whole job, for the job, once everything is counted, over the lifetime of the mandate, during its lifetime, in its lifetime, when added up',
  ].join(','),
  'SCOPE deal':
    'deal size, deal sizes, deal value, size of a deal, size of each deal, size of any deal, value of a deal, value of each deal, individually, singly, one by one, on any of them, for any of them, any of them, for a single deal, per single thing, single ticket, per single ticket, per individual thing, for any single one, on any single one, for a single one, for one of them, on one of them, per thing bought, for every single one, a head, a unit, each and every time',
  'SCOPE day': `${periodSpending('day')}, day by day, in the course of a day, on any day, on any one day, on a single day, each and every day, within one day`,
  'SCOPE week': `${periodSpending('week')}, week by week, in the course of a week, in any one week, each and every week, within one week`,
  'SCOPE month': `${periodSpending('month')}, month by month, in the course of a month, in any one month, each and every month, within one month`,
  KEEP: [
    each("i'd | i would | i'll | i will | we'd | we will | we'll", 'accept | take | allow | permit'),
    "i have, we have, i've got, we've got, you've got, you have got",
    'allows, allows for, allowing, permitting, you get, gets, you can have, stays, sits, sits at, is set at, is set to, i am setting, i set, comes in at, is fixed at, fixed at, fixed, works out at, comes, makes, stands at, stand at, stands, lies at, is at',
  ].join(','),
  ENDS: [
    each(
      "i'd like | i want | i would like | we'd like | we want",
      'to be',
      'done | finished | through',
      'by | on',
    ),
    each('to be', 'used | used up | spent | completed | finished | done', 'by | before the end of'),
    each('when', 'you | it | this | the agent', 'stop | stops | end | ends | finish | finishes | expires'),
    'when to stop, when to end, runs to, run to, lasts to, stretches to, the period ends, the period runs to, period ends',
    each('do not | never', 'go on | carry on | continue | keep going | keep on', 'past | after | beyond'),
    each("don't", 'go on | carry on | continue | keep going', 'past | after | beyond'),
    each(
      'i want | i would like | i need',
      'this | it | everything | the mandate',
      'to',
      'end | stop | be over | finish | expire | lapse',
      ' | on | by',
    ),
    each('let', 'it | this', 'end on | lapse on | expire on | run until | run to | stop on'),
    each(
      'keep | carry on | continue | go on | keep going | keep at it | keep this up',
      'until | till | through',
    ),
    each(' | is | becomes', 'void | invalid | no longer valid | not valid', 'after'),
    each(' | is | is to be | will be', 'withdrawn | revoked | cancelled', 'on | after'),
    each('buy | sell | spend | do | bid on | trade', 'nothing after | nothing more after | no more after'),
    each(
      'you | it | the agent | my agent',
      'stop | stops | finish | finishes | quit | quits',
      ' | working | buying | selling | spending',
      'on',
    ),
    'quit, quit on, quit by, quit at, quits on, to end, to end on, to stop on, stand down on, pack it in on, pack up on, wind up on, wind up by, dies on, is up on, concludes, concludes on, comes to a close on, comes to a close, all done by, all finished by, ending by, time out on, times out on, call it quits on, this is when it ends, when it ends, ends for good on, the end of it is, until and no later than',
  ].join(','),
  UNTIL:
    "you've got until, you have got until, you have until, right up to, right up until, all the way to, all the way through",
  STARTS:
    'go live on, goes live on, live from, opens on, open from, kick off on, kicks off on, not a day before, start no earlier than, hold off until, hold back until, get going on, get started on, set off on, comes into force on, takes effect on, takes effect, taking effect on',
  ASK: 'give me a call, give me a ring, give me a shout, i want to be consulted, i want to hear, i want to have a say, hold off and ask me, stop and ask me, pause and ask me, come to me first, show it to me first, check in first, i wish to be asked, i expect to be asked',
  APPROVAL: `my nod, a nod from me, my okay, my ok, my yes, a yes from me, my word, my go-ahead, my go ahead, my sign-off, my signature, i decide, i decide myself, i'll decide, i will decide, i make the call, i'll make the call, that's my call, is my call, my explicit yes, my explicit ok`,
  COND: 'where, wherever',
  UNDER:
    'go for less than, go for under, go for below, goes for less than, leave for less than, be sold for less than, be let go for less than',
  DENY: [
    each('i | we', "don't | do not", 'want | need | like'),
    each("i'm | i am | we're | we are", 'not interested in | not keen on'),
    each('i | we', 'have no', 'use for | interest in'),
    "hold on to, holding on to, hang on to, hanging on to, hands off, keep your hands off, have nothing to do with, nothing to do with, do not go near, don't go near, never go near, give a wide berth to, rule out, pass on, pass over, leave aside",
  ].join(','),
  NEG: [
    each(
      'nor',
      'may | can | should | shall | must | will | is',
      'it | you | the agent | my agent',
      ' | ever',
    ),
    each("don't | do not | never", 'let', ' | it | them | anything'),
    each('i | we', "don't | do not", 'want', 'you | it | the agent | my agent', 'to'),
    each(
      'i | we',
      "should not | would not | wouldn't | shouldn't | don't | do not",
      'like',
      'to | you to | it to',
    ),
    "i'd rather not, i would rather not, i'd prefer not to, i would prefer not to, i prefer not to, you'd better not, better not, see that you don't, mind you don't, be careful not to, take care not to, make sure not to, make sure you don't, make sure you do not, make sure you never",
  ].join(','),
  ANY: [
    each(
      'all categories | all goods | any goods | any category | all products | every category | all kinds of goods',
      'is | are',
      'okay | ok | fine | good | alright | welcome | fair game',
    ),
    each('everything | anything', 'is', 'okay | ok | fine | good | alright | allowed | welcome'),
    each('everything | anything', 'else', 'is', 'okay | ok | fine | good | alright | allowed | welcome'),
    'anything will do, any goods will do, whatever goods, goods of all kinds, all sorts',
  ].join(','),
  'TAINT provenance':
    'stolen, stolen goods, stolen property, stolen things, stolen items, stolen stuff, hot goods, was stolen, were stolen, been stolen, reported stolen',
  'TAINT double-pledge':
    'pledged twice, double pledged, pledged elsewhere, pledged to somebody else, pledged to someone else, already pledged, with a double pledge, with double pledges, with a pledge on it',
  'TAINT shill-collusion':
    'with shill bidding, with shill bids, with rigged bids, with rigged bidding, with collusion',
  FORSALE: 'up for sale, on sale, on the market, up for auction',
  MODIFIER:
    'some good, some nice, some decent, some fine, some great, great, lovely, high end, low cost, budget friendly, popular, ordinary, regular, standard, normal, local, foreign, imported, domestic',
  LEAVE: 'leave',
  ONLY: 'nobody but, nobody except, nobody other than, no one except, no one other than, nothing else, only chain, only chain to use, only network, only network to use, only chain allowed, only network allowed, only chain you may use, only kind of goods, only what, only things that, only goods that, only lots that, only stuff that, only those that',
  'PREP for':
    'covers, covering, it covers, applies to, applying to, is meant for, meant for, is intended for, intended for, concerns, concerning, is about, regarding, with regard to, in respect of, in the field of, in the area of',
  SEP: 'though, although also, and then, and also please, then again, what is more, at the same time, and besides',
  GEN: 'what you buy, what you may buy, what you can buy, what it buys, what to trade, what i want bought, wish list, shopping list, kind of goods, sort of goods, type of goods, goods wanted, goods allowed, goods covered, what to buy, what to sell',
};
