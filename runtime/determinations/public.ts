/** What other features may use of this one; everything else here is its own. */
export { type DealAnswer, determineDeal } from './determine-deal.ts';
export { tierDraft } from './drafts.ts';
export { certificateAsset, type Lot, lotOf, overChain } from './evidence/lots.ts';
export { attributesFor } from './evidence/price/past-sales.ts';
export { evidenceNow, type SalesQuestion } from './evidence/price/shared-sales.ts';
export { weighedWorth } from './evidence/price/weighed-worth.ts';
export { lifeOf } from './evidence/provenance/token-life.ts';
export { gatherRegister } from './evidence/registers/lists.ts';
export { gatherOrigin } from './evidence/registers/origin.ts';
export { willNotBeJudged } from './foresee-lot.ts';
export { atOneMoment } from './moment.ts';
