/** What other features may use of this one; everything else here is its own. */
export {
  beneficialOwner,
  foundAgent,
  knownOwner,
  type LiveAgent,
  lookAtSpending,
  type OwnedAgent,
  overHome,
  readLive,
  readOwned,
  requireAgent,
  type SpendingLook,
  type SpendingState,
} from './live-agent.ts';
