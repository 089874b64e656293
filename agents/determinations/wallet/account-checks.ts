import { chainSource, check } from '../panel/judging.ts';
import type { Check, Source } from '../panel/types.ts';
import { accountKind, type CodeFacts, codeParties, namedInCode } from './code/account-code.ts';
import { codeFindings } from './code/code-findings.ts';
import { twinFinding } from './code/twins.ts';
import { grantsOn } from './grants.ts';
import { principalsOn, sessionKeysOf } from './principals.ts';
import type { ChainReading, WalletCommon } from './wallet-evidence.ts';
import { type Finding, itself, listedFinding, type WalletView, worstOf } from './wallet-findings.ts';

/** Checks what runs in the account's name on each chain, and whom that names. */
export function contractCode(view: WalletView): Check {
  return overChains(view, 'contract-code', ({ chain }, code) => {
    const account = accountKind(code);
    const found = codeFindings(view, chain, view.common.address, code);
    const told = found.flatMap((f) => (f.outcome === 'PASS' ? [`; ${f.says}`] : [])).join('');
    if (account.kind === 'plain') return worstOf(found) ?? { outcome: 'PASS', says: `no code on ${chain}` };
    if (account.kind === 'delegated') return { outcome: 'PASS', says: `an EIP-7702 delegation on ${chain}` };
    const listed = [...codeParties(code), ...namedInCode(code)].map((p) =>
      listedFinding(view, p.address, p.role),
    );
    const against = worstOf([...listed, ...found]);
    if (against !== null) return against;
    const admin = code.admin ? `, which ${code.admin} may change` : '';
    const twin = twinFinding(view.common, chain, code.hash);
    if (twin?.outcome === 'FLAG') return twin;
    if (account.kind === 'contract')
      return {
        outcome: 'PASS',
        says: `a contract on ${chain}, ${code.size} bytes${admin}${twin === null ? '' : `; ${twin.says}`}${told}`,
      };
    if (account.kind === 'proxy') {
      const by = code.beacon ? ` told by the beacon ${code.beacon}` : '';
      return {
        outcome: 'PASS',
        says: `an ${account.standard} proxy on ${chain} to ${account.to}${by}${admin}${told}`,
      };
    }
    const own = view.common.platform.some(
      (p) => p.chain === chain && p.implementation === account.to && p.agentNft === account.contract,
    );
    const whose = own
      ? "this platform's agent"
      : `the token ${account.contract}/${account.tokenId}, not of this platform,`;
    const token = own ? ` ${account.tokenId}` : '';
    return { outcome: 'PASS', says: `the ERC-6551 account of ${whose}${token} on ${chain}` };
  });
}

/** An account acts for its owners and its session keys, so a hit on any of them is a hit on the account. */
export function principals(view: WalletView): Check {
  const findings = [...view.common.chains.map((chain) => principalsOn(view, chain)), ...sessionKeysOf(view)];
  const sources = view.common.chains.map((chain) => chainSource(view, chain));
  return merged('principals', findings, sources, itself(view.at));
}

/** Approvals that stand: whoever holds one moves the account's tokens as it likes. */
export function standingGrants(view: WalletView): Check {
  const findings = view.common.chains.map((chain) => grantsOn(view, chain));
  const sources = view.common.chains.map((chain) => chainSource(view, chain));
  return merged('standing-grants', findings, sources, itself(view.at));
}

/** Checks to whom the account hands its calls (EIP-7702). */
export function delegation(view: WalletView): Check {
  return overChains(view, 'eip7702-delegation', (reading, code) => {
    const account = accountKind(code);
    if (account.kind !== 'delegated') return { outcome: 'PASS', says: `no delegation on ${reading.chain}` };
    const says = `delegated to ${account.to} on ${reading.chain}, which no list names`;
    const listed = [...codeParties(code), ...namedInCode(code)].map((p) =>
      listedFinding(view, p.address, p.role),
    );
    const [shape] = code.shapes ?? [];
    const sweeps: Finding[] =
      shape === undefined ? [] : [{ outcome: 'FLAG', says: `${account.to}, its delegate, ${shape}` }];
    const found = codeFindings(view, reading.chain, view.common.address, code);
    return worstOf([...listed, ...sweeps, ...found]) ?? { outcome: 'PASS', says };
  });
}

/** The issuer of a token may forbid this address to move it: `isBlacklisted` of FiatToken (USDC). */
export function issuerFreeze(view: WalletView, tokens: NonNullable<WalletCommon['tokens']>): Check {
  const findings = tokens.map(({ chain, token, name }): Finding => {
    const reading = view.facts.chains.find((c) => c.chain === chain);
    const what = `${name} ${token} on ${chain}`;
    if (reading?.freeze == null || reading.freeze.token !== token)
      return {
        outcome: 'INCONCLUSIVE',
        says: `${what} could not be read: ${reading?.fault ?? 'no reading'}`,
      };
    if (reading.freeze.state === 'frozen')
      return { outcome: 'FLAG', hard: true, says: `the issuer of ${what} has frozen this address` };
    const none = reading.freeze.state === 'no-list';
    return {
      outcome: 'PASS',
      says: none ? `${what} has no freeze list` : `not frozen by the issuer of ${what}`,
    };
  });
  const sources = tokens.map(({ chain }) => chainSource(view, chain));
  return merged('issuer-freeze', findings, sources, itself(view.at));
}

function overChains(
  view: WalletView,
  id: string,
  find: (reading: ChainReading, code: CodeFacts) => Finding,
): Check {
  const findings = view.common.chains.map((chain): Finding => {
    const reading = view.facts.chains.find((c) => c.chain === chain);
    if (reading?.code == null) {
      return {
        outcome: 'INCONCLUSIVE',
        says: `${chain} could not be read: ${reading?.fault ?? 'no reading'}`,
      };
    }
    return find(reading, reading.code);
  });
  const sources = view.common.chains.map((chain) => chainSource(view, chain));
  return merged(id, findings, sources, itself(view.at));
}

/** The worst of several findings, in the words of all findings that are not a PASS. */
function merged(id: string, findings: readonly Finding[], sources: Source[], none: Source[]): Check {
  if (findings.length === 0) return check(id, 'INCONCLUSIVE', 'no chain is configured', none);
  const worst = worstOf(findings)?.outcome ?? 'PASS';
  const hard = findings.some((f) => f.outcome === 'FLAG' && f.hard === true);
  const said = findings.filter((f) => worst === 'PASS' || f.outcome !== 'PASS').map((f) => f.says);
  return check(id, worst, said.join('; '), sources, { hard });
}
