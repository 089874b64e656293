import solc from 'solc';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hashMessage,
  http,
  keccak256,
  type PublicClient,
  serializeErc6492Signature,
  zeroHash,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureVerifier, type VerifySignature } from '../../chain/signature.ts';
import { testChain } from '../fixtures/anvil.ts';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
contract Wallet {
  address public immutable owner;
  constructor(address owner_) { owner = owner_; }
  function isValidSignature(bytes32 hash, bytes calldata sig) external view returns (bytes4) {
    if (sig.length != 65) revert("length");
    address by = ecrecover(hash, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64]));
    return by == owner && by != address(0) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}
contract Factory {
  function deploy(address owner) external returns (address) { return address(new Wallet{salt: 0}(owner)); }
}`;

type Artefact = { abi: readonly object[]; evm: { bytecode: { object: string } } };
function compile(): Record<'Wallet' | 'Factory', Artefact> {
  const input = {
    language: 'Solidity',
    sources: { 'w.sol': { content: SOURCE } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  return JSON.parse(solc.compile(JSON.stringify(input))).contracts['w.sol'];
}

const FACTORY_ABI = [
  {
    type: 'function',
    name: 'deploy',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ type: 'address' }],
  },
] as const;
const WALLET_ABI = [
  { type: 'constructor', stateMutability: 'nonpayable', inputs: [{ name: 'owner_', type: 'address' }] },
] as const;

const key = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const message = 'Rest an order';
let chain: Awaited<ReturnType<typeof testChain>>;
let verify: VerifySignature;
let factory: Address;
let deployed: Address;
let walletCode: Hex;

beforeAll(async () => {
  chain = await testChain(1002);
  const transport = http(chain.url);
  const client = createPublicClient({ transport }) as PublicClient;
  verify = signatureVerifier(new Map([[1002, client]]));
  const sender = createWalletClient({ transport, account: chain.accounts.operator });
  const artefacts = compile();
  walletCode = `0x${artefacts.Wallet.evm.bytecode.object}`;
  const deploy = async (data: Hex, to?: Address) => {
    const hash = await sender.sendTransaction({ chain: null, data, ...(to ? { to } : {}) });
    return client.waitForTransactionReceipt({ hash });
  };
  factory = (await deploy(`0x${artefacts.Factory.evm.bytecode.object}`)).contractAddress!;
  deployed = addressOf(key.address);
  await deploy(
    encodeFunctionData({ abi: FACTORY_ABI, functionName: 'deploy', args: [key.address] }),
    factory,
  );
});
afterAll(() => chain.stop());

/** Where the factory puts the wallet of an owner. */
function addressOf(owner: Address): Address {
  const init = encodeDeployData({ abi: WALLET_ABI, bytecode: walletCode, args: [owner] });
  return getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: zeroHash,
    bytecodeHash: keccak256(init),
  });
}
const counterfactual = (owner: Address, signature: Hex, via: Address = factory): Hex =>
  serializeErc6492Signature({
    address: via,
    data: encodeFunctionData({ abi: FACTORY_ABI, functionName: 'deploy', args: [owner] }),
    signature,
  });
const claim = (wallet: Address, signature: string, text = message) =>
  verify({ wallet, message: text, signature, chainId: 1002 });

describe('a key-held account', () => {
  it('signs for itself and for nobody else', async () => {
    const signature = await key.signMessage({ message });
    expect(await claim(key.address, signature)).toBe(true);
    expect(await claim(key.address.toLowerCase() as Address, signature)).toBe(true);
    expect(await claim(stranger.address, signature)).toBe(false);
    expect(await claim(key.address, signature, 'another text')).toBe(false);
  });

  it('needs no chain for it', async () => {
    const offline = signatureVerifier(new Map());
    expect(
      await offline({
        wallet: key.address,
        message,
        signature: await key.signMessage({ message }),
        chainId: 1002,
      }),
    ).toBe(true);
  });

  it.each(['0x', '0x1', 'zz', `0x${'00'.repeat(65)}`, `0x${'11'.repeat(64)}`, `0x${'11'.repeat(9000)}`])(
    'is not signed for by %.12s…',
    async (signature) => {
      expect(await claim(key.address, signature)).toBe(false);
    },
  );
});

describe('a contract wallet (ERC-1271)', () => {
  it('is signed for by what it accepts and by nothing else', async () => {
    expect(await claim(deployed, await key.signMessage({ message }))).toBe(true);
    expect(await claim(deployed, await stranger.signMessage({ message }))).toBe(false);
    expect(await claim(deployed, await key.signMessage({ message: 'another text' }))).toBe(false);
    expect(await claim(deployed, '0x1234')).toBe(false);
  });

  it('may still wrap its signature as it did before it was deployed', async () => {
    expect(await claim(deployed, counterfactual(key.address, await key.signMessage({ message })))).toBe(true);
    expect(await claim(deployed, counterfactual(key.address, await stranger.signMessage({ message })))).toBe(
      false,
    );
  });

  it('that is no wallet signs for nobody', async () => {
    expect(await claim(factory, await key.signMessage({ message }))).toBe(false);
  });
});

describe('a contract wallet that is not deployed yet (ERC-6492)', () => {
  it('is signed for by what it will accept, and by nothing else', async () => {
    const wallet = addressOf(stranger.address);
    const signature = await stranger.signMessage({ message });
    expect(await claim(wallet, counterfactual(stranger.address, signature))).toBe(true);
    expect(await claim(wallet, signature)).toBe(false);
    expect(await claim(wallet, counterfactual(stranger.address, await key.signMessage({ message })))).toBe(
      false,
    );
    expect(await claim(wallet, counterfactual(key.address, await key.signMessage({ message })))).toBe(false);
    expect(await claim(wallet, counterfactual(stranger.address, signature, deployed))).toBe(false);
  });

  it('is not signed for by a wrapping that cannot be read', async () => {
    const wallet = addressOf(stranger.address);
    const end = '6492'.repeat(16);
    expect(await claim(wallet, `0x${end}`)).toBe(false);
    const hash = encodeAbiParameters([{ type: 'bytes32' }], [hashMessage(message)]);
    expect(await claim(wallet, `${hash}${end}`)).toBe(false);
  });
});

describe('a chain that does not answer', () => {
  it('leaves a contract wallet undecided: unavailable, not invalid', async () => {
    const dead = createPublicClient({
      transport: http('http://127.0.0.1:1', { retryCount: 0 }),
    }) as PublicClient;
    const asking = signatureVerifier(new Map([[1002, dead]]));
    const signature = await stranger.signMessage({ message });
    await expect(asking({ wallet: deployed, message, signature, chainId: 1002 })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
