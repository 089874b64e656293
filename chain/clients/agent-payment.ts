import { authorizationTypes } from '@x402/evm';
import { type Address, concat, type Hex, type PrivateKeyAccount, zeroHash } from 'viem';
import { agentAccountAbi } from '../abi/agent-account.ts';
import { createSigner } from '../tx/signer.ts';
import { transact } from '../tx/transact.ts';

/** An EIP-3009 transfer out of an agent's account. The amount is in atomic units, times are in seconds since 1970. */
export interface AgentPayment {
  readonly account: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly validAfter: bigint;
  /** At most an hour ahead, because the account refuses to book more. */
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

/** The token that is paid in; it has its own EIP-712 domain. */
export interface PaymentToken {
  readonly asset: Address;
  readonly name: string;
  readonly version: string;
}

/** Measured: 170,000 with five caps. */
const BOOKING_GAS = 500_000n;

/**
 * Books a payment against the agent's caps and signs it. The account then vouches for this one transfer until it
 * expires (ERC-1271), whoever sends it to the chain. A booked payment stays booked, even if nobody collects it.
 * @param session the agent's session key, which pays the gas of the booking
 * @returns the session key's address and its signature: 85 bytes
 * @throws ChainError reverted with the policy's refusal, down, unknown
 */
export async function bookAgentPayment(
  chain: { readonly rpcUrl: string; readonly chainId: number },
  session: PrivateKeyAccount,
  token: PaymentToken,
  payment: AgentPayment,
): Promise<Hex> {
  const { account, to, value, validAfter, validBefore, nonce } = payment;
  await transact(createSigner({ ...chain, privateKey: session }), {
    to: account,
    abi: agentAccountAbi,
    functionName: 'authorizePayment',
    args: [token.asset, to, value, validAfter, validBefore, nonce, zeroHash],
    gas: BOOKING_GAS,
  });
  const signature = await session.signTypedData({
    domain: {
      name: token.name,
      version: token.version,
      chainId: chain.chainId,
      verifyingContract: token.asset,
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: { from: account, to, value, validAfter, validBefore, nonce },
  });
  return concat([session.address, signature]);
}
