import { type Asset, assetKey } from '../../../agents/assets.ts';
import type { DeterminationEvidence } from '../../../agents/determinations/panel/types.ts';
import { everyHolder, type TokenCustody } from '../../../agents/determinations/provenance/custody.ts';
import type {
  ProvenanceCommon,
  ProvenanceFacts,
  RegisterLookup,
} from '../../../agents/determinations/provenance/provenance-evidence.ts';
import { vagueKeys } from '../../../agents/goods/aliases.ts';
import { NOBODY, sameAddress } from '../../../agents/ids.ts';
import { certificatesEver } from '../../../chain/clients/certificates.ts';
import { tokenLife } from '../../../chain/indexer/token-custody.ts';
import { type ChainReader, ReaderError } from '../../../chain/rpc/reader.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, msSince, within } from '../deps.ts';
import { oneSource, runPanel } from '../panel.ts';
import { type Pinning, pinChains, pinnedNumber, requirePinned } from '../pins.ts';
import { principalsOfHolders } from './custody-principals.ts';
import { gatherRegister } from './lists.ts';
import { keysSaid, type Lot, type LotSaid, lotSaid } from './lots.ts';

type Mode = Pick<DeterminationEvidence, 'depth' | 'performer'>;

/** Certificates are issued on the home chain. */
const CERTIFYING_CHAIN = 1002;
/** A serial that was certified more often than this is not walked. */
const MAX_LIVES = 20;

/**
 * Gathers where a thing comes from: registers and look-ups, and every holder of the token that stands for it, which
 * each seat reads at one block. Then it looks up everybody in any of these readings on the lists of addresses.
 */
export async function gatherProvenance(
  deps: EvidenceDeps,
  mode: Mode,
  subject: Asset,
): Promise<DeterminationEvidence<ProvenanceCommon, ProvenanceFacts>> {
  const started = deps.now();
  const key = assetKey(subject);
  const said = await lotSaid(deps, subject);
  const keys = [...new Set([key, ...keysSaid(subject, said)])];
  const vague = lotsIn(said).flatMap(({ serial }) => (serial === null ? [] : vagueKeys(serial)));
  const [walk, stolen, recalled, lookups] = await Promise.all([
    walkByAll(deps, mode, subject, said),
    gatherRegister(deps.db, 'stolen', [...keys, ...vague]),
    gatherRegister(deps.db, 'recalled', [...keys, ...vague]),
    Promise.all(lotsIn(said).map((lot) => askOthers(deps, lot))),
  ]);
  const holders = everyHolder(walk.seats.flatMap((s) => s.facts?.custody ?? []));
  const [sanctions, knownScam] = await Promise.all([
    gatherRegister(deps.db, 'sanctions', holders),
    gatherRegister(deps.db, 'known-scam', holders),
  ]);
  return {
    id: 'provenance',
    rules: 1,
    adversary: 2,
    at: started.toISOString(),
    ...mode,
    common: {
      assetKey: key,
      lot: (lotsIn(said).find((l) => l.serial !== null) ?? lotsIn(said)[0])?.key ?? key,
      ...(said.told === null ? {} : { lots: keys }),
      serialRules: 2,
      ...(vague.length === 0 ? {} : { vague }),
      stolen,
      recalled,
      lookups: lookups.flat(),
      sanctions,
      knownScam,
      chain: caip2(chainOf(subject)),
    },
    blocks: walk.blocks,
    seats: walk.seats,
    latencyMs: msSince(deps, started),
  };
}

/** The possible lots: the lot if it is known, otherwise each one that a reader reported. */
function lotsIn({ known, told }: LotSaid): Lot[] {
  if (known !== null) return [known];
  const said = [told.viem.lot, told.ethers.lot].filter((l) => l !== null);
  return [...new Map(said.map((l) => [l.key, l])).values()];
}

async function askOthers(deps: EvidenceDeps, { serial, key }: Lot): Promise<RegisterLookup[]> {
  if (serial === null) return [];
  return await Promise.all((deps.lookups ?? []).map((lookup) => lookup.ask(serial, key)));
}

function chainOf(subject: Asset): number {
  return subject.kind === 'token' ? subject.chainId : CERTIFYING_CHAIN;
}

