import { countedAt } from './asides.ts';
import { type Background, ENDS, SUBJECTS, Words } from './background-words.ts';
import { COUNTED, DOINGS, GIVEN } from './lexicon/background-words.ts';
import type { PhraseAt } from './lexicon/lexicon.ts';
import { CALLINGS, PURPOSES, QUALITIES, TRADES } from './lexicon/people-words.ts';
import type { Steps } from './steps.ts';
import type { Token } from './tokens.ts';

const LONGEST_SUBJECT = 6;

const PEOPLE = new Set(['i', 'we', 'he', 'she', "i've", "we've", 'they']);
const OWNERS = new Set(['my', 'our', 'his', 'her', 'their']);
const ADVERBS = new Set(
  "also always currently recently now mostly still used to just both really sometimes usually often finally already all then since have has had been 've".split(
    ' ',
  ),
);
/** "Small hotel in the Alps looking for fresh produce": the request begins. */
const SEEKS = new Set(['looking', 'seeking', 'needs', 'wants', 'seeks']);
const FEE_LEADS = new Set(['the', 'gas', 'its', 'their', 'transaction', 'network', 'those', 'these']);
const FEE_VERBS = new Set('eat eats kill kills hurt hurts ruin ruins swallow swallows annoy bite'.split(' '));
const FEE_STATES = new Set(
  'too so very much far high higher expensive painful crazy silly big steep there'.split(' '),
);
const BEING = new Set(['am', 'is', 'are', 'was', 'were', 'been', 'being']);

/**
 * "We run a small bookshop in Leeds", "my son is learning to draw", "because our guests love them": who the owner is,
 * and why they buy. Verbs are of a closed list. What is said of them may be any noun, as long as no word can be a limit,
 * a number, a date, a negation, a condition, an order, a check, a chain or a counterparty. Null where one is.
 */
export function backgroundAt(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  steps: Steps,
): Background | null {
  const scan = new Scan(tokens, at, phraseAt);
  const found = scan.clause();
  steps.take(scan.looked);
  return found;
}

