import type { Withdrawal } from '../../agents/records/withdrawal.ts';
import { categoryName, shortened, type Tone, toneOf } from '../html/components.ts';
import { dollars } from '../html/dollars.ts';
import { asObject, text } from '../html/open-json.ts';
import type { CatalogueRow } from '../shapes.ts';
import { RECORD } from '../words/record.ts';
import { SHARE } from '../words/share.ts';
import type { SharePicture } from './share-picture.ts';

export const HOME_SHARE: SharePicture = SHARE.home;

/** The picture of a lot. Its description is its seller's, and the picture says so. */
export function lotShare(
  lot: Pick<CatalogueRow, 'askUsd' | 'description' | 'negotiable' | 'category'>,
): SharePicture {
  return {
    kind: SHARE.lot,
    word: { text: dollars(lot.askUsd), tone: '' },
    title: lot.description,
    says: (lot.negotiable ? SHARE.offers : SHARE.buyNow)(categoryName(lot.category)),
  };
}

/** The picture of a record: its verdict, where it has one and it was not withdrawn, and how far it has come. */
export function recordShare(
  record: object,
  { anchored, withdrawn }: { readonly anchored: boolean; readonly withdrawn: Withdrawal | null },
): SharePicture {
  const { recordId, summary, content } = record as Readonly<Record<string, unknown>>;
  const inside = asObject(content);
  const verdict = text(inside.verdict) || text(asObject(inside.record).verdict);
  const said = shortened(text(summary));
  return {
    kind: SHARE.record(text(recordId)),
    ...(withdrawn !== null
      ? { word: { text: withdrawn, tone: 'waiting' } }
      : verdict !== '' && { word: { text: verdict, tone: toneOf(verdict) } }),
    title: withdrawn !== null ? RECORD.withdrawnSummary(withdrawn, said) : said,
    says: withdrawn !== null ? SHARE.withdrawn[withdrawn] : anchored ? SHARE.anchored : SHARE.signed,
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
    kind: SHARE.agent(agent.handle),
    word: { text: agent.status, tone },
    title: agent.name ?? agent.handle,
    says: agent.mandate,
  };
}
