import { inOrder, type TokenCustody } from '../../../../agents/determinations/provenance/custody.ts';
import type { ProvenanceFacts } from '../../../../agents/determinations/provenance/provenance-evidence.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import { isNameLot } from '../../../../agents/names/name.ts';
import { livingHolder } from '../../../../chain/clients/certificates.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { mintsOf } from '../../../../chain/indexer/token-custody.ts';
import { type ChainReader, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import {
  type AlikeCertificate,
  certificatesAlike,
  MOST_ALIKE,
} from '../../../../store/certificates/certificates.ts';
import type { EvidenceDeps } from '../../deps.ts';
import { CERTIFYING_CHAIN } from '../lots.ts';

/** Of so many it is read who has them. */
const MOST_READ = 20;

/** The certificates of what may be one of these things, under other keys. A name is a provider's token, and has one spelling. */
export async function certificatesElsewhere(
  deps: EvidenceDeps,
  serials: readonly string[],
): Promise<AlikeCertificate[]> {
  const deployment = deps.deployments.get(CERTIFYING_CHAIN);
  if (deployment === undefined) return [];
  const goods = serials.filter((key) => !isNameLot(key));
  const found = await Promise.all(goods.map((key) => certificatesAlike(deps.db, deployment, key)));
  const others = found.flat().filter(({ on }) => !serials.includes(on));
  return [...new Map(others.map((one) => [one.tokenId, one])).values()];
}

/**
 * Which of these certificates live and were issued before the one in question, or at all where none is: of two that may stand
 * for one thing the later one is doubted. Otherwise anybody would spoil a thing by having its number certified once more.
 * @throws ReaderError; also where one lives of which no mint is told
 */
export async function earlierCertificates(
  { reader, deployment, block }: { reader: ChainReader; deployment: Deployment; block: Place },
  elsewhere: readonly AlikeCertificate[],
  own: TokenCustody | null,
): Promise<Pick<ProvenanceFacts, 'earlier' | 'earlierUnread'>> {
  if (elsewhere.length === 0) return {};
  const { certificates: address, deployedAtBlock } = deployment;
  const ids = elsewhere.map(({ tokenId }) => BigInt(tokenId));
  const mints = await mintsOf(reader, { address, ids }, block, BigInt(deployedAtBlock));
  const mine = own === null ? null : mintOf(own);
  const before = elsewhere.filter(({ tokenId }) => {
    const mint = mints.get(tokenId);
    return mine === null || mint === undefined || isBefore(mint, mine);
  });
  const read = before.slice(0, MOST_READ);
  const earlier = await Promise.all(
    read.map(async ({ tokenId, on }) => {
      const holder = await livingHolder(reader, deployment, BigInt(tokenId), block);
      const mint = mints.get(tokenId);
      if (holder === null) return [];
      if (mint === undefined)
        throw new ReaderError('down', `the node does not tell of the mint of certificate ${tokenId}`, {
          lasting: true,
        });
      return [{ tokenId, on, holder: holder.toLowerCase(), block: mint.block.toString() }];
    }),
  );
  const unread = before.length - read.length + (elsewhere.length < MOST_ALIKE ? 0 : 1);
  return {
    ...(earlier.flat().length === 0 ? {} : { earlier: earlier.flat() }),
    ...(unread === 0 ? {} : { earlierUnread: unread }),
  };
}

type At = { readonly block: bigint; readonly logIndex: number };

/** Null where its mint was not found. */
function mintOf({ moves, fault }: TokenCustody): At | null {
  const first = inOrder(moves)[0];
  if (fault !== null || first === undefined || first.from !== NOBODY) return null;
  return { block: BigInt(first.block), logIndex: first.logIndex };
}

const isBefore = (one: At, other: At): boolean =>
  one.block === other.block ? one.logIndex < other.logIndex : one.block < other.block;
