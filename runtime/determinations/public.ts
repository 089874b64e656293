/** What other features may use of this one; everything else here is its own. */
export { type DealAnswer, determineDeal } from './determine-deal.ts';
export { tierDraft } from './drafts.ts';
export { gatherRegister } from './evidence/lists.ts';
export { certificateAsset, type Lot, lotOf, overChain } from './evidence/lots.ts';
export { gatherOrigin } from './evidence/origin.ts';
export { attributesFor } from './evidence/past-sales.ts';
export { evidenceNow, type SalesQuestion } from './evidence/shared-sales.ts';
export { lifeOf } from './evidence/token-life.ts';
export { weighedWorth } from './evidence/weighed-worth.ts';
export { willNotBeJudged } from './foresee-lot.ts';
export { atOneMoment } from './moment.ts';
