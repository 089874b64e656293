import solc from 'solc';
import {
  type Address,
  concat,
  createPublicClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashTypedData,
  http,
  keccak256,
  pad,
  parseAbi,
  serializeErc6492Signature,
  zeroHash,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentAccountAbi } from '../../../chain/abi/agent-account.ts';
import { mintAgent } from '../../../chain/clients/agents.ts';
import { fundGas, fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import { inProcessFacilitator } from '../../../chain/facilitator/in-process.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { createSigner } from '../../../chain/tx/signer.ts';
import { transact } from '../../../chain/tx/transact.ts';
import {
  facilitatorChain,
  type PaymentStage,
  paymentStage,
  type Shop,
  shop,
} from '../../fixtures/paid-service.ts';
import { faultyProxy } from '../../fixtures/servers/faulty-proxy.ts';
import { ask, freshAuthorization, send, typedData, type WirePayment } from '../../fixtures/wallets/payers.ts';

const QUERY = '/determination?address=0x00000000000000000000000000000000000000aa';

/** A wallet that knows its owner by 66 bytes: an ECDSA signature behind one byte. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
contract Wallet {
  address public immutable owner;
  constructor(address owner_) { owner = owner_; }
  function isValidSignature(bytes32 hash, bytes calldata sig) external view returns (bytes4) {
    if (sig.length != 66) return 0xffffffff;
    address by = ecrecover(hash, uint8(sig[65]), bytes32(sig[1:33]), bytes32(sig[33:65]));
    return by == owner && by != address(0) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}
contract Factory {
  function deploy(address owner) external returns (address) { return address(new Wallet{salt: 0}(owner)); }
}`;
const FACTORY = parseAbi(['function deploy(address owner) returns (address)']);

function compile(): { wallet: Hex; factory: Hex } {
  const input = {
    language: 'Solidity',
    sources: { 'w.sol': { content: SOURCE } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  };
  const made = JSON.parse(solc.compile(JSON.stringify(input))).contracts['w.sol'];
  return { wallet: `0x${made.Wallet.evm.bytecode.object}`, factory: `0x${made.Factory.evm.bytecode.object}` };
}

let stage: PaymentStage;
let open: Shop;
let factory: Address;
let walletCode: Hex;

const key = generatePrivateKey();
const owner = privateKeyToAccount(key).address;

beforeAll(async () => {
  stage = await paymentStage();
  const { url: rpcUrl, chainId, accounts } = stage.home;
  const code = compile();
  walletCode = code.wallet;
  const operator = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  const salted = concat([zeroHash, code.factory]);
  const deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  await operator.receipt(await operator.send({ to: deployer, data: salted, gas: 2_000_000n }));
  factory = create2(deployer, code.factory);
  const facilitator = inProcessFacilitator([
    facilitatorChain(stage.home, { walletFactories: [factory] }),
    facilitatorChain(stage.base),
  ]);
  open = await shop(stage, { facilitators: [facilitator] });
});
afterAll(async () => {
  await open.stop();
  await stage.stop();
});

function create2(deployer: Address, initCode: Hex): Address {
  const hash = keccak256(concat(['0xff', deployer, zeroHash, keccak256(initCode)]));
  return getAddress(`0x${hash.slice(-40)}`);
}

const walletOf = (holder: Address) => create2(factory, concat([walletCode, pad(holder)]));
const deployCall = (holder: Address) =>
  encodeFunctionData({ abi: FACTORY, functionName: 'deploy', args: [holder] });

async function deployedFor(holder: Address): Promise<Address> {
  const { url: rpcUrl, chainId, accounts } = stage.home;
  const operator = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  await operator.receipt(await operator.send({ to: factory, data: deployCall(holder), gas: 2_000_000n }));
  return walletOf(holder);
}

async function fund(address: Address): Promise<void> {
  const { url: rpcUrl, deployment, accounts } = stage.home;
  await fundWallet(
    { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey },
    address,
    1_000_000n,
  );
}

/** A payment whose signature is whatever the wallet takes. */
async function paymentFrom(
  from: Address,
  secretBox: (digest: Hex, signature: Hex) => Hex | Promise<Hex>,
): Promise<WirePayment> {
  const accepted = (await ask(open.url + QUERY)).accepts[0]!;
  const authorization = freshAuthorization(from, accepted);
  const digest = digestOf(accepted, authorization);
  const signature = await secretBox(digest, await sign({ hash: digest, privateKey: key, to: 'hex' }));
  return { x402Version: 2, accepted, payload: { signature, authorization } };
}

function digestOf(accepted: WirePayment['accepted'], message: WirePayment['payload']['authorization']): Hex {
  const { domain, types } = typedData(accepted);
  return hashTypedData({
    domain: { ...domain, verifyingContract: domain.verifyingContract as Address },
    types,
    primaryType: 'TransferWithAuthorization',
    message: message as unknown as Record<string, unknown>,
  });
}

describe('a payer that is a contract', () => {
  it('pays by its own word (ERC-1271)', async () => {
    const wallet = await deployedFor(owner);
    await fund(wallet);
    const before = await open.received();
    const payment = await paymentFrom(wallet, (_, signature) => concat(['0x01', signature]));
    const answer = await send(open.url + QUERY, payment);
    expect([answer.status, answer.receipt?.payer]).toEqual([200, wallet]);
    expect(await open.received()).toBe(before + 1n);

    const wrong = await paymentFrom(wallet, (_, signature) =>
      concat(['0x01', signature.replace(/..$/, '00') as Hex]),
    );
    expect((await send(open.url + QUERY, wrong)).code).toBe('payment-invalid');
  });

  it('that is spent gets what its lost payment bought, and nobody else does', async () => {
    const { accounts } = stage.home;
    const spent = privateKeyToAccount(generatePrivateKey());
    const wallet = await deployedFor(spent.address);
    await fund(wallet);
    const tier = `${open.url}/determinations/tier2/real-world-assets`;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `spent-${Date.now()}` },
      body: '{"priceUsd":5}',
    };
    const buy = async (signer: { sign: (about: { hash: Hex }) => Promise<Hex> }) => {
      const accepted = (await ask(tier, init)).accepts[0]!;
      const authorization = freshAuthorization(wallet, accepted);
      const signature = concat(['0x01', await signer.sign({ hash: digestOf(accepted, authorization) })]);
      return send(tier, { x402Version: 2, accepted, payload: { signature, authorization } }, init);
    };
    const first = await buy(spent);
    expect(first.status).toBe(200);
    for (const { url } of [stage.home, stage.base])
      await rpc(url, 'anvil_setBalance', [wallet, '0xde0b6b3a7640000']);
    await stage.drain(wallet);
    const before = await open.received();
    const again = await buy(spent);
    expect([again.status, again.text, again.receipt]).toEqual([200, first.text, first.receipt]);
    const forged = await buy(privateKeyToAccount(accounts.alice.privateKey));
    expect([forged.status, forged.code]).toEqual([402, 'payment-invalid']);
    expect(forged.text).toContain("the signature is not the payer's");
    expect(await open.received()).toBe(before);
  });

  it('is not called a forger when the chain does not answer', async () => {
    const network = await faultyProxy(stage.home.url);
    const facilitator = inProcessFacilitator([
      facilitatorChain(stage.home, { rpcUrl: network.url }),
      facilitatorChain(stage.base),
    ]);
    const shaky = await shop(stage, { facilitators: [facilitator], payTo: open.payTo });
    try {
      const payment = await paymentFrom(walletOf(owner), (_, signature) => concat(['0x01', signature]));
      for (const method of ['eth_getCode', 'eth_call']) {
        network.fault((_, body) => (body.includes(method) ? 'cut' : 'pass'));
        const answer = await send(shaky.url + QUERY, payment);
        expect([method, answer.status, answer.code]).toEqual([method, 503, 'unavailable']);
      }
      network.fault(() => 'pass');
      expect((await send(shaky.url + QUERY, payment)).status).toBe(200);
    } finally {
      await shaky.stop();
      await network.stop();
    }
  });

  it('pays before it is deployed, through a factory we call (ERC-6492)', async () => {
    const holder = privateKeyToAccount(key).address;
    const fresh = await freshFactory(holder);
    await fund(fresh.wallet);
    const payment = await paymentFrom(fresh.wallet, (_, signature) =>
      serializeErc6492Signature({
        address: fresh.factory,
        data: deployCall(holder),
        signature: concat(['0x01', signature]),
      }),
    );
    const facilitator = inProcessFacilitator([
      facilitatorChain(stage.home, { walletFactories: [fresh.factory] }),
      facilitatorChain(stage.base),
    ]);
    const closed = await send(open.url + QUERY, payment);
    expect([closed.status, closed.code]).toEqual([402, 'payment-invalid']);
    expect(closed.text).toContain('factory');

    const willing = await shop(stage, { facilitators: [facilitator], payTo: open.payTo });
    try {
      const answer = await send(willing.url + QUERY, payment);
      expect([answer.status, answer.receipt?.payer]).toEqual([200, fresh.wallet]);
      const client = createPublicClient({ transport: http(stage.home.url) });
      expect(await client.getCode({ address: fresh.wallet })).not.toBeUndefined();
    } finally {
      await willing.stop();
    }
  });
});

