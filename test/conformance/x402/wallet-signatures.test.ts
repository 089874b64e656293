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
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { signatureVerifier, type VerifySignature } from '../../../chain/tx/signature.ts';
import { testChain } from '../../fixtures/chain/anvil.ts';
import { type Conduct, type Way, waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';

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

describe('a contract wallet whose code turns on who asks it', () => {
  /** Runtime code, in the place of a wallet. */
  const CODES = {
    'runs an invalid opcode': '0xfe',
    'runs an undefined opcode': '0x0c',
    'burns all it is given': '0x5b600056',
    'calls itself until nothing is left': '0x5b5f5f5f5f5f305af1600056',
    'reverts without a word': '0x5f5ffd',
    'reverts with a megabyte': '0x621000005ffd',
    'returns a megabyte': '0x621000005ff3',
    'returns nothing': '0x00',
    'returns one byte': '0x60015ff3',
    'overflows the stack': '0x5b5f600056',
    'jumps to nowhere': '0x609956',
  } as const;
  const wallet = `0x${'a1'.repeat(20)}` as Address;

  it.each(Object.entries(CODES))(
    'and %s has signed nothing, which is no silence of the chain',
    async (_, code) => {
      await rpc(chain.url, 'anvil_setCode', [wallet, code]);
      const signature = await key.signMessage({ message });
      expect(await claim(wallet, signature)).toBe(false);
      expect(await claim(wallet, counterfactual(key.address, signature))).toBe(false);
    },
  );

  it('is undecided where the node turns the question away, and decided where it fails for this contract alone', async () => {
    await rpc(chain.url, 'anvil_setCode', [wallet, CODES['returns nothing']]);
    const node = await waywardRpc(chain.url);
    try {
      const transport = http(node.url, { retryCount: 0 });
      const asked = signatureVerifier(new Map([[1002, createPublicClient({ transport }) as PublicClient]]));
      const signature = await key.signMessage({ message });
      const about = { wallet, message, signature, chainId: 1002 };
      const calls =
        (way: Way, alone: boolean): Conduct =>
        (call, honest) =>
          call.method === 'eth_call' && (!alone || JSON.stringify(call.params).includes(wallet))
            ? way
            : honest();
      for (const way of [
        { error: { code: -32005, message: 'request rate limited' } },
        { error: { code: -32000, message: 'header not found' } },
        { status: 503, body: 'Sorry' },
        'cut',
      ] as const) {
        node.behave(calls(way, true));
        await expect(asked(about)).rejects.toMatchObject({ code: 'unavailable' });
      }
      const strange = { error: { code: -32099, message: 'frobnicated' } };
      node.behave(calls(strange, true));
      expect(await asked(about)).toBe(false);
      node.behave(calls(strange, false));
      await expect(asked(about)).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      await node.stop();
    }
  });

  it('is asked through a factory that fails: nothing is signed', async () => {
    const signature = await stranger.signMessage({ message });
    for (const code of Object.values(CODES)) {
      await rpc(chain.url, 'anvil_setCode', [wallet, code]);
      expect(
        await claim(addressOf(stranger.address), counterfactual(stranger.address, signature, wallet)),
      ).toBe(false);
    }
  });
});
