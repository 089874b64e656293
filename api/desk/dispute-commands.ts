import { DISPUTES } from '../words/desk/disputes.ts';
import { at, codesOf, type DeskCommand, field, given, wallet } from './command.ts';
import { certificate } from './goods-commands.ts';

/** The commands about disputes of certificates: what one side says, and what the other replies. */
export const DISPUTE_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'dispute',
    ...DISPUTES.dispute,
    fields: [
      certificate,
      wallet,
      field('grounds', DISPUTES.dispute.fields.grounds, { kind: 'area' }),
      field('evidence', DISPUTES.dispute.fields.evidence, { kind: 'codes', optional: true }),
    ],
    request: (typed) => ({
      method: 'POST',
      path: `/certificates/${at(typed.tokenId)}/dispute`,
      body: { ...given(typed, 'wallet', 'grounds'), evidence: codesOf(typed.evidence) },
    }),
  },
  {
    id: 'dispute-reply',
    ...DISPUTES.disputeReply,
    fields: [
      certificate,
      field('disputeId', DISPUTES.disputeReply.fields.disputeId, { kind: 'code' }),
      field('reply', DISPUTES.disputeReply.fields.reply, { kind: 'area' }),
    ],
    request: (typed) => ({
      method: 'POST',
      path: `/certificates/${at(typed.tokenId)}/dispute/${at(typed.disputeId)}/reply`,
      body: given(typed, 'reply'),
    }),
  },
];
