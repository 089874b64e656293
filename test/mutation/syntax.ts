import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A node of solc's syntax tree. Only what every node has is typed; the rest is asked for by name. */
export interface Node {
  readonly nodeType: string;
  /** `start:length:file`, in bytes. */
  readonly src: string;
  readonly [property: string]: unknown;
}

/** A source with its tree. Offsets count bytes, as solc does. */
export interface Source {
  /** From the folder of the contracts: `libraries/SpendHistory.sol`. */
  readonly file: string;
  readonly bytes: Buffer;
  readonly tree: Node;
  /** By a contract's id: the variables and functions it has and inherits, as far as it may name them. */
  readonly members: ReadonlyMap<number, readonly Node[]>;
}

export const CONTRACTS = 'chain/contracts';

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>;
}

/**
 * The syntax trees of contract sources, analysed: every expression knows its type.
 * @param contents files by their path from the contracts' folder
 * @throws Error with the compiler's words when one does not compile
 */
export function parse(root: string, contents: ReadonlyMap<string, Buffer>): readonly Source[] {
  const solc = createRequire(import.meta.url)('solc') as {
    compile(
      input: string,
      callbacks: { import(path: string): { contents?: string; error?: string } },
    ): string;
  };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      [...contents].map(([file, bytes]) => [`${CONTRACTS}/${file}`, { content: bytes.toString('utf8') }]),
    ),
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '': ['ast'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: importFrom(root) })) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const contracts = new Map(
    Object.values(output.sources)
      .flatMap(({ ast }) => childrenOf(ast))
      .filter(({ nodeType }) => nodeType === 'ContractDefinition')
      .map((contract) => [contract.id as number, contract]),
  );
  const members = new Map([...contracts].map(([id, contract]) => [id, membersOf(contract, contracts)]));
  return [...contents].map(([file, bytes]) => ({
    file,
    bytes,
    tree: output.sources[`${CONTRACTS}/${file}`]!.ast,
    members,
  }));
}

function membersOf(contract: Node, contracts: ReadonlyMap<number, Node>): readonly Node[] {
  return (contract.linearizedBaseContracts as readonly number[]).flatMap((id) =>
    childrenOf(contracts.get(id)!)
      .filter(({ nodeType }) => nodeType === 'VariableDeclaration' || nodeType === 'FunctionDefinition')
      .filter(({ visibility }) => id === contract.id || visibility !== 'private'),
  );
}

function importFrom(root: string): (path: string) => { contents?: string; error?: string } {
  return (path) => {
    try {
      return {
        contents: readFileSync(join(root, path.startsWith('@') ? 'node_modules' : '', path), 'utf8'),
      };
    } catch {
      return { error: `${path} is not there` };
    }
  };
}

/** Where a node stands, in bytes: first and one past the last. */
export function range(node: Node): readonly [start: number, end: number] {
  const [start, length] = node.src.split(':').map(Number) as [number, number];
  return [start, start + length];
}

export function textOf(source: Source, node: Node): string {
  const [start, end] = range(node);
  return source.bytes.subarray(start, end).toString('utf8');
}

/** The type solc found for an expression, `uint256`; empty for what has none. */
export function typeOf(node: Node): string {
  const types = node.typeDescriptions as { typeString?: string | null } | undefined;
  return types?.typeString ?? '';
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).nodeType === 'string';
}

export function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode)
    .sort((a, b) => range(a)[0] - range(b)[0]);
}
