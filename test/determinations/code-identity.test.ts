import { keccak256 } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { rowReader } from '../../agents/determinations/provenance/register-row.ts';
import { skeletonOf } from '../../agents/determinations/wallet/code/code-skeleton.ts';
import { readEvidence } from '../../agents/evaluation/read-evidence.ts';
import { readListedCode } from '../../runtime/determinations/read-listed-code.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { drainer } from '../fixtures/contracts/drainers.ts';
import { runtimeCodes } from '../fixtures/contracts/runtime-code.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/** What a contract's code tells by itself, on a real chain: whose it is but for constants, and whether it stays. */

const [LISTED, LISTED_TOKEN] = [drawn('listed drainer'), drawn('listed token')];
const FILL = Array.from({ length: 60 }, (_, n) => drawn(`fill ${n}`));
const compiled = (taker: string, share: number, comment?: string): string =>
  runtimeCodes({ 'Drainer.sol': drainer(taker, share, comment) }).get('SecurityUpdate')!;
const TOKEN = (name: string): string => `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Token is ERC20 {
  address constant TREASURY = address(uint160(uint256(keccak256("${name}"))));
  constructor() ERC20("${name}", "${name}") {}
  function fund(uint256 amount) external { _mint(TREASURY, amount); }
}`;
const token = (name: string): string => runtimeCodes({ 'Token.sol': TOKEN(name) }).get('Token')!;
const clone = (to: string): string => `0x363d3d373d3d3d363d73${to.slice(2)}5af43d82803e903d91602b57fd5bf3`;

let stage: Awaited<ReturnType<typeof walletStage>>;
let made = 0;
async function at(code: string): Promise<string> {
  const who = drawn(`account with a code of its own ${made++}`);
  await stage.code(who, code);
  await stage.rpc('anvil_mine', '0x1');
  return who;
}

async function asked(address: string, depth: Depth = '2-of-2') {
  const { evidence } = await stage.on(address, depth);
  const [determined] = evidence.determinations;
  const { verdict, checks } = judge(determined!);
  const code = checks.filter((c) => ['contract-code', 'eip7702-delegation'].includes(c.id));
  // Evidence as a record keeps it is judged alike by anyone.
  const kept = readEvidence('wallet', JSON.parse(JSON.stringify(determined)));
  expect(judge(kept).verdict).toBe(verdict);
  return { verdict, code, determined: determined!, says: code.map((c) => c.detail).join('\n') };
}

async function importCode(register: 'listed-code' | 'known-code', row: object): Promise<void> {
  const read = rowReader(register, 'jsonl')(JSON.stringify(row), 1)!;
  const rows = (async function* () {
    yield read;
  })();
  await importRegister(stage.db, { register, source: 'mine', asOf: new Date(), mode: 'add', rows });
}

beforeAll(async () => {
  stage = await walletStage();
  await stage.list('known-scam', [...FILL, LISTED, LISTED_TOKEN]);
  await stage.list('sanctions', FILL);
  await stage.code(LISTED, compiled('0x1111111111111111111111111111111111111111', 80));
  await stage.code(LISTED_TOKEN, token('Fake Dollar'));
  await stage.rpc('anvil_mine', '0x1');
  while (await readListedCode(stage.deps, 1002));
}, 240_000);
afterAll(() => stage?.stop());

describe('code that is a listed contract’s but for constants', () => {
  const copy = () => compiled('0x0a11ce', 5, 'a comment of its own');

  it('is FLAGGED, and the listed contract is named', async () => {
    const found = await asked(await at(copy()));
    expect(found.verdict).toBe('FLAGGED');
    expect(found.says).toContain(`that of ${LISTED} on known-scam/one (1 of 1`);
    expect(found.determined.common).toMatchObject({ codes: { alike: [{ listed: [{ key: LISTED }] }] } });
  });

  it('is FLAGGED behind a clone and behind a delegation', async () => {
    const behind = await at(copy());
    for (const code of [clone(behind), `0xef0100${behind.slice(2)}`]) {
      const found = await asked(await at(code));
      expect(found.verdict).toBe('FLAGGED');
      expect(found.says).toContain(`that of ${LISTED}`);
    }
  });

  it('is told alone where most contracts with it are not listed', async () => {
    const honest = [];
    for (const name of ['One', 'Two', 'Three']) honest.push(await at(token(name)));
    const last: Awaited<ReturnType<typeof asked>>[] = [];
    for (const who of honest) last.push(await asked(who));
    const [first, , third] = last;
    expect(first!.says).toContain(`that of ${LISTED_TOKEN} on known-scam/one (1 of 1`);
    expect(third!.code.map((c) => c.outcome)).toEqual(['PASS', 'PASS']);
    expect(third!.says).toContain('1 of 3 contracts with that skeleton are listed');
  });

  it('is accused no more once it is a known implementation, which a list of code outweighs', async () => {
    const who = await at(token('Four'));
    const code = token('Template');
    await importCode('known-code', { code, name: 'Token of a template', source: 'https://template.test' });
    const known = await asked(who);
    expect(known.code.map((c) => c.outcome)).toEqual(['PASS', 'PASS']);
    expect(known.says).toContain(
      'is but for its constants Token of a template, by known-code/mine (https://template.test)',
    );
    await importCode('listed-code', { code, name: 'a fake dollar', source: 'https://reports.test' });
    const listed = await asked(who);
    expect(listed.code[0]).toMatchObject({ outcome: 'FLAG', hard: true });
    expect(listed.says).toContain('is a fake dollar on listed-code/mine');
    expect((await asked(LISTED_TOKEN)).verdict).toBe('FLAGGED');
  });

  it('is not what clones, and proxies of one make, have in common', async () => {
    const honest = await at('0x6001600101');
    await stage.list('known-scam', [...FILL, LISTED, LISTED_TOKEN, await at(clone(honest))]);
    while (await readListedCode(stage.deps, 1002));
    const { code } = await asked(await at(clone(honest)));
    expect(code.map((c) => c.outcome)).toEqual(['PASS', 'PASS']);
  });
});

