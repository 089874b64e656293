import {
  accountKind,
  type CodeFacts,
  codeParties,
  namedInCode,
} from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { PrincipalEdge, Principals } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import type { ChainReader, Place } from '../../../../chain/rpc/reader.ts';
import { codeFacts } from './account-facts.ts';
import { type Decider, toldBy } from './told-deciders.ts';

type Address = `0x${string}`;

/** Accounts further away, or beyond this many, are not read, and the answer says so. */
const MOST_DISTANCE = 8;
const MOST_ACCOUNTS = 24;
/**
 * Reads who decides over an account, as contracts tell it themselves: delegates (EIP-7702), implementations, beacons and
 * admins (EIP-1967), and whom a contract names; and who decides over those.
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
): Promise<Found> {
  const edges: PrincipalEdge[] = [];
  const unread: string[] = [];
  const missed = new Set<string>();
  const found = (unknown: string | null): Found => ({
    ...{ edges, unknown: unknown ?? (missed.size === 0 ? null : [...missed].sort().join(', ')) },
    ...(unread.length === 0 ? {} : { unread: [...new Set(unread)].sort() }),
  });
  const seen = new Set([start.address]);
  const runs = new Set<string>();
  let layer: { address: string; code: CodeFacts }[] = [start];
  for (let distance = 1; layer.length > 0; distance++) {
    if (distance > MOST_DISTANCE) return found(`more than ${MOST_DISTANCE} decide over one another`);
    const answers = await Promise.all(
      layer.map(({ address, code }) => deciders(reader, address, code, block)),
    );
    unread.push(...answers.flatMap((a) => a.unread));
    for (const what of answers.flatMap((a) => a.unknown)) missed.add(what);
    for (const { address, code } of layer)
      if (code.unresolved) missed.add(`more code runs in the name of ${address} than was read`);
    const all = answers.flatMap((a) => a.deciders);
    const told = all.filter((e) => !(known && distance === 1 && e.source.startsWith('EIP-')));
    const named = distance === 1 ? [] : layer.filter(({ address }) => runs.has(address)).flatMap(namedBy);
    edges.push(...unique([...told, ...named]).map((edge) => ({ ...edge, distance })));
    const empty = layer.find(({ address, code }) => runs.has(address) && code.size === 0);
    if (empty !== undefined)
      return found(`what runs in its name would stand at ${empty.address}, and no code stands there`);
    for (const { who, role } of all) if (RUNS.includes(role)) runs.add(who);
    const next = [...new Set(all.map((e) => e.who))].filter((who) => !seen.has(who));
    for (const who of next) seen.add(who);
    if (seen.size > MOST_ACCOUNTS)
      return found(`more than ${MOST_ACCOUNTS} decide over it or over one another`);
    layer = await Promise.all(
      next.map(async (address) => {
        const code = await reader.code(address as Address, block);
        return { address, code: await codeFacts(reader, address as Address, block, code) };
      }),
    );
  }
  return found(null);
}

type Found = Required<Pick<Principals, 'edges' | 'unknown'>> & Pick<Principals, 'unread'>;

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
): Promise<{ deciders: Decider[]; unread: readonly string[]; unknown: readonly string[] }> {
  const { kind } = accountKind(code);
  if (kind === 'plain') return { deciders: [], unread: [], unknown: [] };
  const source = kind === 'delegated' ? 'EIP-7702' : 'EIP-1967 or EIP-1167';
  const parties = codeParties(code).map((party) => ({
    ...{ of: address, who: party.address, role: party.role, source, alone: true },
  }));
  // What runs in an account that only delegates, or that a token owns, answers for somebody else.
  if (kind === 'delegated' || kind === 'token-bound') return { deciders: parties, unread: [], unknown: [] };
  const told = await toldBy(reader, address as Address, block);
  return { ...told, deciders: [...parties, ...told.deciders] };
}
