import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { expectStatus } from '../../../runtime/cli/demo/client.ts';
import { expectProblem, inDays, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** What certificates of real-world lots may cost the operator, for each owner. */

const MANDATE = `Buy and sell real-world assets, max 500 USDC per deal, until ${inDays(30)}.`;

let stage: WireStage;
let seller: PrivateKeyAccount;
let other: PrivateKeyAccount;
let sells: WireAgent;
let sellsToo: WireAgent;

beforeAll(async () => {
  stage = await wireStage({ CERTIFICATES_A_DAY: '2' });
  [seller, other] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  [sells, sellsToo] = await Promise.all([
    stage.agent(seller, { mandate: MANDATE }),
    stage.agent(other, { mandate: MANDATE }),
  ]);
});
afterAll(() => stage.stop());

const list = (owner: PrivateKeyAccount, agent: WireAgent, serial: string) =>
  stage.api.signedPost(owner, `/agent/${agent.handle}/assets`, {
    asset: { serial, serialKind: 'isbn' },
    description: 'A signed first edition',
    askUsd: 300,
    negotiable: false,
    category: 'real-world-assets',
    gate: 'deposit',
  });

/** How many transactions the key has sent that pays for certificates. */
async function sentByOperator(): Promise<number> {
  const { body } = await stage.api.get('/health');
  const { address } = body.checks.chains['1002'].signers.find((s: { role: string }) => s.role === 'operator');
  return Number(await rpc<string>(stage.rpcUrl, 'eth_getTransactionCount', [address, 'latest']));
}

it('certifies so many lots of one owner a day, sends nothing past them, and says how long to wait', async () => {
  expectStatus(await list(seller, sells, '9780306406157'), 201, 'the first certificate');
  expectStatus(await list(seller, sells, '9783161484100'), 201, 'the second certificate');

  const before = await sentByOperator();
  const refused = await list(seller, sells, '9781861972712');
  expectProblem(refused, 429, 'rate-limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body.detail).toContain('2 certificates a day');
  expect(await sentByOperator()).toBe(before);

  expectStatus(await list(other, sellsToo, '9781861972712'), 201, 'the certificate of another owner');
});
