import { readFileSync } from 'node:fs';

const EXAMPLE = new URL('../../.env.example', import.meta.url);

/** The names in .env.example; those of one chain each are told by what stands before its id. */
export function knownSettings(): {
  readonly exact: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  readonly has: (name: string) => boolean;
} {
  const lines = readFileSync(EXAMPLE, 'utf8').split('\n');
  const names = lines.flatMap((line) => /^(?:# )?([A-Z][A-Z0-9_]+(?:<chainId>)?)=/.exec(line)?.[1] ?? []);
  const ofChains = names.filter((name) => name.endsWith('<chainId>'));
  const exact = new Set(names.filter((name) => !ofChains.includes(name)));
  const prefixes = ofChains.map((name) => name.replace('<chainId>', ''));
  const has = (name: string): boolean =>
    exact.has(name) || prefixes.some((prefix) => isOfChain(name, prefix));
  return { exact, prefixes, has };
}

/** Whether the name is that of one chain's setting. */
function isOfChain(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));
}
