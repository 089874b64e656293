import { encodeFunctionData, type Hex, multicall3Abi, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MULTICALL3 } from '../../../chain/deploy/multicall3-code.ts';
import { type Authorization, authorizationReader } from '../../../chain/facilitator/authorization.ts';
import { inProcessFacilitator } from '../../../chain/facilitator/in-process.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { createSigner } from '../../../chain/tx/signer.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { facilitatorChain } from '../../fixtures/paid-service.ts';
import { ethersPayment, typedData } from '../../fixtures/wallets/payers.ts';

const CANCEL = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']);
const TRANSFER = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);
const PAYEE = '0x00000000000000000000000000000000000000dd';
let chain: TestChain;

beforeAll(async () => {
  chain = await testChain(1002);
});
afterAll(() => chain.stop());

const requirements = () => ({
  scheme: 'exact',
  network: 'eip155:1002' as const,
  asset: chain.deployment.usdc,
  amount: '10000',
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' },
});

async function signed() {
  const accepts = [requirements()];
  const payment = await ethersPayment(chain.accounts.alice.privateKey, {
    x402Version: 2,
    resource: { url: 'http://handshake.test' },
    accepts,
  });
  const { from, to, value, validAfter, validBefore, nonce } = payment.payload.authorization;
  const authorization: Authorization = {
    asset: chain.deployment.usdc,
    from: from as Hex,
    to: to as Hex,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce: nonce as Hex,
    firstSeen: BigInt(Math.floor(Date.now() / 1000)),
  };
  return { payment, authorization };
}

/** The transfer as the payer signs it, for anybody to send. */
async function transferCall({ from, to, value, validAfter, validBefore, nonce, asset }: Authorization) {
  const message = { from, to, value, validAfter, validBefore, nonce };
  const { domain, types } = typedData(requirements());
  const signature = await chain.accounts.alice.signTypedData({
    domain: { ...domain, verifyingContract: asset },
    types,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  const callData = encodeFunctionData({ abi: TRANSFER, functionName: 'transferWithAuthorization', args });
  return { target: asset, allowFailure: false, callData };
}

async function settle(payment: Awaited<ReturnType<typeof signed>>['payment']) {
  return inProcessFacilitator([facilitatorChain(chain)]).settle(payment, payment.accepted);
}

describe('what a chain says of a signed payment', () => {
  it('is open, and then paid by the transaction that settled it, also long after', async () => {
    const read = authorizationReader(chain.url, { blocksAtOnce: 10n });
    const { payment, authorization } = await signed();
    await rpc(chain.url, 'anvil_mine', [toHex(35)]);
    expect(await read(authorization)).toEqual({ kind: 'open' });
    const { transaction } = await settle(payment);
    expect(await read(authorization)).toEqual({ kind: 'paid', transaction });
    await rpc(chain.url, 'anvil_mine', [toHex(35)]);
    expect(await read(authorization)).toEqual({ kind: 'paid', transaction });
  });

  it('is spent when the nonce paid something else', async () => {
    const read = authorizationReader(chain.url);
    const { payment, authorization } = await signed();
    await settle(payment);
    expect(await read({ ...authorization, value: 20_000n })).toEqual({ kind: 'spent' });
    expect(await read({ ...authorization, to: chain.deployment.usdc })).toEqual({ kind: 'spent' });
  });

  it('is spent when the payer sent nothing by it, whatever else the same transaction moved', async () => {
    const read = authorizationReader(chain.url);
    const price = await signed();
    const free = [await signed(), await signed()];
    const calls = await Promise.all([
      ...free.map(({ authorization }) =>
        transferCall({ ...authorization, to: authorization.from, value: 0n }),
      ),
      transferCall(price.authorization),
    ]);
    const { alice } = chain.accounts;
    const signer = createSigner({ rpcUrl: chain.url, chainId: 1002, privateKey: alice.privateKey });
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] });
    const hash = await signer.send({ to: MULTICALL3, data, gas: 1_000_000n });
    expect((await signer.receipt(hash)).status).toBe('success');
    expect(await read(price.authorization)).toEqual({ kind: 'paid', transaction: hash });
    for (const { authorization } of free) expect(await read(authorization)).toEqual({ kind: 'spent' });
  });

  it('is spent when the payer took it back', async () => {
    const { alice } = chain.accounts;
    const { authorization } = await signed();
    const { domain } = typedData(requirements());
    const signature = await alice.signTypedData({
      domain: { ...domain, verifyingContract: chain.deployment.usdc },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: alice.address, nonce: authorization.nonce },
    });
    const signer = createSigner({ rpcUrl: chain.url, chainId: 1002, privateKey: alice.privateKey });
    const args = [alice.address, authorization.nonce, signature] as const;
    const data = encodeFunctionData({ abi: CANCEL, functionName: 'cancelAuthorization', args });
    await signer.receipt(await signer.send({ to: chain.deployment.usdc, data, gas: 200_000n }));
    expect(await authorizationReader(chain.url)(authorization)).toEqual({ kind: 'spent' });
  });

  it('is an error when it cannot be asked', async () => {
    const { authorization } = await signed();
    await expect(authorizationReader('http://127.0.0.1:1')(authorization)).rejects.toMatchObject({
      name: 'ChainError',
      kind: 'down',
    });
  });

  it('is expired once its time has passed on that chain', async () => {
    const { authorization } = await signed();
    await rpc(chain.url, 'evm_increaseTime', [120]);
    await rpc(chain.url, 'evm_mine');
    expect(await authorizationReader(chain.url)(authorization)).toEqual({ kind: 'expired' });
  });
});