/** The same factory at another address, where the wallet does not stand yet. */
async function freshFactory(holder: Address): Promise<{ factory: Address; wallet: Address }> {
  const { url: rpcUrl, chainId, accounts } = stage.home;
  const client = createPublicClient({ transport: http(rpcUrl) });
  const operator = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  const salt = pad('0x01');
  const deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  const { factory: code } = compile();
  await operator.receipt(await operator.send({ to: deployer, data: concat([salt, code]), gas: 2_000_000n }));
  const hash = keccak256(concat(['0xff', deployer, salt, keccak256(code)]));
  const made = getAddress(`0x${hash.slice(-40)}`);
  const walletHash = keccak256(
    concat(['0xff', made, zeroHash, keccak256(concat([walletCode, pad(holder)]))]),
  );
  expect(await client.getCode({ address: made })).not.toBeUndefined();
  return { factory: made, wallet: getAddress(`0x${walletHash.slice(-40)}`) };
}

describe("an agent's account", () => {
  it('pays inside its mandate with its session key, once the payment is booked', async () => {
    const { url: rpcUrl, chainId, accounts, deployment } = stage.home;
    const operator = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
    const session = createSigner({ rpcUrl, chainId, privateKey: key });
    await fundGas(rpcUrl, owner);
    const now = Math.floor(Date.now() / 1000);
    const cap = 1_000_000n;
    const { account } = await mintAgent(operator, deployment, {
      to: accounts.alice.address,
      tier: 1,
      paymentRef: keccak256('0x01'),
      key: owner,
      keyValidUntil: now + 3_600,
      uri: 'agent',
      terms: {
        mandateHash: keccak256('0x02'),
        validAfter: 0,
        expiry: now + 3_600,
        sides: 3,
        allowlistOnly: false,
        categories: 0n,
        caps: { perDeal: cap, dayCap: cap, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
        allow: [],
        deny: [],
        offChain: [],
      },
    });
    await fund(account);
    const before = await open.received();
    const payment = await paymentFrom(account, (_, signature) => concat([owner, signature]));

    const unbooked = await send(open.url + QUERY, payment);
    expect([unbooked.status, unbooked.code]).toEqual([402, 'payment-invalid']);

    const { to, value, validAfter, validBefore, nonce } = payment.payload.authorization;
    await transact(session, {
      to: account,
      abi: agentAccountAbi,
      functionName: 'authorizePayment',
      args: [deployment.usdc, to, value, validAfter, validBefore, nonce, zeroHash],
      gas: 500_000n,
    });
    const answer = await send(open.url + QUERY, payment);
    expect([answer.status, answer.receipt?.payer]).toEqual([200, account]);
    expect(await open.received()).toBe(before + 1n);
  });
});
