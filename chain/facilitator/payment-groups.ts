import {
  type Address,
  encodeFunctionData,
  type Hex,
  type Log,
  multicall3Abi,
  parseAbi,
  parseEventLogs,
} from 'viem';
import { MULTICALL3 } from '../deploy/multicall3-code.ts';
import { ChainError } from '../rpc/chain-error.ts';
import type { SettlingSigner } from './settling-signer.ts';

/** One transfer, and by which event the chain tells that it happened. */
export interface GroupedTransfer {
  /** The token. */
  readonly to: Address;
  readonly data: Hex;
  /** The limit of this transfer alone. */
  readonly gas: bigint;
  readonly from: Address;
  readonly nonce: Hex;
}

/** Which transfer of which token: no other can use it. */
export type Authorization = Pick<GroupedTransfer, 'to' | 'from' | 'nonce'>;

export interface PaymentGroups {
  /**
   * Sends the transfer, alone or together with others that came within some milliseconds.
   * @returns the transaction in which it happened, or failed, or may still happen
   * @throws ChainError as `SettlingSigner.send`
   */
  send(transfer: GroupedTransfer): Promise<Hex>;
  /**
   * The receipt as of this transfer: `reverted` where its token does not say in it that it used the authorization. Where
   * others have burnt the gas of its group, it is sent alone first, also when that becomes known only now.
   * @throws ChainError unknown when no receipt comes in time, or as `SettlingSigner.send`
   */
  receipt(hash: Hex, transfer: Authorization, timeoutMs: number): Promise<TransferReceipt>;
}

type GroupReceipt = Awaited<ReturnType<SettlingSigner['receipt']>>;

/** `hash` is the transaction that it is of, which may be a later one than was asked for. */
export type TransferReceipt = GroupReceipt & { readonly hash: Hex };

interface Waiting {
  readonly transfer: GroupedTransfer;
  readonly resolve: (hash: Hex) => void;
  readonly reject: (error: unknown) => void;
}

/** A transfer in a group of whose end nobody knows yet. */
interface Unconfirmed {
  readonly transfer: GroupedTransfer;
  /** The limit of the whole group. */
  readonly gas: bigint;
  /** The transaction in which it was sent again by itself. */
  again: Promise<Hex> | null;
}

const USED = parseAbi(['event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)']);

/** How long a payment waits for others, while others come. */
const WAIT_MS = 4;
/** Others come when one came so recently. */
const BUSY_MS = 250;
const MOST = 25;
/** For the outer transaction, and for what Multicall3 spends on each call. */
const OUTER_GAS = 30_000n;
const EACH_GAS = 6_000n;
/** How many groups without a receipt are remembered, so that what was burnt in them can be sent again. */
const REMEMBERED = 500;

/**
 * Settles transfers that come within some milliseconds in one transaction (Multicall3 `aggregate3`, each allowed to fail
 * alone), which shares the cost of a transaction among them. A transfer that comes alone is sent alone, at once.
 *
 * A transfer that fails in a group fails alone. Only what burns nearly all of the group's gas, as code behind a payer
 * that had none when it was verified, can fail others: then each that did not happen is sent again by itself.
 * Only one transfer of an authorization can ever happen, whatever is sent twice.
 * @param hasMulticall asked once: false sends every transfer alone
 */
