import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import { amountOf, type Fact } from '../facts.ts';
import { isOne, limiter, scope } from './phrases.ts';

/**
 * "Ask me before anything above 3,000 USDC", "anything above 1,000 USDC needs my approval", "never more than 500 USDC
 * without asking me". The schema's threshold has no goods and no period, so a clause that names one of them does not
 * match.
 */
export function approvalClause(c: Cursor): Fact[] | null {
  const amount = c.attempt(askedFirst) ?? c.attempt(amountFirst) ?? c.attempt(unlessAsked);
  if (amount === null || !c.atBreak) return null;
  return [{ fact: 'approval', amount: amountOf(amount) }];
}

const SUBJECT = ['ANY', 'DEAL', 'GEN', 'VERB', 'ART', 'PER', 'SINGLE', 'KEEP', 'SCOPE_NONE'] as const;

function askedFirst(c: Cursor) {
  if (!asksOwner(c)) return null;
  for (;;) {
    if (c.eatAll(...SUBJECT, 'BEFORE') > 0) continue;
    if (
      c.eat('PREP', 'for', 'on', 'at', 'to', 'about', 'of') ||
      c.eat('COND', 'if', 'when', 'whenever') ||
      c.eat('SEP', ':') ||
      (c.sees('SEP', [',']) && c.sees('ABOVE', [], 1) && c.skip()) ||
      something(c) ||
      c.eat('HEDGE', 'about') ||
      // "Approval for everything above": no total is meant.
      (c.sees('SCOPE', ['total', 'deal']) &&
        c.sees('ABOVE', [], 1) &&
        /^(?:for|on|of) /i.test(c.peek()!.text) &&
        c.skip())
    )
      continue;
    break;
  }
  return threshold(c);
}

function amountFirst(c: Cursor) {
  c.eat('BEFORE');
  // "Once a deal is above 300 USDC …".
  c.eat('ONCE', 'once');
  for (;;) {
    if (
      c.eatAll(...SUBJECT) === 0 &&
      c.eat('PREP', 'for', 'on') === null &&
      c.eat('COND', 'if', 'when', 'whenever', 'where') === null &&
      something(c) === null &&
      (!c.sees('ABOVE', [], 1) || c.eat('PREP', 'of') === null)
    )
      break;
  }
  const amount = threshold(c);
  if (amount === null) return null;
  c.eat('SEP', ',', '-', ':');
  // "… shall not be completed without the approval of the undersigned".
  const without = c.attempt((at) =>
    at.eat('NEG') && at.eatAll('KEEP', 'BOUGHT', 'SOLD') ? at.eat('WITHOUT') : null,
  );
  if (without === null) c.eat('ONLY');
  return asksOwner(c) ? amount : null;
}

/** "If something costs more than 8 USDC". */
function something(c: Cursor): Atom | null {
  return /^something$/i.test(c.peek()?.text ?? '') && c.sees('ABOVE', [], 1) ? c.eat('TOPIC', 'any') : null;
}

function unlessAsked(c: Cursor) {
  if (limiter(c) === null) return null;
  const amount = takeAmount(c);
  c.eat('SEP', ',');
  c.eatAll('BOUGHT', 'SOLD');
  const without = amount === null ? null : c.eat('WITHOUT');
  if (without === null) return null;
  const whole =
    /\b(?:me|us|(?:i|we) (?:have )?(?:first )?approved?|(?:i|we) have (?:first )?(?:agreed|consented)|(?:i|we) say yes)\b/i.test(
      without.text,
    );
  return asksOwner(c) || whole ? amount : null;
}

function threshold(c: Cursor) {
  if (c.eat('ABOVE') === null) return null;
  c.eat('SEP', ':');
  return takeAmount(c);
}

function takeAmount(c: Cursor) {
  const amount = c.eat('MONEY') ?? c.eat('NUMBER');
  // "… more than 1,000 USDC on one".
  c.attempt((at) =>
    at.eat('PREP', 'on', 'for') && isOne(at.peek()) && at.skip() && at.atBreak ? true : null,
  );
  const within = scope(c);
  return within === null || within.scope === 'deal' ? amount : null;
}

const GIVEN = ['approve', 'agree', 'authorise it', 'confirm it', 'ok', 'okay', 'say yes', 'consent'];

/** True when the owner, and nobody else, is to be asked. */
export function asksOwner(c: Cursor): boolean {
  let asked = false;
  let owner = false;
  let approval = false;
  // "Ask before paying more than …": whoever writes the mandate is to be asked.
  const mine =
    c.sees('ASK', ['ask before', 'ask first', 'check in first']) ||
    (c.sees('ASK', ['ask']) &&
      (c.sees('BEFORE', [], 1) ||
        c.sees('COND', ['if', 'when', 'whenever'], 1) ||
        // "Ask above 300 USDC": of a seller it may be what to ask for.
        (c.sees('ABOVE', [], 1) && !c.clauses.onlySells)));
  const from = c.at;
  for (;;) {
    const atom: Atom | null =
      c.eat('ASK') ??
      c.eat('ME') ??
      c.eat('APPROVAL') ??
      c.eat('REQUIRE') ??
      c.eat('VERB', 'get') ??
      (c.at > from ? c.eat('ART') : null);
    // "Approval: mine, …".
    const named = atom?.kind === 'APPROVAL' && c.sees('SEP', [':']) && c.sees('ME', [], 1);
    if (named) c.skip();
    if (
      atom === null &&
      c.attempt((at) =>
        at.eat('PREP', 'with', 'by', 'for', 'of', 'from') && (at.sees('ME') || at.sees('APPROVAL'))
          ? true
          : null,
      ) === null
    )
      break;
    // "I approve deals over 300 USDC", "such deals have my approval": that is given here, and not to be asked for.
    if (atom?.kind === 'ASK' && /^ha(?:s|ve) (?:my|our)$/i.test(atom.text)) return false;
    if (atom?.kind === 'ME' && /^(?:i|we)$/i.test(atom.text) && c.sees('APPROVAL', GIVEN)) return false;
    asked ||= atom?.kind === 'ASK';
    approval ||= atom?.kind === 'APPROVAL';
    owner ||= atom?.kind === 'ME' || /\b(?:me|my|i|us|our|we)\b/i.test(atom?.text ?? '');
  }
  return approval || (asked && (owner || mine));
}
