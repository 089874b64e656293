/** What other features may use of this one; everything else here is its own. */
export { firstBlockToRead } from './blocks-to-read.ts';
export { isBlockBefore } from './is-block-before.ts';
