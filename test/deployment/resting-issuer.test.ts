import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replyUntil } from '../../agents/certificates/dispute.ts';
import { isVoidCertificate } from '../../chain/clients/certificates.ts';
import { type Acts, cancelRole, perform, rotateRole } from '../../chain/deploy/rollout/acts.ts';
import { type Node, openNode } from '../../chain/deploy/rollout/node.ts';
import { openPayer } from '../../chain/deploy/rollout/payer.ts';
import { requireServable } from '../../chain/deploy/rollout/serve.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import { concludeDisputes } from '../../runtime/certificates/conclude-disputes.ts';
import { certify } from '../../runtime/certificates/public.ts';
import { decideDispute } from '../../runtime/certificates/rule-on-dispute.ts';
import { ownRoles } from '../../runtime/keys/own-roles.ts';
import type { Services } from '../../runtime/services.ts';
import { fileDispute } from '../../store/certificates/disputes.ts';
import { databaseTime } from '../../store/database.ts';
import { listQuarantine } from '../../store/durable/quarantine.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

/** A service whose key is issuer and guardian, and is not any more: what a start, `/health` and each act say. */

const DAY = 86_400_000;
let chain: TestChain;
let database: Awaited<ReturnType<typeof testDatabase>>;
let node: Node;
let own: Address;
let now: Date;
const warned: string[] = [];
const log = { warn: (...told: unknown[]) => void warned.push(String(told.at(-1))) };

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  node = await openNode(chain.url, chain.chainId);
  own = chain.accounts.operator.address;
  now = await databaseTime(database.db);
});
afterAll(async () => {
  await chain?.stop();
  await database?.drop();
});

function services(): Services {
  const { url: rpcUrl, chainId, deployment, accounts } = chain;
  const operator = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  return {
    config: { certificatesADay: 1, baseUrl: 'https://handshake.example' },
    db: database.db,
    quarantine: quietQuarantine(database.db),
    home: { chainId, deployment, readers: { viem: viemReader({ rpcUrl, chainId }) }, operator },
    now: () => now,
    signRecord: async () => '0xsigned',
    crash: () => {},
    log,
  } as unknown as Services;
}

/** Moves a role with the admin's key, which is the service's own here. */
async function moved(plan: Promise<Acts>): Promise<void> {
  const { privateKey } = chain.accounts.operator;
  await perform(openPayer({ node, privateKey, maxFeePerGas: 10n ** 12n }), await plan, () => {});
}

const startWith = (address: Address): Promise<string[]> => {
  const [minter, recorder] = ['MINTER', 'RECORDER'].map((of) => ({
    address: own,
    setting: `${of}_PRIVATE_KEY`,
  }));
  const issuer = { address, setting: 'OPERATOR_PRIVATE_KEY' };
  return requireServable(chain.url, chain.deployment, { minter: minter!, recorder: recorder!, issuer });
};

const held = async (): Promise<boolean> => {
  const { home } = services();
  const facts = await ownRoles({ ...home, minter: home.operator, recorder: home.operator }, log)();
  const [issuer] = facts.filter(({ role }) => role === 'issuer');
  expect(issuer).toMatchObject({ address: own });
  return issuer!.held;
};

const certified = (serial: string) =>
  certify(
    services(),
    { kind: 'serial', serialKind: 'generic', serial },
    { owner: own, agent: 1n, to: chain.accounts.alice.address, approve: false },
  );

describe('a service whose key holds no role of the operator’s on chain', () => {
  it('is refused a start where the key never was to be issuer, with the role and the command', async () => {
    expect(await startWith(own)).toEqual([]);
    const stranger = privateKeyToAddress(generatePrivateKey());
    await expect(startWith(stranger)).rejects.toThrow(
      `OPERATOR_PRIVATE_KEY is ${stranger}'s, which may not issue certificates on chain 1002: run "deploy rotate issuer ${stranger}", or use the issuer's key`,
    );
  });

  it('starts while the grant of its key waits, and says from when on it counts', async () => {
    const heir = privateKeyToAddress(generatePrivateKey());
    await moved(rotateRole(node, chain.deployment, 'issuer', heir, own));
    const [resting] = await startWith(heir);
    expect(resting).toMatch(
      /^OPERATOR_PRIVATE_KEY is 0x\w{40}'s, which may not issue certificates on chain 1002 before \d{4}-.*Z, when its grant counts; until then no certificate is issued or marked void$/,
    );
  });

  it('starts without being guardian, and says what is left to owners', async () => {
    await moved(cancelRole(node, chain.deployment, 'guardian', own, own));
    expect(await startWith(own)).toEqual([
      `OPERATOR_PRIVATE_KEY is ${own}'s, which is not guardian on chain 1002: owners have to take back listings that are over and to end session keys that were replaced; "deploy rotate guardian ${own}" makes it guardian, too`,
    ]);
  });

  it('starts once the role was taken, tells of it, and costs nobody a certificate of the day meanwhile', async () => {
    const token = await certified('FRAME1');
    expect(await held()).toBe(true);
    await moved(cancelRole(node, chain.deployment, 'issuer', own, own));
    expect((await startWith(own))[0]).toMatch(
      /may not issue certificates on chain 1002 any more: run "deploy rotate issuer 0x<fresh>"/,
    );
    warned.length = 0;
    expect(await held()).toBe(false);
    const rests = `${own} does not hold the role issuer on chain 1002 now: certificates are neither issued nor marked void until a key of the service does. "deploy rotate issuer 0x<key>" gives it: to this key, or, if it was taken from this key, to a fresh one with which the service is started`;
    expect(warned).toEqual([rests]);

    // A day later, so that the one certificate of the day is there again.
    now = new Date(now.getTime() + DAY);
    const sent = await nonce();
    for (let n = 0; n < 2; n++)
      await expect(certified('FRAME2')).rejects.toThrow(
        "No certificate is issued now, as the service's key is not the issuer on chain 1002: serial:generic:FRAME2 was not listed",
      );
    expect(await nonce()).toBe(sent);

    await upheld(token.tokenId);
    now = new Date(now.getTime() + 8 * DAY);
    await pausesOver(database.db);
    expect(await concludeDisputes(services())).toBe(0);
    expect((await listQuarantine(database.db)).map(({ reason }) => reason)).toEqual([`Error: ${rests}`]);
    expect(await isVoid(token.tokenId)).toBe(false);
  });
});

const nonce = async (): Promise<number> =>
  Number(await rpc<Hex>(chain.url, 'eth_getTransactionCount', [own, 'latest']));

async function isVoid(tokenId: string): Promise<boolean> {
  const { viem } = services().home.readers;
  const { number } = await viem.head();
  return await isVoidCertificate(viem, chain.deployment, BigInt(tokenId), number);
}

/** A dispute of the certificate, upheld now. */
async function upheld(tokenId: string): Promise<void> {
  const filedAt = new Date((await databaseTime(database.db)).getTime() - 8 * DAY);
  const dispute = {
    ...{ disputeId: 'dsp_1', tokenId, assetKey: 'serial:generic:FRAME1', filedAt },
    ...{ wallet: `0x${'77'.repeat(20)}`, grounds: 'It is of another bicycle.', evidence: [] },
    replyUntil: replyUntil(filedAt),
  };
  await database.db.transaction().execute((trx) => fileDispute(trx, dispute));
  await decideDispute(database.db, 'dsp_1', { ruling: 'upheld', reason: 'The number is of another.' });
}
