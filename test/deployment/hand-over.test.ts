import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessManagerAbi } from '../../chain/abi/access-manager.ts';
import { GRANT_DELAY_SECONDS, ROLE_IDS, type Role } from '../../chain/deploy/roles.ts';
import { holdersOf } from '../../chain/deploy/rollout/holders.ts';
import { openNode } from '../../chain/deploy/rollout/node.ts';
import { rollOut } from '../../chain/deploy/rollout/roll-out.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import { transact } from '../../chain/tx/transact.ts';
import { type BareAnvil, bareAnvil } from '../fixtures/chain/bare-anvil.ts';
import { DeployDesk, freshKey, type Key } from './commands.ts';

// Each command is a process of its own, which loads the whole program.
vi.setConfig({ testTimeout: 180_000 });

const desk = new DeployDesk();
const [deployer, heir, minter] = [freshKey(), freshKey(), freshKey()];
let chain: BareAnvil;
let manager: Address;

beforeAll(async () => {
  chain = await bareAnvil(1002);
  await Promise.all([deployer, heir, minter].map(({ address }) => chain.fund(address)));
  const { deployment } = await rollOut({
    rpcUrl: chain.url,
    chainId: 1002,
    deployerPrivateKey: deployer.privateKey,
    roles: {},
    token: null,
    file: desk.file(1002),
    maxFeePerGas: 10n ** 11n,
    dryRun: false,
    say: () => {},
  });
  ({ manager } = deployment);
});

afterAll(async () => {
  await chain.stop();
  desk.remove();
});

const run = (args: readonly string[], key: Key | null) =>
  desk.run([...args, '--rpc', chain.url, '--chain', '1002'], key);
const holders = async (role: Role) =>
  (await holdersOf(await openNode(chain.url, 1002), manager, role, { fromBlock: 0, likely: [] })).addresses;
const grant = async (role: Role, who: Address, delay: number) => {
  const signer = createSigner({ rpcUrl: chain.url, chainId: 1002, privateKey: deployer.privateKey });
  const args = [ROLE_IDS[role], who, delay];
  const call = { to: manager, abi: accessManagerAbi, functionName: 'grantRole', args, gas: 200_000n };
  await transact(signer, { ...call, purposes: [] });
};
const wait = async (seconds: number) => {
  await rpc(chain.url, 'evm_increaseTime', [seconds]);
  await rpc(chain.url, 'evm_mine');
};

