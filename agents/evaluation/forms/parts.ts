import { type TSchema, Type } from 'typebox';

/**
 * What the forms of evidence have in common. A field that no rule knows is refused, because a misspelled one would be
 * left out of judgement.
 */
export const closed = { additionalProperties: false } as const;
export const Text = Type.String();
export const Count = Type.Integer({ minimum: 0 });
export const Amount = Type.String({
  pattern: '^[0-9]{1,78}$',
  description: 'a whole number of units, decimal',
});
export const Dollars = Type.String({ pattern: '^[0-9]{1,12}(?:\\.[0-9]{1,6})?$' });
export const Time = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T[0-9:.]{5,12}Z)?$',
  description: 'ISO 8601',
});
export const orNull = <T extends TSchema>(form: T) => Type.Union([form, Type.Null()]);
export const may = <T extends TSchema>(form: T) => Type.Optional(form);

export const List = Type.Object(
  {
    ...{ name: Text, asOf: Time, rows: Count, undated: may(Type.Literal(true)), minimum: may(Count) },
    ...{ synthetic: may(Type.Literal(true)), root: may(Type.String({ pattern: '^[0-9a-f]{64}$' })) },
  },
  closed,
);
const Leaf = Type.Object({ key: Text, index: Count, path: Type.Array(Text) }, closed);
export const registerParts = {
  ...{ register: Text, maxAgeDays: Type.Number({ minimum: 0 }), lists: Type.Array(List) },
  missing: may(Type.Array(Text)),
  hits: Type.Array(Type.Object({ key: Text, list: Text, whose: may(Text), since: may(Time) }, closed)),
};
export const Register = Type.Object(
  {
    ...registerParts,
    lookedUp: Type.Array(Text),
    proofs: may(
      Type.Array(Type.Object({ list: Text, key: Text, before: orNull(Leaf), after: orNull(Leaf) }, closed)),
    ),
    retracted: may(Type.Array(Type.Object({ key: Text, list: Text, listed: Time, until: Time }, closed))),
  },
  closed,
);
export const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
