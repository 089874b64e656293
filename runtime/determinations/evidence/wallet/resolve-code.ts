import type { CodeFacts, RunCode } from '../../../../agents/determinations/wallet/code/account-code.ts';
import { type ChainReader, type Place, type ReadCall, ReaderError } from '../../../../chain/rpc/reader.ts';
import { analysed, type CodeAnalysis } from './code-analysis.ts';

type Address = `0x${string}`;
type Run = Pick<RunCode, 'of' | 'to' | 'by'>;
type CodeTold = Pick<RunCode, 'hash' | 'skeleton' | 'destroysItself'>;

/**
 * Contracts that are read behind one account, how many hand on to each other in a row, and how many one names of itself.
 */
const MOST = { contracts: 20, steps: 4, constants: 100, facets: 60 } as const;
/** Proxies of Safe keep their implementation in the first slot, and are short; other contracts keep anything there. */
const SHORT_BYTES = 1_024;

/** Storage slots that hold what a proxy runs. */
const SLOTS = [
  ['EIP-1967', '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'],
  ['EIP-1822', '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'],
  ['ZeppelinOS', '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'],
] as const;
const SLOT_0: Address = `0x${'00'.repeat(32)}`;

const view = (name: string, type: string) => ({
  type: 'function' as const,
  name,
  stateMutability: 'view' as const,
  inputs: [],
  outputs: [{ name: '', type }],
});
/** EIP-897 and EIP-2535. */
const ABI = [view('implementation', 'address'), view('facetAddresses', 'address[]')];

/**
 * Finds all code that runs in an account's name, whatever hands on to what: delegates (EIP-7702), addresses in the code of
 * clones (EIP-1167 and its variants), slots, and what contracts tell of themselves. Storage is the account's own, because
 * delegated code runs on it. Where there is more than is read, `unresolved` says so.
 * @throws ReaderError
 */
export async function resolveCode(
  reader: ChainReader,
  address: Address,
  block: Place,
  own: Address,
): Promise<Pick<CodeFacts, 'constants' | 'runs' | 'shapes' | 'skeleton' | 'destroysItself' | 'unresolved'>> {
  const account = address.toLowerCase() as Address;
  const runs: Run[] = [];
  const codes = new Map<string, CodeTold>();
  const seen = new Set<string>([account]);
  const constants = new Set<string>();
  const shapes = new Set<string>();
  let isCut = false;
  let open: { readonly at: Address; readonly code: Address }[] = [{ at: account, code: own }];
  for (let step = 0; open.length > 0 && step <= MOST.steps; step++) {
    const fresh: Address[] = [];
    for (const { at, code } of open) {
      if (code === '0x') {
        codes.set(at, { hash: null });
        shapes.add(`runs ${at}, which has no code`);
        continue;
      }
      const analysis = analysed(code);
      for (const constant of analysis.constants) constants.add(constant);
      for (const shape of analysis.shapes) shapes.add(shape);
      const { found, isAll } = await targetsOf(reader, { account, at, code, block });
      if (!isAll) isCut = true;
      codes.set(at, code.startsWith('0xef') ? {} : told(analysis, found.length > 0));
      for (const run of found) {
        if (seen.has(run.to)) continue;
        if (runs.length === MOST.contracts) {
          isCut = true;
          break;
        }
        seen.add(run.to);
        runs.push(run);
        fresh.push(run.to as Address);
      }
    }
    open = await Promise.all(fresh.map(async (to) => ({ at: to, code: await reader.code(to, block) })));
  }
  const { skeleton, destroysItself } = codes.get(account) ?? {};
  const named = [...constants].filter((c) => !seen.has(c)).sort();
  return {
    ...(own.startsWith('0xef0100') && named.length === 0
      ? {}
      : { constants: named.slice(0, MOST.constants) }),
    ...(runs.length === 0 ? {} : { runs: runs.map((run) => ({ ...run, ...codes.get(run.to) })) }),
    ...(skeleton === undefined ? {} : { skeleton }),
    ...(destroysItself === undefined ? {} : { destroysItself }),
    ...(isCut || open.length > 0 ? { unresolved: true } : {}),
    ...(shapes.size === 0 ? {} : { shapes: [...shapes].sort() }),
  };
}

/** Proxies of one make are alike whatever they run, so that only code which hands on no call has a skeleton. */
function told({ hash, skeleton, destroysItself }: CodeAnalysis, handsOn: boolean): CodeTold {
  return {
    hash,
    ...(handsOn || skeleton === null ? {} : { skeleton }),
    ...(destroysItself ? { destroysItself: true } : {}),
  };
}

interface At {
  readonly account: Address;
  readonly at: Address;
  readonly code: Address;
  readonly block: Place;
}

/** @returns not all where the contract names more of them than are read */
async function targetsOf(
  reader: ChainReader,
  { account, at, code, block }: At,
): Promise<{ readonly found: Run[]; readonly isAll: boolean }> {
  const analysis = analysed(code);
  const embedded = analysis.targets.map(({ to, by }) => ({ of: at, to, by }));
  if (code.startsWith('0xef') || !analysis.delegates) return { found: embedded, isAll: true };
  const slots = [...SLOTS, ...((code.length - 2) / 2 <= SHORT_BYTES ? [['slot 0', SLOT_0] as const] : [])];
  const [held, implementation, facets] = await Promise.all([
    Promise.all(
      slots.map(async ([by, slot]) => ({ by, word: await reader.storage(account, slot as Address, block) })),
    ),
    answered(reader, { address: account, functionName: 'implementation', block }),
    answered(reader, { address: account, functionName: 'facetAddresses', block, most: MOST.facets + 1 }),
  ]);
  const said = [
    ...held.map(({ by, word }) => ({ by, to: addressIn(word) })),
    { by: 'implementation()', to: implementation.at(0) ?? null },
    ...facets.slice(0, MOST.facets).map((to) => ({ by: 'facetAddresses()', to })),
  ];
  const runs = said.flatMap(({ by, to }) => (to === null || /^0x0*$/.test(to) ? [] : [{ of: at, to, by }]));
  return { found: [...embedded, ...runs], isAll: facets.length <= MOST.facets };
}

function addressIn(word: string): string | null {
  const bare = word.slice(2).padStart(64, '0').toLowerCase();
  return /^0{24}/.test(bare) && !/^0{48}/.test(bare) ? `0x${bare.slice(24)}` : null;
}

async function answered(
  reader: ChainReader,
  call: Pick<ReadCall, 'address' | 'functionName' | 'block' | 'most'>,
): Promise<string[]> {
  try {
    const found = [await reader.read({ ...call, abi: ABI })].flat();
    return found.map((to) => String(to).toLowerCase());
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return [];
    throw error;
  }
}
