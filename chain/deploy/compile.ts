import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { keccak256 } from 'viem';

/** The compiler's settings. `foundry.toml` has the same for the contracts' own tests. */
const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  // Without a hash of the sources in the code, changing a comment changes no CREATE2 address.
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] } },
} as const;

interface Module {
  readonly source: string;
  readonly contract: string;
  /** The module is `chain/abi/{file}.ts`. */
  readonly file: string;
  /** The prefix of its exports. */
  readonly prefix: string;
  /** Contracts whose errors may bubble up through this one; its ABI includes them. */
  readonly errorsOf: readonly string[];
}

const contract = (name: string, file: string, prefix: string, errorsOf: readonly string[] = []): Module => ({
  source: `chain/contracts/${name}.sol`,
  contract: name,
  file,
  prefix,
  errorsOf,
});

const MODULES: readonly Module[] = [
  contract('AgentNFT', 'agent-nft', 'agentNft', ['SpendPolicy', 'IERC6551Registry']),
  contract('AgentAccount', 'agent-account', 'agentAccount', ['SpendPolicy', 'AgentNFT', 'TestUSDC']),
  contract('SpendPolicy', 'spend-policy', 'spendPolicy', ['AgentNFT']),
  contract('Settlement', 'settlement', 'settlement', [
    'AgentAccount',
    'SpendPolicy',
    'AgentNFT',
    'TestUSDC',
    'DemoAssets',
  ]),
  contract('Certificates', 'certificates', 'certificates'),
  contract('Ledger', 'ledger', 'ledger'),
  contract('FeeVault', 'fee-vault', 'feeVault'),
  {
    source: 'chain/contracts/access/DelayedAccessManager.sol',
    contract: 'DelayedAccessManager',
    file: 'access-manager',
    prefix: 'accessManager',
    errorsOf: [],
  },
  contract('TestUSDC', 'test-usdc', 'testUsdc'),
  contract('DemoAssets', 'demo-assets', 'demoAssets'),
  contract('DemoNames', 'demo-names', 'demoNames'),
  {
    source: 'chain/contracts/interfaces/IERC6551.sol',
    contract: 'IERC6551Registry',
    file: 'erc6551-registry',
    prefix: 'erc6551Registry',
    errorsOf: [],
  },
];

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

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
 * Compiles the contracts with the installed solc and renders a typed module for each, by path from the root. Writes
 * nothing.
 * @throws Error in the compiler's words when it reports an error, or a warning about our own sources
 */
export function renderArtefacts(): ReadonlyMap<string, string> {
  // The compiler is 9 MB of WebAssembly, so it is loaded only when it is used.
  const solc = createRequire(import.meta.url)('solc') as {
    version(): string;
    compile(
      input: string,
      callbacks: { import(path: string): { contents: string } | { error: string } },
    ): string;
  };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      MODULES.map(({ source }) => [source, { content: readFileSync(join(ROOT, source), 'utf8') }]),
    ),
    settings: SETTINGS,
  };
  const compiled = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })) as Compiled;
  const complaints = (compiled.errors ?? []).filter(
    ({ severity, sourceLocation }) =>
      severity === 'error' ||
      (severity === 'warning' && sourceLocation?.file.startsWith('@openzeppelin/') !== true),
  );
  if (complaints.length > 0) throw new Error(complaints.map((c) => c.formattedMessage).join('\n'));

  const outputs = new Map(
    MODULES.map((module) => {
      const found = compiled.contracts?.[module.source]?.[module.contract];
      if (found === undefined) throw new Error(`${module.source} holds no ${module.contract}.`);
      return [module.contract, found] as const;
    }),
  );
  const compiler = solc.version().split('+')[0]!;
  return new Map(
    MODULES.map((module) => [`chain/abi/${module.file}.ts`, renderModule(module, outputs, compiler)]),
  );
}

function readImport(path: string): { contents: string } | { error: string } {
  const file = path.startsWith('@openzeppelin/') ? join(ROOT, 'node_modules', path) : join(ROOT, path);
  try {
    return { contents: readFileSync(file, 'utf8') };
  } catch {
    return { error: `${relative(ROOT, file)} is not there` };
  }
}

function renderModule(
  { source, contract: name, prefix, errorsOf }: Module,
  outputs: ReadonlyMap<string, Output>,
  compiler: string,
): string {
  const { abi, evm } = outputs.get(name)!;
  const merged = new Map<string, AbiItem>();
  const foreign = errorsOf.flatMap((other) => outputs.get(other)!.abi.filter(({ type }) => type === 'error'));
  for (const item of [...abi, ...foreign]) {
    const key = `${item.type} ${item.name}(${(item.inputs ?? []).map(({ type }) => type).join(',')})`;
    if (!merged.has(key)) merged.set(key, item);
  }
  const lines = [
    `// Made by \`npm run contracts\` from ${source} with solc ${compiler}. Not to be edited.`,
    '',
    `export const ${prefix}Abi = [`,
    ...[...merged.values()].map((entry) => `  ${JSON.stringify(entry)},`),
    '] as const;',
    '',
  ];
  if (evm.bytecode.object === '') return lines.join('\n');
  const { object, immutableReferences } = evm.deployedBytecode;
  const immutables = Object.values(immutableReferences)
    .flat()
    .map(({ start, length }) => [start, length] as const)
    .sort(([a], [b]) => a - b);
  return [
    ...lines,
    "/** Creation code, without the constructor's arguments. */",
    `export const ${prefix}Bytecode =\n  '0x${evm.bytecode.object}' as const;`,
    '',
    '/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */',
    `export const ${prefix}Runtime = {`,
    `  length: ${object.length / 2},`,
    `  immutables: ${JSON.stringify(immutables)},`,
    `  codeHash: '${keccak256(`0x${object}`)}',`,
    '} as const;',
    '',
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(join(ROOT, 'chain/abi'), { recursive: true });
  for (const [path, text] of renderArtefacts()) {
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
}
