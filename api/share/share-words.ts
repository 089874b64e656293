import { categoryName, shortened, type Tone, toneOf } from '../html/components.ts';
import { dollars } from '../html/dollars.ts';
import { asObject, text } from '../html/open-json.ts';
import type { CatalogueRow } from '../shapes.ts';
import type { SharePicture } from './share-picture.ts';

export const HOME_SHARE: SharePicture = {
  kind: 'Wallets, deals and agents, checked',
  title: 'Know whom you deal with before value moves',
  says: 'CLEAN or FLAGGED, with every check and a record that anyone can prove.',
};

/** The picture of a lot. Its description is its seller's, and the picture says so. */
export function lotShare(
  lot: Pick<CatalogueRow, 'askUsd' | 'description' | 'negotiable' | 'category'>,
): SharePicture {
  return {
    kind: 'For sale, in its seller’s words',
    word: { text: dollars(lot.askUsd), tone: '' },
    title: lot.description,
    says: `${categoryName(lot.category)}. ${lot.negotiable ? 'Open to offers' : 'Buy now'}.`,
  };
}

/** The picture of a record: its verdict, where it has one and it was not retracted, and how far it has come. */
export function recordShare(
  record: object,
  { anchored, retracted }: { readonly anchored: boolean; readonly retracted: boolean },
): SharePicture {
  const { recordId, summary, content } = record as Readonly<Record<string, unknown>>;
  const inside = asObject(content);
  const verdict = text(inside.verdict) || text(asObject(inside.record).verdict);
  return {
    kind: `Record ${text(recordId)}`,
    ...(retracted
      ? { word: { text: 'retracted', tone: 'waiting' } }
      : verdict !== '' && { word: { text: verdict, tone: toneOf(verdict) } }),
    title: shortened(text(summary)),
    says: retracted
      ? 'The operator has taken it back.'
      : anchored
        ? 'It stands on the chain: anyone can prove it.'
        : 'Signed, and on its way to the chain.',
  };
}

/** The picture of an agent. Its name and mandate are its owner's words; the handle above is nobody else's. */
export function agentShare(agent: {
  readonly handle: string;
  readonly name: string | null;
  readonly status: string;
  readonly mandate: string;
}): SharePicture {
  const tone: Tone = agent.status === 'active' ? 'clean' : 'waiting';
  return {
    kind: `Agent ${agent.handle}`,
    word: { text: agent.status, tone },
    title: agent.name ?? agent.handle,
    says: agent.mandate,
  };
}