describe('a role of a deployment', () => {
  it('moves to another key two days after it was granted, and is taken from the former by the second run', async () => {
    const granted = await run(['rotate', 'minter', minter.address], deployer);
    expect(granted.output).toMatch(new RegExp(`^grant minter to ${minter.address} {2}\\d+ gas`));
    expect(await holders('minter')).toEqual([deployer.address]);
    const sent = await chain.sent(deployer.address);
    const early = await run(['rotate', 'minter', minter.address], deployer);
    expect(early.output).toMatch(
      new RegExp(`^${minter.address} will be minter from \\d{4}-.* on: run this again then\nNo transaction`),
    );
    expect(await chain.sent(deployer.address)).toBe(sent);
    const pending = await run(['status'], null);
    expect(pending.output).toMatch(
      new RegExp(`minter of the platform +${deployer.address} {2}\\(${minter.address} from \\d{4}-.* on\\)`),
    );

    await wait(GRANT_DELAY_SECONDS);
    expect(await holders('minter')).toEqual([deployer.address, minter.address]);
    const taken = await run(['rotate', 'minter', minter.address], deployer);
    expect(taken.output).toMatch(new RegExp(`^take minter from ${deployer.address} {2}\\d+ gas`));
    expect(await holders('minter')).toEqual([minter.address]);
    const again = await run(['rotate', 'minter', minter.address], deployer);
    expect(again.output).toBe(`${minter.address} is minter, and nobody else\nNo transaction was sent.\n`);
  }, 400_000);

  it('is taken back while its grant waits, and then never counts', async () => {
    await run(['rotate', 'guardian', heir.address], deployer);
    const cancelled = await run(['cancel', 'guardian', heir.address], deployer);
    expect(cancelled.output).toMatch(new RegExp(`^take guardian from ${heir.address} {2}\\d+ gas`));
    await wait(GRANT_DELAY_SECONDS);
    expect(await holders('guardian')).toEqual([deployer.address]);
    const again = await run(['cancel', 'guardian', heir.address], deployer);
    expect(again.output).toMatch(/ is no guardian, and is not to become one\nNo transaction was sent\.\n$/);
    const last = await run(['cancel', 'admin', deployer.address], deployer);
    expect(last.output).toMatch(/ is the only admin: rotate the role to another key first\n$/);
    expect(last.code).toBe(1);
  });

  it('counts for none whose acts would have to be scheduled, and is given back by a grant without a delay', async () => {
    const delay = (seconds: number) => grant('guardian', deployer.address, seconds);
    await delay(60);
    expect(await holders('guardian')).toEqual([]);
    const slow = await run(['status'], null);
    expect(slow.output).toMatch(
      new RegExp(`guardian of the platform +nobody  \\(.*${deployer.address} with a delay of 60 s, by which`),
    );
    await run(['rotate', 'guardian', deployer.address], deployer);
    await wait(60);
    expect(await holders('guardian')).toEqual([deployer.address]);

    // One that would wait for as long as it was set to is taken first, and granted anew.
    await delay(GRANT_DELAY_SECONDS + 60);
    const anew = await run(['rotate', 'guardian', deployer.address], deployer);
    expect(anew.output).toMatch(/^take guardian from .*\ngrant guardian to /);
    await wait(GRANT_DELAY_SECONDS);
    expect(await holders('guardian')).toEqual([deployer.address]);
  }, 400_000);

  it('is not moved by a key that may not, which is told whose key may', async () => {
    const { code, output } = await run(['rotate', 'issuer', minter.address], minter);
    expect(output).toBe(
      `only ${deployer.address} may grant issuer to ${minter.address}, and this key is ${minter.address}'s: use its key, or give --calldata to see what it must send\n`,
    );
    expect(code).toBe(1);
    const unknown = await run(['rotate', 'owner', minter.address], deployer);
    expect(unknown.output).toBe(
      'The role must be one of admin, minter, recorder, issuer, guardian, treasury.\n',
    );
    const calldata = await run(['rotate', 'treasury', minter.address, '--calldata'], null);
    expect(JSON.parse(calldata.output.split('\n')[0]!)).toMatchObject({
      name: `grant treasury to ${minter.address}`,
      from: deployer.address,
      to: manager,
    });
  });
});

describe('the admin', () => {
  it('is rotated like any other role: two days, then the heir takes it from the old one, who may nothing', async () => {
    await run(['rotate', 'admin', heir.address], deployer);
    const early = await run(['rotate', 'minter', heir.address], heir);
    expect(early.output).toMatch(new RegExp(`^only ${deployer.address} may grant minter`));
    await wait(GRANT_DELAY_SECONDS);
    const taken = await run(['rotate', 'admin', heir.address], heir);
    expect(taken.output).toMatch(new RegExp(`^take admin from ${deployer.address} {2}\\d+ gas`));
    const status = await run(['status'], null);
    expect(status.output).toMatch(
      new RegExp(`admin of the platform +${heir.address} {2}\\(first given to ${deployer.address}\\)`),
    );
    const late = await run(['rotate', 'minter', deployer.address], deployer);
    expect(late.output).toMatch(new RegExp(`^only ${heir.address} may grant minter`));
    // The contracts still are what was deployed: another run finds nothing to do and changes no role.
    const deploy = await run([], deployer);
    expect(deploy.output).toMatch(/^Everything stands already: no transaction was sent\.$/m);
    expect(await holders('minter')).toEqual([minter.address]);
  }, 400_000);
});
