import { Type } from 'typebox';
import { badField } from '../../agents/errors.ts';

export const TokenId = Type.String({
  pattern: '^[0-9]{1,78}$',
  description: "the certificate's token id, decimal",
});

/** @throws AppError bad-request for a number that no token can have */
export function readTokenId(text: string): bigint {
  const id = BigInt(text);
  if (id >= 1n << 256n) throw badField('tokenId', 'must fit in 256 bits');
  return id;
}
