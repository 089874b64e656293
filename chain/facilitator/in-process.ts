import { AsyncLocalStorage } from 'node:async_hooks';
import { x402Facilitator } from '@x402/core/facilitator';
import type { Network, PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  type PublicClient,
  parseErc6492Signature,
} from 'viem';
import { MULTICALL3 } from '../deploy/multicall3-code.ts';
import { RpcSilence } from '../rpc/json-rpc.ts';
import { evmSigner, type SettlementStep } from './evm-signer.ts';
import { type Facilitator, FacilitatorDown } from './facilitator.ts';
import { knownWallets } from './known-wallets.ts';
import { type ClassifyPayer, type PayerClass, payerClassifier } from './payer-class.ts';
import { type Authorization, paymentGroups } from './payment-groups.ts';
import { type Sending, wouldSucceed } from './settlement-simulation.ts';
import type { SettlingSigner } from './settling-signer.ts';
import { type SignedTransfer, signedTransferOf, transferData } from './transfer-data.ts';

export interface FacilitatorChain {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly signer: SettlingSigner;
  /**
   * Factories through which a wallet that is not deployed yet (ERC-6492) may be deployed at this service's cost; none
   * when left out.
   */
  readonly walletFactories?: readonly Address[];
  /** Classifies payers by their code; when left out, only Safe's code is known. */
  readonly classify?: ClassifyPayer;
}

interface ChainParts {
  readonly chain: FacilitatorChain;
  readonly client: PublicClient;
  readonly classify: ClassifyPayer;
}

/** One question to the facilitator: the payer it is about, and what was found out while answering it. */
interface Question {
  readonly parts: ChainParts | undefined;
  readonly signed: SignedTransfer;
  readonly asset: Address;
  /** The payer's code; read once. */
  code: Promise<Hex | undefined> | null;
  /** What the payer was when the payment was verified: so much gas was set aside for it. */
  readonly verifiedAs?: PayerClass | undefined;
  /** Set when a chain did not answer; a "no" then means nothing. */
  silence?: unknown;
  /** The transaction would have failed, so nothing was sent. */
  wouldFail: boolean;
  /** The transaction of the transfer, where it is another than the one that was sent first. */
  movedTo?: Hex;
}

/** The SDK's name for the reason. */
const SIMULATION_FAILED = 'invalid_exact_evm_transaction_simulation_failed';

/**
 * The x402 facilitator in this process: scheme `exact` by EIP-3009, for payers that are a key, a contract (ERC-1271),
 * or a contract that is not deployed yet (ERC-6492, through the listed factories).
 *
 * For a contract's payment, the transaction is simulated exactly as it would be sent, when it is verified and again
 * before it is sent. Its gas limit is that of the payer's class. A payer that is a key costs no extra request.
 *
 * `verify` and `settle` throw FacilitatorDown when a chain does not answer, because then nothing may be concluded.
 * @param options confirmationMs how long a settlement waits for its receipt; 15,000 when left out
 */
export function inProcessFacilitator(
  chains: readonly FacilitatorChain[],
  options: { confirmationMs?: number } = {},
): Facilitator {
  const { confirmationMs = 15_000 } = options;
  const questions = new AsyncLocalStorage<Question>();
  const facilitator = new x402Facilitator();
  const byNetwork = new Map<string, ChainParts>();
  /** The classes of payers, found out when their payments were verified. */
  const classes = new WeakMap<object, PayerClass>();

  for (const chain of chains) {
    const { rpcUrl } = chain;
    const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 1, timeout: 5_000 }) });
    const classify = chain.classify ?? payerClassifier({ rpcUrl, known: knownWallets() });
    const network = `eip155:${chain.chainId}` as Network;
    byNetwork.set(network, { chain, client, classify });
    const signer = evmSigner(client, chain.signer, {
      confirmationMs,
      onSilence: (cause) => {
        const question = questions.getStore();
        if (question) question.silence ??= cause;
      },
      codeOf: (address, read) => codeOf(questions.getStore(), address, read),
      admit: async (step, transaction) => await admit(questions.getStore(), step, transaction),
      shared: async () => await authorizationOf(questions.getStore()),
      onMoved: (hash) => {
        const question = questions.getStore();
        if (question) question.movedTo = hash;
      },
      groups: paymentGroups(chain.signer, {
        confirmationMs,
        hasMulticall: async () => ((await client.getCode({ address: MULTICALL3 })) ?? '0x') !== '0x',
      }),
    });
    const scheme = new ExactEvmScheme(signer, {
      eip6492AllowedFactories: [...(chain.walletFactories ?? [])],
    });
    facilitator.register(network, scheme);
  }

  function questionOf(payload: PaymentPayload, requirements: PaymentRequirements): Question {
    return {
      parts: byNetwork.get(requirements.network),
      signed: signedTransferOf(payload),
      asset: requirements.asset as Address,
      code: null,
      wouldFail: false,
    };
  }

  /** Throws instead of answering "no" when a chain did not answer meanwhile: the "no" may only be its silence. */
  async function asking<T>(
    question: Question,
    ask: () => Promise<T>,
    isNo: (answer: T) => boolean,
  ): Promise<T> {
    let answer: T;
    try {
      answer = await questions.run(question, ask);
    } catch (error) {
      if (error instanceof RpcSilence) throw down(error);
      if (question.silence !== undefined) throw down(question.silence);
      throw error;
    }
    if (isNo(answer) && question.silence !== undefined) throw down(question.silence);
    return answer;
  }

  async function classify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<PayerClass> {
    const known = classes.get(payload);
    if (known) return known;
    const question = questionOf(payload, requirements);
    return await asking(
      question,
      () => classOf(question),
      () => false,
    );
  }

  return {
    verify(payload, requirements) {
      const question = questionOf(payload, requirements);
      return asking(
        question,
        async () => {
          const answer = await facilitator.verify(payload, requirements);
          if (!answer.isValid) return answer;
          const payer = await classOf(question);
          classes.set(payload, payer);
          if (payer.kind === 'key' || (await wouldSettle(question, payer))) return answer;
          return { ...answer, isValid: false, invalidReason: SIMULATION_FAILED };
        },
        (answer) => !answer.isValid,
      );
    },
    settle(payload, requirements) {
      const question = { ...questionOf(payload, requirements), verifiedAs: classes.get(payload) };
      return asking(
        question,
        async () => {
          const settled = await facilitator.settle(payload, requirements);
          const { movedTo } = question;
          const answer = movedTo === undefined ? settled : { ...settled, transaction: movedTo };
          // What failed on chain may have run code that came after the verification: whoever books it looks again.
          if (!answer.success && answer.transaction) classes.delete(payload);
          if (!question.wouldFail || answer.success || answer.transaction) return answer;
          return { ...answer, errorReason: SIMULATION_FAILED };
        },
        (answer) => !answer.success && !answer.transaction,
      );
    },
    classify,
    getSupported: async () => facilitator.getSupported() as Awaited<ReturnType<Facilitator['getSupported']>>,
    async check() {
      const blocks = await Promise.all(
        [...byNetwork].map(async ([network, { client }]) => {
          return [network, Number(await client.getBlockNumber({ cacheTime: 0 }))] as const;
        }),
      );
      return { kind: 'in-process', blocks: Object.fromEntries(blocks) };
    },
  };
}

