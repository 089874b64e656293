import {
  BaseError,
  createPublicClient,
  encodeFunctionData,
  http,
  isHash,
  type PublicClient,
  parseEventLogs,
  RpcRequestError,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { Hex } from '../../../agents/canonical.ts';
import { sameAddress } from '../../../agents/ids.ts';
import type { RecordDocument, VerifyStep } from '../../../agents/records/verify.ts';
import { ledgerAbi } from '../../../chain/abi/ledger.ts';

interface SeenAnchor {
  readonly steps: readonly VerifyStep[];
  /** The transaction that the document names, where the node shows that it anchored the root; else empty. */
  readonly tx: string;
}

/**
 * Asks a node whether the root stands on the ledger, and whether the document names that ledger and a transaction which
 * anchored the root there. A node that keeps no receipts of that time proves nothing of the transaction.
 * @param ledger the ledger contract that the caller trusts
 * @throws the client's error when the node does not answer
 */
export async function anchorSteps(
  { ledger: named }: RecordDocument,
  root: Hex,
  rpcUrl: string,
  ledger: Hex,
): Promise<SeenAnchor> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const ok = await isAnchored(client, ledger, root);
  const steps = [{ step: `the root is anchored on the ledger ${ledger}`, ok }];
  if (!ok || named === null) return { steps, tx: '' };
  const isNamed =
    sameAddress(String(named.contract), ledger) && named.chainId === (await client.getChainId());
  if (!isNamed) steps.push({ step: 'the document names that ledger', ok: false });
  const seen = await anchoredIn(client, named.tx, ledger, root);
  if (seen === false) steps.push({ step: 'the transaction that the document names anchored it', ok: false });
  return { steps, tx: seen === true ? named.tx : '' };
}

/** False also when there is no ledger at the address. @throws the client's error when the node does not answer */
async function isAnchored(client: PublicClient, ledger: Hex, root: Hex): Promise<boolean> {
  if (!isHash(root)) return false;
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: 'anchoredAt', args: [root] });
  const code = await client.getCode({ address: ledger });
  if (code === undefined) return false;
  try {
    const answer = await client.call({ to: ledger, data });
    return answer.data?.length === 66 && BigInt(answer.data) > 0n;
  } catch (error) {
    if (error instanceof BaseError && error.walk((e) => e instanceof RpcRequestError)) return false;
    throw error;
  }
}

/** @returns null where the node does not know the transaction (any more) */
async function anchoredIn(client: PublicClient, tx: string, ledger: Hex, root: Hex): Promise<boolean | null> {
  if (!isHash(tx)) return false;
  try {
    const { logs } = await client.getTransactionReceipt({ hash: tx });
    return parseEventLogs({ abi: ledgerAbi, eventName: 'Anchored', logs }).some(
      ({ address, args }) => sameAddress(address, ledger) && args.root === root.toLowerCase(),
    );
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}
