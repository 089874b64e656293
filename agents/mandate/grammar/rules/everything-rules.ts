import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';

/** "Everything is fine", "anything else", "whatever you like": no mere "any item". */
export const WIDENS = / (?:is|are|goes)\b| else\b|whatever|\bwhat (?:you|it)\b|\brest\b|remainder|\bother\b/i;

/** "on any chain", "from anyone": no restriction. */
export function anythingClause(c: Cursor): Fact[] | null {
  if (c.peek(-1)?.kind === 'NEG' || c.peek(-1)?.kind === 'DENY') return null;
  c.eat('PREP', 'on', 'from', 'with', 'in', 'of', 'to');
  const any = c.eat('ANY');
  if (any === null) return null;
  c.eat('ALLOWED');
  if (!c.atBreak && !c.sees('EXCEPT') && !priceFollows(c)) return null;
  // Behind a list of goods, "everything is fine" would widen it.
  return [WIDENS.test(any.text) ? { fact: 'anything', elsewhere: false } : { fact: 'nothing' }];
}

/** "On any other chain you may buy …", "elsewhere: …": behind a place that is denied it says nothing more. */
export function elsewhereClause(c: Cursor): Fact[] | null {
  if (c.eat('ELSEWHERE') === null) return null;
  // "Other chains: no": what is allowed is all.
  const refused = c.attempt((at) => {
    at.eat('SEP', ':', '-');
    return at.eat('OFF') !== null && at.atBreak ? true : null;
  });
  if (refused !== null) return [{ fact: 'no-more-places' }];
  // "Every other chain: yes."
  if (c.sees('SEP', [':']) && c.sees('ALLOWED', [], 1)) c.skip();
  c.eat('ALLOWED');
  return c.atBreak || c.sees('VERB') ? [{ fact: 'anything', elsewhere: true }] : null;
}

/** "Skip every other kind of goods", "not permitted: all else", ", and nothing else": what is allowed is all. */
export function nothingElseClause(c: Cursor): Fact[] | null {
  const last = c.attempt((at) => {
    const rest = at.eat('ANY');
    if (rest === null || rest.value !== '' || !ELSE.test(rest.text)) return null;
    at.eat('SEP', ':', '-');
    return at.eat('OFF') !== null && at.atBreak ? true : null;
  });
  if (last !== null) return [{ fact: 'no-more-goods' }];
  const refused = c.eat('DENY') ?? c.eat('OFF') ?? c.eat('NEG');
  if (refused === null) return null;
  c.eat('SEP', ':', '-');
  while (
    c.eat('VERB', 'buy', 'both', 'spend') !== null ||
    c.eat('PREP', 'in', 'with') !== null ||
    c.eat('DEAL') !== null
  );
  const any = c.eat('ANY');
  if (any === null || any.value !== '' || !ELSE.test(any.text)) return null;
  c.eat('GEN');
  return c.atBreak ? [{ fact: 'no-more-goods' }] : null;
}

const ELSE =
  /^(?:everything|anything|all|whatever) else$|^(?:all |any |every )?other (?:kinds? of |sorts? of |types? of )?(?:goods|things?|stuff|products?|categor(?:y|ies)|purchases?|items?)$|^(?:all )?(?:the )?rest$/i;

/** "At up to 55 USDC", "for at least 40 USDC". */
export function priceFollows(c: Cursor): boolean {
  if (!c.sees('PREP', ['at', 'for'])) return false;
  return (
    c.sees('MONEY', [], 1) ||
    (['LIMIT', 'MINIMUM', 'UNDER'].some((kind) => c.sees(kind, [], 1)) && c.sees('MONEY', [], 2))
  );
}
