/** What other features may use of this one; everything else here is its own. */
export { choicesOf } from './choices.ts';
export { correctedDealRecord, dealRecordId, revokedDealRecord, saleOf } from './deal-record.ts';
export { settleAgain } from './settle-again.ts';
export {
  NotSettleable,
  settlementTerms,
  settlementUnderWay,
} from './settle-deal.ts';
export { settlementOver } from './signing-over.ts';
export { startDeal, wakeStartedDeal } from './start-deal.ts';
export { tellClosed } from './tell-closed.ts';
export { NOT_FINAL } from './verified-refusal.ts';
