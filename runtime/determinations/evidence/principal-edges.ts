import {
  accountKind,
  type CodeFacts,
  codeParties,
  namedInCode,
} from '../../../agents/determinations/wallet/account-code.ts';
import type { PrincipalEdge } from '../../../agents/determinations/wallet/wallet-evidence.ts';
import { type Abi, type ChainReader, type Place, ReaderError } from '../../../chain/rpc/reader.ts';
import { codeFacts } from './account-facts.ts';

type Address = `0x${string}`;

/** Accounts further away, or beyond this many, are not read, and the answer says so. */
const MOST_DISTANCE = 8;
const MOST_ACCOUNTS = 24;
const MOST_MEMBERS = 20;
const NOBODY = `0x${'0'.repeat(40)}`;

const view = (name: string, inputs: readonly string[], output: string) => ({
  type: 'function' as const,
  name,
  stateMutability: 'view' as const,
  inputs: inputs.map((type, i) => ({ name: `a${i}`, type })),
  outputs: [{ name: '', type: output }],
});
/** Safe; Ownable and the common accounts of ERC-4337; AccessControlEnumerable. */
const ABI: Abi = [
  view('getOwners', [], 'address[]'),
  view('getThreshold', [], 'uint256'),
  view('owner', [], 'address'),
  view('getRoleMemberCount', ['bytes32'], 'uint256'),
  view('getRoleMember', ['bytes32', 'uint256'], 'address'),
];
/** `DEFAULT_ADMIN_ROLE` of OpenZeppelin's AccessControl. */
const ADMIN_ROLE = `0x${'00'.repeat(32)}`;

/**
 * Reads who decides over an account, as contracts tell it themselves: delegates (EIP-7702), implementations, beacons and
 * admins (EIP-1967), owners of a Safe, `owner()`, and the members of the default admin role; and who decides over those.
 * Every account is read once, so circles end.
 * @param start the account and its code at this block
 * @param known whether the checks of the account's code judge what runs in it already
 * @throws ReaderError
 */
export async function readEdges(
  reader: ChainReader,
  start: { readonly address: string; readonly code: CodeFacts },
  block: Place,
  known: boolean,
): Promise<{ edges: PrincipalEdge[]; unknown: string | null }> {
  const edges: PrincipalEdge[] = [];
  const seen = new Set([start.address]);
  const runs = new Set<string>();
  let layer: { address: string; code: CodeFacts }[] = [start];
  for (let distance = 1; layer.length > 0; distance++) {
    if (distance > MOST_DISTANCE)
      return { edges, unknown: `more than ${MOST_DISTANCE} decide over one another` };
    const found = (
      await Promise.all(layer.map(async ({ address, code }) => deciders(reader, address, code, block)))
    ).flat();
    const told = found.filter((e) => !(known && distance === 1 && e.source.startsWith('EIP-')));
    const named = distance === 1 ? [] : layer.filter(({ address }) => runs.has(address)).flatMap(namedBy);
    edges.push(...unique([...told, ...named]).map((edge) => ({ ...edge, distance })));
    for (const { who, role } of found) if (RUNS.includes(role)) runs.add(who);
    const next = [...new Set(found.map((e) => e.who))].filter((who) => !seen.has(who));
    for (const who of next) seen.add(who);
    if (seen.size > MOST_ACCOUNTS)
      return { edges, unknown: `more than ${MOST_ACCOUNTS} decide over it or over one another` };
    layer = await Promise.all(
      next.map(async (address) => {
        const code = await reader.code(address as Address, block);
        return { address, code: await codeFacts(reader, address as Address, block, code) };
      }),
    );
  }
  return { edges, unknown: null };
}

type Decider = Omit<PrincipalEdge, 'distance'>;

/** Roles of those whose code runs in the account's name. */
const RUNS: readonly string[] = ['its delegate', 'its implementation'];

/** Whom the code that runs in the account's name pays or calls. They decide over nothing, and are followed no further. */
function namedBy({ address, code }: { readonly address: string; readonly code: CodeFacts }): Decider[] {
  return namedInCode(code).map(({ address: who, role }) => ({
    ...{ of: address, who, role, source: 'the code that it runs', alone: true },
  }));
}

/** A contract may name one address many times. */
function unique(found: readonly Decider[]): Decider[] {
  return [...new Map(found.map((e) => [`${e.of} ${e.who} ${e.role}`, e])).values()];
}

async function deciders(
  reader: ChainReader,
  address: string,
  code: CodeFacts,
  block: Place,
): Promise<Decider[]> {
  const { kind } = accountKind(code);
  if (kind === 'plain') return [];
  const source = kind === 'delegated' ? 'EIP-7702' : 'EIP-1967 or EIP-1167';
  const parties = codeParties(code).map((party) => ({
    ...{ of: address, who: party.address, role: party.role, source, alone: true },
  }));
  // What runs in an account that only delegates, or that a token owns, answers for somebody else.
  if (kind === 'delegated' || kind === 'token-bound') return parties;
  return [...parties, ...(await toldBy(reader, address as Address, block))];
}

/** What a contract answers of those who decide over it. */
async function toldBy(reader: ChainReader, address: Address, block: Place): Promise<Decider[]> {
  const asked = async (functionName: string, args: readonly unknown[] = []): Promise<unknown> => {
    try {
      return await reader.read({ address, abi: ABI, functionName, args, block });
    } catch (error) {
      if (error instanceof ReaderError && error.kind === 'reverted') return null;
      throw error;
    }
  };
  const [owners, threshold, owner, members] = await Promise.all([
    asked('getOwners'),
    asked('getThreshold'),
    asked('owner'),
    asked('getRoleMemberCount', [ADMIN_ROLE]),
  ]);
  const safe = Array.isArray(owners) ? (owners as string[]) : [];
  const needed = Number(threshold ?? 1n);
  const count = Math.min(Number(members ?? 0n), MOST_MEMBERS);
  const admins = await Promise.all(
    Array.from({ length: count }, (_, i) => asked('getRoleMember', [ADMIN_ROLE, BigInt(i)])),
  );
  const edge = (who: unknown, role: string, source: string, alone = true): Decider[] => {
    const key = String(who).toLowerCase();
    return who === null || key === NOBODY ? [] : [{ of: address, who: key, role, source, alone }];
  };
  return [
    ...safe
      .slice(0, MOST_MEMBERS)
      .flatMap((who) => edge(who, `an owner (${needed} of ${safe.length} sign)`, 'getOwners()', needed <= 1)),
    ...edge(owner, 'its owner', 'owner()'),
    ...admins.flatMap((who) => edge(who, 'an admin', 'getRoleMember()')),
  ];
}
