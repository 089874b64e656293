import { countedAt, passable } from './asides.ts';
import { COUNTED, DOINGS, RISKY, STATES } from './lexicon/background-words.ts';
import type { PhraseAt } from './lexicon/lexicon.ts';
import { CALLINGS, PURPOSES } from './lexicon/people-words.ts';
import { readNumber } from './numbers.ts';
import type { Token } from './tokens.ts';

/** Words about whoever writes, which limit nothing. */
export interface Background {
  readonly length: number;
  /** Whose verb may follow behind "and": "we run a shop and need flowers". */
  readonly pronoun: 'i' | 'we';
  /** The goods that are named in it, with the words. They allow nothing. */
  readonly goods: readonly { readonly category: string; readonly words: string }[];
}

/** How many words a background clause may have. */
const LONGEST = 32;
export const ENDS = new Set(['.', ';', '!', ',', '-', ')', ':', '?', '(']);
/** What begins a request behind "and", where a background ends. */
const REQUESTS = new Set(
  "i we have you please i'd we'd i'll we'll need want would could so buy sell get find my our then now".split(
    ' ',
  ),
);
const OLDEST = 120_000_000n;

export const SUBJECTS = new Set(
  "i we my our everyone everybody i'm we're i've we've he she they it it's he's she's they're the there".split(
    ' ',
  ),
);

/** A place in a background, moved forward over harmless words. */
export class Words {
  protected readonly tokens: readonly Token[];
  protected readonly from: number;
  protected readonly phraseAt: PhraseAt;
  protected readonly goods: { category: string; words: string }[] = [];
  protected at: number;
  looked = 1;

  constructor(tokens: readonly Token[], at: number, phraseAt: PhraseAt) {
    this.tokens = tokens;
    this.from = at;
    this.at = at;
    this.phraseAt = phraseAt;
  }

  protected key(ahead = 0): string {
    return this.tokens[this.at + ahead]?.key ?? '';
  }

  protected skip(words: ReadonlySet<string>): boolean {
    const from = this.at;
    while (words.has(this.key())) this.at++;
    return this.at > from;
  }

  /** "A small gallery", "two daughters", "a birthday coming up": what somebody has is people, a place or an occasion. */
  protected owns(): boolean {
    for (let ahead = 0; ahead < 8; ahead++) {
      const key = this.key(ahead);
      if (ENDS.has(key) || key === '') return false;
      if (CALLINGS.has(key) || PURPOSES.has(key) || COUNTED.has(key)) return true;
    }
    return false;
  }

  /** "A joiner", "moving to a smaller office", "from Leeds": what somebody is. */
  protected state(): boolean {
    const key = this.key();
    if (key === '' || ENDS.has(key)) return false;
    if (key === 'after' || (key === 'looking' && this.key(1) !== 'after')) return false;
    return STATES.has(key) || DOINGS.has(key) || this.owns() || this.proper(this.at) || this.counted() > 0;
  }

  /** The farthest place where a clause of harmless words may end. */
  protected complement(): number | null {
    let end: number | null = null;
    while (this.at - this.from <= LONGEST) {
      const key = this.key();
      if (key === '' || ENDS.has(key)) {
        const place = key === ',' ? this.place() : null;
        if (place === null) return this.at;
        this.at = place;
        continue;
      }
      const turns = /^turn(?:s|ed|ing)?$/.test(this.tokens[this.at - 1]?.key ?? '');
      const age = turns ? readNumber(this.tokens, this.at) : null;
      if (age !== null && age.unreadable === undefined && age.micro <= OLDEST) {
        this.at += age.length;
        continue;
      }
      if (
        key === 'most' &&
        /^(?:weeks|days|weekends|evenings|mornings|nights|summers|years|of)$/.test(this.key(1))
      )
        this.at++;
      if (key === 'so' || key === 'but' || (key === 'and' && REQUESTS.has(this.key(1)))) end = this.at;
      if (key === 'because' || ((key === 'as' || key === 'since') && SUBJECTS.has(this.key(1)))) this.at++;
      else if (!this.pass()) return end;
    }
    return null;
  }

  /** Behind ", Yorkshire": names of places, at the end of a clause. */
  protected place(): number | null {
    let at = this.at + 1;
    while (at < this.at + 4 && this.proper(at)) at++;
    return at > this.at + 1 && (ENDS.has(this.tokens[at]?.key ?? '') || this.tokens[at]?.key === 'and')
      ? at
      : null;
  }

  /** A name that the lexicon does not know: it starts with a capital. */
  protected proper(at: number): boolean {
    const token = this.tokens[at];
    return (
      token?.kind === 'word' &&
      /^\p{Lu}[\p{L}-]+$/u.test(token.text) &&
      !RISKY.has(token.key) &&
      this.phraseAt(at) === null
    );
  }

  /** Moves past one harmless word or phrase. */
  protected pass(): boolean {
    this.looked++;
    const moved = passable(this.tokens, this.at, this.phraseAt);
    if (moved === null) return false;
    const { length, category } = moved;
    if (category !== undefined) {
      const after = this.key(length);
      // "A flower shop" names a shop.
      if (!CALLINGS.has(after) && !PURPOSES.has(after))
        this.goods.push({
          category,
          words: this.tokens
            .slice(this.at, this.at + length)
            .map(({ text }) => text)
            .join(' '),
        });
    }
    this.at += length;
    return true;
  }

  protected counted(): number {
    return countedAt(this.tokens, this.at);
  }
}
