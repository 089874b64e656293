/** What other features may use of this one; everything else here is its own. */
export { dealRecordId, recordIdOf, signRecord } from './record-id.ts';
