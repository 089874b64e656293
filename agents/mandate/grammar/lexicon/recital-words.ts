import { wordKey } from '../tokens.ts';

/** Words of recitals: what a text tells of its writer, and why it is written. Each list is closed. */

/** The words of a list as tokens have them. */
function keysOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(wordKey));
}

/** What a recital may begin with, in front of the clause that it is told for. */
export const RECITAL_OPENERS: readonly (readonly string[])[] = [
  'whereas',
  'given that',
  'in view of',
  'having regard to',
  'in consideration of',
  'pursuant to',
  'under the authority of',
  'under the terms of',
  'under clause',
  'under section',
  'under article',
  'by the terms of',
  'by virtue of',
  'in accordance with',
  'in fulfillment of',
  'in fulfilment of',
  'in pursuance of',
  'in furtherance of',
  'without prejudice to',
  'in the matter of',
  'upon the instructions of',
  'on the instructions of',
  'at the request of',
  'mindful of',
  'to satisfy',
  'to fund',
  'to finance',
  'to support',
  'to replenish',
  'to renew',
  'as executor of',
  'as executrix of',
  'as trustee of',
  'as treasurer of',
  'as director of',
  'as head of',
  'as attorney for',
  'as deputy',
  'as conservator of',
  'as guardian of',
  'as administrator of',
  'as receiver of',
  'as liquidator of',
  'as nominee for',
  'as adviser to',
  'as manager of',
  'as secretary of',
  'as partner',
  'acting for',
  'acting as',
  'probate having been granted',
  'since the',
  'since our',
  'because the',
  'because our',
  'kindly note that',
  'please be advised that',
  'please note that',
  'for the purpose of',
  'for the purposes of',
  'with a view to',
  'owing to',
  'due to',
  'on account of',
  'in light of',
  'in the light of',
  'in connection with',
  'by resolution of',
  'by order of',
  'in my capacity as',
  'in our capacity as',
  'acting on behalf of',
  'on the advice of',
  'on the authority of',
  'as part of',
].map((words) => words.split(' ').map(wordKey));

/** Behind "has", "have" and "had". */
export const RECITAL_PARTICIPLES: ReadonlySet<string> =
  keysOf(`closed relocated opened inherited retired died been collected assembled accumulated catalogued cataloged
  divided appointed entrusted expanded merged renewed replaced reorganized restructured wound shut founded
  established started built gathered amassed received joined launched consigned retained granted accumulated
  bought worked served managed`);

/** Verbs that tell, in front of anything. */
export const RECITAL_VERBS: ReadonlySet<string> =
  keysOf(`replaces renews operates owns manages manufactures supplies serves imports exports act write manage serve
  inherited assembled founded collected lends insures works publishes produces restores repairs teaches
  retired died built started opened closed bequeathed`);

/** Behind "is", "are", "am" and "was". */
export const RECITAL_STATES: ReadonlySet<string> =
  keysOf(`a an one charged entrusted appointed based located closing moving winding renewing preparing expanding
  retiring relocating downsizing reorganizing responsible employed building restoring opening consigned
  refitting refurbishing consolidating replacing modernizing`);

/**
 * Words that no recital has, because with one of them it may limit, prefer or exclude something. What the lexicon knows
 * as a limit, an amount, a time, a check or an approval is none either.
 */
export const RECITAL_GUARDS: ReadonlySet<string> =
  keysOf(`may can could should shall will would must might ought cannot agent agents bot you mandate only solely exclusively
  merely always never no not nor neither none nothing without unless until till while during provided providing
  condition conditions conditional conditioned subject limit limits limited cap caps capped maximum minimum most least
  more less fewer over under above below beyond between within against avoid abstain refrain shun spurn renounce
  renounced renouncing abandon abandoned forsake forsaken forswear forsworn oppose opposed object objects objected averse
  allergic wary loath reluctant unwilling hostile suspicious distrust distrusts distrusted dislike dislikes hate hates
  prefer prefers preferred preferring preference favor favors favour favours favoring insist insists demand demands
  expect expects expected require requires required requirement want wants wanted hope hopes trust's forbid forbids
  forbidden prohibit prohibits prohibited restrict restricts restricted restriction exclude excludes excluded except
  excepting save rather instead price priced prices cost costs fee fees value values worth pay pays paid spend spends
  spent budget deal deals order orders offer offers bid bids seller sellers buyer buyers counterparty counterparties
  dealer dealers wallet wallets chain chains network networks if when whenever where wherever whether once whatever
  whichever whoever before after today tomorrow yesterday spring autumn winter morning mornings evening evenings night
  nights weekday weekdays weekend weekends monday tuesday wednesday thursday friday saturday sunday january february
  march april june july august september october november december mint boxed original originals authentic genuine
  quality provenance origin approve approves approved approval authorize authorized authorizes permission consent ask
  tell notify notified report consult check checks checked checking verify verified inspect inspected determination
  determinations certified guarantee guaranteed warranty sealed unopened undamaged perfect flawless new exact exactly
 certain particular specific specified specifically especially chiefly mainly primarily
  dollar dollars usd usdc percent ceiling floor threshold allow allows allowed permit permits permitted however but
  veto vetoes say word key keys purse control controls decide decides decision sign signs signature review reviews
  rule rules policy custom taste tastes habit habits unlike ignore ignores disregard override increase increases raise raises lift lifts change changes double`);
