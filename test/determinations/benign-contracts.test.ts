import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CodeFacts } from '../../agents/determinations/wallet/code/account-code.ts';
import { codeFindings } from '../../agents/determinations/wallet/code/code-findings.ts';
import type { CodeLookUp } from '../../agents/determinations/wallet/code/code-lookup.ts';
import { codeShapes, sweepingShapes } from '../../agents/determinations/wallet/code/code-shape.ts';
import { skeletonOf } from '../../agents/determinations/wallet/code/code-skeleton.ts';
import { instructions, withoutMetadata } from '../../agents/determinations/wallet/instructions.ts';
import type { WalletCommon, WalletFacts } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { readEvidence } from '../../agents/evaluation/read-evidence.ts';
import { drainer } from '../fixtures/contracts/drainers.ts';
import { honestProjects, type Project } from '../fixtures/contracts/honest-projects.ts';
import { type CompilerSettings, runtimeCodes } from '../fixtures/contracts/runtime-code.ts';
import { drawn } from '../fixtures/wallets/wallet-stage.ts';

/** How many of 5,000 honest contracts their code accuses, beside drainers compiled in the same ways. */

const SETTINGS: readonly CompilerSettings[] = [{ runs: 200 }, { runs: 1_000_000 }, { runs: null }];
const OF_EACH = 1_250;
const MOST_ACCUSED = 0.005;

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Another deployment of a code: the addresses that it pushes, and immutable values that are open, are drawn anew. */
function deployment(code: string, n: number): string {
  const address = createHash('sha512').update(`${n} ${code.length}`).digest('hex').slice(0, 40);
  const bytes = Buffer.from(code.slice(2), 'hex');
  for (const { at, push } of instructions(withoutMetadata(code))) {
    if (push?.length === 40 && !/^f+$/.test(push)) bytes.write(address, at + 1, 'hex');
    if (push?.length === 64 && /^0+$/.test(push)) bytes.write(address, at + 13, 'hex');
  }
  return `0x${bytes.toString('hex')}`;
}

const factsOf = (code: string): CodeFacts => {
  const skeleton = skeletonOf(code);
  return {
    ...{ size: (code.length - 2) / 2, hash: '0x01', head: '0x', implementation: null },
    ...(skeleton === null ? {} : { skeleton }),
  };
};

const WHO = drawn('an honest contract');
const { evidence: recorded } = JSON.parse(
  readFileSync(join(root, 'test/fixtures/evidence/wallet-1-proxy-to-listed.json'), 'utf8'),
) as { readonly evidence: { readonly determinations: readonly unknown[] } };
const kept = readEvidence('wallet', recorded.determinations[0]);

/** Whether its code alone speaks against a contract, where these listed contracts are all that is known. */
function isAccused(code: string, listed: ReadonlyMap<string, string>): boolean {
  const facts = factsOf(code);
  const key = listed.get(facts.skeleton ?? '');
  const alike: CodeLookUp['alike'] =
    key === undefined
      ? []
      : [
          {
            skeleton: facts.skeleton!,
            others: 1,
            listed: [{ chain: 'eip155:1', key, list: 'known-scam/one' }],
          },
        ];
  const common = {
    ...(kept.common as WalletCommon),
    address: WHO,
    codes: { before: [], alike, entries: [] },
  };
  const view = { ...kept, common, facts: { chains: [] } satisfies WalletFacts, source: '', limit: '' };
  const found = codeFindings(view, 'eip155:1', WHO, facts);
  return sweepingShapes(codeShapes(code)).length > 0 || found.some((f) => f.outcome !== 'PASS');
}

let projects: readonly Project[];
let drainers: readonly string[];
beforeAll(() => {
  projects = honestProjects();
  drainers = SETTINGS.map(
    (settings) => runtimeCodes({ 'D.sol': drainer('0x0a11ce', 80) }, settings).get('SecurityUpdate')!,
  );
}, 420_000);

const skeletons = (codes: readonly string[]): Map<string, string> =>
  new Map(
    codes.flatMap((code, i) => [[skeletonOf(code) ?? `none ${i}`, drawn(`listed contract ${i}`)] as const]),
  );

describe('five thousand honest contracts', () => {
  it('are of OpenZeppelin, Safe, Solady, and tokens that many hold', () => {
    for (const { name, compiled, published } of projects) {
      expect(`${name} ${compiled.length >= 9}`).toBe(`${name} true`);
      expect(`${name} ${published.length >= 15 || name === 'Solady'}`).toBe(`${name} true`);
    }
  });

  it('are accused by their code in at most one of two hundred of each, where drainers are listed', () => {
    const listed = skeletons(drainers);
    const accused = projects.map(({ name, compiled, published }) => {
      const codes = [...published, ...compiled.map(([, code]) => code)];
      const found = Array.from({ length: OF_EACH }, (_, i) =>
        isAccused(deployment(codes[i % codes.length]!, Math.floor(i / codes.length)), listed),
      );
      return [name, found.filter(Boolean).length / OF_EACH] as const;
    });
    expect(accused.filter(([, share]) => share > MOST_ACCUSED)).toEqual([]);
  });

  it('have skeletons that no contract of another source has', () => {
    const names = new Map<string, Set<string>>();
    for (const [name, code] of projects.flatMap((p) => p.compiled)) {
      const skeleton = skeletonOf(code);
      if (skeleton !== null) names.set(skeleton, (names.get(skeleton) ?? new Set()).add(name));
    }
    expect([...names.values()].filter((sources) => sources.size > 1)).toEqual([]);
  });
});

describe('a drainer of other constants', () => {
  it('is accused by its code, however it was compiled', () => {
    const listed = skeletons(drainers);
    const copies = SETTINGS.map(
      (settings) => runtimeCodes({ 'D.sol': drainer('0xbad', 5, 'a copy') }, settings).get('SecurityUpdate')!,
    );
    expect(copies.filter((code) => !isAccused(code, listed))).toEqual([]);
    expect(drainers.some((code) => copies.includes(code))).toBe(false);
  });
});
