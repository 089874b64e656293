import { type Static, Type } from 'typebox';
import { ON_INCONCLUSIVE } from '../../agents/deal/effect.ts';
import { TIER_DETERMINATIONS } from '../../agents/determinations/panel/types.ts';
import { OpenDisputes } from '../certificates/open-dispute-document.ts';
import { CatalogueRow } from '../shapes.ts';

/** What is said of a lot before anything is signed. */
export const saidBeforehand = {
  willNotBeJudged: Type.Array(Type.Enum(['wallet', ...TIER_DETERMINATIONS]), {
    description:
      'determinations that could not be judged for this lot as things stand, by the lists and sales that are known; what the chain or the other side will show is not foreseen',
  }),
  yourSettingsThen: Type.Union([Type.Enum([...ON_INCONCLUSIVE]), Type.Null()], {
    description:
      "what a deal then does under the choices of the agent's owner; null where nothing is missing, or no agent is named",
  }),
  openDisputes: OpenDisputes,
};

export const AttributesBody = Type.Record(
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_ -]{0,31}$' }),
  Type.Union([Type.String({ maxLength: 80 }), Type.Number()]),
  {
    maxProperties: 16,
    description:
      'what its price is judged by: make, model, year, mileage, condition, title; edition, royaltyShare; term, rate, faceValue with faceValueSource',
  },
);

/** A lot for sale, with that, and with what its seller tells of it and signed. */
export const LotDocument = Type.Object({
  ...CatalogueRow.properties,
  attributes: Type.Optional(AttributesBody),
  ...saidBeforehand,
});
export type LotDocument = Static<typeof LotDocument>;
