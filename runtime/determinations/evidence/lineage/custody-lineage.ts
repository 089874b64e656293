import { assetKey, parseAssetKey } from '../../../../agents/assets.ts';
import type { TokenAsset } from '../../../../agents/certificates/certificates.ts';
import type { LineageToken } from '../../../../agents/determinations/lineage/lineage.ts';
import type { TokenCustody } from '../../../../agents/determinations/provenance/custody.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { faultOf } from '../../deps.ts';
import { type LifeReader, lifeOf } from '../provenance/token-life.ts';
import type { ContractTable } from './contracts.ts';
import { followLineage, type LineageReaders, readerOf } from './follow-lineage.ts';
import { rowsOfLocker, twinOf } from './twins.ts';

/** More lives are not walked, and the answer says so. */
const MOST_LIVES = 12;

/** The chains, what stands there of this service, and whether the logs of a collection there are believed. */
interface CustodyReaders extends LineageReaders {
  readonly deployments: ReadonlyMap<number, Deployment>;
  readonly believes?: (chainId: number) => NonNullable<LifeReader['believes']>;
}

/** A life that is still to be walked. */
interface Step {
  readonly thing: TokenAsset;
  readonly since: bigint | null;
}

/**
 * Walks a token and all that it stands for, stands for it, and stood for it while it was locked up: the lives of a
 * wrapper's token are walked from the block in which its original came to the wrapper, however often it was minted again.
 * @throws ReaderError when the chain of the token itself cannot be walked
 */
export async function walkLineage(
  readers: CustodyReaders,
  table: ContractTable,
  thing: TokenAsset,
): Promise<{ readonly custody: readonly TokenCustody[]; readonly lineage: readonly LineageToken[] }> {
  const lineage = await followLineage(readers, table, thing);
  const custody: TokenCustody[] = [];
  // What is locked up comes before what stands for it: when it came there is since when the twin can exist.
  const queue: Step[] = [...lineage.filter(isOriginal), ...lineage.filter((t) => !isOriginal(t))].map(
    ({ key }) => ({
      thing: parseAssetKey(key) as TokenAsset,
      since: null,
    }),
  );
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const key = assetKey(next.thing);
    if (custody.length === MOST_LIVES)
      return { custody: failed(custody, `more than ${MOST_LIVES} tokens stood for one another`), lineage };
    const life = await walk(readers, table, next, key === assetKey(thing));
    const { steps, tokens, faults } = await formerTwins(readers, table, next.thing, life);
    custody.push(
      faults.length === 0
        ? life
        : { ...life, fault: [life.fault, ...faults].filter((f) => f !== null).join('; ') },
    );
    for (const [i, step] of steps.entries()) {
      const found = assetKey(step.thing);
      const waiting = queue.findIndex((s) => assetKey(s.thing) === found);
      if (waiting >= 0) queue[waiting] = step;
      else if (found !== key && !lineage.some((t) => t.key === found)) {
        lineage.push(tokens[i]!);
        queue.push(step);
      }
    }
  }
  return { custody, lineage };
}

function isOriginal({ relation }: LineageToken): boolean {
  return relation === 'original';
}

/** A life that cannot be walked is a hole in the chain of custody; that of the token in question throws. */
async function walk(
  readers: CustodyReaders,
  { contracts }: ContractTable,
  { thing, since }: Step,
  isAsked: boolean,
): Promise<TokenCustody> {
  const { chainId, contract, tokenId } = thing;
  try {
    const deployment = readers.deployments.get(chainId);
    const labelled = contracts.flatMap((row) => [
      ...(row.chainId === chainId ? [row.contract, row.at] : []),
      ...(row.underlyingChainId === chainId ? [row.locker] : []),
    ]);
    const believes = readers.believes?.(chainId);
    const from = { ...readerOf(readers, chainId), deployment, labelled };
    return await lifeOf(believes === undefined ? from : { ...from, believes }, thing, since);
  } catch (error) {
    if (isAsked) throw error;
    const unread = { standard: null, fromBlock: '0', moves: [], holders: null, fault: faultOf(error) };
    return { chain: `eip155:${chainId}`, contract: contract.toLowerCase(), tokenId, ...unread };
  }
}

/** What stood for a token while a contract of the table held it, and since when. */
async function formerTwins(
  readers: LineageReaders,
  { contracts }: ContractTable,
  thing: TokenAsset,
  { moves }: TokenCustody,
): Promise<{ readonly steps: Step[]; readonly tokens: LineageToken[]; readonly faults: string[] }> {
  const steps: Step[] = [];
  const tokens: LineageToken[] = [];
  const faults: string[] = [];
  const arrivals = new Map<string, bigint>();
  for (const { to, block } of moves) if (!arrivals.has(to)) arrivals.set(to, BigInt(block));
  for (const [holder, since] of arrivals)
    for (const row of rowsOfLocker(contracts, thing, holder)) {
      const { contract: via, role, list, chainId } = row;
      try {
        const { reader, block } = readerOf(readers, chainId);
        const twin = await twinOf(reader, row, thing, block);
        steps.push({ thing: twin, since: chainId === thing.chainId ? since : null });
        const from = { key: assetKey(thing), via, role, list };
        tokens.push({
          key: assetKey(twin),
          relation: 'former-twin',
          from,
          holder: null,
          loan: null,
          fault: null,
        });
      } catch (error) {
        faults.push(`what stood for it at the ${role} ${via} (${list}): ${faultOf(error)}`);
      }
    }
  return { steps, tokens, faults };
}

function failed(custody: readonly TokenCustody[], fault: string): TokenCustody[] {
  return custody.map((c, i) => (i === 0 ? { ...c, fault: c.fault ?? fault } : c));
}
