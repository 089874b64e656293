import { codesOf } from '../../agents/determinations/wallet/code/codes-read.ts';
import { type ChainReader, type Hex, ReaderError } from '../../chain/rpc/reader.ts';
import { type CodeReading, keepCodes, listedUnread, NO_CODE } from '../../store/registers/code-readings.ts';
import { atRest, type RecurringJob } from '../durable/jobs/recurring-job.ts';
import type { ChainReaders, EvidenceDeps } from './deps.ts';
import { codeFacts } from './evidence/wallet/account-facts.ts';

const EVERY_MS = 60_000;
const LIMIT_MS = 300_000;
/** Addresses of one run: nodes that others keep limit how much they are asked. */
const MOST = 100;

type Deps = Pick<EvidenceDeps, 'db' | 'readers'>;

/**
 * Reads the code of listed addresses, each once on each chain, and keeps it with its skeleton, so that whoever has the same
 * code is found. Nothing is kept but what both readers tell alike.
 * @returns whether there are more to read
 * @throws ReaderError disagreeing, after what they agree on is kept
 */
export async function readListedCode({ db, readers }: Deps, chainId: number): Promise<boolean> {
  const both = readers.get(chainId)!;
  const listed = await listedUnread(db, chainId, MOST);
  if (listed.length === 0) return false;
  const heads = await Promise.all([both.viem.head(), both.ethers.head()]);
  const block = heads.map(({ number }) => number).sort((a, b) => (a < b ? -1 : 1))[0]!;
  const read: CodeReading[] = [];
  const disputed: string[] = [];
  for (const address of listed) {
    const found = await agreedCode(both, address as Hex, block);
    if (found === null) disputed.push(address);
    else read.push({ chainId, address, ...found, block });
  }
  await keepCodes(db, read);
  if (disputed.length > 0)
    throw new ReaderError('disagreeing', `the code of ${disputed[0]} differs over viem and over ethers`);
  return listed.length === MOST;
}

async function agreedCode(
  { viem, ethers }: ChainReaders,
  address: Hex,
  block: bigint,
): Promise<Pick<CodeReading, 'hash' | 'skeleton'> | null> {
  const [one, other] = await Promise.all([codeAt(viem, address, block), codeAt(ethers, address, block)]);
  return one.hash === other.hash && one.skeleton === other.skeleton ? one : null;
}

/** A delegation (EIP-7702) is no code of its own: who delegates shares nothing with others who do. */
async function codeAt(reader: ChainReader, address: Hex, block: bigint) {
  const code = await reader.code(address, block);
  if (code === '0x') return { hash: NO_CODE, skeleton: null };
  const own = codesOf(address, await codeFacts(reader, address, block, code)).find(
    (read) => read.address === address,
  );
  return { hash: own?.hash ?? NO_CODE, skeleton: own?.skeleton ?? null };
}

/** Reads the code of what lists name, chain by chain. */
export function readListedCodeJob(deps: Deps): RecurringJob {
  return {
    kind: 'read-listed-code',
    lane: 'lists',
    items: [...deps.readers.keys()].map(String),
    everyMs: EVERY_MS,
    timeLimitMs: LIMIT_MS,
    async run(item) {
      const more = await readListedCode(deps, Number(item));
      return more ? undefined : atRest({ everyMs: EVERY_MS });
    },
  };
}
