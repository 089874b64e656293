import { each } from './phrase-table.ts';
import type { WordTable } from './word-table.ts';

const FAILED =
  "cannot be | can't be | can not be | could not be | couldn't be | is not | isn't | are not | aren't | was not | wasn't | has not been | hasn't been";
const JUDGED =
  'judged | determined | established | assessed | evaluated | decided | told | examined | made out | worked out | figured out | ascertained | pinned down';

/** Every way to say that something could not be judged. */
const UNJUDGED = [
  ...FAILED.split('|').flatMap((failed) => JUDGED.split('|').map((judged) => `${failed} ${judged}`)),
  "cannot be checked, can't be checked, could not be checked, couldn't be checked, cannot be verified, can't be verified, could not be verified, couldn't be verified",
  ...[
    '',
    'is',
    'are',
    'was',
    'comes back',
    'come back',
    'came back',
    'comes out',
    'turns out',
    'remains',
    'stays',
  ].map((verb) => `${verb} inconclusive`),
  'unjudged, is unjudged, cannot run, could not run, cannot be run, could not be run',
].join(',');

/** Words about determinations that could not be judged, and what is to happen then. */
export const UNJUDGED_WORDS: WordTable = {
  UNJUDGED,
  // "The mandate" alone says nothing: here it is what could not be judged.
  'UNJUDGED mandate-compliance': UNJUDGED.split(',')
    .flatMap((words) => [`mandate ${words}`, `my mandate ${words}`])
    .join(','),
  'TOPIC any': 'something, determination, determinations, any determination, verdict, result',
  'TOPIC price-intelligence': 'price intelligence, market price of it',
  'TOPIC provenance': [
    'provenance, origin, origins, chain of custody, provenance and stolen goods',
    each('where', 'it | they | something | a thing | the goods', 'came from | come from | comes from'),
  ].join(','),
  'TOPIC shill-collusion':
    'shill bidding, shill-bidding, collusion, shill and collusion, shill bidding and collusion, shill collusion',
  'TOPIC double-pledge': 'double pledge, double-pledge, double pledges, double pledging',
  'TOPIC mandate-compliance':
    'mandate compliance, mandate-compliance, compliance with the mandate, compliance with my mandate',
  GOON: 'proceed, proceed anyway, proceed all the same, proceed regardless, proceed without it, go on anyway, go on all the same, go on regardless, go on without it, carry on, carry on anyway, continue, continue anyway, keep going, go through with it, let it pass, let it through',
  HALT: 'call it off, call off, call the deal off, walk away, abort, stop there, drop it, cancel, cancel it, cancel that',
  ASK: 'let me decide, leave it to me, show me, show it to me, show me first',
  COND: 'even if, even when, even where, even though, although, in the event that, in the event',
  THEN: 'then',
};
