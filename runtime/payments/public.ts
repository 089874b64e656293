/** What other features may use of this one; everything else here is its own. */
export { relayOf } from './relay-guard.ts';
