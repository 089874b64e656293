/** What other features use of webhooks: which addresses of the internet may be asked. */
export { type Destinations, guardedLookup, ipOf, isAllowedAddress } from './destination.ts';
