import { basename, dirname, join } from 'node:path';

/** Answers a request of solc's standard JSON. */
export type Compiler = (input: unknown) => Promise<unknown>;

/** A contract's code, as hex: what makes it, and what then stands there. */
export interface Code {
  readonly creation: string;
  readonly deployed: string;
}

interface Bytecode {
  readonly object: string;
  readonly linkReferences: object;
}
interface Output {
  readonly errors?: readonly {
    readonly severity: string;
    readonly formattedMessage: string;
    readonly sourceLocation?: { readonly file: string };
  }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly evm: { readonly bytecode: Bytecode; readonly deployedBytecode: Bytecode } }>
      >
    >
  >;
}

/** How the tests' copies are compiled: at once. */
export const PLAIN = { enabled: false, runs: 200 } as const;
/** How what is deployed is compiled. */
export const DEPLOYED = { enabled: true, runs: 200 } as const;

const OUTPUTS = ['object', 'linkReferences'].flatMap((part) => [
  `evm.bytecode.${part}`,
  `evm.deployedBytecode.${part}`,
]);

/**
 * The code of every contract that `file` has a part in, by `File.sol:Contract`, for each of several versions of that
 * file; or what the compiler says against a version. Together they cost the compiler half of what they cost one by one.
 * @param sources all sources, by file
 */
export async function codesOf(
  compile: Compiler,
  sources: ReadonlyMap<string, Buffer>,
  file: string,
  versions: readonly Buffer[],
  optimizer: typeof PLAIN | typeof DEPLOYED,
): Promise<readonly (ReadonlyMap<string, Code> | string)[]> {
  const touched = dependantsOf(file, sources);
  const all = versions.map((_, version) => version);
  const refused = new Map<number, string>();
  for (;;) {
    const asked = all.filter((version) => !refused.has(version));
    const units = asked.flatMap((version) =>
      touched.map((name) => {
        const text = `${name === file ? versions[version]! : sources.get(name)!}`;
        return [`${version}/${name}`, { content: withImports(text, version, name, touched) }] as const;
      }),
    );
    const output = (await compile({
      language: 'Solidity',
      sources: Object.fromEntries(units),
      settings: {
        optimizer,
        evmVersion: 'cancun',
        metadata: { bytecodeHash: 'none' },
        remappings: ['@openzeppelin/=node_modules/@openzeppelin/'],
        outputSelection: Object.fromEntries(units.map(([path]) => [path, { '*': OUTPUTS }])),
      },
    })) as Output;
    const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
    for (const { sourceLocation, formattedMessage } of errors) {
      const version = Number(sourceLocation?.file.split('/')[0]);
      if (!all.includes(version)) throw new Error(formattedMessage);
      refused.set(version, formattedMessage);
    }
    if (errors.length > 0 && refused.size < versions.length) continue;
    return all.map((version) => refused.get(version) ?? codesIn(output, version, touched));
  }
}

function codesIn(output: Output, version: number, touched: readonly string[]): ReadonlyMap<string, Code> {
  const found = new Map<string, Code>();
  for (const name of touched) {
    for (const [contract, { evm }] of Object.entries(output.contracts?.[`${version}/${name}`] ?? {})) {
      const linked = { ...evm.bytecode.linkReferences, ...evm.deployedBytecode.linkReferences };
      if (Object.keys(linked).length > 0)
        throw new Error(`${contract} is linked to ${JSON.stringify(linked)}`);
      found.set(`${basename(name)}:${contract}`, {
        creation: evm.bytecode.object,
        deployed: evm.deployedBytecode.object,
      });
    }
  }
  return found;
}

/** A version imports what it has a part in from its own folder, and all else from where it lies. */
function withImports(text: string, version: number, name: string, touched: readonly string[]): string {
  return text.replaceAll(/from "(\.[^"]*)";/g, (_, path: string) => {
    const imported = join(dirname(name), path);
    return `from "${touched.includes(imported) ? version : 'src'}/${imported}";`;
  });
}

/** The file and all that import it, through however many others. */
export function dependantsOf(file: string, sources: ReadonlyMap<string, Buffer>): readonly string[] {
  const found = new Set([file]);
  for (const dependency of found) {
    for (const [name, bytes] of sources) {
      // An import of many names is written over several lines, and its last one holds the path.
      if (new RegExp(`from "\\.[^"]*/${basename(dependency)}";$`, 'm').test(bytes.toString('utf8')))
        found.add(name);
    }
  }
  return [...found];
}