describe('code that is another than before', () => {
  it('is FLAGGED with both hashes and both blocks', async () => {
    const who = await at(token('Before'));
    const before = await asked(who);
    expect(before.says).not.toContain('created anew');
    await stage.code(who, token('After, and longer'));
    await stage.rpc('anvil_mine', '0x1');
    const after = await asked(who);
    expect(after.verdict).toBe('FLAGGED');
    const [one, other] = [
      keccak256(token('Before') as `0x${string}`),
      keccak256(token('After, and longer') as `0x${string}`),
    ];
    const blocks = [before, after].map((a) => a.determined.blocks['eip155:1002']!.number);
    expect(after.says).toContain(`was ${one} in block ${blocks[0]} and is ${other} in block ${blocks[1]}`);
    expect(after.determined.common).toMatchObject({
      codes: { before: [{ address: who, hash: one, from: blocks[0], to: blocks[0] }] },
    });
  });

  it('is FLAGGED where an account is delegated to it', async () => {
    const behind = await at('0x6001600101');
    const who = await at(`0xef0100${behind.slice(2)}`);
    await asked(who);
    await stage.code(behind, '0x6001600201');
    await stage.rpc('anvil_mine', '0x1');
    expect((await asked(who)).says).toContain(`the code of ${behind} on eip155:1002 was`);
  });

  it('is INCONCLUSIVE where a contract is gone', async () => {
    const who = await at(token('Gone'));
    await asked(who);
    await stage.code(who, '0x');
    await stage.rpc('anvil_mine', '0x1');
    const { code, verdict } = await asked(who);
    expect([verdict, code[0]!.outcome]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    expect(code[0]!.detail).toContain('there is none: another may be created there');
  });

  it('is held against nobody who changes his delegate, or whose contract came to be', async () => {
    const [one, other] = [await at('0x6001600101'), await at('0x6001600201')];
    const who = await at(`0xef0100${one.slice(2)}`);
    await asked(who);
    await stage.code(who, `0xef0100${other.slice(2)}`);
    await stage.rpc('anvil_mine', '0x1');
    expect((await asked(who)).code.map((c) => c.outcome)).toEqual(['PASS', 'PASS']);
    const later = drawn('contract that comes later');
    await asked(later);
    await stage.code(later, token('Later'));
    await stage.rpc('anvil_mine', '0x1');
    expect((await asked(later)).says).not.toContain('created anew');
  });

  it('is kept only as two sources tell it alike', async () => {
    const who = await at(token('Honest'));
    await asked(who, '1-of-1');
    stage.second.lie(({ method, params }, result) =>
      method === 'eth_getCode' && String(params?.[0]) === who ? token('A lie') : result,
    );
    await asked(who);
    stage.second.lie((_, result) => result);
    await stage.code(who, token('Honest too'));
    await stage.rpc('anvil_mine', '0x1');
    expect((await asked(who)).says).not.toContain('created anew');
  });
});

it('a contract that can destroy itself is told', async () => {
  const found = await asked(await at(`0x3373${drawn('owner').slice(2)}14601d575f5ffd5b33ff`));
  expect(found.code.map((c) => c.outcome)).toEqual(['PASS', 'PASS']);
  expect(found.says).toContain('holds SELFDESTRUCT');
});

it('a skeleton stays where addresses, names, amounts and comments change', () => {
  const [one, other] = [compiled(`0x${'11'.repeat(20)}`, 80), compiled('0x00aa', 1_000, 'another')];
  expect(one).not.toBe(other);
  expect(skeletonOf(one)).toBe(skeletonOf(other));
  expect(skeletonOf(one)).not.toBe(skeletonOf(token('One')));
});
