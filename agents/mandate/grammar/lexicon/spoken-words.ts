import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const GLAD = 'grateful | thankful | happy | glad | pleased | delighted | obliged | appreciative';
const VERY = ' | ever so | so | very | really | most | extremely | much | eternally | more than';
const WOULD = "i'd be | i would be | we'd be | we would be | it would make me | it'd make me";

/** Words for spending, limits and refusals, as people say them when they talk. */
export const SPOKEN_WORDS: WordTable = {
  'VERB spend':
    'blow, splash out, splash, splurge, fork over, cough up, dish out, disburse, expend, use up, outspend, run through, go through, burn, burn through, spend money on, my spending, our spending, our spend, my spend',
  'VERB buy': [
    each(
      WOULD,
      VERY,
      GLAD,
      'if you',
      'bought | purchased | acquired | procured | got | got me | found | found me | picked up',
    ),
    'appointed to acquire, appointed to buy, trying to buy, trying to find, trying to get, scout for, scout, forage for, rummage for, trawl for, keep an eye out for, keep an eye open for, keep your eyes open for, keep a lookout for, be on the lookout for, on the lookout for, on the hunt for, in search of, source me, dig up, dig out, rustle up, round up, amass, accumulate, look into acquiring, look into buying, gather, gather up, get some of, hunt, chase, chase down, chase after, go looking for, look around for, look about for, i fancy, we fancy, pick me up some, pick up for me, stock up with, trying to stock up on, want to stock up on',
  ].join(','),
  KEEP: [
    each('is | are', 'fine | ok | okay | alright | all right', 'by | with', 'me | us'),
    each("i'm | i am | we're | we are", 'ok | okay | fine | happy | comfortable | content', 'with'),
    each('works | is good | suits', ' | for', 'me | us'),
    each('i | we | you', 'can | could | may | might', 'spare | put up | stump up | use | do'),
    each("i'll | we'll | i will | we will", 'allow | permit | spare | put up | offer | hand you'),
    each('i | we', 'give it | give each | give | set | fix | grant | offer | want to set | would set'),
    each('there is | there are', ''),
    'happen, happens, take place, takes place, taking place, are made, made, be made, rate, rates, at a rate of, at rates of, happening, i expect, we expect, expect, can go for, may go for, could go for, should go for, must go for, to see, to get back, give, gives, allot, allotted, assign, lay down, leaving my account, leaving the account, leaves my account, leave my account, leave the account, leaving my wallet, leave my wallet, leaves my wallet, go out, goes out, going out, running to, run up, swallow, eat, eat up, eats up, take up, takes up, taking up, consume, consumes, absorb, absorbs, claim, claims, come out at, comes out at, coming to, amounting to, adding up to, totalling, come, comes, put down, put towards, be used, used altogether, money, cash, funds, spent on it, change hands, goes for, going for, on offer at, sells for, listed at, listed for, marked at, tagged at, available, is available, at hand, at prices, at prices of, at a price, at a price of, prices of, a price of, with a price of, with prices of, price tag, price tags, sticker price, tag, asks, bill, invoice total, set to, amount, figure, sum of money, wallet allows, purse allows, budget allows, account allows, weigh in at, clock in at, land at, end up at, value of',
  ].join(','),
  LIMIT: [
    each('or | and | but', 'smaller | lesser | lower | below | beneath'),
    each(
      ' | and | but',
      'not | nothing | no',
      'higher | dearer | pricier | costlier | larger | bigger | greater | steeper',
      ' | than',
    ),
    each('no | not | never | nothing', 'steeper | pricier | costlier | greater | richer', 'than'),
    each(
      'go | going | bid | bidding | pay | spend',
      'as high as | as far as | up to | no higher than | at most',
    ),
    each(
      "i'll | i will | we'll | we will | you may | you can | i'd | we'd",
      'go | bid',
      'no higher than | no further than | up to',
    ),
    each(
      'is | are',
      'as far as | as high as | as much as',
      "i'll | i will | we'll | we will | i'd | i would",
      'go | pay',
    ),
    each('i | we', 'draw the line', 'at'),
    each('i | we', 'can | could | may | might', 'go', ' | up', 'to'),
    each('are | is', 'not', 'to', 'exceed | go above | go over | go past | be above | be over | surpass'),
    'with no more than, with not more than, for no more than, for not more than, at the utmost, at the uttermost, at the limit, at its highest, at their highest, at its dearest, as upper limit, as an upper bound, as the upper bound, as upper bound, as the ceiling, as my ceiling, as the most, as my limit, as my maximum, limiting it to, confine spending to, limit spending to, limit yourself to at most, restrict spending to, hold spending to, keep spending to, hold spending at, keep spending at, keep spending under, keep spending below, keep spending within, limited at, topping at, peaking at, and stop there, and not beyond, and not over, nothing beyond, nothing past, not to be exceeded, is not to be exceeded, are not to be exceeded, may not be exceeded, must not be exceeded, never to be exceeded, not beyond, up to and not beyond, up to but not beyond, at most just, to the tune of at most, restrict yourself to at most, only as much as, stay beneath, stay below, stay under, keep below, keep under, keep beneath, stays under, stays below, stays within, remains under, remains below, remain under, remain below, not in excess of, no excess over, as low as or lower than, not upward of, not north of',
  ].join(','),
  ABOVE:
    'north of, to the north of, upward of, steeper than, costing above, costs over, cost over, costs above, cost above, costing in excess of, cost in excess of, costs in excess of, in excess, that cost over, that cost more than, which cost more than, priced higher than, priced in excess of, valued higher than, that is over, that is above, go beyond, goes beyond, going beyond, rise above, rises above, climb above, climbs above, run over, runs over, run past, comes to more than, come to more than, comes in above, comes in over, come in over, amounts to more than, asks more than, asking more than, wants more than, bigger than',
  NEG: [
    each(
      "i'm | we're",
      'not',
      'happy | comfortable | okay | ok | fine | content | willing',
      'for you to | for it to | for the agent to | for my agent to | to have you',
    ),
    "not a penny, not a cent, not a single cent, not a dollar, not one dollar, not one cent, not one penny, not one usdc, not a single usdc, not a single, not one, never ever, in no event, at no time, at no point, by no means, refuse to, refrain from, do not ever, don't ever, let no, see that no, make sure no, make sure that no, ensure no, ensure that no, make sure nothing, i won't have you, i will not have you, i don't want you to, no way",
  ].join(','),
  TOOMUCH: [
    each(
      'is | are | be | counts as | count as | seems | seem',
      ' | far | much | way | simply',
      'too',
      'expensive | dear | much | pricey | rich | steep | high | costly',
    ),
    each('too', 'expensive | dear | pricey | rich | steep | costly', ' | for me | for us'),
    each('is | are', 'more than', 'i | we', 'can | will', 'pay | spend | afford'),
    each('is | are', 'beyond | over', 'my | our', 'limit | budget | means | reach'),
    'too much, is a no, are a no, is too much for me',
  ].join(','),
  HALT: "hold off, hold back, hold your fire, stand back, stand down, back off, back out, back away, pull out, leave it, leave it alone, leave it be, leave it there, leave them, leave them alone, pass on it, pass it up, pass it by, pass them by, give it a miss, give them a miss, turn it down, turn them down, turn down, say no, skip it, skip them, skip that, skip the deal, do not bother, don't bother, move on, keep walking, do not buy it, don't buy it, do not go through with it, don't go through with it, stay out, walk away from it, walk away from the deal, walk away from them, walk on by, walk, let it be, do nothing, wait, wait and see, refrain, stop the deal, do not touch it, don't touch it, step away, step back, steer clear, keep out, means stop, means no, means no deal, means walk away",
  OFF: 'is not for me, are not for me, is not for us, are not for us, not for me, not for us, out of the question, is out of the question, are out of the question, not an option, is not an option, are not an option, not an option for me, no option, taboo, is taboo, are taboo, a no no, is a no no, are a no no, not to be touched, are not to be touched, is not to be touched, not to be bought, are not to be bought, to be avoided, is to be avoided, are to be avoided, to be left alone, to be left out, are to be left alone, is to be left alone, not to be used, is not to be used, are not to be used, not acceptable, is not acceptable, are not acceptable, unacceptable, is unacceptable, are unacceptable, unwelcome, is unwelcome, are unwelcome, not welcome, is not welcome, are not welcome, ruled out, is ruled out, are ruled out, not for me please, must be left out, barred, is barred, are barred, is denied, are denied, vetoed, a red line, is a red line',
  DENY: "walk away from, turn away, turn down any, refrain from buying, abstain from, abstain from buying, stay well away from, keep well away from, steer well clear of, stay well clear of, keep well clear of, give a miss, give a miss to, don't even think about, do not even think about, don't even consider, do not even consider, don't even look at, do not even look at, don't look at, do not look at, don't consider, do not consider, don't go for, do not go for, don't bother with, do not bother with, omit, cut out, leave off, leave well alone, i won't touch, i will not touch, i don't touch, want nothing to do with, i want nothing to do with, we want nothing to do with, i don't want anything to do with, i do not want anything to do with, we don't want anything to do with, i don't trust, i do not trust, we don't trust, never trust, spare me, keep me out of, keep us out of, keep your distance from, keep a distance from, say no to, pass up, eschew, shut out, i have no interest in, we have no interest in",
  ME: "us, ourselves, i'm, i'd, i'll, we're, we'd, we'll",
  SOLD: 'sold, to be sold, sold off, offloaded, disposed of, auctioned, auctioned off',
  BOUGHT:
    'purchased, acquired, bought, procured, obtained, got, to be bought, to be purchased, to be acquired',
  TELL: 'let me know, tell me, message me, text me, write to me, email me, notify me, inform me, get in touch with me, reach out to me, contact me, phone me, warn me, alert me',
  ENDS: [
    each('this | it | all of this | everything | all', 'is', 'over | done | finished | through'),
    each('call it off | over and out | off | over | idle | void | done', 'on | by | after'),
    each(
      'last | final',
      'purchase | deal | order | buy | trade | sale | transaction',
      ' | on | by | is | is on',
    ),
    each('marks | mark', 'the | its | your', 'end | last day | finish | close'),
    each('is', 'your | our', 'last | final', 'day | date'),
    each('at', 'the', 'latest'),
    each(
      'cease | ceases | stop | stops | end | finish | quit',
      'operating | all activity | all activities | everything | the work | work | all buying | all selling | all trading',
      ' | on | by | at',
    ),
    each(
      'down tools | shut up shop | bow out | call a halt | pull the plug | draw the line | close the book | close the books | close shop',
      ' | on | by',
    ),
    each('draws | draw | comes | come', 'to', 'an end | a close | a halt', ' | on | by'),
    each('i', 'need | want', 'this | it', 'finished | done | over | completed', ' | by | on'),
    'give up, give up on, give up after, give it up on, latest, no later, not later, and no later, and not later, at latest, the very latest, not a day later, not a day longer, and not a day longer, and not a day later, cease by, cease on, cease, end of story on, expire by, expires by, lapse on, lapses on, lapses by, lapse by, terminate on, terminates on, terminate by, concluded by, completed by, to be completed by, to be concluded by, over with by, through by, closes by, winds up on, winds up, wind up, end it, end this, end this on, end it on, end things on, stop it on, stop this on, is done, is over and done, is history, is history after',
  ].join(','),
  NOMORE:
    'do nothing more, you do nothing more, is idle, be idle, sit idle, stay idle, rest, be still, stand still, hold still, lie low, take no further action, no further action, no further deals, no further purchases, no further buying, no more action, nothing further, nothing more happens, nothing happens',
  TERM: 'appointment, engagement, search, errand, project, exercise, campaign, undertaking, commission, instruction, directive, window, validity period, time frame, timeframe, time window, trading window, period of validity, power, powers, remit, standing order, programme, scheme, round, shopping trip, shopping, spree, activity, activities, all activity, operations, work, service, services, operation',
  EXACTLY: 'exactly, precisely, no more and no less than, not more and not less than',
  ENOUGH:
    'is enough, are enough, is plenty, are plenty, will suffice, suffice, suffices, is all i want, is all i need, are all i want, are all i need, is all we need, are all we need, is sufficient, are sufficient',
  FILL: [
    each(WOULD, VERY, GLAD, 'if you | if you could | if you would | for you to | to see you'),
    each(
      'i | we',
      'would | should',
      ' | very much | greatly | really',
      'appreciate it | like it | love it | welcome it',
      'if you | if you could | if you would',
    ),
    each(
      "it would | it'd",
      'be',
      VERY,
      'kind | nice | lovely | good | great | helpful | wonderful | super | perfect',
      'if you | if you could | if you would | of you to',
    ),
    each(
      'so | right | well | ok | okay | alright | fine | great | now | good',
      'here goes | here it is | here we go | here you go | then',
    ),
    each(
      'as',
      'a rule | a rule of mine | a matter of principle | a general rule | a principle | promised | mentioned | always | ever | said before | agreed before | before',
    ),
    each('whichever', 'comes first | comes sooner | is first | is earlier | is sooner | happens first'),
    each(
      'i | we',
      'hope | trust',
      "that is clear | this is clear | that's clear | that helps | this helps | that makes sense",
    ),
    each('that', 'is | would be', 'clear | simple | easy'),
    each('in bulk', ''),
    each('is | was', 'what'),
    "u, ur, until then, till then, you'll, you'd, you've, you're, you might, they're, they'll, it'll, that'll, might, sort of thing, this time, this time round",
    each('my name', 'is'),
    "i hope you're well, hope you're well, i hope you're doing well, hope you're doing well",
    each(
      'for',
      'her | him | my daughter | my son | my mother | my father | my mum | my dad | my sister | my brother | my partner | my girlfriend | my boyfriend | my boss | my colleagues | my staff | my guests | the kids | the children | the family | the office | a client of mine | a friend of mine',
    ),
    each(
      'quick | short | small | simple',
      'job | mandate | order | task | brief | one | ask | favour',
      ' | for you | from me',
    ),
    each('new | first | next', 'job | task | assignment', 'for you'),
    each('over to you | go for it | off you go | there you go | thats it | thats all', ''),
    "whichever comes up, whichever turns up, whichever you find first, out of my account, from my account, out of my wallet, from my wallet, out of my pocket, from my pocket, thank you for your attention, thanking you, thanking you in advance, ta very much, with gratitude, warm regards, warmly, respectfully, sincerely yours, yours ever, hope that helps, over and above that, on top of that, so please, so do, so kindly, yo there, good day to you, good morning to you, good evening to you, hello to you, howdy, hiya, afternoon, good to go, sir, madam, ma'am, gentlemen, ladies and gentlemen, friends, dear friend, dear sirs, dear team, dear madam, hereby appointed to, appointed to, instructed to, asked to, told to, engaged to, tasked to, tasked with, charged with, entrusted with, put in charge of, you get to, you shall, the bearer, my bot, the bot, this bot, the said agent, said agent, my assistant, the assistant, my helper, the undersigned, just so you know, fyi, btw, by the way, asap, as soon as possible, as soon as you can, in due form, straightforwardly, quietly, calmly, diligently, faithfully, promptly, swiftly, on a regular basis, at your leisure, when convenient, as convenient, bit by bit, piece by piece, of it, from it, out of it, thereof, for it, whatsoever, mind you, you see, you know, naturally, of course, certainly, obviously, clearly, evidently, indeed, and indeed, please do, do please, yes please, if you will, if you like, if you wish, as it were, so to speak, per our chat, per our talk, as per our chat, following our chat, on that note, with that, that being said, this being said, to sum up, summing up, to summarise, in summary, in conclusion, in total honesty, all being well",
  ].join(','),
  'SCOPE total': [
    each(
      'the sum of | sum of | the total of | total of | the cost of',
      'everything | all | all of it | all purchases | all deals',
      ' | you buy | it buys | bought',
    ),
    each(
      'all | every | the',
      ' | of the',
      'purchases | deals | lots | items | bottles | tickets | pieces | bookings | orders | pallets | things',
      'taken together | together | in all | put together | combined',
    ),
    each('purchases | deals | spending | buys', 'taken together | put together | combined'),
    each(
      'across | for | over | on | between',
      'everything | all of it | all of them | the lot | all that | all you buy | everything you buy | all flights | all tickets | all purchases | all deals | all lots | all bookings',
    ),
    each(
      'over | for | across | during | throughout',
      'the | this | its',
      'entire | whole | full',
      'time | period | term | run | mandate | duration | life | lifetime | engagement | arrangement',
    ),
    'all deals put together, all in all, all included, all counted, everything counted, from first to last, end to end, in one sum, as one sum, in the whole, on the whole, in its entirety, in their entirety, total spending, total spend, overall spending, overall spend, aggregate spending, aggregate spend, total outgoings, overall outgoings, total cost, overall cost, aggregate cost, the total cost, the overall cost, total purchases, overall purchases, aggregate purchases, aggregate acquisitions, total acquisitions, cumulative purchases, cumulative spending, cumulative spend, cumulative deals, aggregate deals, whole sum, entire sum, all around, all round, all the way, the sum total, full amount, whole amount, total amount, the total amount, overall amount, whole pot, all my purchases, total price, may total, can total, will total, in one total',
  ].join(','),
  'SCOPE deal':
    'a piece, per piece bought, by the piece, per one bought, per individual purchase, individual purchases, individual deals, individual purchase, each individual purchase, individual items, single purchases, single deals, every one of them, each of them, any one of them, per unit bought, a shot, per shot, per hit, per buy, each buy, per win, a win, what each may cost, what one may cost',
  'SCOPE day':
    "inside a day, over a day, on each day, on every day, on a given day, on any given day, in any given day, for each day, for every day, for any one day, from one day, over any one day, a day's spending, one day's spending, daily spending, daily spend, daily total, within any one day, during any one day, in one day, on one day, day's spending",
  'SCOPE week':
    "inside a week, in each week, in every week, in a given week, in any given week, for each week, for every week, for any one week, over any one week, weekly spending, weekly spend, weekly total, within any one week, during any one week, in one week, week's spending",
  'SCOPE month':
    "inside a month, in each month, in every month, in a given month, in any given month, for each month, for every month, for any one month, over any one month, monthly spending, monthly spend, monthly total, within any one month, during any one month, in one month, month's spending, each calendar month, any calendar month",
  BUDGET:
    "to play with, to spare, to work with, to burn, to blow, to use up, at your disposal, in the kitty, in the pot, in the bank, in my account, in my purse, put aside, set aside, you've got to spend, my whole budget, our budget, the budget, my budget, a budget of, with a budget of, on a budget of, kitty, war chest, spending money, total pot, your purse, my purse, war chest of, purse of, kitty of, pot of, allowance of, an allowance of, a purse of, a kitty of, a pot of, all i have is, all we have is, all you have is, all there is is",
  CAP: 'maximums, maxima, maximum figure, max figure, max price per, highest bid, top bid, limit price, upper price, pain threshold, cutoff price, cut-off price, cap on spending, limit on spending, upper end, top end, upper boundary, highest amount, largest amount, greatest amount, biggest amount, spending line, red line at',
  MINIMUM: [
    each(
      'the',
      'least | lowest | minimum',
      ' | price',
      "i'd | i would | we'd | i'll | i will | we'll | i | we",
      'go | take | accept | sell at | sell for | settle for | agree to',
    ),
    each(
      'is',
      'the',
      'least | lowest | minimum',
      "i'd | i would | we'd | i'll | i will | we'll | i | we",
      'take | accept | sell at | sell for | settle for',
    ),
    each(
      'is | are',
      'the | my | our',
      'bare minimum | absolute minimum | floor | reserve | least | lowest price | bottom line | minimum price',
    ),
    'upwards, upward, and upwards, may come down to, can come down to, may go down to, can go down to, may drop to, can drop to, bare minimum, absolute minimum, bottom price, bottom line, as a floor, as the floor, as my floor, as the least, as the lowest, as the reserve, as a reserve, as lowest price, at its lowest, at their lowest, at the lowest, no deal under, no deal below, and more, or greater, or upward, minimum of at least, upwards from, not a cent less than, not a penny less than, not a cent under, not a cent below, and not a cent less, and not a penny less',
  ].join(','),
  UNDER:
    'short of, smaller than, less expensive than, goes under, go under, going under, go below, goes below, going below, falls below, fall below, drop below, drops below',
  ONLY: 'only chain i use, only network i use, only chain we use, only network we use, only seller i use, only seller i trust, only sellers i trust, only sellers i use, the one seller, the one chain, the one network, the one buyer, the one wallet, the one place, the one counterparty, the sole seller, the sole chain, the sole network, the sole buyer, the sole counterparty, concentrate on, concentrating on, focus on, focusing on, focus only on, specialise in, specialising in, limit purchases to, limit buying to, confine purchases to, confine buying to, keep strictly to, keep only to, nothing besides, and nothing besides, no one besides, nobody besides',
  EXCEPT:
    'anybody but, anyone but, everyone but, everybody but, any seller but, any buyer but, anywhere but, any chain but, any network but, any wallet but, on any chain but, on any network but, from anyone but, from anybody but, from any seller but, with anyone but, with anybody but, with any seller but, on any chain except, on any network except, on any chain other than, on any network other than, on any chain save',
  COND: 'in case, in the case that, in cases where, in any case where, should it happen that',
  ITEM: 'licence, licences, subscription, subscriptions, crate of, bunch, bunches, dose, portion, portions, sack, sacks, roll, rolls, pack, packs, packet, packets, tin, tins, jar, jars, can of, tray, trays, kilo, kilos, tonne, tonnes, litre, litres, metre, metres, sheet, sheets, volume, volumes, number of them',
  ANY: 'what you like, what you want, what you please, whatever you please, whatever you fancy, anything else, everything else, all else, the rest, everything else is in, everything else is fine, everything else is welcome, all the rest, the rest is fine, any other goods, all other goods',
  REQUIRE:
    'i insist that, i insist, we insist that, we insist, insist that, it is essential that, it is important that, essential, it is vital that, i require that, see that',
  'TOPIC any':
    'any check, any of the checks, one of the checks, a check, some check, any determination at all, any one check',
  GEN: 'offer, bids on it, what you find, whatever you find',
  SCOPE_NONE: 'for something, for anything, on something, on anything',
};
