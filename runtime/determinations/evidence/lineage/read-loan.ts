import type { TokenAsset } from '../../../../agents/certificates/certificates.ts';
import type { LoanReading } from '../../../../agents/determinations/lineage/lineage.ts';
import { addressIn, type Bound, holds } from '../../../../agents/determinations/lineage/shape-call.ts';
import type { LoanStart } from '../../../../agents/determinations/lineage/token-contract.ts';
import { latestMove } from '../../../../chain/indexer/token-custody.ts';
import { blockNumberOf, type ChainLog, type ChainReader, type Place } from '../../../../chain/rpc/reader.ts';
import { faultOf } from '../../deps.ts';
import { makeCalls, thingBound } from './call.ts';
import type { ListedContract } from './contracts.ts';

/**
 * What a lending contract says of a token that it holds: which loan it answers for, whose, and whether that is open.
 * Never throws: what could not be told says why.
 */
export async function readLoan(
  reader: ChainReader,
  lender: ListedContract,
  thing: TokenAsset,
  block: Place,
): Promise<LoanReading> {
  const head = { contract: lender.contract, list: lender.list };
  const untold = (fault: string): LoanReading => ({ ...head, open: null, loan: null, borrower: null, fault });
  try {
    const known = thingBound(thing, lender.contract);
    const starts = await loansBegun(reader, lender, thing, block);
    if (starts?.length === 0) return untold('it came there without the begin of a loan');
    const answers: Bound[] = [];
    for (const loan of starts ?? [null]) {
      const bound = loan === null ? known : new Map([...known, ['loan', loan]]);
      answers.push(await makeCalls(reader, lender.at, lender.calls, bound, block));
    }
    const own = answers.find((bound) => isOf(bound, thing));
    if (own === undefined) return untold('its loan is of another token');
    const loan = own.get('loan');
    const borrower = own.get('borrower');
    const told = {
      loan: loan === undefined ? null : loan.toString(),
      borrower: borrower === undefined || borrower === 0n ? null : addressIn(borrower),
    };
    if (holds(lender.open, own)) return { ...head, open: true, ...told, fault: null };
    // A loan may be prolonged as another one, for which nothing moves.
    if (starts !== null)
      return { ...untold('the loan for which it came there has ended, and it lies there still'), ...told };
    return { ...head, open: false, ...told, fault: null };
  } catch (error) {
    return untold(faultOf(error));
  }
}

/** The loans that began as the token came to the lender; null where its calls ask for none. @throws ReaderError */
async function loansBegun(
  reader: ChainReader,
  { started, contract, at }: ListedContract,
  thing: TokenAsset,
  block: Place,
): Promise<readonly bigint[] | null> {
  if (started === null) return null;
  const token = { address: thing.contract, tokenId: BigInt(thing.tokenId) };
  const arrival = await latestMove(reader, token, contract as `0x${string}`, blockNumberOf(block));
  if (arrival === null) return [];
  const logs = await reader.logs({
    address: at as `0x${string}`,
    topics: [started.topic],
    fromBlock: arrival.block,
    toBlock: arrival.block,
  });
  return logs.filter((log) => log.transactionHash === arrival.tx).flatMap((log) => loanIn(log, started));
}

function loanIn({ topics, data }: ChainLog, { place, index }: LoanStart): bigint[] {
  const word = place === 'topic' ? topics[index] : `0x${data.slice(2 + 64 * index, 66 + 64 * index)}`;
  return word !== undefined && /^0x[0-9a-f]{64}$/i.test(word) ? [BigInt(word)] : [];
}

/** Whether the answers, where they name a token, name this one. */
function isOf(bound: Bound, { contract, tokenId }: TokenAsset): boolean {
  return bound.get('collection') === BigInt(contract) && bound.get('tokenId') === BigInt(tokenId);
}
