import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { PriceIn, UsdIn } from '../schemas.ts';
import { compileValidator, FieldsRefused } from './validation.ts';

const refused = (schema: Parameters<typeof compileValidator>[0]['schema'], value: unknown) => {
  const validate = compileValidator({ schema, method: 'POST', url: '/x', httpPart: 'body' });
  const { error } = validate(value) as { error?: Error };
  return error instanceof FieldsRefused ? error.fields : null;
};

describe('a body that may be left out', () => {
  const schema = Type.Union([
    Type.Object({ wallet: Type.Optional(Type.String({ pattern: '^0x' })) }, { additionalProperties: false }),
    Type.Null(),
  ]);

  it('may be left out', () => {
    expect(refused(schema, null)).toBeNull();
    expect(refused(schema, {})).toBeNull();
  });

  it('is told, where it is sent, which of its fields is wrong', () => {
    expect(refused(schema, { wallet: 'zz' })).toEqual([{ path: 'wallet', message: 'must match ^0x' }]);
    expect(refused(schema, { walet: '0x' })).toEqual([
      { path: 'walet', message: 'is not a known field: use wallet' },
    ]);
  });
});

it('says of a field that is missing which values there are, where it takes only some', () => {
  const schema = Type.Object({ source: Type.Enum(['provider-a', 'provider-b']), name: Type.String() });
  expect(refused(schema, {})).toEqual([
    { path: 'source', message: 'is required: one of provider-a, provider-b' },
    { path: 'name', message: 'is required' },
  ]);
});

describe('a value of which several forms are taken', () => {
  const text = Type.Union([Type.String({ maxLength: 3 }), Type.Null()], { description: 'null: none' });
  const form = String.raw`^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`;
  const cents = String.raw`^(?:0|[1-9][0-9]*)(?:\.[0-9]{1,2})?$`;

  it.each([
    [UsdIn, -1, 'must be at least 0'],
    [UsdIn, '-1', `must match ${form} (US dollars, zero or more, at most six decimals)`],
    [UsdIn, true, 'must be a number or a string (US dollars, zero or more, at most six decimals)'],
    [PriceIn, 0, 'must be more than 0'],
    [PriceIn, '1.234', `must match ${cents} (US dollars, more than nothing, at most two decimals)`],
    [text, 'long', 'must have at most 3 characters'],
    [text, 5, 'must be a string or null (null: none)'],
  ])('is told what is wrong with the form that it has, %#', (schema, value, message) => {
    expect(refused(Type.Object({ a: schema }), { a: value })).toEqual([{ path: 'a', message }]);
  });
});

describe('a body of optional fields', () => {
  it('that holds none of them is told which there are', () => {
    const schema = Type.Object(
      { name: Type.Optional(Type.String()), depth: Type.Optional(Type.String()) },
      { additionalProperties: false, minProperties: 1 },
    );
    expect(refused(schema, {})).toEqual([{ path: 'body', message: 'must have at least 1 of name, depth' }]);
    expect(refused(schema, [])).toEqual([{ path: 'body', message: 'must be a JSON object' }]);
  });
});