/** Reads the payer's code once, although the SDK asks for it several times in one question. */
async function codeOf(
  question: Question | undefined,
  address: Address,
  read: () => Promise<Hex | undefined>,
): Promise<Hex | undefined> {
  if (question?.signed.authorization.from.toLowerCase() !== address.toLowerCase()) return await read();
  question.code ??= read();
  return await question.code;
}

async function classOf(question: Question): Promise<PayerClass> {
  const { parts, signed } = question;
  if (!parts) throw new Error('a payment on a chain that is not settled here');
  const payer = signed.authorization.from;
  const code = await codeOf(question, payer, () => parts.client.getCode({ address: payer }));
  return await parts.classify(payer, signed.signature, code);
}

/** Only a payer without code shares a transaction: what a transfer of it costs is known. */
async function authorizationOf(question: Question | undefined): Promise<Authorization | null> {
  if (!question || (await classOf(question)).kind !== 'key') return null;
  const { from, nonce } = question.signed.authorization;
  return { to: question.asset, from, nonce };
}

/** Decides the gas limit of a step. @throws when it would fail; then nothing is sent */
async function admit(
  question: Question | undefined,
  step: SettlementStep,
  transaction: { to: Address; data: Hex },
): Promise<bigint> {
  if (!question) throw new Error('a settlement that nobody asked for');
  const payer = await classOf(question);
  const gas = step === 'deploy' ? payer.deployGas : payer.transferGas;
  if (payer.kind === 'key') return gas;
  if (question.verifiedAs && TRUST.indexOf(payer.kind) > TRUST.indexOf(question.verifiedAs.kind))
    return refuse(question);
  const sendings = [sendingOf(question, transaction, gas)];
  if (step === 'deploy') sendings.push(transferOf(question, payer));
  if (await wouldSucceed(question.parts!.chain.rpcUrl, sendings)) return gas;
  return refuse(question);
}

/** The least that a payer may burn comes first. An account that a key holds gets code by one transaction (EIP-7702). */
const TRUST: readonly PayerClass['kind'][] = ['key', 'known', 'unproven'];

function refuse(question: Question): never {
  question.wouldFail = true;
  throw new Error(SIMULATION_FAILED);
}

async function wouldSettle(question: Question, payer: PayerClass): Promise<boolean> {
  const sendings = [transferOf(question, payer)];
  const { address, data } = parseErc6492Signature(question.signed.signature);
  if (payer.deployGas > 0n && address && data)
    sendings.unshift(sendingOf(question, { to: address, data }, payer.deployGas));
  return await wouldSucceed(question.parts!.chain.rpcUrl, sendings);
}

function transferOf(question: Question, payer: PayerClass): Sending {
  const transfer = { to: question.asset, data: transferData(question.signed) };
  return sendingOf(question, transfer, payer.transferGas);
}

function sendingOf({ parts }: Question, transaction: { to: Address; data: Hex }, gas: bigint): Sending {
  const { address, maxFeePerGas, maxPriorityFeePerGas } = parts!.chain.signer;
  return { ...transaction, gas, from: address, maxFeePerGas, maxPriorityFeePerGas };
}

function down(cause: unknown): FacilitatorDown {
  return new FacilitatorDown('the chain under the facilitator does not answer', { cause });
}