async function walkByAll(
  deps: EvidenceDeps,
  mode: Mode,
  subject: Asset,
  said: LotSaid,
): Promise<Pick<DeterminationEvidence<ProvenanceCommon, ProvenanceFacts>, 'blocks' | 'seats'>> {
  const chainId = chainOf(subject);
  const chains = deps.readers.has(chainId) ? [chainId] : [];
  // A chain that reorganised while it was read is pinned and read once more; the second result is final.
  for (let again = true; ; again = false) {
    const pinning = await pinChains(deps, chains, { anew: !again });
    let moved = false;
    const seats = await runPanel<ProvenanceFacts>(deps, {
      depth: mode.depth,
      chains,
      source: oneSource("this platform's registers"),
      gather: async ({ of, client }) => {
        const reader = of(chainId);
        const unpinned = pinning.faults[caip2(chainId)];
        if (reader === null) return unread(`no RPC URL is configured for ${caip2(chainId)}`);
        if (unpinned !== undefined) return unread(unpinned);
        const { lot, fault } = said.told?.[client] ?? { lot: said.known, fault: null };
        if (lot === null) return { ...unread(fault ?? 'no reading'), lot: null };
        try {
          const walk = walkBy(deps, reader, pinning, subject, lot);
          const walked = await within(walk, chainTimeoutMs(deps), `the walk over ${reader.client}`);
          return said.told === null ? walked : { ...walked, lot: lot.key };
        } catch (error) {
          if (error instanceof ReaderError && error.kind === 'reorganised') moved = true;
          return unread(faultOf(error));
        }
      },
    });
    if (!(moved && again)) return { blocks: pinning.blocks, seats };
  }
}

function unread(fault: string): ProvenanceFacts {
  return { custody: null, fault };
}

/** @throws ReaderError */
async function walkBy(
  deps: EvidenceDeps,
  reader: ChainReader,
  { blocks }: Pinning,
  subject: Asset,
  lot: Lot,
): Promise<ProvenanceFacts> {
  const deployment = deps.deployments.get(reader.chainId);
  const block = pinnedNumber(blocks, reader.chainId);
  let tokens: { readonly address: `0x${string}`; readonly tokenId: bigint }[];
  if (lot.serial !== null) {
    if (deployment === undefined) return unread(`no certificates are known on ${caip2(reader.chainId)}`);
    const lives = await certificatesEver(reader, deployment, lot.key, block);
    if (lives.length > MAX_LIVES) return unread(`it was certified more than ${MAX_LIVES} times`);
    tokens = lives.map((tokenId) => ({ address: deployment.certificates, tokenId }));
  } else if (subject.kind === 'token') {
    tokens = [{ address: subject.contract, tokenId: BigInt(subject.tokenId) }];
  } else throw new Error('a serial has a lot of its own');
  const custody = await Promise.all(
    tokens.map(async (token): Promise<TokenCustody> => {
      const ours = [deployment?.certificates, deployment?.assets, deployment?.agentNft];
      const own = ours.some((address) => address !== undefined && sameAddress(address, token.address));
      const floor = own ? BigInt(deployment?.deployedAtBlock ?? 0) : null;
      const life = await tokenLife(reader, token, block, floor);
      return {
        chain: caip2(reader.chainId),
        contract: token.address.toLowerCase(),
        tokenId: token.tokenId.toString(),
        standard: life.standard,
        fromBlock: life.fromBlock.toString(),
        moves: life.moves.map((m) => ({ ...m, block: m.block.toString(), amount: m.amount.toString() })),
        holders: life.holders
          .map((h) => ({ address: h.address.toLowerCase(), amount: h.amount.toString() }))
          .sort((a, b) => (a.address < b.address ? -1 : 1)),
        principals: await principalsOfHolders(
          reader,
          [
            ...life.moves.filter((m) => !sameAddress(m.to, NOBODY)),
            ...life.holders.map(({ address }) => ({ to: address, block })),
          ],
          block,
        ),
        fault: life.hole,
      };
    }),
  );
  // Asked last, so that everything read before a reorganisation is discarded.
  await requirePinned(reader, blocks);
  return { custody, fault: null };
}
