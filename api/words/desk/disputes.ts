import type { ActWords } from './fields.ts';

/** What the acts about disputes of certificates say. */
export const DISPUTES = {
  dispute: {
    title: 'Dispute a certificate',
    lead: 'You say that a certificate is wrong, once. Your words are published and stop nothing by themselves: the operator may hold the certificate, and decides after its holder could reply.',
    button: 'Dispute it',
    done: 'It is disputed.',
    fields: {
      grounds: { label: 'Why it is wrong', hint: 'At least ten characters. Published.' },
      evidence: {
        label: 'Evidence (optional)',
        hint: 'Hashes or web addresses, one on each line. Published.',
      },
    },
  },
  disputeReply: {
    title: 'Reply to a dispute',
    lead: 'Whoever controls a disputed certificate replies once, within seven days. The words are published, and the operator decides on both.',
    button: 'Reply',
    done: 'The reply stands beside the dispute.',
    fields: {
      disputeId: { label: 'Dispute', hint: 'As the page of the certificate names it.' },
      reply: { label: 'Your reply', hint: 'Published.' },
    },
  },
} as const satisfies Readonly<Record<string, ActWords>>;
