import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
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
