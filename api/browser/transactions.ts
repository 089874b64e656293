import { encodeFunctionData, parseUnits } from 'viem/utils';
import { TRANSACTION } from '../words/browser.ts';
import { NotAsked } from './not-asked.ts';
import type { Provider } from './wallet.ts';

const address = (name: string) => ({ name, type: 'address' }) as const;
const number = (name: string) => ({ name, type: 'uint256' }) as const;
const written = { type: 'function', stateMutability: 'nonpayable' } as const;

const ABI = [
  {
    ...written,
    name: 'transfer',
    inputs: [address('to'), number('value')],
    outputs: [{ name: '', type: 'bool' }],
  },
  {
    ...written,
    name: 'safeTransferFrom',
    inputs: [address('from'), address('to'), number('tokenId')],
    outputs: [],
  },
  { ...written, name: 'approve', inputs: [address('to'), number('tokenId')], outputs: [] },
  {
    ...written,
    name: 'execute',
    inputs: [
      address('to'),
      number('value'),
      { name: 'data', type: 'bytes' },
      { name: 'operation', type: 'uint8' },
    ],
    outputs: [{ name: '', type: 'bytes' }],
  },
] as const;

/** What a person typed. */
interface Typed {
  readonly kind: string;
  readonly amount: string;
  readonly contract: string;
  readonly tokenId: string;
}

/** Whose account it is about, and the contracts that have a part in it. */
interface About {
  readonly wallet: string;
  readonly account: string;
  readonly token: string;
  readonly settlement: string;
  readonly handle: string;
}

interface Transaction {
  readonly says: string;
  readonly to: string;
  readonly data: string;
}

/** The transaction of an act, and what it does in a sentence. @throws NotAsked for an amount, a contract or a number that is none */
export function transactionOf(
  typed: Typed,
  { wallet, account, token, settlement, handle }: About,
): Transaction {
  const hex = (text: string) => text as `0x${string}`;
  switch (typed.kind) {
    case 'fund': {
      const args = [hex(account), dollars(typed.amount)] as const;
      const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args });
      return { says: TRANSACTION.fund(typed.amount, handle), to: token, data };
    }
    case 'withdraw': {
      const args = [hex(wallet), dollars(typed.amount)] as const;
      const inner = encodeFunctionData({ abi: ABI, functionName: 'transfer', args });
      const outer = [hex(token), 0n, inner, 0] as const;
      const data = encodeFunctionData({ abi: ABI, functionName: 'execute', args: outer });
      return {
        says: TRANSACTION.withdraw(typed.amount, handle),
        to: account,
        data,
      };
    }
    case 'deposit': {
      const args = [hex(wallet), hex(account), numberOf(typed.tokenId)] as const;
      const data = encodeFunctionData({ abi: ABI, functionName: 'safeTransferFrom', args });
      return { says: TRANSACTION.deposit(typed.tokenId, handle), to: contractOf(typed.contract), data };
    }
    case 'approve': {
      const args = [hex(settlement), numberOf(typed.tokenId)] as const;
      const data = encodeFunctionData({ abi: ABI, functionName: 'approve', args });
      return {
        says: TRANSACTION.approve(typed.tokenId),
        to: contractOf(typed.contract),
        data,
      };
    }
    default:
      throw new Error(TRANSACTION.unknown(typed.kind));
  }
}

/** Micro-dollars. */
function dollars(text: string): bigint {
  if (!/^\d+(\.\d{1,6})?$/.test(text)) throw new NotAsked(TRANSACTION.amount);
  return parseUnits(text, 6);
}

function numberOf(text: string): bigint {
  if (!/^\d{1,78}$/.test(text) || BigInt(text) >= 2n ** 256n) throw new NotAsked(TRANSACTION.number);
  return BigInt(text);
}

function contractOf(text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new NotAsked(TRANSACTION.contract);
  return text;
}

const LOOKS = 90;
const second = () => new Promise<void>((resolve) => setTimeout(resolve, 1_000));

/**
 * Waits until the chain has the transaction. A look that fails is no answer, and the next is waited for.
 * @param wait between two looks; a second when left out
 * @returns whether it did what it was to do; null where the chain has not said so, and it may still happen: the wallet may
 *   be on another chain, or have sent it again under another hash
 */
export async function settled(provider: Provider, hash: string, wait = second): Promise<boolean | null> {
  for (let look = 0; look < LOOKS; look++) {
    const status = await statusOf(provider, hash);
    if (status === 1 || status === 0) return status === 1;
    await wait();
  }
  return null;
}

/** The status in the receipt, which is 1 or 0; anything else where it cannot be read, or there is none. */
async function statusOf(provider: Provider, hash: string): Promise<number | null> {
  try {
    const params = [hash];
    const receipt = (await provider.request({ method: 'eth_getTransactionReceipt', params })) as {
      status?: string;
    } | null;
    return receipt?.status === undefined ? null : Number(receipt.status);
  } catch {
    return null;
  }
}
