import {
  afterCall,
  argumentsOf,
  type Bound,
  type ShapeCall,
  viewOf,
} from '../../../../agents/determinations/lineage/shape-call.ts';
import type { Address, ChainReader, Place } from '../../../../chain/rpc/reader.ts';

/**
 * Makes the calls of a row one after another. @returns everything that is known afterwards
 * @throws ReaderError; Error where an answer does not have the form that the row says
 */
export async function makeCalls(
  reader: ChainReader,
  address: string,
  calls: readonly ShapeCall[],
  known: Bound,
  block: Place,
): Promise<Bound> {
  let bound = known;
  for (const call of calls) {
    const answer = await reader.read({
      address: address as Address,
      abi: [viewOf(call)],
      functionName: call.name,
      args: argumentsOf(call, bound),
      block,
    });
    bound = afterCall(call, answer, bound);
  }
  return bound;
}

/** The names that a row's calls may use of a thing and who holds it. */
export function thingBound(
  thing: { readonly contract: string; readonly tokenId: string },
  holder: string,
): Bound {
  return new Map([
    ['collection', BigInt(thing.contract)],
    ['tokenId', BigInt(thing.tokenId)],
    ['holder', BigInt(holder)],
  ]);
}
