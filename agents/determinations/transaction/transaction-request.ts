import { badField } from '../../errors.ts';
import type { AskedTransaction } from './transaction-evidence.ts';

/** A transaction as a request names it. */
export interface TransactionRequest {
  readonly to: string;
  /** Hex; nothing when left out. */
  readonly data?: string | undefined;
  /** In wei, decimal; zero when left out. */
  readonly value?: string | undefined;
  /** Who would send it; when left out, an address that nobody has. */
  readonly from?: string | undefined;
  readonly assumedSender?: AskedTransaction['assumedSender'] | undefined;
}

/** Made up, with no known key: in place of a sender that nobody names. */
export const ASSUMED_SENDER = '0x5afe4a2d5a4eb1c0d3f2a19e0c47b86d9e5f1a33';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const BYTES = /^0x[0-9a-fA-F]*$/;
const MOST_VALUE = 2n ** 128n;

/** An odd digit in front stands for a byte, as wallets read it. */
function even(data: string): string {
  return data.length % 2 === 0 ? data : `0x0${data.slice(2)}`;
}

/** @throws AppError bad-request naming the field */
export function askedTransaction(asked: TransactionRequest, chainId: number | null): AskedTransaction {
  const { to, data = '0x', value = '0', from } = asked;
  if (chainId === null) throw badField('chainId', 'name the chain that the transaction is for');
  if (!ADDRESS.test(to)) throw badField('transaction.to', 'must be 0x and 40 hex digits');
  if (from !== undefined && !ADDRESS.test(from))
    throw badField('transaction.from', 'must be 0x and 40 hex digits');
  if (!BYTES.test(data)) throw badField('transaction.data', 'must be 0x and hex digits');
  if (!/^\d{1,78}$/.test(value) || BigInt(value) >= MOST_VALUE)
    throw badField('transaction.value', 'must be a whole number of wei');
  const isAssumed = from === undefined || asked.assumedSender !== undefined;
  return {
    chain: `eip155:${chainId}`,
    from: (from ?? ASSUMED_SENDER).toLowerCase(),
    ...(isAssumed ? { assumedSender: 2 as const } : {}),
    ...{ to: to.toLowerCase(), data: even(data.toLowerCase()), value: BigInt(value).toString() },
  };
}
