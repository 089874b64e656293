import { Type } from 'typebox';
import { lowerAddress } from '../../agents/ids.ts';
import { type OpenChoice as Choice, openChoice } from '../../agents/mandate/terms/open-choice.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { openEnded } from '../../agents/mandate/terms/stolen-key.ts';
import { lastSettingsOf } from '../../store/agent/settings.ts';
import type { Database } from '../../store/database.ts';

/**
 * What the read-back of a mandate adds to its sentences: a warning where, without a total, the chain does not bound what
 * a stolen session key spends, and a question where a choice is open.
 */
export const readBackFields = {
  openEnded: Type.Optional(
    Type.Object(
      {
        warning: Type.String({ description: 'what a stolen session key could spend' }),
        offer: Type.String({
          description: 'a sentence that bounds it: add it to the mandate and send it again',
        }),
      },
      {
        description: 'the mandate has no cap by day, week, month or in total; it is taken as it was written',
      },
    ),
  ),
  openChoice: Type.Optional(
    Type.Object(
      {
        question: Type.String(),
        offers: Type.Array(Type.String(), {
          description: 'a sentence for each answer: add one to the mandate and send it again',
        }),
      },
      {
        description:
          'neither the mandate nor `POST /settings` says what happens when price, provenance or bidding could not be judged; the mandate is taken as it was written',
      },
    ),
  ),
};

/** @param owner whose settings may have answered already @returns null where nothing is left to be chosen */
export async function choiceOpenTo(db: Database, mandate: Mandate, owner: string): Promise<Choice | null> {
  return openChoice(mandate, (await lastSettingsOf(db, lowerAddress(owner))).onInconclusive);
}

/** The fields of the answer: nothing where the mandate is bounded and everything is chosen. */
export async function readBack(db: Database, mandate: Mandate, owner: string) {
  const found = openEnded(mandate);
  const open = await choiceOpenTo(db, mandate, owner);
  return {
    ...(found === null ? {} : { openEnded: { ...found } }),
    ...(open === null ? {} : { openChoice: { question: open.question, offers: [...open.offers] } }),
  };
}
