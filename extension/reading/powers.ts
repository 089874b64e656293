import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from '../../agents/canonical.ts';
import type { Power } from './reading.ts';
import { readAddress } from './values.ts';

const TOKEN = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
]);
const PERMIT2 = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
]);

export const ANY_AMOUNT = 2n ** 256n - 1n;
const MOST_OF_PERMIT2 = 2n ** 160n - 1n;
const LATEST = 2n ** 48n - 1n;

const notTried = (why: string): string => `What it allows was not tried out, because ${why}`;
const UNREADABLE = notTried('it cannot be read whole');

/**
 * Why a signature may not speak for the account that signs it; null where nothing says otherwise.
 * @param named the account that it speaks for, as it says
 * @param isNeeded whether it must say one
 */
export function accountFault(signer: Hex | null, named: unknown, isNeeded = false): string | null {
  if (signer === null) return notTried('it does not say clearly which account signs');
  if (named === undefined && !isNeeded) return null;
  return readAddress(named) === signer
    ? null
    : notTried('it does not name the account that signs as the one that it speaks for');
}

interface Given {
  readonly signer: Hex;
  readonly spender: Hex | null;
  readonly amount: bigint | null;
}

/** The transaction by which the signer would allow what a permit of the token allows. */
export function tokenPower(token: Hex | null, { signer, spender, amount }: Given): Power | string {
  if (token === null || spender === null || !fits(amount, ANY_AMOUNT)) return UNREADABLE;
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [spender, amount] });
  return { transaction: { to: token, data, from: signer }, spender };
}

/** The transaction by which the signer would send what an authorised transfer sends. */
export function transferPower(
  token: Hex | null,
  { signer, to, amount }: Pick<Given, 'signer' | 'amount'> & { readonly to: Hex | null },
): Power | string {
  if (token === null || to === null || !fits(amount, ANY_AMOUNT)) return UNREADABLE;
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [to, amount] });
  return { transaction: { to: token, data, from: signer }, spender: null };
}

/** The same of Permit2, also for a transfer by signature: whoever may take once may take. */
export function permit2Power(
  contract: Hex | null,
  {
    signer,
    spender,
    amount,
    token,
    until,
  }: Given & { readonly token: Hex | null; readonly until: bigint | null },
): Power | string {
  if (contract === null || token === null || spender === null) return UNREADABLE;
  if (!fits(amount, ANY_AMOUNT) || !fits(until, ANY_AMOUNT)) return UNREADABLE;
  const [most, expiration] = [least(amount, MOST_OF_PERMIT2), Number(least(until, LATEST))];
  const data = encodeFunctionData({ abi: PERMIT2, args: [token, spender, most, expiration] });
  return { transaction: { to: contract, data, from: signer }, spender };
}

/** A call that is signed for somebody else to send is tried out itself. */
export function callPower(
  from: Hex | null,
  { to, data, value }: { readonly to: Hex; readonly data: Hex; readonly value: bigint },
): Power | string {
  if (from === null || value < 0n) return UNREADABLE;
  const called = data === '0x' ? {} : { data };
  return {
    transaction: { to, ...called, ...(value === 0n ? {} : { value: `${value}` }), from },
    spender: null,
  };
}

function fits(amount: bigint | null, most: bigint): amount is bigint {
  return amount !== null && amount >= 0n && amount <= most;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
