import type { Finding, WalletView } from '../wallet-findings.ts';
import type { CodeFacts } from './account-code.ts';
import type { CodeLookUp } from './code-lookup.ts';
import { type CodeRead, codesOf } from './codes-read.ts';
import { KNOWN_SKELETONS } from './known-skeletons.ts';

/**
 * What speaks for and against the codes of an account, in their own right:
 * - FLAG: a list names the code; it has the skeleton of listed contracts, which are at least half of all that are known to
 *   have it; or it is another than before, which only a contract that was destroyed and created anew can have.
 * - INCONCLUSIVE: a contract stood there, and is gone: whoever created it may create another.
 * - PASS, told: a known implementation, or a template that listed and honest contracts share.
 * A known implementation takes away no finding but that of the skeleton.
 */
export function codeFindings(view: WalletView, chain: string, address: string, code: CodeFacts): Finding[] {
  const { codes } = view.common;
  if (codes === undefined) return [];
  return codesOf(address, code).flatMap((read) => {
    const who =
      read.address === view.common.address.toLowerCase() ? 'its code' : `the code of ${read.address}`;
    const mortal: Finding[] = read.destroysItself
      ? [
          {
            outcome: 'PASS',
            says: `${who} holds SELFDESTRUCT: before Cancun (EIP-6780) another may take its place`,
          },
        ]
      : [];
    return [
      ...mortal,
      ...changed(view, codes, chain, read, who),
      ...named(codes, read, who),
      ...alike(codes, read, who),
    ];
  });
}

function changed(
  { blocks }: WalletView,
  { before }: CodeLookUp,
  chain: string,
  read: CodeRead,
  who: string,
): Finding[] {
  const now = blocks[chain]?.number ?? '0';
  const others = before.filter(
    (b) => b.chain === chain && b.address === read.address && b.hash !== read.hash,
  );
  if (read.hash === null) {
    const gone = others.filter((b) => BigInt(b.to) < BigInt(now)).at(-1);
    if (gone === undefined) return [];
    const says = `${who} on ${chain} was ${gone.hash} in block ${gone.to}, and in block ${now} there is none: another may be created there`;
    return [{ outcome: 'INCONCLUSIVE', says }];
  }
  const last = others.at(-1);
  if (last === undefined) return [];
  const says = `${who} on ${chain} was ${last.hash} in block ${last.to} and is ${read.hash} in block ${now}: it was destroyed and created anew (CREATE2)`;
  return [{ outcome: 'FLAG', says }];
}

function named({ entries }: CodeLookUp, read: CodeRead, who: string): Finding[] {
  const own = entries.filter((e) => e.key === read.hash || e.key === read.skeleton);
  const listed = own.filter((e) => e.list.startsWith('listed-code/'));
  const known = knownAs(entries, read);
  return [
    ...listed.map(({ name, list, key }): Finding => {
      const what = key === read.hash ? who : `${who}, but for its constants,`;
      return { outcome: 'FLAG', hard: true, says: `${what} is ${name} on ${list}` };
    }),
    ...(known === null ? [] : [{ outcome: 'PASS' as const, says: `${who} is ${known}` }]),
  ];
}

function alike(codes: CodeLookUp, read: CodeRead, who: string): Finding[] {
  const same = codes.alike.find((a) => a.skeleton === read.skeleton);
  const others = (same?.listed ?? []).filter((l) => l.key !== read.address);
  const [first] = others;
  if (same === undefined || first === undefined || knownAs(codes.entries, read) !== null) return [];
  const addresses = new Set(others.map((l) => l.key)).size;
  const says = `${who} is, but for constants, that of ${first.key} on ${first.list} (${addresses} of ${same.others} contracts with that skeleton are listed)`;
  return [{ outcome: 2 * addresses >= same.others ? 'FLAG' : 'PASS', says }];
}

/** As what and by whose word a code is a known implementation, in words; null where nobody says so. */
export function knownAs(
  entries: CodeLookUp['entries'],
  { hash, skeleton }: Pick<CodeRead, 'hash' | 'skeleton'>,
): string | null {
  const entry = entries.find(
    (e) => e.list.startsWith('known-code/') && (e.key === hash || e.key === skeleton),
  );
  const but = 'but for its constants ';
  if (entry !== undefined)
    return `${entry.key === hash ? '' : but}${entry.name}, by ${entry.list} (${entry.source})`;
  const shipped = skeleton === null ? undefined : KNOWN_SKELETONS.get(skeleton);
  return shipped === undefined ? null : `${but}${shipped.name} (${shipped.source})`;
}
