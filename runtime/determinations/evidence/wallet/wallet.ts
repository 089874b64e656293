import { RULES_OF_NOW } from '../../../../agents/determinations/panel/rules-of-now.ts';
import type { DeterminationEvidence } from '../../../../agents/determinations/panel/types.ts';
import type { AskedTransaction } from '../../../../agents/determinations/transaction/transaction-evidence.ts';
import { alikeAlone } from '../../../../agents/determinations/wallet/look-alike/look-alike.ts';
import { relatedAddresses } from '../../../../agents/determinations/wallet/wallet.ts';
import type {
  ChainReading,
  WalletCommon,
  WalletFacts,
} from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { type ChainReader, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import { joinAt, type Party } from '../../../../store/asked-together.ts';
import { keysWith } from '../../../../store/batched-keys.ts';
import { entriesAbout } from '../../../../store/chain-sync/flows.ts';
import { inOneWrite } from '../../../../store/database.ts';
import { proofsOfAbsence } from '../../../../store/registers/register-trees.ts';
import {
  caip2,
  chainTimeoutMs,
  dollarTokens,
  type EvidenceDeps,
  faultOf,
  msSince,
  within,
} from '../../deps.ts';
import { runPanel, type SeatReaders } from '../../panel.ts';
import { type Pinning, pinChains, pinnedPlace } from '../../pins.ts';
import type { Asked, WalletQuestion } from '../../wallet-question.ts';
import { isProved, joined, withProofs } from '../registers/list-proofs.ts';
import { gatherRegisters } from '../registers/lists.ts';
import { gatherOrigin } from '../registers/origin.ts';
import { readSimulation } from '../simulation/simulation.ts';
import { withDeployers } from '../transfers/deployer.ts';
import { gatherTransferHistory } from '../transfers/history.ts';
import { lookUpTransfers } from '../transfers/look-up.ts';
import { heldRanges, planTransfers, type TransferPlan } from '../transfers/plan.ts';
import { readTail } from '../transfers/tail.ts';
import { gatherTwins } from '../transfers/twins.ts';
import { codeFacts, readFreeze } from './account-facts.ts';
import { chainPolicies } from './chain-policies.ts';
import { gatherCodes } from './codes.ts';
import { gatherDealtWith } from './contacts.ts';
import { gatherExposure } from './exposure.ts';
import { readGrants } from './grants.ts';
import { gatherHistory } from './history.ts';
import { readPrincipals, sessionKeysOf } from './principals.ts';
import { gatherSolana } from './solana.ts';

const LISTS = ['sanctions', 'known-scam'] as const;

/**
 * Reads all evidence for a wallet determination: each seat reads its own chains, and lists and history are read once.
 */
export async function gatherWallet(
  own: EvidenceDeps,
  question: WalletQuestion,
): Promise<DeterminationEvidence<WalletCommon, WalletFacts>> {
  const deps = { ...own, db: inOneWrite(own.db) };
  const party = joinAt(deps.db);
  try {
    return await gatherAs(party, deps, question);
  } finally {
    party.leave();
  }
}

async function gatherAs(
  party: Party,
  deps: EvidenceDeps,
  question: WalletQuestion,
): Promise<DeterminationEvidence<WalletCommon, WalletFacts>> {
  const { address, chainId, performer } = question;
  const started = deps.now();
  const evm = address.type === 'evm';
  const lookUp = (keys: readonly string[]) => gatherRegisters(deps.db, LISTS, keys, party);
  // The address and its counterparties are looked up while the chains are read; only then is it known who acts in its
  // name.
  const [{ blocks, depth, seats, ...asked }, { exposure, ...alone }, absent, history, known, keys, from] =
    await Promise.all([
      evm ? gatherEvm(deps, question, party) : gatherSolana(deps, question),
      gatherExposure(deps.db, address.key, started),
      proofsOfAbsence(deps.db, LISTS, keysWith(deps.db, address.key)),
      gatherHistory(deps.db, address.key, started, deps.appealOf),
      gatherCompared(deps, question, started),
      evm ? sessionKeysOf(deps.db, address.key) : [],
      question.origin === undefined ? null : gatherOrigin(deps.db, question.origin),
    ]);
  const facts = seats.flatMap((s) => (s.facts === null ? [] : [s.facts]));
  const read = relatedAddresses(facts, question.transaction);
  const related = [...read, ...keys];
  const wanted = [address.key, ...related];
  const proved =
    related.length === 0
      ? joined(
          [alone.sanctions, alone.knownScam],
          absent.filter(({ key }) => key === address.key),
        )
      : await withProofs(deps.db, await lookUp(wanted), party);
  // A list that was replaced between the look-up and its proofs is looked up once more.
  const [sanctions, knownScam] = isProved(proved, address.key)
    ? proved
    : await withProofs(deps.db, await lookUp(wanted), party);
  return {
    id: 'wallet',
    ...RULES_OF_NOW,
    at: started.toISOString(),
    performer,
    depth,
    common: {
      address: address.given,
      addressType: address.type,
      chainId,
      ...asked,
      sanctions: sanctions!,
      knownScam: knownScam!,
      history,
      exposure,
      ...known,
      ...(evm ? { sessionKeys: keys } : {}),
      ...(evm ? { contracts: contractsOf(deps) } : {}),
      ...(question.transaction === undefined
        ? {}
        : { transaction: question.transaction, effects: 2 as const }),
      ...(from === null ? {} : { origin: from }),
      platform: [...deps.deployments.values()].map((d) => ({
        chain: caip2(d.chainId),
        implementation: d.accountImplementation.toLowerCase(),
        agentNft: d.agentNft.toLowerCase(),
      })),
    },
    blocks,
    seats,
    latencyMs: msSince(deps, started),
  };
}

/** The contracts of this service through which its users' money passes. */
function contractsOf({ deployments }: EvidenceDeps): string[] {
  const all = [...deployments.values()].flatMap((d) => [d.settlement, d.vault]);
  return [...new Set(all.map((address) => address.toLowerCase()))].sort();
}

/** The contacts of the asker, on EVM chains only, because no deals settle on other chains here. */
async function gatherCompared(
  { db }: EvidenceDeps,
  { address, compared }: WalletQuestion,
  now: Date,
): Promise<Pick<WalletCommon, 'contacts'>> {
  if (compared === undefined || address.type !== 'evm') return {};
  if ('kept' in compared) return { contacts: compared.kept };
  const { asker, named } = compared;
  const contacts = await gatherDealtWith(db, asker, now, { address: address.key, named });
  return { contacts: named ? contacts : alikeAlone(address.key, contacts) };
}

async function gatherEvm(
  deps: EvidenceDeps,
  { address, chainId, depth, transaction }: WalletQuestion,
  party: Party,
): Promise<Asked> {
  const configured = chainsAsked(deps, chainId);
  const unknown = chainId !== null && !deps.readers.has(chainId) ? [chainId] : [];
  const wanted = [...configured, ...unknown];
  const tokens = configured.flatMap((id) => {
    const [first] = dollarTokens(deps, id);
    return first === undefined
      ? []
      : [{ chain: caip2(id), token: first.token.toLowerCase(), name: first.name }];
  });
  const ask = { wanted, tokens, address: address.key, transaction, ms: chainTimeoutMs(deps) };
  const named = entriesAbout(deps.db, keysWith(deps.db, address.key)).then((all) =>
    all.filter(({ key }) => key === address.key),
  );
  named.catch(() => {});
  // A chain that reorganised while it was read is pinned and read once more; the second result is final.
  for (let again = true; ; again = false) {
    const [held, pinning] = await Promise.all([
      heldRanges(deps.db, configured),
      pinChains(deps, configured, { anew: !again }),
    ]);
    const plans = planTransfers(deps, held, pinning.blocks);
    const reading: Reading = { ...ask, pinning, plans, moved: false };
    const [seats, histories] = await Promise.all([
      runPanel<WalletFacts>(deps, {
        depth,
        chains: configured,
        gather: (readers) => readChains(readers, reading),
      }),
      Promise.all([...plans.values()].map((plan) => gatherTransferHistory(deps, plan, address.key))),
    ]);
    if (reading.moved && again) continue;
    const tails = seats.flatMap((s) => (s.facts?.chains ?? []).flatMap((c) => (c.tail ? [c.tail] : [])));
    const read = { plans: [...plans.values()], seats, who: address.key };
    const codesOf = { address: address.key, chains: configured, seats, blocks: pinning.blocks };
    const [transfers, twins, codes] = await Promise.all([
      withDeployers(deps, histories, read).then(async (told) =>
        lookUpTransfers(
          deps.db,
          { histories: told, tails, who: address.key, named: await named, now: deps.now() },
          party,
        ),
      ),
      gatherTwins(deps, read.plans, seats, address.key),
      gatherCodes(deps, codesOf),
    ]);
    const policy = chainPolicies(deps, wanted);
    const found = { tokens, transfers, twins, codes, policy };
    return { chains: wanted.map(caip2), ...found, depth, blocks: pinning.blocks, seats };
  }
}

/**
 * The chains that are read about an address: those of this service, because it acts there, and the one that was named;
 * every chain that can be read, when none was.
 */
function chainsAsked(deps: EvidenceDeps, chainId: number | null): number[] {
  return [...deps.readers.keys()]
    .filter((id) => chainId === null || id === chainId || deps.deployments.has(id))
    .sort((a, b) => a - b);
}

interface Reading {
  readonly wanted: readonly number[];
  readonly tokens: NonNullable<WalletCommon['tokens']>;
  readonly address: string;
  readonly transaction: AskedTransaction | undefined;
  readonly pinning: Pinning;
  readonly plans: ReadonlyMap<number, TransferPlan>;
  readonly ms: number;
  /** Set when a pinned block had changed after it was read. */
  moved: boolean;
}

async function readChains(readers: SeatReaders, reading: Reading): Promise<WalletFacts> {
  const read = reading.wanted.map(async (id) => {
    const chain = caip2(id);
    const reader = readers.of(id);
    if (reader === null) return unread(chain, `no RPC URL is configured for ${chain}`);
    const unpinned = reading.pinning.faults[chain];
    if (unpinned !== undefined) return unread(chain, unpinned);
    try {
      return await within(readChain(reader, reading), reading.ms, `${reader.client} on ${chain}`);
    } catch (error) {
      if (error instanceof ReaderError && error.kind === 'reorganised') reading.moved = true;
      return unread(chain, faultOf(error));
    }
  });
  return { chains: await Promise.all(read) };
}

async function readChain(reader: ChainReader, reading: Reading): Promise<ChainReading> {
  const chain = caip2(reader.chainId);
  const { blocks } = reading.pinning;
  // The block is read by its hash, so that nothing comes from a block that a reorg removed.
  const block = pinnedPlace(blocks, reader.chainId);
  const who = reading.address as `0x${string}`;
  const token = reading.tokens.find((t) => t.chain === chain)?.token;
  const plan = reading.plans.get(reader.chainId)!;
  const asked = reading.transaction?.chain === chain ? reading.transaction : null;
  const head = { ...block, timestamp: BigInt(Date.parse(blocks[chain]!.at) / 1000) };
  const code = reader.code(who, block);
  const [{ code: facts, principals }, nonce, balance, freeze, tail, grants, simulation] = await Promise.all([
    readCode(reader, who, block, code),
    reader.nonce(who, block),
    reader.balance(who, block),
    token === undefined ? null : readFreeze(reader, token as `0x${string}`, who, block),
    readTail(reader, plan, who, block),
    code.then((known) =>
      readGrants(reader, who, { block, at: Number(head.timestamp), tokens: plan.tokens, code: known }),
    ),
    asked === null ? null : readSimulation(reader, asked, head, who),
  ]);
  return {
    ...{ chain, nonce, balance: balance.toString(), code: facts, freeze, tail, grants, principals },
    ...(asked === null ? {} : { simulation }),
    fault: null,
  };
}

async function readCode(reader: ChainReader, who: `0x${string}`, block: Place, told: Promise<`0x${string}`>) {
  const code = await codeFacts(reader, who, block, await told);
  return { code, principals: await readPrincipals(reader, who, code, block) };
}

function unread(chain: string, fault: string): ChainReading {
  const none = {
    nonce: null,
    balance: null,
    code: null,
    freeze: null,
    tail: null,
    grants: null,
    principals: null,
  };
  return { chain, ...none, fault };
}
