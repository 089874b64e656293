import { type Asset, assetKey } from '../../../../agents/assets.ts';
import { keysIn } from '../../../../agents/determinations/lineage/lineage.ts';
import { RULES_OF_NOW } from '../../../../agents/determinations/panel/rules-of-now.ts';
import type { DeterminationEvidence } from '../../../../agents/determinations/panel/types.ts';
import { everyHolder, type TokenCustody } from '../../../../agents/determinations/provenance/custody.ts';
import type {
  ProvenanceCommon,
  ProvenanceFacts,
  RegisterLookup,
} from '../../../../agents/determinations/provenance/provenance-evidence.ts';
import { misreadKeys, vagueKeys } from '../../../../agents/goods/aliases.ts';
import { type ChainReader, ReaderError } from '../../../../chain/rpc/reader.ts';
import { type AlikeCertificate, lotKeyOf } from '../../../../store/certificates/certificates.ts';
import { upheldCertificates } from '../../../../store/certificates/disputes-of-thing.ts';
import { goodsWithNumbersOf } from '../../../../store/registers/same-goods.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, msSince, within } from '../../deps.ts';
import { oneSource, runPanel, type SeatReaders } from '../../panel.ts';
import { type Pinning, pinChains, pinnedPlace, requirePinned } from '../../pins.ts';
import { trustedContracts } from '../agent/trusted-contracts.ts';
import { type ContractTable, contractTable } from '../lineage/contracts.ts';
import { walkLineage } from '../lineage/custody-lineage.ts';
import {
  CERTIFYING_CHAIN,
  certificateAsset,
  isCertificate,
  keysSaid,
  type Lot,
  type LotSaid,
  lotSaid,
  lotsIn,
} from '../lots.ts';
import { gatherRegistersOf } from '../registers/lists.ts';
import { gatherDisputes } from './certificate-disputes.ts';
import { custodyTokens } from './custody-tokens.ts';
import { certificatesElsewhere, earlierCertificates } from './earlier-certificates.ts';
import { lifeOf } from './token-life.ts';

type Mode = Pick<DeterminationEvidence, 'depth' | 'performer'>;

/**
 * Gathers where a thing comes from: registers and look-ups, and every holder of the token that stands for it, which
 * each seat reads at one block, through wrappers, bridges and re-mints of the table of contracts. Then it looks up
 * everybody in any of these readings on the lists of addresses, and what is disputed of its certificates.
 */
export async function gatherProvenance(
  deps: EvidenceDeps,
  mode: Mode,
  subject: Asset,
  { inDeal = false } = {},
): Promise<DeterminationEvidence<ProvenanceCommon, ProvenanceFacts>> {
  const started = deps.now();
  const key = assetKey(subject);
  const [said, table] = await Promise.all([lotSaid(deps, subject), contractTable(deps.db, chainOf(subject))]);
  const serials = lotsIn(said).flatMap(({ key, serial }) => (serial === null ? [] : [key]));
  const [upheld, elsewhere] = await Promise.all([
    upheldCertificates(deps.db, serials),
    certificatesElsewhere(deps, serials),
  ]);
  const [walk, lookups] = await Promise.all([
    walkByAll(deps, mode, { subject, upheld, elsewhere }, said, table),
    Promise.all(lotsIn(said).map((lot) => askOthers(deps, lot))),
  ]);
  const lives = walk.seats.flatMap((s) => s.facts?.custody ?? []);
  const related = await withLots(deps, keysIn(walk.seats.flatMap((s) => s.facts?.lineage ?? [])));
  const keys = [...new Set([key, ...(await keysSaid(deps, subject, said)), ...related])];
  const lot = (lotsIn(said).find((l) => l.serial !== null) ?? lotsIn(said)[0])?.key ?? key;
  const named = lotsIn(said).flatMap(({ serial }) =>
    serial === null ? [] : [...vagueKeys(serial), ...misreadKeys(serial)],
  );
  const vague = [...named, ...(await goodsWithNumbersOf(deps.db, [...keys, ...named]))];
  const [[goods, holders], disputes] = await Promise.all([
    gatherRegistersOf(deps.db, [
      { registers: ['stolen', 'recalled'], keys: [...keys, ...vague] },
      { registers: ['sanctions', 'known-scam'], keys: everyHolder(lives) },
    ]),
    gatherDisputes(deps, serials, lives),
  ]);
  const [[stolen, recalled], [sanctions, knownScam]] = [goods!, holders!];
  return {
    id: 'provenance',
    ...RULES_OF_NOW,
    at: started.toISOString(),
    ...mode,
    common: {
      assetKey: key,
      lot,
      ...(keys.every((k) => k === key || k === lot) ? {} : { lots: keys }),
      serialRules: 2,
      editionRules: 3,
      ...(vague.length === 0 ? {} : { vague }),
      stolen: stolen!,
      recalled: recalled!,
      lookups: lookups.flat(),
      sanctions: sanctions!,
      knownScam: knownScam!,
      chain: caip2(chainOf(subject)),
      ...(disputes === null ? {} : { ...disputes, disputeRules: 2 as const }),
      ...(inDeal ? { scope: 'deal' as const } : {}),
      ...(table.lists.length === 0 ? {} : { contracts: table.lists }),
    },
    blocks: walk.blocks,
    seats: walk.seats,
    latencyMs: msSince(deps, started),
  };
}