/** What somebody does by trade or by liking, behind "is my". */
const OCCUPATIONS = new Set(
  'trade job business living hobby work craft passion profession line thing pastime livelihood bread'.split(
    ' ',
  ),
);
/** Each word once: nothing repeats. */
const FULL =
  /^(?:can't|cannot|won't|couldn't) (?:take|hold|fit|handle|store|carry|manage|use) (?:any |much )?more (?:than (?:that|this|those) )?/;
/** What may follow "working", "setting" and the like at the start of a sentence. */
const LED_BY = new Set('a an my our up on in at from as away through'.split(' '));
/** What somebody had to suffer: the only place where goods that are no good, or a check, are spoken of in passing. */
const SUFFERED = new Set(
  'burned burnt stung cheated scammed tricked fooled conned robbed swindled bitten'.split(' '),
);
const COLLECTS = /^(?:i|we)collect$/;

class Scan extends Words {
  clause(): Background | null {
    const one = this.key();
    if ((one === 'because' || one === 'since' || one === 'as') && SUBJECTS.has(this.key(1))) this.at++;
    else if (one === 'being' && (this.key(1) === 'a' || this.key(1) === 'an')) {
      this.at++;
      return this.told(this.people(), 'i');
    } else if (one === 'as' && (['a', 'an', 'the'].includes(this.key(1)) || CALLINGS.has(this.key(1)))) {
      // "As a wedding DJ I buy music rights".
      this.at++;
      return this.told(this.people(), 'i');
    }
    // "I collect stamps", "I'm in the market for a van": said so, the goods are wanted.
    const known = this.phraseAt(this.at);
    if (
      known !== null &&
      known.length > 1 &&
      this.at === this.from &&
      (known.meaning.kind === 'VERB' || COLLECTS.test(one + this.key(1)))
    )
      return null;
    // "Got stung once on stolen gear".
    if (one === 'got' && SUFFERED.has(this.key(1)))
      return this.verb() ? this.told(this.complement(), 'i') : null;
    const bare = this.bare();
    if (bare !== null) return bare;
    const pronoun = this.fees() ? 'we' : this.subject();
    return pronoun === null ? null : this.told(this.complement(), pronoun);
  }

  /** "Plumber, two vans.", "Honeymoon trip!": a sentence of nothing but people, places and occasions. */
  private bare(): Background | null {
    if (this.from > 0 && !['.', '!', ';', ',', '-'].includes(this.tokens[this.from - 1]!.key)) return null;
    let [named, goods] = [false, false];
    let at = this.from;
    for (; at < this.from + LONGEST_SUBJECT; at++) {
      const key = this.tokens[at]?.key ?? '';
      if (key === '.' || key === '!' || key === ';' || SEEKS.has(key)) break;
      const counted = named ? countedAt(this.tokens, at) : 0;
      if (counted > 0) {
        at += counted - 1;
        continue;
      }
      if (CALLINGS.has(key) || PURPOSES.has(key)) named = true;
      else if (
        !QUALITIES.has(key) &&
        !TRADES.has(key) &&
        !(named && ([',', 'and', 'in', 'the'].includes(key) || this.proper(at)))
      )
        return null;
      if (this.phraseAt(at)?.meaning.kind === 'CATEGORY') goods = true;
    }
    const last = this.tokens[at]?.key ?? '';
    const closed = (!goods && ['.', '!', ';'].includes(last)) || SEEKS.has(last);
    return named && closed ? { length: at - this.from, pronoun: 'i', goods: [] } : null;
  }

  /** "The fees are too high for me", "gas fees eat my margin": why a chain is left out. */
  private fees(): boolean {
    const begun = this.at;
    while (this.at < begun + 3 && FEE_LEADS.has(this.key())) this.at++;
    const fee = /^fees?$/.test(this.key()) || (this.key() === 'gas' && this.at > begun);
    if (fee) {
      this.at++;
      const verb = this.skip(BEING) || (FEE_VERBS.has(this.key()) && ++this.at > 0);
      if (verb) {
        while (FEE_STATES.has(this.key())) this.at++;
        return true;
      }
    }
    this.at = begun;
    return false;
  }

  private told(end: number | null, pronoun: 'i' | 'we'): Background | null {
    return end === null ? null : { length: end - this.from, pronoun, goods: this.goods };
  }

  /** Moves past who is spoken of and the verb; null where either is none of a background. */
  private subject(): 'i' | 'we' | null {
    const one = this.key();
    const contracted = /^(i'm|we're|he's|she's|it's|that's|they're|there's)$/.exec(
      this.tokens[this.at]?.text.toLowerCase().replace('’', "'") ?? '',
    );
    if (contracted !== null || one === 'there') {
      const said = contracted?.[1] ?? one;
      this.at++;
      if (said === 'there' && !this.skip(BEING)) return null;
      if (/^(?:it|that)'s$/.test(said) && OWNERS.has(this.key()) && OCCUPATIONS.has(this.key(1))) {
        this.at += 2;
        return 'we';
      }
      const thing = said === "it's" || said === "that's" || said === "they're";
      if (thing ? this.given() : this.state()) return said === "i'm" ? 'i' : 'we';
      return null;
    }
    if (one === 'it' || one === 'this' || one === 'they' || one === 'these' || one === 'that') {
      const at = this.at;
      this.at++;
      if (this.skip(BEING)) {
        if (OWNERS.has(this.key()) && OCCUPATIONS.has(this.key(1))) {
          this.at += 2;
          return 'we';
        }
        if (this.given()) return 'we';
      }
      this.at = at;
      if (one !== 'they') return null;
    }
    if (PEOPLE.has(one)) {
      this.at++;
      // "My wife and I", and not "I" of a request.
      return this.verb() ? (one.startsWith('i') ? 'i' : 'we') : null;
    }
    // "Refurbishing phones is my business".
    if (/ing$/.test(one) && DOINGS.has(one) && this.occupies()) return 'i';
    // "Setting up a small café in Porto", and not "renting flats": goods do not follow at once.
    if (/ing$/.test(one) && DOINGS.has(one) && one !== 'looking' && LED_BY.has(this.key(1))) {
      this.at++;
      return 'i';
    }
    return this.named();
  }

  /** "My late father made", "the choir sings": a noun of people or places, and its verb. */
  private named(): 'i' | 'we' | null {
    const one = this.key();
    if (one === 'half' && OWNERS.has(this.key(1))) this.at++;
    const owned = OWNERS.has(this.key());
    if (!owned && one !== 'the' && one !== 'a') return null;
    this.at++;
    for (let words = 0; words < LONGEST_SUBJECT; words++) {
      const begun = this.at;
      const before = this.tokens[begun - 1]!;
      const people = CALLINGS.has(before.key) || PURPOSES.has(before.key) || COUNTED.has(before.key);
      if (words > 0 && (owned || people) && this.verb()) return 'we';
      this.at = begun;
      if (words > 0 && owned && this.full()) return 'we';
      if (ENDS.has(this.key()) || !this.pass()) return null;
    }
    return null;
  }

  /** "… can't take any more than that": why a limit is what it is. */
  private full(): boolean {
    const said = this.tokens.slice(this.at, this.at + 7).map(({ key }) => key);
    const rest = FULL.exec(`${said.join(' ')} `);
    if (rest === null) return false;
    this.at += rest[0].trim().split(' ').length;
    return ENDS.has(this.key()) || this.key() === '';
  }

  /** "… is my business", "… is our hobby" behind what somebody does. */
  private occupies(): boolean {
    const begun = this.at;
    for (this.at++; this.at < begun + LONGEST_SUBJECT; )
      if (this.key() === 'is' && OWNERS.has(this.key(1)) && OCCUPATIONS.has(this.key(2))) {
        this.at += 3;
        return true;
      } else if (ENDS.has(this.key()) || !this.pass()) break;
    this.at = begun;
    this.goods.length = 0;
    return false;
  }

  /** A verb of a background, with what stands in front of it: "have just opened", "am learning". */
  private verb(): boolean {
    const begun = this.at;
    this.skip(ADVERBS);
    const one = this.key();
    const had =
      /^(?:i|we)'ve$/.test(this.tokens[begun - 1]?.key ?? '') ||
      this.tokens.slice(begun, this.at).some(({ key }) => /^ha[sd]$|^have$/.test(key));
    if ((BEING.has(one) || one === 'got') && SUFFERED.has(this.key(1))) {
      this.at += 2;
      return this.suffered();
    }
    if (BEING.has(one)) {
      this.at++;
      return this.state();
    }
    if (DOINGS.has(one) && !(one === 'look' && this.key(1) !== 'after')) {
      this.at++;
      return !(this.key() === 'for' && /^(?:look|go|come|fish)/.test(one));
    }
    if (
      (one === 'like' || one === 'likes' || one === 'got' || one === 'get') &&
      (one !== 'get' || this.key(1) === 'married')
    ) {
      this.at++;
      return one === 'get' || one.startsWith('like') || this.owns();
    }
    return had && this.owns();
  }

  /** "Burned by shill bidding once", "stung on stolen gear". */
  private suffered(): boolean {
    while (['by', 'on', 'with', 'once', 'twice', 'badly', 'before', 'over'].includes(this.key())) this.at++;
    const known = this.phraseAt(this.at);
    if (known !== null && ['TOPIC', 'CHECK', 'TAINT'].includes(known.meaning.kind)) this.at += known.length;
    else if (/^(?:stolen|fake|counterfeit|forged)$/.test(this.key())) this.at++;
    while (['once', 'twice', 'before'].includes(this.key())) this.at++;
    return true;
  }

  /** "It's a gift for my niece", "they are for the choir": of the goods nothing else is said. */
  private given(): boolean {
    this.skip(new Set(['all', 'just', 'mostly']));
    const leads = new Set(['for', 'a', 'an', 'my', 'our', 'as']);
    if (this.proper(this.at)) return true;
    if (!leads.has(this.key())) return false;
    for (let ahead = 1; ahead < 8; ahead++) {
      const key = this.key(ahead);
      if (ENDS.has(key) || key === '') return false;
      if (GIVEN.has(key) || PURPOSES.has(key) || CALLINGS.has(key) || COUNTED.has(key)) return true;
      if (OWNERS.has(key) || ['a', 'an', 'the', 'me', 'us', 'him'].includes(key) || QUALITIES.has(key))
        continue;
    }
    return false;
  }

  /** The end of "a retired teacher", up to the pronoun of a request. */
  private people(): number | null {
    for (let words = 0; words < LONGEST_SUBJECT + 4; words++) {
      const key = this.key();
      if (words > 1 && (key === 'i' || key === 'we' || key === ',')) {
        const before = this.tokens[this.at - 1]!;
        return CALLINGS.has(before.key) || this.owned(this.at) ? this.at : null;
      }
      if (!this.pass()) return null;
    }
    return null;
  }

  /** True where a calling stands among the words since the start. */
  private owned(end: number): boolean {
    return this.tokens.slice(this.from, end).some(({ key }) => CALLINGS.has(key) || PURPOSES.has(key));
  }
}
