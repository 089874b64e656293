/** What other features may use of this one; everything else here is its own. */
export { certify, findCertificate, refuseStolen } from './certify.ts';
