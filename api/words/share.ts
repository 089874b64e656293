/** What the pictures say that stand beside links to pages. */
export const SHARE = {
  home: {
    kind: 'Wallets, deals and agents, checked',
    title: 'Know whom you deal with before value moves',
    says: 'CLEAN or FLAGGED, with every check and a record that anyone can prove.',
  },
  lot: 'For sale, in its seller’s words',
  offers: (category: string) => `${category}. Open to offers.`,
  buyNow: (category: string) => `${category}. Buy now.`,
  record: (recordId: string) => `Record ${recordId}`,
  withdrawn: {
    retracted: 'It was taken back.',
    overturned: 'An appeal has overturned it.',
  },
  anchored: 'It stands on the chain: anyone can prove it.',
  signed: 'Signed, and on its way to the chain.',
  agent: (handle: string) => `Agent ${handle}`,
} as const;
