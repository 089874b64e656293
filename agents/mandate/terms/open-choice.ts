import { CHOOSABLE, ON_INCONCLUSIVE, type OnInconclusive } from '../../deal/effect.ts';
import { listed, thingOf } from '../../deal/effect-words.ts';
import { unjudgedSentence } from './describe.ts';
import type { Mandate } from './schema.ts';

/** What an owner has not chosen yet, and the sentences that choose it. */
export interface OpenChoice {
  readonly question: string;
  /** One for each answer: each can be added to the mandate as it stands. */
  readonly offers: readonly string[];
}

/**
 * Asks what a deal shall do when its price, its provenance or its bidding could not be judged, where neither the mandate
 * nor the owner's settings say so. What must be clean is not asked about: a deal never goes on without it.
 * @param setting what the owner chose for all agents; null where nothing was chosen
 * @returns null where nothing is left to be chosen
 */
export function openChoice(mandate: Mandate, setting: OnInconclusive | null): OpenChoice | null {
  if (setting !== null) return null;
  const { on_inconclusive: chosen = {}, require_clean: clean = [] } = mandate;
  const open = CHOOSABLE.filter((name) => chosen[name] === undefined && !clean.includes(name));
  if (open.length === 0) return null;
  const things = listed(open.map(thingOf));
  return {
    question: `When ${things} of a deal could not be judged, shall it stop, ask you, or go on? Until you choose, it does what you chose for a finding, and stops where you chose nothing. Say it in the mandate, or for all your agents in your settings (onInconclusive).`,
    offers: ON_INCONCLUSIVE.map((choice) => unjudgedSentence(open, choice)),
  };
}
