import { keccak } from '../../agents/canonical.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { formatUsd } from '../../agents/money.ts';
import { sessionKeyNumbers } from '../../chain/clients/session-key-numbers.ts';
import {
  type Given,
  givenIn,
  type MintEvent,
  mintsIn,
  type SettlementEvent,
  settlementsIn,
} from '../../chain/indexer/whole-history.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { type KnownAgent, knownAgents } from '../../store/agent/restored.ts';
import { lastSessionKey, passSessionKey, unpaidPages } from '../../store/checkout/restored.ts';
import { dealsSettledSince } from '../../store/deal/restored.ts';
import { takePaidPage } from '../checkout/public.ts';
import type { ChainAccess, Services } from '../services.ts';
import type { RestoreFinding } from './finding.ts';
import { tellMints } from './tell-mints.ts';
import { pageName, tellPage } from './tell-page.ts';

export interface Restored extends Pick<Services, 'db' | 'sessionKeys' | 'now'> {
  readonly card: Pick<Services['card'], 'findPayment'>;
  readonly log: Pick<Services['log'], 'warn' | 'error'>;
  readonly home: Pick<ChainAccess, 'chainId' | 'deployment'>;
  /** Two independent clients: what one alone tells counts for nothing. */
  readonly readers: readonly [ChainReader, ChainReader];
}

interface Options {
  readonly fromBlock: bigint;
  /** Changes nothing, and says what it would do. */
  readonly dryRun: boolean;
}

interface Chain {
  readonly mints: readonly MintEvent[];
  readonly settlements: readonly SettlementEvent[];
  readonly given: ReadonlyMap<bigint, Given>;
}

/**
 * Holds a database that was restored to an earlier moment to the chain and to the card processor. Paid card pages are booked
 * as by their webhooks, with the session key of the agent where it is minted; numbers of session keys that were given out
 * are passed over, so that no second agent gets one. What nobody can know any more is told and left. Done twice, it changes
 * nothing.
 * @throws ReaderError, Error when the two readers differ, AppError unavailable when the card processor does not say
 */
export async function reconcileRestored(services: Restored, options: Options): Promise<RestoreFinding[]> {
  const { db, home } = services;
  const chain = await readChain(services, options.fromBlock);
  const contract = lowerAddress(home.deployment.agentNft);
  const agents = await knownAgents(db, { chainId: home.chainId, contract });
  const known = new Set(agents.map((agent) => agent.token_id));
  const lost = chain.mints.filter((mint) => !known.has(mint.tokenId));
  const numbers = await numbersOf(services, chain, agents);
  if (!options.dryRun) for (const number of numbers.values()) await passSessionKey(db, number);
  // Told as they were found: what is booked now is told as that alone.
  const mints = await tellMints(db, lost);
  return [
    ...(await bookPages(services, { lost, chain, numbers }, options)),
    ...mints,
    ...(await tellSettlements(services, chain.settlements, agents, options)),
    ...agents.flatMap((agent) => tellGiven(agent, chain.given.get(agent.token_id))),
  ];
}

async function readChain({ readers, home: { deployment } }: Restored, fromBlock: bigint): Promise<Chain> {
  const heads = await Promise.all(readers.map((reader) => reader.head()));
  const [lower] = heads.map(({ number }) => number).sort((a, b) => Number(a - b));
  const blocks = { fromBlock, toBlock: lower! };
  const [one, other] = await Promise.all(
    readers.map(async (reader): Promise<Chain> => {
      const [mints, settlements, given] = await Promise.all([
        mintsIn(reader, deployment, blocks),
        settlementsIn(reader, deployment, blocks),
        givenIn(reader, deployment, blocks),
      ]);
      return { mints, settlements, given };
    }),
  );
  if (textOf(one!) !== textOf(other!))
    throw new Error('the two nodes tell of different mints, settlements or mandates: nothing was changed');
  return one!;
}

const textOf = ({ given, ...chain }: Chain): string =>
  JSON.stringify({ ...chain, given: [...given] }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  ).toLowerCase();

/** The numbers of the session keys that agents were given on chain and by which none acts here. */
async function numbersOf(
  { db, sessionKeys }: Restored,
  { given }: Chain,
  agents: readonly KnownAgent[],
): Promise<ReadonlyMap<string, bigint>> {
  const here = new Set(agents.map((agent) => agent.session_key.toLowerCase()));
  const keys = [...given.values()].flatMap((one) => one.keys.map((key) => key.toLowerCase()));
  const unknown = new Set(keys.filter((key) => !here.has(key)));
  return await sessionKeyNumbers(sessionKeys, unknown, await lastSessionKey(db));
}

