/** What other features may use of this one; everything else here is its own. */
export { refuseCertifiedOtherwise } from './certified-otherwise.ts';
export { certify, findCertificate, refuseStolen } from './certify.ts';
