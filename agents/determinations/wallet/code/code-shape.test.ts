import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accountKind, constantAddresses, targetsInCode } from './account-code.ts';
import { codeShapes, holdsSelfDestruct, sweepingShapes } from './code-shape.ts';

const BUILT = new URL('../../../../node_modules/@openzeppelin/contracts/build/contracts/', import.meta.url);
const [TO, OWNER] = ['ab'.repeat(20), 'cd'.repeat(20)];
/** Calls `to` with the value that `amount` leaves on the stack. */
const pay = (amount: string, to = TO): string => `5f5f5f5f${amount}73${to}5af1`;
const [BALANCE, BALANCE_OF_SELF, CALLVALUE] = ['47', '3031', '34'];
/** Runs the rest only for one caller. */
const only = (source: string, rest: string): string => `${source}73${OWNER}14601f575f5ffd5b${rest}`;

describe('short code that takes what comes', () => {
  const sweepers = [
    `${pay(BALANCE)}00`,
    `${pay(BALANCE_OF_SELF)}00`,
    `${pay(CALLVALUE)}00`,
    `5b${pay(BALANCE)}5000`,
    `3415600957${'5b'.repeat(4)}${pay(BALANCE)}00`,
    `6000600060006000${BALANCE}73${TO}5af100`,
    `6000600060006000${CALLVALUE}73${TO}620186a0f100`,
    `60016002015060${'05'}50${pay(BALANCE)}00`,
    `5f50${pay(BALANCE)}00`,
    `5f5f5f5f4773${TO}80505af100`,
    // As a delegate, also a share of what is held is theft.
    `${pay('60024704')}00`,
    '33ff',
    `73${TO}ff`,
  ];
  it.each(sweepers.map((code) => [code]))('is told: %s', (code) => {
    expect(codeShapes(`0x${code}`)).not.toEqual([]);
  });

  const honest = [
    '00',
    '5f5ffd',
    only('33', `${pay(BALANCE)}00`),
    only('32', `${pay(BALANCE)}00`),
    only('33', `73${TO}ff`),
    `${pay('6001')}00`,
    `5f5f5f5f47335af100`,
    `3d3d3d3d363d3d37363d73${TO}5af43d3d93803e602a57fd5bf3`,
    `363d3d373d3d3d363d73${TO}5af43d82803e903d91602b57fd5bf3`,
    '6080604052',
    'fe',
    `${'5b'.repeat(2_000)}${pay(BALANCE)}00`,
  ];
  it.each(honest.map((code) => [code.slice(0, 80), code]))('is not made of %s', (_, code) => {
    expect(codeShapes(`0x${code}`)).toEqual([]);
  });
});

it('who shares out what he holds is told from who takes all', () => {
  expect(sweepingShapes(codeShapes(`0x${pay('60024704')}00`))).toEqual([]);
  expect(sweepingShapes(codeShapes(`0x${pay(BALANCE)}00`))).not.toEqual([]);
});

describe('clones', () => {
  const clones: readonly (readonly [string, string])[] = [
    ['EIP-1167', `363d3d373d3d3d363d73${TO}5af43d82803e903d91602b57fd5bf3`],
    [
      'EIP-1167 with arguments behind it',
      `363d3d373d3d3d363d73${TO}5af43d82803e903d91602b57fd5bf3${'00'.repeat(64)}`,
    ],
    ['of 0age', `3d3d3d3d363d3d37363d73${TO}5af43d3d93803e602a57fd5bf3`],
    ['with PUSH0', `365f5f375f5f365f73${TO}5af43d5f5f3e5f3d91602a57fd5bf3`],
    ['of Vyper', `366000600037611000600036600073${TO}5af4602c57600080fd5b6110006000f3`],
    [
      'with immutable arguments',
      `3d3d3d3d363d3d3761003f603736393661003f013d73${TO}5af43d3d93803e603557fd5bf3`,
    ],
    [
      'that takes the native currency',
      `36602f57343d527f${'9e'.repeat(32)}3d6020a15b3d3d3d3d363d3d37363d73${TO}5af4603c57fd5bf3`,
    ],
  ];
  it.each(clones)('%s names what it runs', (_, code) => {
    expect(targetsInCode(`0x${code}`).map(({ to }) => to)).toEqual([`0x${TO}`]);
    expect(constantAddresses(`0x${code}`)).toContain(`0x${TO}`);
  });

  it('an account with a delegate names it, and nothing else does', () => {
    expect(targetsInCode(`0xef0100${TO}`)).toEqual([{ to: `0x${TO}`, by: 'EIP-7702' }]);
    expect(targetsInCode(`0x6080${TO}`)).toEqual([]);
  });
});

it('what an account keeps behind its proxy is no code that destroys it', () => {
  const proxy = `0x363d3d373d3d3d363d73${TO}5af43d82803e903d91602b57fd5bf3`;
  expect(holdsSelfDestruct(`${proxy}${'ff'.repeat(128)}`)).toBe(false);
  expect(holdsSelfDestruct('0x33ff')).toBe(true);
});

describe('five thousand honest contracts', () => {
  const built = readdirSync(BUILT)
    .map((name) => JSON.parse(readFileSync(new URL(name, BUILT), 'utf8')) as { deployedBytecode: string })
    .map(({ deployedBytecode }) => deployedBytecode.toLowerCase())
    .filter((code) => /^0x(?:[0-9a-f]{2})+$/.test(code));

  /** The code with every constant of twenty bytes and more, and its metadata, drawn anew: another deployment of it. */
  const variant = (code: string, n: number): string => {
    const drawn = (bytes: number) =>
      createHash('sha512')
        .update(`${n} ${code.length}`)
        .digest('hex')
        .slice(0, 2 * bytes);
    return code
      .replaceAll(/73[0-9a-f]{40}/g, `73${drawn(20)}`)
      .replaceAll(/7f0{64}/g, `7f${'0'.repeat(24)}${drawn(20)}`);
  };

  it('are accused of nothing by their code, in at most one of two hundred', () => {
    expect(built.length).toBeGreaterThan(60);
    let [all, accused] = [0, 0];
    for (let n = 0; all < 5_000; n++)
      for (const code of built) {
        const other = variant(code, n);
        all += 1;
        if (codeShapes(other).length > 0) accused += 1;
        expect(
          accountKind({ size: 1, hash: null, head: `0x${other.slice(2, 514)}`, implementation: null }).kind,
        ).toBe('contract');
      }
    expect(accused / all).toBeLessThanOrEqual(0.005);
  }, 240_000);
});
