import type { Workshop } from './workshop.ts';

interface Output {
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>
    >
  >;
}

/**
 * Whether a fault leaves every contract byte for byte as it was once it is compiled as it will be deployed: then no
 * test can tell the two apart, and nothing is missing.
 * @param sources all sources, by file
 */
export async function isSameCode(
  workshop: Workshop,
  sources: ReadonlyMap<string, Buffer>,
  file: string,
  mutated: Buffer,
): Promise<boolean> {
  const touched = dependantsOf(file, sources);
  const compile = async (all: ReadonlyMap<string, Buffer>) => {
    const output = (await workshop.compile({
      language: 'Solidity',
      sources: Object.fromEntries([...all].map(([name, bytes]) => [`src/${name}`, { content: `${bytes}` }])),
      settings: {
        optimizer: { enabled: true, runs: 10_000 },
        evmVersion: 'cancun',
        metadata: { bytecodeHash: 'none' },
        outputSelection: Object.fromEntries(
          touched.map((name) => [`src/${name}`, { '*': ['evm.bytecode.object'] }]),
        ),
      },
    })) as Output;
    if (output.contracts === undefined) return undefined;
    return JSON.stringify(
      touched.map((name) =>
        Object.entries(output.contracts![`src/${name}`] ?? {}).map(([contract, { evm }]) => [
          contract,
          evm.bytecode.object,
        ]),
      ),
    );
  };
  const [before, after] = [await compile(sources), await compile(new Map([...sources, [file, mutated]]))];
  return before !== undefined && before === after;
}

/** The file and all that import it, through however many others. */
function dependantsOf(file: string, sources: ReadonlyMap<string, Buffer>): readonly string[] {
  const found = new Set([file]);
  for (const dependency of found) {
    for (const [name, bytes] of sources) {
      const path = dependency.split('/').at(-1)!;
      if (new RegExp(`^import .*/${path}";$`, 'm').test(bytes.toString('utf8'))) found.add(name);
    }
  }
  return [...found];
}
