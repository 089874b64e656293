import type { Token } from '../tokens.ts';

/** A piece of a sentence, by its first token and the one behind its last. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  /** True where a sentence begins with it. */
  readonly opens: boolean;
}

const ENDS = new Set(['.', ';', '!', '?', '(', ')']);
const JOINTS = new Set(['and', 'but']);
/** Names that end in a point: "Mr. Pell", "Halvorsen Logistics Inc. replaces". */
const POINTED = new Set(['mr', 'mrs', 'ms', 'dr', 'inc', 'ltd', 'co', 'st', 'jr', 'sr', 'messrs']);

/** True for a point that ends a sentence, and not for the one in "Inc." or ".com". */
export function endsSentence(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !ENDS.has(token.key)) return token === undefined;
  if (token.key !== '.') return true;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (next?.tight === true && next.kind === 'word' && !token.tight) return false;
  if (before === undefined || !POINTED.has(before.key) || !token.tight || next === undefined) return true;
  return /^\p{Lu}/u.test(next.text) && !/^(?:mr|mrs|ms|dr|st|messrs)$/.test(before.key);
}

/** Divides a text at the marks of its sentences, at commas, and at "and" and "but". One pass. */
export function segmentsOf(tokens: readonly Token[]): readonly Segment[] {
  const found: Segment[] = [];
  let from = 0;
  let opens = true;
  const close = (to: number, next: number, sentence: boolean): void => {
    if (to > from) {
      found.push({ from, to, opens });
      opens = false;
    }
    opens ||= sentence;
    from = next;
  };
  tokens.forEach((token, at) => {
    if (ENDS.has(token.key) && endsSentence(tokens, at)) close(at, at + 1, true);
    else if (token.key === ',' || token.key === ':' || token.key === '-') close(at, at + 1, false);
    else if (JOINTS.has(token.key) && !bounds(tokens, at)) close(at, at + 1, false);
  });
  close(tokens.length, tokens.length, true);
  return found;
}

/** "Between 20:00 and 07:00", "each and every": one, in two words. */
function bounds(tokens: readonly Token[], at: number): boolean {
  if (tokens[at - 1]?.key === 'each') return true;
  return [1, 2, 3].some((back) => tokens[at - back]?.key === 'between');
}
