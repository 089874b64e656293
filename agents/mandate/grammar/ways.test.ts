import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const REF = '2026-12-01T00:00:00Z';
const read = (text: string) => readMandate(text, REF);

/** Ways to say one thing: each must be read, and alike. */
const WAYS: readonly (readonly [
  what: string,
  whole: (way: string) => string,
  ways: readonly string[],
  says: object,
])[] = [
  [
    'when it all ends',
    (way) => `Wine, 40 USDC a deal. ${way} 3 March 2027.`,
    [
      ...[
        'Shuts',
        'Shut on',
        'Shuts up shop on',
        'Over on',
        'Over and done with on',
        'Done',
        'Done by',
        'Wraps up',
      ],
      ...['Wrap it up by', 'Off again on', 'Winds down on', 'Packs up on', 'Signs off on', 'Knock off on'],
      ...[
        'This holds until',
        'It stands till',
        'This goes on until',
        'Keep this up until',
        'Termination:',
        'Through:',
      ],
      ...[
        'End of life:',
        'Finito on',
        'Lights out on',
        'My permission ends on',
        'Our authorisation expires on',
      ],
      'In the period ending',
    ],
    { expires_at: '2027-03-03T23:59:59Z', cap_per_deal: '40' },
  ],
  [
    'that the rest is fine',
    (way) => `No travel. ${way}: 40 USDC a deal, until 3 March 2027.`,
    [
      ...[
        'Rest is fine',
        'The rest is ok',
        'Everything else is okay',
        'Anything else goes',
        'All else is welcome',
      ],
      ...[
        'Any other category OK',
        'All other purchases are in order',
        'Other goods are fair game',
        'The remainder is fine',
      ],
      ...['Every other category is allowed', 'All the rest is good to go', 'Other stuff is no problem'],
    ],
    { categories_deny: ['travel-and-perishables'], cap_per_deal: '40' },
  ],
  [
    'the lowest price',
    (way) => `Sell wine; ${way}; until 3 March 2027.`,
    [
      ...[
        "lowest I'd take is 18 USDC",
        "the lowest I'll go is 18 USDC",
        "least we'd accept: 18 USDC",
        '18 USDC or up',
      ],
      ...[
        '18 USDC and up',
        'lowest 18 USDC',
        'lowest acceptable price 18 USDC',
        'anything under 18 USDC is a no',
      ],
      ...['anything below 18 USDC is too little', 'under 18 USDC is not enough', 'rock bottom is 18 USDC'],
      ...['minimum offer 18 USDC', "don't let one go for under 18 USDC", 'reserve price >= 18 USDC'],
    ],
    { side: 'sell', min_price: '18' },
  ],
  [
    'a most',
    (way) => `Wine; ${way}; until 3 March 2027.`,
    [
      ...[
        '40 USDC a deal is my max',
        '40 USDC a deal is the top price',
        '40 USDC a deal is our hard limit',
        'no single buy over 40 USDC',
      ],
      ...[
        'deal <= 40 USDC',
        '40 USDC a deal is my top whack',
        'deal: 40 USDC',
        'each deal below or equal to 40 USDC',
      ],
      ...[
        'deals in amounts of up to 40 USDC',
        'purchases are approved up to 40 USDC each',
        'hard stop 40 USDC a deal',
      ],
    ],
    { side: 'buy', cap_per_deal: '40' },
  ],
  [
    'who is asked above what',
    (way) => `Wine, 90 USDC a deal; ${way}; until 3 March 2027.`,
    [
      ...[
        "ping me if it's over 40 USDC",
        "if it's over 40 USDC, ask me",
        'ask when it goes past 40 USDC',
        'ask above 40 USDC',
      ],
      ...[
        'anything over 40 USDC must come to us for approval',
        'above 40 USDC we want to be asked',
        'approval > 40 USDC',
      ],
      ...[
        'if a deal tops 40 USDC, run it by me first',
        'our consent is needed above 40 USDC',
        'check with us first above 40 USDC',
      ],
      ...[
        "I'd like a say in anything above 40 USDC",
        'OK from us above: 40 USDC',
        'he must ask us above 40 USDC',
      ],
    ],
    { approval_above: '40', cap_per_deal: '90' },
  ],
  [
    'that a check must be clean',
    (way) => `Wine, 40 USDC a deal; ${way}; until 3 March 2027.`,
    [
      ...[
        'wallet check required',
        'wallet check needed',
        'a clean wallet check is obligatory',
        'I want the wallet check passed',
      ],
      ...[
        'must be clean: wallet check',
        'wallet check = must pass',
        'wallet check clean, or skip',
        'wallet check clean or no deal',
      ],
      ...[
        'sellers flagged by the wallet check are out',
        'nothing is bought unless the wallet check is clean',
      ],
      ...[
        'if the wallet check comes back flagged, the deal is off',
        'we ask that the wallet check come back clean',
      ],
      ...[
        'the wallet check must give a clean result first',
        'a purchase goes ahead only if the wallet check is clean',
      ],
      ...[
        'whatever does not come clean out of the wallet check is disqualified',
        'with a clean wallet check in each case',
      ],
    ],
    { require_clean: ['wallet'], cap_per_deal: '40' },
  ],
  [
    'how many deals there are to be',
    (way) => `Wine, 40 USDC a deal; ${way}; until 3 March 2027.`,
    [
      ...[
        "two deals and that's it",
        "two deals and that's all",
        'two deals, then stop',
        'two deals and not one more',
      ],
      ...[
        "after two deals you're done",
        'stop after two deals',
        'two deals in total is the top number',
        'two buys in all',
      ],
    ],
    { max_deals_total: 2, cap_per_deal: '40' },
  ],
  [
    'what is bought',
    (way) => `${way}, 40 USDC a deal, until 3 March 2027.`,
    [
      ...[
        'need coins',
        'want some coins',
        'coins',
        'coins wanted',
        'gimme coins',
        'old coins n watches',
        'watches + coins',
      ],
      ...[
        'what we need are coins',
        'may I have coins bought',
        'the items are antique coins',
        'item class: coins',
      ],
      ...['coins, and skip everything else', 'coins; not permitted: all else'],
    ],
    { side: 'buy', categories_allow: ['real-world-assets'] },
  ],
  [
    'courtesies',
    (way) => `Wine, 40 USDC a deal, until 3 March 2027, ${way}`,
    [
      'ta',
      'ty',
      'tysm',
      'bless you',
      'bless',
      'cheers mate',
      "you're a legend",
      'much love',
      'nice one',
      'thank u',
    ],
    { cap_per_deal: '40' },
  ],
  [
    'for whom it is',
    (way) => `Wine ${way}, 40 USDC a deal, until 3 March 2027.`,
    ['for a pawnshop', 'on behalf of our fund', 'for me and my mates', 'for our choir', 'for my phone shop'],
    { cap_per_deal: '40' },
  ],
];

describe.each(WAYS)('ways to say %s', (_, whole, ways, says) => {
  it.each(ways)('%s', (way) => {
    expect(read(whole(way))).toMatchObject({ decision: 'ACCEPT', mandate: says });
  });
});
