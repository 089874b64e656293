import type { OnFlagged, OnInconclusive } from '../deal/effect.ts';
import { codeText, quoted } from '../signed-text.ts';

/** Statements that an owner signs about a wallet: settings, membership, appeals, notifications. */

export function settingsWords(chosen: {
  readonly onFlagged?: OnFlagged;
  readonly onInconclusive?: OnInconclusive;
}): string {
  const { onFlagged, onInconclusive } = chosen;
  return [
    ...(onFlagged === undefined ? [] : [FLAGGED_WORDS[onFlagged]]),
    ...(onInconclusive === undefined ? [] : [INCONCLUSIVE_WORDS[onInconclusive]]),
    'This holds for every agent that this wallet owns.',
  ].join(' ');
}

const FLAGGED_WORDS: Readonly<Record<OnFlagged, string>> = {
  stop: 'Stop every deal of mine that is FLAGGED.',
  ask: 'Show me the findings of a deal that is FLAGGED and let me decide.',
};

const INCONCLUSIVE_WORDS: Readonly<Record<OnInconclusive, string>> = {
  stop: 'Stop every deal of mine whose price, provenance or bidding could not be judged.',
  ask: 'Show me a deal whose price, provenance or bidding could not be judged and let me decide.',
  proceed: 'Go on with a deal of mine although its price, provenance or bidding could not be judged.',
};

/** How many addresses are written out. The message also contains a hash of the request, which covers all of them. */
const SHOWN = 3;

export function coveredWalletsWords(change: {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}): string {
  const parts = [
    ...(change.add.length === 0 ? [] : [`add ${addresses(change.add)}`]),
    ...(change.remove.length === 0 ? [] : [`remove ${addresses(change.remove)}`]),
  ];
  return `Change the wallets that my membership covers: ${parts.join('; ')}.`;
}

function addresses(all: readonly string[]): string {
  const shown = all.slice(0, SHOWN).map((one) => codeText(one.toLowerCase(), 42));
  const more = all.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function appealWords(appeal: { readonly recordId: string; readonly grounds: string | null }): string {
  const { recordId, grounds } = appeal;
  const said = grounds === null ? '' : ` My words are published: ${quoted(grounds, 160)}.`;
  return `Contest record ${codeText(recordId, 80)}: determine again on fresh evidence.${said}`;
}

export function disputeAppealWords(appeal: {
  readonly recordId: string;
  readonly grounds: string | null;
}): string {
  const { recordId, grounds } = appeal;
  const said = grounds === null ? '' : ` My words are published: ${quoted(grounds, 160)}.`;
  return `Contest record ${codeText(recordId, 80)}: the operator decides the dispute a second time.${said}`;
}

/** @param pieces how many pieces of evidence are published with it */
export function outcomeWords(said: {
  readonly recordId: string;
  readonly outcome: string;
  readonly kind: string | null;
  readonly pieces: number;
}): string {
  const { recordId, outcome, kind, pieces } = said;
  const shown = pieces === 0 ? '' : `, with ${pieces} ${pieces === 1 ? 'piece' : 'pieces'} of evidence`;
  const what = kind === null ? outcome : `${outcome} (${kind})`;
  return `Say of record ${codeText(recordId, 80)} that it turned out ${what}${shown}. This is published.`;
}

/** @param notifications what the owner is notified of, in words; empty means everything */
export function subscribeWords(subscription: {
  readonly host: string;
  readonly notifications: readonly string[];
}): string {
  const { host, notifications } = subscription;
  const what = notifications.length === 0 ? 'all news' : notifications.map((one) => quoted(one)).join(', ');
  return `Send signed messages about my agents and deals to ${codeText(host, 100)}: ${what}.`;
}

export function unsubscribeWords(host: string): string {
  return `Send no more news of my agents and deals to ${codeText(host, 100)}.`;
}
