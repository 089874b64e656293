import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = join(ROOT, 'chain/contracts/test');
const testFiles = () =>
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sol'));

/** Doors that are open to anybody, and why nothing is lost by that. */
const OPEN: Readonly<Record<string, string>> = {
  'AgentNFT.setApprovalForAll': 'Speaks for the tokens of whoever calls.',
  'Certificates.setApprovalForAll': 'Speaks for the tokens of whoever calls.',
  'Settlement.changeVault': 'Takes into use what the admin named two days before.',
  'DelayedAccessManager.consumeScheduledOp': 'Speaks for acts that were planned upon whoever calls.',
  'DemoAssets.setApprovalForAll': 'Speaks for the tokens of whoever calls.',
  'DemoAssets.mint': 'Things to trade on local chains, which are worth nothing.',
  'DemoNames.setApprovalForAll': 'Speaks for the tokens of whoever calls.',
  'DemoNames.register': 'Names of local chains, which are worth nothing: whoever comes first has one.',
  'TestUSDC.transfer': 'Moves the money of whoever calls.',
  'TestUSDC.approve': 'Speaks for the money of whoever calls.',
  'IERC6551.createAccount': 'Puts the account of a token where it belongs, whoever pays the gas.',
};

/** Doors of the platform and of one contract to another, which move nothing of an owner's. */
const PLATFORMS: readonly string[] = [
  'AgentAccount.bindPolicy',
  'AgentNFT.admitPolicy',
  'AgentNFT.mint',
  'AgentNFT.setBaseURI',
  'Settlement.changeVault',
  'Settlement.proposeVault',
  'SpendPolicy.admitSettlement',
  'SpendPolicy.adopt',
  'SpendPolicy.beginEpoch',
  'SpendPolicy.bind',
  'SpendPolicy.initialise',
  'SpendPolicy.pauseAll',
  'SpendPolicy.resumeAll',
];

interface Entry {
  readonly type: string;
  readonly name?: string;
  readonly stateMutability?: string;
  readonly inputs?: readonly unknown[];
}

/** `Contract.function`, with the number of arguments where one name stands for several functions. */
function doorsOf(contract: string, abi: readonly Entry[]): readonly string[] {
  const writing = abi.filter(
    ({ type, stateMutability }) =>
      type === 'function' && stateMutability !== 'view' && stateMutability !== 'pure',
  );
  return writing.map(({ name, inputs }) => {
    const overloaded = writing.filter((other) => other.name === name).length > 1;
    return `${contract}.${name}${overloaded ? `/${inputs!.length}` : ''}`;
  });
}

async function allDoors(): Promise<readonly string[]> {
  const files = readdirSync(join(ROOT, 'chain/abi'));
  const doors = await Promise.all(
    files.map(async (file) => {
      const exported = (await import(join(ROOT, 'chain/abi', file))) as Readonly<Record<string, unknown>>;
      const abi = Object.entries(exported).find(([name]) => name.endsWith('Abi'))![1] as readonly Entry[];
      return doorsOf(contractOf(file), abi);
    }),
  );
  return doors.flat();
}

/** The contract that an artefact's first line says it was made from. */
function contractOf(file: string): string {
  const head = readFileSync(join(ROOT, 'chain/abi', file), 'utf8').split('\n', 1)[0]!;
  return /(\w+)\.sol/.exec(head)![1]!;
}

/** The rows of the tables of wrong callers and wrong signers, each with the source of its file. */
function rows(): ReadonlyMap<string, string> {
  const sources = testFiles()
    .filter((file) => /(^|\/)Wrong(Callers|Signers).*\.t\.sol$/.test(file))
    .map((file) => readFileSync(join(TESTS, file), 'utf8'));
  return new Map(
    sources.flatMap((source) =>
      [...source.matchAll(/"([A-Z]\w+\.\w+(?:\/\d+)?)"/g)].map(([, row]) => [row!, source] as const),
    ),
  );
}

describe('the tables of wrong callers and wrong signers', () => {
  test('have a row for every function that changes anything, unless it is open to anybody for a reason', async () => {
    const [doors, tried] = [await allDoors(), rows()];
    expect(doors.length).toBeGreaterThan(70);
    const missing = doors.filter((door) => !tried.has(door) && !OPEN[door]);
    expect(missing).toEqual([]);
  });

  test('name no door that is not there', async () => {
    const doors = new Set(await allDoors());
    expect([...rows().keys()].filter((row) => !doors.has(row))).toEqual([]);
    expect(Object.keys(OPEN).filter((door) => !doors.has(door))).toEqual([]);
  });

  test('call the function that the row is named after', () => {
    const idle = [...rows()].filter(([row, source]) => {
      const name = /\.(\w+)/.exec(row)![1]!;
      return (
        !source.includes(`.${name}, (`) && !source.includes(`.${name}(`) && !source.includes(`"${name}(`)
      );
    });
    expect(idle.map(([row]) => row)).toEqual([]);
  });
});

describe('the table of what the brakes stop', () => {
  test('says of every door of agents and deals whether it is stopped, unless the platform passes it', async () => {
    const source = readFileSync(join(TESTS, 'StoppedDoors.t.sol'), 'utf8');
    const said = new Set([...source.matchAll(/"([A-Z]\w+\.\w+(?:\/\d+)?)"/g)].map(([, row]) => row!));
    const doors = await allDoors();
    expect([...said].filter((row) => !doors.includes(row))).toEqual([]);
    // What owners sign is tried under the brakes by the table of wrong signers, whole.
    const open = doors.filter(
      (door) =>
        /^(AgentAccount|AgentNFT|SpendPolicy|Settlement)\./.test(door) && !/BySig$|ByMessage$/.test(door),
    );
    expect(open.filter((door) => !said.has(door) && !PLATFORMS.includes(door))).toEqual([]);
    expect(PLATFORMS.filter((door) => !open.includes(door))).toEqual([]);
  });
});

describe('the review of the contracts', () => {
  test('names tests that are there', () => {
    const review = readFileSync(join(ROOT, 'docs/contracts-review.md'), 'utf8');
    const named = [...review.matchAll(/`(\w+Test)(?:\.(\w+))?`/g)];
    expect(named.length).toBeGreaterThan(60);
    const sources = testFiles().map((file) => readFileSync(join(TESTS, file), 'utf8'));
    const missing = named.filter(
      ([, suite, name]) =>
        !sources.some(
          (source) =>
            source.includes(`contract ${suite} `) &&
            (name === undefined || source.includes(`function ${name}(`)),
        ),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
  });
});