/** The keys of a lineage, and of the lots for which certificates among them are known to stand. */
async function withLots(deps: EvidenceDeps, keys: readonly string[]): Promise<string[]> {
  const lots = await Promise.all(keys.map((key) => lotKeyOf(deps.db, key)));
  return [...new Set([...keys, ...lots])];
}

async function askOthers(deps: EvidenceDeps, { serial, key }: Lot): Promise<RegisterLookup[]> {
  if (serial === null) return [];
  return await Promise.all((deps.lookups ?? []).map((lookup) => lookup.ask(serial, key)));
}

function chainOf(subject: Asset): number {
  return subject.kind === 'token' ? subject.chainId : CERTIFYING_CHAIN;
}

interface Asked {
  readonly subject: Asset;
  readonly lot: Lot;
  /** Certificates of the thing of which a dispute was upheld; decimal. */
  readonly upheld: readonly string[];
  /** Certificates of what may be the same thing, under other keys. */
  readonly elsewhere: readonly AlikeCertificate[];
}

const isHeld = ({ holders, void: isVoid }: TokenCustody): boolean =>
  isVoid !== undefined && holders?.length !== 0;

async function walkByAll(
  deps: EvidenceDeps,
  mode: Mode,
  asked: Omit<Asked, 'lot'>,
  said: LotSaid,
  table: ContractTable,
): Promise<Pick<DeterminationEvidence<ProvenanceCommon, ProvenanceFacts>, 'blocks' | 'seats'>> {
  const chainId = chainOf(asked.subject);
  const chains = table.chains.filter((id) => deps.readers.has(id));
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
          const walk = walkBy(deps, reader, { of, pinning, table }, { ...asked, lot });
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
  { of, pinning, table }: { of: SeatReaders['of']; pinning: Pinning; table: ContractTable },
  { subject, lot, upheld, elsewhere }: Asked,
): Promise<ProvenanceFacts> {
  const { blocks } = pinning;
  const deployment = deps.deployments.get(reader.chainId);
  const block = pinnedPlace(blocks, reader.chainId);
  const tokens = await custodyTokens(deps, reader, { subject, lot, block });
  if (typeof tokens === 'string') return unread(tokens);
  const believes = (chainId: number) => async (contract: string) =>
    (await trustedContracts(deps, { deployment: deps.deployments.get(chainId), chainId }, [contract])).has(
      contract,
    );
  const from = { reader, block, deployment, believes: believes(reader.chainId) };
  const walks = await Promise.all(
    tokens.map(async (token) => {
      if (table.contracts.length > 0)
        return await walkLineage({ of, pinning, deployments: deps.deployments, believes }, table, token);
      return { custody: [await lifeOf(from, token)], lineage: [] };
    }),
  );
  // Where it was certified under another maker or kind, and that was found wrong.
  const byCertificate = tokens.every((token) => isCertificate(deps, token));
  const wrong = byCertificate ? upheld : [];
  const others = wrong.filter((id) => !tokens.some(({ tokenId }) => tokenId === id));
  const alike = await Promise.all(
    deployment === undefined
      ? []
      : others.map((id) =>
          lifeOf(
            { reader, block, deployment, believes: believes(reader.chainId) },
            certificateAsset({ deployment }, BigInt(id)),
          ),
        ),
  );
  const last = tokens.at(-1);
  const own = walks.at(-1)?.custody.find((life) => isHeld(life) && life.tokenId === last?.tokenId) ?? null;
  const earlier =
    deployment === undefined || !byCertificate
      ? {}
      : await earlierCertificates({ reader, deployment, block }, elsewhere, own);
  const lineage = walks.flatMap((walk) => walk.lineage);
  // Moves are read by number. Asked last, so that everything read before a reorganisation is discarded.
  for (const id of table.chains) {
    const also = of(id);
    if (also !== null && blocks[caip2(id)] !== undefined) await requirePinned(also, blocks);
  }
  const custody = walks.flatMap((walk) => walk.custody);
  return {
    custody,
    ...(alike.length === 0 ? {} : { alike }),
    ...earlier,
    ...(table.contracts.length === 0 ? {} : { lineage }),
    fault: null,
  };
}