const PAGES = 100;

/** Books the card pages that were paid after the moment, by what the processor says of each. */
async function bookPages(
  services: Restored,
  {
    lost,
    chain,
    numbers,
  }: { lost: readonly MintEvent[]; chain: Chain; numbers: ReadonlyMap<string, bigint> },
  { dryRun }: Options,
): Promise<RestoreFinding[]> {
  const minted = new Map(lost.map((mint) => [mint.paymentRef.toLowerCase(), mint]));
  const findings: RestoreFinding[] = [];
  for (let after = ''; ; ) {
    const pages = await unpaidPages(services.db, after, PAGES);
    for (const page of pages) {
      const mint = minted.get(keccak(page.id).toLowerCase());
      // The first is that of the mint, by which it is found; its owner may have replaced it since.
      const key = mint === undefined ? undefined : chain.given.get(mint.tokenId)?.keys[0]?.toLowerCase();
      const number = key === undefined ? undefined : numbers.get(key);
      if (mint !== undefined && number === undefined) {
        const why = `its agent ${mint.tokenId} was minted with a key of another seed`;
        findings.push({ state: 'by-hand', says: `${pageName(page)} is not booked: ${why}` });
        continue;
      }
      const keyIndex = number === undefined ? null : services.sessionKeys.base + number;
      const finding = tellPage(
        page,
        mint?.tokenId ?? null,
        await takePaidPage(services, page, { keyIndex, dryRun }),
      );
      if (finding !== null) findings.push(finding);
    }
    if (pages.length < PAGES) return findings;
    after = pages.at(-1)!.id;
  }
}

async function tellSettlements(
  { db }: Restored,
  settlements: readonly SettlementEvent[],
  agents: readonly KnownAgent[],
  { fromBlock }: Options,
): Promise<RestoreFinding[]> {
  if (settlements.length === 0) return [];
  const handles = new Map(agents.map(({ account, handle }) => [account.toLowerCase(), handle]));
  const who = (account: string): string => handles.get(account.toLowerCase()) ?? account;
  const deals = new Map(
    (await dealsSettledSince(db, fromBlock)).map((deal) => [keccak(deal.deal_id).toLowerCase(), deal]),
  );
  return settlements.flatMap((event): RestoreFinding[] => {
    const { seller, buyer, asset, tokenId, price, tx, block } = event;
    const what = `${who(seller)} sold ${asset}/${tokenId} to ${who(buyer)} for ${formatUsd(price)} USDC (transaction ${tx}, block ${block})`;
    const deal = deals.get(event.dealId.toLowerCase());
    if (deal === undefined)
      return [
        { state: 'by-hand', says: `${what}: its deal is not here, and counts in no price and no record` },
      ];
    if (deal.state === 'settled' || deal.state === 'recorded') return [];
    const isOver = deal.state === 'stopped' || deal.state === 'failed';
    return [
      isOver
        ? { state: 'by-hand', says: `${what}, and deal ${deal.deal_id} is ${deal.state} here` }
        : {
            state: 'by-itself',
            says: `${what}: deal ${deal.deal_id} is told as settled when it comes to settle or to stop`,
          },
    ];
  });
}

/** Whether an agent acts by another mandate or another key than this database knows. */
function tellGiven(agent: KnownAgent, given: Given | undefined): RestoreFinding[] {
  if (given === undefined) return [];
  const isOld = given.mandateHash !== null && given.mandateHash.toLowerCase() !== agent.hash?.toLowerCase();
  const key = given.keys.at(-1)?.toLowerCase();
  const isRekeyed = key !== undefined && key !== agent.session_key.toLowerCase();
  if (!isOld && !isRekeyed) return [];
  const what = [isOld ? 'mandate' : '', isRekeyed ? 'session key' : '']
    .filter((part) => part !== '')
    .join(' and ');
  return [
    {
      state: 'by-hand',
      says: `${agent.handle} has another ${what} on chain than here: its owner signs ${isOld ? 'a mandate' : 'for a fresh key (rotate)'} again`,
    },
  ];
}
