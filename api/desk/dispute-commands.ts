import { at, codesOf, type DeskCommand, given, wallet } from './command.ts';
import { certificate } from './goods-commands.ts';

/** The commands about disputes of certificates: what one side says, and what the other replies. */
export const DISPUTE_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'dispute',
    title: 'Dispute a certificate',
    lead: 'You say that a certificate is wrong, once. Your words are published and stop nothing by themselves: the operator may hold the certificate, and decides after its holder could reply.',
    fields: [
      certificate,
      wallet,
      {
        name: 'grounds',
        label: 'Why it is wrong',
        hint: 'At least ten characters. Published.',
        kind: 'area',
      },
      {
        name: 'evidence',
        label: 'Evidence (optional)',
        hint: 'Hashes or web addresses, one on each line. Published.',
        kind: 'codes',
        optional: true,
      },
    ],
    button: 'Dispute it',
    done: 'It is disputed.',
    request: (typed) => ({
      method: 'POST',
      path: `/certificates/${at(typed.tokenId)}/dispute`,
      body: { ...given(typed, 'wallet', 'grounds'), evidence: codesOf(typed.evidence) },
    }),
  },
  {
    id: 'dispute-reply',
    title: 'Reply to a dispute',
    lead: 'Whoever controls a disputed certificate replies once, within seven days. The words are published, and the operator decides on both.',
    fields: [
      certificate,
      { name: 'disputeId', label: 'Dispute', hint: 'As the page of the certificate names it.', kind: 'code' },
      { name: 'reply', label: 'Your reply', hint: 'Published.', kind: 'area' },
    ],
    button: 'Reply',
    done: 'The reply stands beside the dispute.',
    request: (typed) => ({
      method: 'POST',
      path: `/certificates/${at(typed.tokenId)}/dispute/${at(typed.disputeId)}/reply`,
      body: given(typed, 'reply'),
    }),
  },
];
