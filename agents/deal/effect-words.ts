import type { Determination, DeterminationId } from '../determinations/panel/types.ts';
import type { Cause, Effect } from './effect.ts';
import { isChoosable } from './effect.ts';

/** What could not be judged, as the subject of a sentence. */
const THINGS: Readonly<Record<DeterminationId, string>> = {
  wallet: "the other side's wallet",
  'shill-collusion': 'the bidding',
  'double-pledge': 'a double pledge',
  provenance: 'the provenance',
  'mandate-compliance': 'the mandate',
  'price-intelligence': 'the price',
};

const LONGEST_WHY = 160;

/** What a determination is about, such as "the price"; the id itself when it is unknown here. */
export function thingOf(id: string): string {
  return THINGS[id as DeterminationId] ?? id;
}

/**
 * Why one side's deal stops or waits, for the owners: what was found, and one sentence for each thing that could not be
 * judged, with the reason and with whose choice stops the deal.
 */
export function reasonWords(
  side: 'buyer' | 'seller',
  causes: readonly Cause[],
  determinations: readonly Pick<Determination, 'id' | 'checks' | 'reasons'>[],
): string {
  const held = causes.filter(({ effect }) => effect !== 'proceed');
  const found = held.filter(({ verdict }) => verdict === 'FLAGGED').map((c) => c.determination);
  const unjudged = held.filter(({ verdict }) => verdict === 'INCONCLUSIVE');
  return [
    ...(found.length === 0 ? [] : [`the ${side} found: ${found.join(', ')}`]),
    ...unjudged.map((cause) => {
      const why = whyNot(determinations.find(({ id }) => id === cause.determination));
      return `${thingOf(cause.determination)} could not be judged for the ${side}${why}, and ${thenWords(cause)}`;
    }),
  ].join('; ');
}

function thenWords({ determination, effect, chosen }: Cause): string {
  if (effect === 'ask') return 'its owner wants to be asked then';
  if (!isChoosable(determination)) return 'no choice lets a deal go on without that';
  return chosen ? 'its owner chose to stop then' : 'its owner chose nothing for that, so it stops';
}

/** The first thing that was missing, in brackets, up to its first semicolon. */
function whyNot(judged: Pick<Determination, 'checks' | 'reasons'> | undefined): string {
  const open = judged?.checks.find((c) => c.outcome === 'INCONCLUSIVE')?.detail ?? judged?.reasons[0];
  const said = open?.split(';')[0]?.trim() ?? '';
  if (said === '') return '';
  return ` (${said.length > LONGEST_WHY ? `${said.slice(0, LONGEST_WHY - 1)}…` : said})`;
}

/**
 * What could not be judged for a lot and what then happens, told before anybody signs. Both sides count, because each
 * owner's choices apply to that owner alone.
 * @param then the effect under the reader's choices; null when the reader is unknown
 */
export function beforehandWords(notJudged: readonly string[], then: Effect | null): string {
  const what = listed(notJudged.map(thingOf));
  const needed = notJudged.filter((id) => !isChoosable(id)).map(thingOf);
  const does = {
    stop: 'By your choices the deal then stops.',
    ask: 'By your choices the deal then waits for you to decide.',
    proceed: "By your choices the deal then goes on without that; the other side's owner chooses, too.",
  };
  const told =
    needed.length > 0 && then !== 'ask'
      ? `A deal then stops: no choice lets it go on without ${listed(needed)}, and it waits only where both owners chose to be asked.`
      : then === null
        ? 'A deal then stops, unless both owners chose to be asked, or to go on.'
        : does[then];
  return `As things stand, ${what} could not be judged for this lot. ${told}`;
}

/** "the price, the provenance and the bidding". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
