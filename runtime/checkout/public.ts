/** What other features may use of this one; everything else here is its own. */
export { bookCheckoutOf, dropHold } from './buy-with-usdc.ts';
export { acceptMandate } from './open-checkout.ts';
export { rebookMints } from './rebook-mints.ts';
export { type PaidPage, takePaidPage } from './take-paid-page.ts';
