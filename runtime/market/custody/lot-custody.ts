import type { Asset } from '../../../agents/assets.ts';
import { lowerAddress, sameAddress } from '../../../agents/ids.ts';
import { type TokenLife, tokenLife } from '../../../chain/indexer/token-custody.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { agentByAccount } from '../../../store/agent/agents.ts';
import { BoundedMap } from '../../bounded-map.ts';
import type { Services } from '../../services.ts';

/** Who held a lot's token, by the chain's own events. */
export interface LotCustody {
  /** The newest first. */
  readonly moves: readonly CustodyStep[];
  /** Whether there were earlier moves that are not among these. */
  readonly more: boolean;
}

export interface CustodyStep {
  /** Lower case; the zero address is where a token is made from. */
  readonly from: string;
  readonly to: string;
  /** The agent whose account it went to; null where it is nobody's here. */
  readonly handle: string | null;
  readonly tx: string;
  readonly block: string;
}

type Token = Asset & { readonly kind: 'token' };
type Deps = Pick<Services, 'db' | 'chains' | 'now' | 'log'>;

/** A page is not worth more requests than this; a determination looks further. */
const LIMITS = { span: 5_000n, widest: 1_000_000n, narrowest: 500n, requests: 6, moves: 100 };
const MOST_STEPS = 8;
const FRESH_MS = 60_000;
/** A page waits no longer; the reading goes on, and the next visitor has it. */
const PATIENCE_MS = 1_500;

const kept = new BoundedMap<string, { readonly until: number; readonly custody: Promise<LotCustody | null> }>(
  500,
);

/**
 * The holders of a token, as both independent readers tell them at one block. Read at most once a minute for each token.
 * @returns null where it is of a chain that is not read, could not be read in time, or the readers disagree
 */
export async function custodyOf(services: Deps, asset: Token): Promise<LotCustody | null> {
  const key = `${asset.chainId}/${asset.contract}/${asset.tokenId}`;
  const now = services.now().getTime();
  let known = kept.get(key);
  if (known === undefined || known.until <= now) {
    const custody = readCustody(services, asset).catch((error: unknown) => {
      services.log.info({ lot: key, error }, 'the holders of a lot could not be read');
      return null;
    });
    known = { until: now + FRESH_MS, custody };
    kept.set(key, known);
  }
  let patience: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    patience = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  const custody = await Promise.race([known.custody, late]);
  clearTimeout(patience);
  return custody;
}

async function readCustody({ db, chains }: Deps, asset: Token): Promise<LotCustody | null> {
  const chain = chains.get(asset.chainId);
  if (chain === undefined) return null;
  const { readers, deployment } = chain;
  const heads = await Promise.all([readers.viem.head(), readers.ethers.head()]);
  // The older head, which both have.
  const block = heads.map(({ number }) => number).sort((a, b) => Number(a - b))[0] ?? 0n;
  const ours = [deployment.certificates, deployment.assets, deployment.agentNft];
  const own = ours.some((address) => address !== undefined && sameAddress(address, asset.contract));
  const floor = own ? BigInt(deployment.deployedAtBlock ?? 0) : null;
  const token = { address: asset.contract, tokenId: BigInt(asset.tokenId) };
  const read = (reader: ChainReader) => tokenLife(reader, token, block, floor, LIMITS);
  const [life, other] = await Promise.all([read(readers.viem), read(readers.ethers)]);
  if (told(life) !== told(other)) throw new Error('the two readers tell different holders');
  if (life.standard !== 'erc721') return null;
  const newest = life.moves.slice(-MOST_STEPS).reverse();
  return {
    moves: await Promise.all(
      newest.map(async (move) => ({
        from: lowerAddress(move.from),
        to: lowerAddress(move.to),
        handle: (await agentByAccount(db, lowerAddress(move.to)))?.handle ?? null,
        tx: move.tx,
        block: move.block.toString(),
      })),
    ),
    more: life.hole !== null || life.moves.length > MOST_STEPS,
  };
}

/** What two readings must agree on. */
function told({ standard, moves, holders, hole }: TokenLife): string {
  const steps = moves.map((m) => [
    m.tx,
    m.logIndex,
    lowerAddress(m.from),
    lowerAddress(m.to),
    String(m.amount),
  ]);
  const held = holders.map((h) => [lowerAddress(h.address), String(h.amount)]);
  return JSON.stringify([standard, steps, held, hole]);
}