export function paymentGroups(
  signer: SettlingSigner,
  options: {
    readonly hasMulticall: () => Promise<boolean>;
    readonly confirmationMs: number;
    /** Others come when one came so recently; 250 when left out. */
    readonly busyMs?: number;
  },
): PaymentGroups {
  const waiting: Waiting[] = [];
  const unconfirmed = new Map<Hex, Unconfirmed[]>();
  let timer: NodeJS.Timeout | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  let present: Promise<boolean> | null = null;

  const multicall = (): Promise<boolean> => {
    present ??= options.hasMulticall().catch(() => {
      present = null;
      return false;
    });
    return present;
  };

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const group = waiting.splice(0, MOST);
    if (waiting.length > 0) timer = setTimeout(flush, 0);
    const done = group.length === 1 ? alone(group[0]!) : together(group);
    done.catch((error) => {
      for (const one of group) one.reject(error);
    });
  }

  async function alone({ transfer: { to, data, gas }, resolve }: Waiting): Promise<void> {
    resolve(await signer.send({ to, data, gas }));
  }

  async function together(group: readonly Waiting[]): Promise<void> {
    const gas = group.reduce((sum, { transfer }) => sum + transfer.gas + EACH_GAS, OUTER_GAS);
    const calls = group.map(({ transfer: { to, data } }) => ({
      target: to,
      allowFailure: true,
      callData: data,
    }));
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] });
    // It may still happen; whoever asks for the receipt learns that nothing is known, or what became of it.
    const open = (hash: Hex): void => {
      unconfirmed.set(
        hash,
        group.map(({ transfer }) => ({ transfer, gas, again: null })),
      );
      if (unconfirmed.size > REMEMBERED) unconfirmed.delete(unconfirmed.keys().next().value!);
      for (const { resolve } of group) resolve(hash);
    };
    let hash: Hex;
    try {
      hash = await signer.send({ to: MULTICALL3, data, gas });
    } catch (error) {
      if (!(error instanceof ChainError) || error.kind !== 'unknown' || error.hash === undefined) throw error;
      return open(error.hash);
    }
    let receipt: GroupReceipt;
    try {
      receipt = await signer.receipt(hash, options.confirmationMs);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      return open(hash);
    }
    const burnt = isBurnt(receipt, gas);
    await Promise.all(
      group.map(async (one) => {
        if (!burnt || happened(receipt.logs, one.transfer)) return one.resolve(hash);
        await alone(one).catch(one.reject);
      }),
    );
  }

  return {
    async send(transfer) {
      const { to, data, gas } = transfer;
      const isBusy = performance.now() - lastAt < (options.busyMs ?? BUSY_MS);
      lastAt = performance.now();
      if (!isBusy || !(await multicall())) return await signer.send({ to, data, gas });
      // By the logs of one transaction nobody could tell which of two that are the same one happened.
      if (waiting.some((other) => isSame(other.transfer, transfer)))
        return await signer.send({ to, data, gas });
      return await new Promise<Hex>((resolve, reject) => {
        waiting.push({ transfer, resolve, reject });
        if (waiting.length >= MOST) flush();
        else timer ??= setTimeout(flush, WAIT_MS);
      });
    },
    async receipt(hash, transfer, timeoutMs) {
      const receipt = await signer.receipt(hash, timeoutMs);
      if (happened(receipt.logs, transfer)) return { ...receipt, hash };
      const late = unconfirmed.get(hash)?.find((one) => isSame(one.transfer, transfer));
      if (late === undefined || !isBurnt(receipt, late.gas)) return { ...receipt, hash, status: 'reverted' };
      const { to, data, gas } = late.transfer;
      late.again ??= signer.send({ to, data, gas }).catch((error: unknown) => {
        late.again = null;
        throw error;
      });
      const again = await late.again;
      const own = await signer.receipt(again, timeoutMs);
      return { ...own, hash: again, status: happened(own.logs, transfer) ? own.status : 'reverted' };
    },
  };
}

/** What fails by itself leaves most of its gas; who burns a group's gas takes 63 of 64 parts of it. */
function isBurnt({ status, gasUsed }: GroupReceipt, gas: bigint): boolean {
  return status !== 'success' || gasUsed * 10n > gas * 9n;
}

/** True when the token says that it used this authorization. */
function happened(logs: Log[], { to, from, nonce }: Authorization): boolean {
  const args = { authorizer: from, nonce };
  const used = parseEventLogs({ abi: USED, logs, eventName: 'AuthorizationUsed', args });
  return used.some((log) => log.address.toLowerCase() === to.toLowerCase());
}

function isSame(one: Authorization, other: Authorization): boolean {
  const key = ({ to, from, nonce }: Authorization): string => `${to} ${from} ${nonce}`.toLowerCase();
  return key(one) === key(other);
}
