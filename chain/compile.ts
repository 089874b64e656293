import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { keccak256 } from 'viem';

/** The compiler's settings. `foundry.toml` states the same for the contracts' own tests. */
export const SETTINGS = {
  optimizer: { enabled: true, runs: 10_000 },
  evmVersion: 'cancun',
  // Without a hash of the sources in the code a comment moves no CREATE2 address.
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] } },
} as const;

/** Contract → the contracts whose errors may come up through it, so that one ABI names every refusal. */
const CONTRACTS: Readonly<Record<string, readonly string[]>> = {
  AgentNFT: ['SpendPolicy'],
  AgentAccount: ['SpendPolicy', 'TestUSDC', 'AgentNFT'],
  SpendPolicy: ['AgentNFT'],
  Settlement: ['AgentAccount', 'SpendPolicy', 'TestUSDC', 'AgentNFT', 'DemoAssets'],
  Ledger: [],
  TestUSDC: [],
  DemoAssets: [],
};

const FILES: Readonly<Record<string, { file: string; name: string }>> = {
  AgentNFT: { file: 'agent-nft', name: 'agentNft' },
  AgentAccount: { file: 'agent-account', name: 'agentAccount' },
  SpendPolicy: { file: 'spend-policy', name: 'spendPolicy' },
  Settlement: { file: 'settlement', name: 'settlement' },
  Ledger: { file: 'ledger', name: 'ledger' },
  TestUSDC: { file: 'test-usdc', name: 'testUsdc' },
  DemoAssets: { file: 'demo-assets', name: 'demoAssets' },
};

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

interface AbiItem {
  readonly type: string;
  readonly name?: string;
  readonly inputs?: readonly { readonly type: string }[];
}

interface Output {
  readonly abi: readonly AbiItem[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: {
      readonly object: string;
      readonly immutableReferences: Readonly<Record<string, readonly { start: number; length: number }[]>>;
    };
  };
}

interface Compiled {
  readonly errors?: readonly {
    readonly severity: string;
    readonly formattedMessage: string;
    readonly sourceLocation?: { readonly file: string };
  }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Output>>>>;
}

/**
 * Compiles the contracts with the solc of the package and renders one typed module for each, by path from the
 * root. Writes nothing.
 * @throws Error with the compiler's own words when it reports an error or a warning
 */
export function renderArtefacts(): ReadonlyMap<string, string> {
  // The compiler is 9 MB of WebAssembly: loaded when it is used.
  const solc = createRequire(import.meta.url)('solc') as {
    version(): string;
    compile(
      input: string,
      callbacks: { import(path: string): { contents: string } | { error: string } },
    ): string;
  };
  const names = Object.keys(CONTRACTS);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map(sourcePath).map((path) => [path, { content: readFileSync(join(ROOT, path), 'utf8') }]),
    ),
    settings: SETTINGS,
  };
  const compiled = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })) as Compiled;
  // A library's warnings are its authors' business, an error is ours wherever it stands.
  const complaints = (compiled.errors ?? []).filter(
    ({ severity, sourceLocation }) =>
      severity === 'error' ||
      (severity === 'warning' && sourceLocation?.file.startsWith('@openzeppelin/') !== true),
  );
  if (complaints.length > 0) throw new Error(complaints.map((c) => c.formattedMessage).join('\n'));

  const output = (name: string): Output => {
    const found = compiled.contracts?.[sourcePath(name)]?.[name];
    if (found === undefined) throw new Error(`The compiler gave no ${name}.`);
    return found;
  };
  const modules = new Map<string, string>();
  for (const name of names) {
    const errors = CONTRACTS[name]!.flatMap((other) =>
      output(other).abi.filter(({ type }) => type === 'error'),
    );
    modules.set(
      `chain/abi/${FILES[name]!.file}.ts`,
      renderContract(name, output(name), errors, solc.version()),
    );
  }
  return modules;
}

function sourcePath(name: string): string {
  return `chain/contracts/${name}.sol`;
}

function readImport(path: string): { contents: string } | { error: string } {
  const file = path.startsWith('@openzeppelin/') ? join(ROOT, 'node_modules', path) : join(ROOT, path);
  try {
    return { contents: readFileSync(file, 'utf8') };
  } catch {
    return { error: `${relative(ROOT, file)} is not there` };
  }
}

function renderContract(
  name: string,
  { abi, evm }: Output,
  foreignErrors: readonly AbiItem[],
  compiler: string,
): string {
  const prefix = FILES[name]!.name;
  const own = new Set(abi.filter(({ type }) => type === 'error').map(signature));
  const merged = [...abi];
  for (const error of foreignErrors) {
    if (own.has(signature(error))) continue;
    own.add(signature(error));
    merged.push(error);
  }
  const immutables = Object.values(evm.deployedBytecode.immutableReferences)
    .flat()
    .map(({ start, length }) => [start, length] as const)
    .sort(([a], [b]) => a - b);
  return [
    `// Made by \`npm run contracts\` from ${sourcePath(name)} with solc ${compiler.split('+')[0]}. Not to be edited.`,
    '',
    `export const ${prefix}Abi = ${JSON.stringify(merged, null, 2)} as const;`,
    '',
    "/** Creation code, without the constructor's arguments. */",
    `export const ${prefix}Bytecode =\n  '0x${evm.bytecode.object}' as const;`,
    '',
    '/** Code on chain: its length, where constructor values stand in it, and its hash with those bytes zero. */',
    `export const ${prefix}Runtime = {`,
    `  length: ${evm.deployedBytecode.object.length / 2},`,
    `  immutables: ${JSON.stringify(immutables)},`,
    `  codeHash: '${keccak256(`0x${evm.deployedBytecode.object}`)}',`,
    '} as const;',
    '',
  ].join('\n');
}

function signature({ name, inputs = [] }: AbiItem): string {
  return `${name}(${inputs.map(({ type }) => type).join(',')})`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(join(ROOT, 'chain/abi'), { recursive: true });
  for (const [path, text] of renderArtefacts()) {
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
}
