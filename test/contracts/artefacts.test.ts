import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../agents/categories.ts';
import { agentAccountAbi } from '../../chain/abi/agent-account.ts';
import { erc6551RegistryAbi } from '../../chain/abi/erc6551-registry.ts';
import { settlementAbi } from '../../chain/abi/settlement.ts';
import { renderArtefacts } from '../../chain/deploy/compile.ts';
import { ERC6551_REGISTRY } from '../../chain/deploy/erc6551-registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the committed artefacts', () => {
  let rendered: ReadonlyMap<string, string>;

  beforeAll(() => {
    rendered = renderArtefacts();
  });

  test('are what the sources compile to; else run `npm run contracts`', () => {
    const stale = [...rendered].filter(([path, text]) => read(path) !== text).map(([path]) => path);
    expect(stale).toEqual([]);
  });

  test('are all there are', () => {
    expect(
      readdirSync(join(ROOT, 'chain/abi'))
        .map((file) => `chain/abi/${file}`)
        .sort(),
    ).toEqual([...rendered.keys()].sort());
  });

  test('name every refusal that can come up through them', () => {
    const errors = (abi: readonly { type: string; name?: string }[]) =>
      abi.filter(({ type }) => type === 'error').map(({ name }) => name);
    const policy = ['PerDealCapExceeded', 'DayCapExceeded', 'WeekCapExceeded', 'MonthCapExceeded'];
    expect(errors(agentAccountAbi)).toEqual(
      expect.arrayContaining([...policy, 'TotalCapExceeded', 'KeyNotLive', 'SafeERC20FailedOperation']),
    );
    expect(errors(settlementAbi)).toEqual(
      expect.arrayContaining([
        ...policy,
        'BelowMinPrice',
        'AmountMismatch',
        'OwnershipCycle',
        'DealAlreadySettled',
      ]),
    );
    expect(new Set(errors(settlementAbi)).size).toBe(errors(settlementAbi).length);
    expect(errors(erc6551RegistryAbi)).toEqual(['AccountCreationFailed']);
  });
});

describe('what the sources share with the service', () => {
  const base = read('chain/contracts/test/Base.sol');

  test('the tests under forge deploy the registry by the same recorded calldata', () => {
    expect(/REGISTRY_DEPLOYMENT =\s*hex"([0-9a-f]+)"/.exec(base)?.[1]).toBe(
      ERC6551_REGISTRY.deploymentCalldata.slice(2),
    );
  });

  test('categories have the same bits', () => {
    expect(base).toContain(`RWA = ${CATEGORIES.indexOf('real-world-assets')};`);
  });

  test('forge compiles with the settings of the artefacts', () => {
    const compiler = read('chain/deploy/compile.ts');
    const foundry = read('foundry.toml');
    for (const [ours, theirs] of [
      [/runs: ([\d_]+)/, /optimizer_runs = ([\d_]+)/],
      [/evmVersion: '(\w+)'/, /evm_version = "(\w+)"/],
      [/bytecodeHash: '(\w+)'/, /bytecode_hash = "(\w+)"/],
    ] as const) {
      expect(ours.exec(compiler)?.[1]).toBeDefined();
      expect(theirs.exec(foundry)?.[1]).toBe(ours.exec(compiler)?.[1]);
    }
  });
});
