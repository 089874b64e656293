import { Type } from 'typebox';
import type { OpenDispute } from '../../agents/certificates/open-dispute.ts';
import { MOST_TOLD } from '../../store/certificates/disputes-of-thing.ts';
import { EvmAddress, Time } from '../schemas.ts';

/** What everybody may read of a thing's disputes, where it is bought. */
export const OpenDisputes = Type.Array(
  Type.Object({
    disputeId: Type.String(),
    tokenId: Type.String({
      description: 'of the certificate: GET /certificates/{tokenId} has the dispute in full',
    }),
    wallet: EvmAddress,
    filedAt: Time,
  }),
  {
    description: `disputes of the thing's certificates that are not decided for good: those on which the operator acted, those of whom it was issued to or sold in a deal, and of others' the oldest, at most ${MOST_TOLD} of each`,
  },
);

/** As the wire has them. */
export interface OpenDisputeShown extends Omit<OpenDispute, 'filedAt' | 'asksAnew'> {
  readonly filedAt: string;
}

export function openDisputesShown(disputes: readonly OpenDispute[]): OpenDisputeShown[] {
  return disputes.map(({ asksAnew: _, ...d }) => ({ ...d, filedAt: d.filedAt.toISOString() }));
}
