import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const PERSON =
  "i'll | we'll | i will | we will | i'd | we'd | i would | we would | i | we | you | you may | you can | it | the agent | you will | you'll | i can | we can | you'd | i may";
const PAY =
  'pay | spend | give | bid | offer | put in | part with | lay out | invest | fork out | shell out | go to | go up to';
const WHOLE =
  'haul | bunch | bundle | batch | collection | season | trip | exercise | affair | business | project | package | shopping list | programme | year | stay | tour | series | supply | delivery | shipment | basket | purchase list';
const UNABLE =
  "can't | cannot | can not | could not | couldn't | are unable to | is unable to | aren't able to | isn't able to | am unable to | fail to | fails to | are not able to | is not able to";
const JUDGE =
  'judge | determine | establish | assess | evaluate | verify | check | work out | make out | ascertain | decide';

/** Turns of phrase that people fall into: what is all they pay, when they finish, what they cannot tell. */
export const HABIT_WORDS: WordTable = {
  'SCOPE total': [
    each('whole | entire | complete | full', WHOLE),
    each('for | over | across | on | from', 'the', 'whole | entire | complete | full', WHOLE),
    each(
      'the',
      'whole | entire | complete',
      'haul | bunch | bundle | batch | shopping list | programme | basket',
    ),
    each(
      'once | when',
      'you | we',
      'add it all up | add them up | add everything up | put it all together | tot it up | sum it up',
    ),
    'taken as a whole, added all together, if you add it all up, counting all, counting all of them, in the final sum, totalled, totted up, in all deals together, all deals counted, on everything, on everything together, on it all, everything in, everything all together, all combined, everything combined, across the lot, all of it together, all of them together, for all of it together, for all of them together, on all of them together',
  ].join(','),
  'SCOPE deal':
    'in deals of, in purchases of, in orders of, in trades of, in transactions of, in tickets of, in pieces of, in chunks of, in slices of, in portions of, at one go, at a go, at one time, in any one go, in any single go, per individual deal, per individual item, per individual lot, per separate deal, per separate purchase, deal by deal, purchase by purchase, item by item, for every purchase, for every deal, for every item, each single one, each time you buy, every time you buy, each time it buys, every time you buy something, each time you buy something, whenever you buy, whenever you buy something, with each purchase, with every purchase, with each deal, with every deal, with any purchase, with any deal, at each purchase, at every purchase',
  LIMIT: [
    each(
      'is | are',
      'all',
      "i'll | we'll | i will | we will | i'd | we'd | i would | we would | i | we | it | you can",
      PAY,
    ),
    each(
      'is | are',
      'the most | the maximum | the very most | the top | the limit | the ceiling | the highest',
      ' | that',
      PERSON,
      PAY,
    ),
    each('is | are', 'what', PERSON, PAY, ' | at most | at the most | tops'),
    each(
      'no more than | not more than | at most | up to | no higher than | not over | not above',
      'a sum of | the sum of | an amount of | a price of | a bid of | a figure of',
    ),
    each(
      "don't | do not | never | please don't",
      'top | surpass | overstep | overshoot | outbid yourself past',
    ),
    "is at most, are at most, and that is the ceiling, and that is the limit, and that is the maximum, that is the ceiling, that is the limit, that is the maximum, that's the ceiling, that's the limit, that's the maximum, that's my limit, that is my limit, that's my maximum, that is my maximum, that's my ceiling, that is my ceiling, and not a bit more, not a bit more, and no higher, no higher, and nothing more, nothing more, as the absolute maximum, as an absolute maximum, as absolute maximum, as the top price, as a top price, as top price, as the highest price, as highest price, at the very outside, maximum allowed, max allowed, at the absolute most, at the absolute maximum, as the upper end, the absolute most, the absolute maximum, at the extreme, not a fraction more than, not a hair over, not a hair above, and not a hair more, or anything less, or anything below, or anything under, or anything cheaper, or even less, or below that, or under that, or cheaper than that, going up to, reaching up to, up to as much as, reaching at most, is the roof, roof, is the cap, is the upper limit, is the upper bound, topmost, the topmost",
  ].join(','),
  BUDGET: [
    each('of', 'my | our', 'money | funds | savings | cash'),
    each(
      'the',
      'sum | amount | money | total | budget',
      'i | we',
      ' | am willing to | are willing to | want to | can | will | am prepared to | am ready to | have set aside to | have to',
      'spend | invest | put in | lay out | devote | put up',
      ' | on it',
    ),
    each(
      'of | out of | from',
      'my | our',
      'money | funds | savings | cash | wallet | account',
      'at most | no more than | not more than | up to',
    ),
    'my budget is, our budget is, the budget is, total purse, overall purse, full purse, whole purse, spending pot, total spending pot, total allowance, overall allowance, entire allowance, total fund, overall fund, total kitty',
  ].join(','),
  'VERB spend': [
    each(
      'park | place | stick | tuck',
      'my | our | some | the | some of my | some of our',
      ' | spare | idle | surplus | extra',
      'cash | money | funds | savings',
      'in | into',
    ),
    each(
      "i'm | i am | we're | we are",
      'willing | prepared | happy | ready | able | glad',
      'to',
      'part with | pay | spend | give | put up | lay out | invest',
    ),
    'put money into, put my money into, money may go into, may go into, go into, goes into, going into, pour, pour into, sink, plough, lavish, devote, part with no more than',
  ].join(','),
  'VERB buy': [
    each('i | we', 'should like', ' | some'),
    each(
      "it would | it'd | would",
      'be',
      'lovely | nice | great | good | wonderful | super | fantastic | cool | helpful',
      'to get | to have | to own | to buy',
      ' | some',
    ),
    each('do | do all', 'your | my | our | the', 'shopping | buying | purchasing'),
    each(
      "i'm | i am | we're | we are | i've been | we've been",
      'wanting | dying for | longing for | in need of | short of | running low on | on the lookout for | out for',
    ),
    each('could | can | would | will', 'do with', ' | some'),
    each(
      "i'd | i would | we'd | we would",
      'like | love',
      'you to',
      'buy | get | find | purchase | acquire',
      ' | me | us',
    ),
    each('i | we', 'could do with', ' | some'),
    each('please | kindly', 'see if there are any | see if there is any'),
    each(
      'i want | we want | i need | we need',
      'you to',
      'buy | get | find | purchase | acquire | go and buy | go and get',
      ' | me | us',
    ),
    "bring me, bring us, bring home, get yourself, get your hands on some, make me the owner of, help me buy, help me find, help me get, help us buy, help me to buy, help me to find, help me purchase, help me acquire, help me stock up on, assist me in buying, assist me with buying, assist me in acquiring, i'm buying, i am buying, we're buying, we are buying, i buy, we buy, i am interested in buying, i'm interested in buying, interested in buying, the aim is to buy, the goal is to buy, your job is to buy, your task is to buy, you're to buy, it's about buying, spend it on, use it on, use it to buy, use it for, use this to buy, use this on, use this for, spend this on, go get, go get me, go find, go find me, go and find, go and find me, hoover up, mop up, take up offers of, take on, build up a stock of, build up, build a collection of, build me a collection of, put together a collection of, make a collection of, replenish, restock, restock on, top up, lay in",
  ].join(','),
  'VERB sell': [
    each(
      "i'm | i am | we're | we are",
      'selling | getting rid of | parting with | offering | letting go of | clearing out',
    ),
    each(
      'i | we',
      'want | need | would like | have',
      'to sell | to get rid of | to part with | to offload',
      ' | some',
    ),
    each('help me | help us', 'sell | get rid of | offload | part with | shift | move'),
    'getting rid of, parting with, letting go of, clearing out, shift, find a home for, find a good home for, find new homes for, find a taker for, find takers for, hawk, peddle, wholesale off, monetise, cash in, cash in on, convert to cash, turn into cash, i sell, we sell, bring to market, take to market, put out for sale',
  ].join(','),
  KEEP: [
    'you may close, you can close, it may close, it can close, you may do, you may make, you can make, may put into, can put into, i can put into, i can put in, we can put in',
    each(
      'must | should | has to | have to | needs to | need to',
      'bring in | bring | fetch me | make | earn | yield | net | realise',
    ),
    'bring in, brings in, bringing in, brings me, net me, earn me at least, exist, exists, set me back by, relieve me of, leave me with, let each, let every, let any, let my, keep the price, keep the cost, keep prices, keep costs, keep the bill, keep the spending, keep what you pay, keep what you spend, allowed to cost, permitted to cost, is allowed to cost, are allowed to cost, end up costing, ends up costing, turn out to cost, turns out to cost, wind up costing, works out to, work out at, work out to, average out, happen to cost, happens to cost, would cost, will cost, should cost, might cost, cost you, costs you, cost us, costs us, costs me, to cost, price-wise, money-wise, in price, in cost, in value, by value, in money, cash-wise, as the price, as price, for a price of, for the price of, at the price of, at a cost of, at cost of, carrying a price of, carrying a price tag of, that costs, that cost, which costs, which cost, costing me, that goes for, that go for, selling for, selling at, going at, on sale for, on sale at, offered for, offered at, available for, available at, to be had for, to be had at, had for, had at, bought at, bought for, purchased at, purchased for, acquired at, acquired for, picked up at, picked up for, obtained at, obtained for',
  ].join(','),
  OFF: [
    each(
      'to be | are to be | is to be | should be | must be | shall be | get | gets',
      'turned down | refused | rejected | declined | skipped | ignored | avoided | left | passed over | left aside | excluded',
    ),
    'refused, rejected, declined, turned down, not considered, not to be considered, are not to be considered, not wanted here, not needed, is not needed, are not needed, is not wanted, are not wanted, no good to me, no good for me, is no good, are no good, off the menu, is off the menu, are off the menu, off the list, is off the list, are off the list, not on the list, is not on the list, are not on the list, a deal breaker, is a deal breaker, are a deal breaker, are deal breakers, no thanks, no thank you, strictly forbidden, strictly off limits, strictly prohibited, completely off limits, not in scope, is not in scope, are not in scope, outside the scope, is outside the scope, are outside the scope',
  ].join(','),
  ASK: [
    each(
      'ask me',
      'what to do | how to proceed | whether to proceed | whether to go on | how to go on | for a decision | what i want | what i think',
    ),
    each("i'd | i would | we'd | we would", 'rather | prefer to', 'be', 'asked | consulted'),
    'refer, submit, refer it, submit it, be asked, be consulted, wish to be consulted, expect to be consulted, i like to be asked',
    each(
      'i | we',
      "want | need | have | keep | get | insist on | 'd like | would like",
      'the | a',
      'last | final',
      'word | say',
      ' | on | in | about | over',
    ),
    each('come | get | go', 'back to me', ' | first'),
    each('hear | wait to hear | get word', 'from me', ' | first'),
    each('run | put | pass', 'it | them | that', 'by | past | before', 'me'),
    "i decide on, i decide about, i get to decide on, i get to decide, i want to decide, i want to decide on, i want to decide about, i'll decide on, i will decide on, i must decide on, i must decide, i have to decide, i make the decision, leave the decision to me, leave that decision to me, let me decide on, let me decide about, let me have a look, let me have a look at, let me look, let me look at, let me look first, let me look at it first, let me see, to look at first, to see first, to look over first, let me see it first, i want to see, i want to look at, i want to see first, i want to look at first, i want to review, let me review, send me a question, ask my opinion, ask what i think, get my view, seek my view, check first, check first with me, double check first, double-check with me first, double check it with me, please ask me, please check with me, confer with me, consult with me first, raise it with me, bring it to me, bring them to me, bring it to me first, put it to me, put it to me first, refer back to me, refer to me first, needs me to, need me to, requires me to, require me to, needs me, needs a nod from me",
  ].join(','),
  APPROVAL:
    'my word on it, my clearance, clearance from me, my approval first, my written approval, my blessing, my sign off, my sign-off first, my agreement, my consent, consent from me, my explicit consent, my express consent, my confirmation, confirmation from me, a confirmation from me, an ok from me, an okay from me, the okay from me, the ok from me, the all clear from me, the green light, my green light, a green light from me, the green light from me, a go-ahead from me, the go-ahead from me, a thumbs up from me, approval by me, approval of mine, a decision of mine, a decision from me, my decision, my personal approval, my personal ok, my prior approval, prior approval, prior consent, my prior consent, sign it off, sign them off, sign on it',
  MINIMUM: 'is at least, are at least, is no less than, is not less than',
  REQUIRE:
    'on the condition that, on the condition, under the condition that, with the condition that, on the understanding that, are conditions of, is a condition of, is a condition for, are conditions for, a condition of, a condition for, are a must for, is a must for, is a must, are a must, conditions of, is needed for, are needed for, is required for, are required for',
  NEG: [
    each(
      'i | we',
      "do not | don't | should not | would not | wouldn't | will not | won't | shouldn't",
      'wish | care | intend | mean | plan | propose | expect | hope | desire',
      'to | you to | it to | the agent to',
    ),
    each(
      "i'm | i am | we're | we are",
      'not',
      'fine | ok | okay | happy | comfortable | content | alright',
      'with',
    ),
  ].join(','),
  STARTS:
    'earliest date, the earliest date, earliest day, first day, first date, start day, starting date, starting day, opening date, opening day, the first day, begin no earlier than, get going no earlier than',
  EXCEPT: 'save, saving',
  MODIFIER:
    'old, older, oldest, young, small, smaller, little, large, larger, big, bigger, tiny, huge, tall, wide, narrow, thin, thick, heavy, bright, dark, plain, unused, wooden, leather, brass, bronze, copper, iron, steel, glass, stone carved, marble, ceramic glazed, woollen, cotton, linen, silk, velvet, paper, plastic, metal, golden, silvered, gilded, framed, unframed, signed, unsigned, boxed, unboxed, sealed, unopened, non working, tested, untested, repaired, restored, refurbished, reconditioned, renewed, clean looking, spotless, mint, near mint, pristine, worn, lightly used, gently used, hardly used, barely used, barely worn, nearly new, like new, as new, ex demo, open box, french, german, italian, spanish, portuguese, dutch, belgian, swiss, austrian, danish, swedish, norwegian, finnish, polish, czech, hungarian, greek, turkish, russian, ukrainian, english, british, scottish, irish, welsh, american, canadian, mexican, brazilian, argentinian, chilean, japanese, chinese, korean, indian, thai, vietnamese, indonesian, australian, african, moroccan, egyptian, european, asian, scandinavian, nordic, victorian, edwardian, georgian, art deco, art nouveau, baroque, medieval, roman, mid century, eighties, seventies, sixties, nineties, early modern, historic, historical, period style, antiquarian, contemporary, traditional, folk, hand made, handmade, handcrafted, hand painted, handwritten, red, blue, green, yellow, white, black, brown, grey, gray, orange, pink, colourful, striped, hard to find, unique, unusual, uncommon, scarce, sought after, collectible grade, investment grade, high grade, low grade, short term, medium term, long term, senior, junior, secured, unsecured, floating rate, fixed rate, investment, high yield, triple a rated, top rated, best selling, bestselling, award winning, indie, independent, acoustic, instrumental, classical, electronic, digital only, editable, downloadable, reusable, scalable, non stop, nonstop, refundable, first class, second class, business class, economy, front row, standard class, organic, seasonal, ripe, frozen, chilled, smoked, dried, canned, bottled, boxed up, unlabelled, returned, damaged, dented, scratched, overstocked, discontinued, end of line, last season',
  MARKET: each(
    'going | current | prevailing | usual | normal | actual | present | ruling | typical',
    'market',
    'price | prices | value | rate | rates | level',
  ),
  PASS: each(
    'clean | clear',
    'before',
    'you buy | buying | you pay | paying | any purchase | each purchase | every purchase | any deal | each deal | every deal | you do anything',
  ),
  UNJUDGED: [
    each('impossible | not possible | too hard | too difficult', 'to', JUDGE),
    each('you | it | the agent | we | one | anyone', UNABLE, JUDGE),
    each('you | we | the agent', UNABLE, 'tell', ' | about'),
    each(
      "there is | there's | you have",
      'doubt | a doubt | uncertainty | no clarity | no verdict | no result | no answer',
      'about | on | as to | over',
    ),
    "is in doubt, are in doubt, is unclear, are unclear, is uncertain, are uncertain, remains open, stays open, is unknown, are unknown, remains unknown, is undecided, remains undecided, stays undecided, are not clear, can't be told, gives no result, gives no answer, gives no verdict, returns inconclusive, reads inconclusive, ends inconclusive, ended inconclusive, proves inconclusive, is indeterminate, is undetermined, is not determined, is unverifiable, cannot be established, cannot be settled, cannot be confirmed, can't be confirmed, could not be confirmed, couldn't be confirmed, not judged, is not judged, isn't judged, is unresolved, stays unresolved, remains unresolved",
  ].join(','),
  ANY: 'whatever, what you need, whatever you need, what it needs',
  GOON: "just go on, push on, press on, go ahead anyway, go ahead regardless, go ahead all the same, buy anyway, buy it anyway, buy regardless, buy all the same, buy it all the same, do the deal anyway, do it anyway, go for it anyway, just proceed, simply proceed, simply go on, don't let that stop you, don't worry about it, that is no reason to stop, that's no reason to stop, that need not stop you, it is fine to proceed, proceed with it, may proceed, can proceed, the deal may go on, the deal can go on, the deal may proceed, the deal can proceed, that is fine with me, that's fine with me",
};
