import type {
  AskedTransaction,
  ConditionName,
} from '../../../../agents/determinations/transaction/transaction-evidence.ts';
import type { Head, SimulatedCall, SimulationQuery } from '../../../../chain/rpc/reader.ts';

type Hex = `0x${string}`;

/** No transaction that people are asked to send needs more, and nodes allow it in one simulation of several calls. */
export const MOST_GAS = 15_000_000n;
/** Almost all take less than half of it. */
export const USUAL_GAS = 2_000_000n;
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;

/** Made up: whoever writes the block of the condition `execution`. */
export const AUTHOR: Hex = '0x4838b106fce9647bdf1e7877bf73ce8b0bad5f97';
/** Made up: whose transaction calls the sender in the condition `other-origin`. */
const ORIGIN: Hex = '0x51a7f3f0c9d24e8b86a9d1c2e3f405162738495a';

/** Made up: gives the sender native currency on top of what it has, so that nobody need know how much that is. */
const FUNDER: Hex = '0x7d2e0b86a51c4f939f6a1c3be5d70842916ace5f';
const FUNDING_GAS = 100_000n;

/** What a made-up sender holds; of any other nothing is changed. In wei. */
export function assumedBalance(tx: AskedTransaction): bigint | null {
  return tx.assumedSender !== undefined ? BigInt(tx.value) + ETHER : null;
}

/**
 * The transaction in a block of its own on top of the pinned one. Its outcome is the last one.
 * @param condition null for the preview
 */
export function conditioned(
  tx: AskedTransaction,
  block: Head,
  condition: ConditionName | null,
  gas: bigint,
): SimulationQuery {
  const held = assumedBalance(tx);
  const sender = held === null ? {} : { balance: held };
  const base: SimulationQuery = {
    block,
    number: block.number + 1n,
    time: block.timestamp + 12n,
    overrides: { [tx.from]: sender },
    calls: [callOf(tx, gas)],
  };
  switch (condition) {
    case null:
      return base;
    case 'execution':
      return {
        ...funded(base, tx, gas * 2n * GWEI),
        number: block.number + 2n,
        time: block.timestamp + 24n,
        baseFeePerGas: GWEI,
        feeRecipient: AUTHOR,
        prevRandao: `0x${'5eed'.repeat(16)}`,
        calls: [funding, { ...callOf(tx, gas), maxFeePerGas: 2n * GWEI }],
      };
    case 'later':
      return { ...base, number: block.number + 201n, time: block.timestamp + 3_600n };
    case 'much-later':
      return { ...base, number: block.number + 250n, time: block.timestamp + 30n * 86_400n };
    case 'richer':
      return { ...funded(base, tx, 10_000n * ETHER), calls: [funding, callOf(tx, gas)] };
    case 'other-origin':
      return {
        ...base,
        overrides: { [tx.from]: { ...sender, code: walletCode(tx) }, [ORIGIN]: { balance: ETHER } },
        calls: [{ ...callOf(tx, gas), from: ORIGIN, to: tx.from as Hex, value: 0n }],
      };
  }
}

/** Whoever calls the funder makes it give all that it holds, without running code of the sender (SELFDESTRUCT). */
const funding: SimulatedCall = {
  ...{ from: '0x0000000000000000000000000000000000000000', to: FUNDER, data: '0x' },
  ...{ value: 0n, gas: FUNDING_GAS },
};

function funded(base: SimulationQuery, tx: AskedTransaction, balance: bigint): SimulationQuery {
  const funder = { balance, code: `0x73${tx.from.slice(2)}ff` as Hex };
  return { ...base, overrides: { ...base.overrides, [FUNDER]: funder } };
}

export function callOf(tx: AskedTransaction, gas: bigint): SimulatedCall {
  const { from, to, data } = tx as { from: Hex; to: Hex; data: Hex };
  return { from, to, data, value: BigInt(tx.value), gas };
}

/**
 * The code of a wallet that passes on what {@link ORIGIN} sends it, with the value out of its own balance, and takes every
 * token that comes (ERC-721 and ERC-1155 ask whether it does).
 */
function walletCode({ to, value }: AskedTransaction): Hex {
  const amount = BigInt(value).toString(16).padStart(64, '0');
  const takes = '3d3560e01c60e01b3d5260203df3';
  // CALLER PUSH20 EQ PUSH1 JUMPI, then what takes tokens.
  const jump = 26 + takes.length / 2;
  const isOrigin = `3373${ORIGIN.slice(2)}1460${jump.toString(16).padStart(2, '0')}57`;
  const call = `5b363d3d373d3d363d7f${amount}73${to.slice(2)}5af13d6000803e`;
  const end = (isOrigin.length + takes.length + call.length) / 2 + 7;
  return `0x${isOrigin}${takes}${call}60${end.toString(16).padStart(2, '0')}573d6000fd5b3d6000f3`;
}
