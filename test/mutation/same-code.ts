import { type Compiler, codesOf, DEPLOYED } from './code.ts';

/**
 * Whether a fault leaves every contract byte for byte as it was once it is compiled as it will be deployed: then no
 * test can tell the two apart, and nothing is missing.
 * @param sources all sources, by file
 */
export async function isSameCode(
  compile: Compiler,
  sources: ReadonlyMap<string, Buffer>,
  file: string,
  mutated: Buffer,
): Promise<boolean> {
  const codes = await codesOf(compile, sources, file, [sources.get(file)!, mutated], DEPLOYED);
  const [before, after] = codes.map((found) => {
    if (typeof found === 'string') throw new Error(found);
    return JSON.stringify([...found].map(([name, { creation }]) => [name, creation]));
  });
  return before === after;
}
