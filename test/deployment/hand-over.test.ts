import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rpc } from '../../chain/json-rpc.ts';
import { holdersOf } from '../../chain/rollout/holders.ts';
import { MINTER_ROLE } from '../../chain/rollout/inspect.ts';
import { openNode } from '../../chain/rollout/node.ts';
import { type RolloutOptions, rollOut } from '../../chain/rollout/roll-out.ts';
import { type BareAnvil, bareAnvil } from '../fixtures/bare-anvil.ts';
import { DeployDesk, freshKey, type Key } from './commands.ts';

// Each command is a process of its own, which loads the whole program.
vi.setConfig({ testTimeout: 180_000 });

const desk = new DeployDesk();
const [deployer, heir, minter] = [freshKey(), freshKey(), freshKey()];
let chain: BareAnvil;
let agentNft: Address;

beforeAll(async () => {
  chain = await bareAnvil(1002);
  await Promise.all([deployer, heir, minter].map(({ address }) => chain.fund(address)));
  ({ agentNft } = (await deploy({}, desk.file(1002))).deployment);
});

afterAll(async () => {
  await chain.stop();
  desk.remove();
});

const deploy = (roles: RolloutOptions['roles'], file: string) =>
  rollOut({
    rpcUrl: chain.url,
    chainId: 1002,
    deployerPrivateKey: deployer.privateKey,
    roles,
    token: null,
    file,
    maxFeePerGas: 10n ** 11n,
    dryRun: false,
    say: () => {},
  });
const run = (args: readonly string[], key: Key | null) =>
  desk.run([...args, '--rpc', chain.url, '--chain', '1002'], key);
const minters = async () =>
  (await holdersOf(await openNode(chain.url, 1002), agentNft, MINTER_ROLE, { fromBlock: 0, likely: [] }))
    .addresses;

describe('the roles of a deployment', () => {
  it('move to another minter: granted first, then revoked from the old', async () => {
    const granted = await run(['role', 'grant', 'minter', minter.address], deployer);
    expect(granted.output).toMatch(new RegExp(`^grant minter of AgentNFT to ${minter.address} {2}\\d+ gas`));
    expect(await minters()).toEqual([deployer.address, minter.address]);
    // A holder gives its own up.
    const revoked = await run(['role', 'revoke', 'minter', deployer.address], deployer);
    expect(revoked.code, revoked.output).toBe(0);
    expect(await minters()).toEqual([minter.address]);
    const again = await run(['role', 'revoke', 'minter', deployer.address], deployer);
    expect(again.output).toBe(
      `${deployer.address} is no minter of AgentNFT already\nNo transaction was sent.\n`,
    );
  });

  it('that are fixed follow another contract: a new recorder costs one new ledger, and all else stays', async () => {
    const { deployment, transactions } = await deploy({ recorder: heir.address }, `${desk.dataDir}/new.json`);
    expect(transactions).toBe(1);
    expect(deployment.agentNft).toBe(agentNft);
    expect(deployment.ledger).not.toBe(desk.deployment(1002)!.ledger);
  });

  it('that no new contract alone can carry are refused before anything is sent', async () => {
    const sent = await chain.sent(deployer.address);
    await expect(deploy({ treasury: heir.address }, `${desk.dataDir}/other.json`)).rejects.toThrow(
      /^SpendPolicy at 0x\w{40} serves AgentNFT 0x\w{40} and Settlement 0x\w{40} for good/,
    );
    expect(await chain.sent(deployer.address)).toBe(sent);
  });

  it('are not moved by a key that may not, which is told whose key may', async () => {
    const { code, output } = await run(['role', 'grant', 'issuer', minter.address], minter);
    expect(output).toBe(
      `only ${deployer.address} may grant issuer of Certificates to ${minter.address}, and this key is ${minter.address}'s: use its key, or give --calldata to see what it must send\n`,
    );
    expect(code).toBe(1);
    const fixed = await run(['role', 'grant', 'guardian', minter.address], deployer);
    expect(fixed.output).toMatch(
      /^Only minter and issuer can be moved: guardian, recorder and treasury are fixed/,
    );
  });
});

describe('a hand-over of the default admin', () => {
  it('takes a day and the heir: then the old admin may nothing', async () => {
    const begun = await run(['hand-over', '--to', heir.address], deployer);
    expect(begun.output.match(/^begin handing (?:AgentNFT|Certificates) over/gm)).toHaveLength(2);
    const sent = await chain.sent(deployer.address);
    const again = await run(['hand-over', '--to', heir.address], deployer);
    expect(again.output).toMatch(/No transaction was sent\.\n$/);
    expect(await chain.sent(deployer.address)).toBe(sent);

    const early = await run(['accept'], heir);
    expect(early.output).toMatch(/^AgentNFT cannot be accepted yet: 0x\w{40} may after \d{4}-/);
    expect(early.code).toBe(1);
    const pending = await run(['status'], null);
    expect(pending.output).toMatch(
      new RegExp(
        `default admin of AgentNFT +${deployer.address} {2}\\(being handed over to ${heir.address}, who`,
      ),
    );

    await rpc(chain.url, 'evm_increaseTime', [86_402]);
    await rpc(chain.url, 'evm_mine');
    const stranger = await run(['accept'], minter);
    expect(stranger.output).toMatch(new RegExp(`^only ${heir.address} may accept AgentNFT`));
    const calldata = await run(['accept', '--calldata'], null);
    expect(JSON.parse(calldata.output.split('\n')[0]!)).toEqual({
      name: 'accept AgentNFT',
      from: heir.address,
      to: agentNft,
      data: '0xcefc1429',
    });
    const accepted = await run(['accept'], heir);
    expect(accepted.code, accepted.output).toBe(0);

    const status = await run(['status'], null);
    for (const contract of ['AgentNFT', 'Certificates']) {
      expect(status.output).toMatch(
        new RegExp(
          `default admin of ${contract} +${heir.address} {2}\\(first given to ${deployer.address}\\)`,
        ),
      );
    }
    expect(status.output).not.toMatch(/the deployer holds .*default admin/);
    const late = await run(['role', 'grant', 'minter', deployer.address], deployer);
    expect(late.output).toMatch(new RegExp(`^only ${heir.address} may grant minter`));
    // The contracts still are what was deployed: another run finds nothing to do and changes no role.
    const deploy = await run([], deployer);
    expect(deploy.output).toMatch(/^Everything stands already: no transaction was sent\.$/m);
    expect(await minters()).toEqual([minter.address]);
  }, 400_000);

  it('can be taken back before it is accepted', async () => {
    await run(['hand-over', '--to', minter.address], heir);
    const cancelled = await run(['cancel'], heir);
    expect(cancelled.output.match(/^cancel handing (?:AgentNFT|Certificates) over to/gm)).toHaveLength(2);
    const accept = await run(['accept'], minter);
    expect(accept.output).toMatch(/^nothing is to be accepted: default admin of AgentNFT is/);
  });
});
