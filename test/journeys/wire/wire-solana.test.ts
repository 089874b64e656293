import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WaywardRpc, waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';
import { SLOT, SOLANA, solanaConduct } from '../../fixtures/solana-rpc.ts';
import { stockFetch } from '../../fixtures/wallets/payers.ts';
import { type WireStage, wireStage } from './wire-stage.ts';

let node: WaywardRpc;
let stage: WireStage;

beforeAll(async () => {
  node = await waywardRpc();
  node.behave((call, pass) => solanaConduct({ at: new Date() })(call, pass));
  stage = await wireStage({ SOLANA_RPC_URL: `${node.url}/a-key` });
});

afterAll(async () => {
  await stage?.stop();
  await node?.stop();
});

it('a paid determination reads a Solana address over SOLANA_RPC_URL, and never reveals the key in it', async () => {
  const payer = await stage.owner('5');
  const buy = async (address: string) => {
    const url = `${stage.baseUrl}/determination?address=${address}`;
    const response = await stockFetch(payer, stage.usdc)(url);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(text).not.toContain('a-key');
    return JSON.parse(text);
  };
  const plain = await buy(SOLANA.plain!);
  expect(plain).toMatchObject({ addressType: 'solana', chainId: null, recorded: { filed: true } });
  const read = plain.evidence.checks.filter((c: { id: string }) => c.id.includes('solana'));
  expect(read.map((c: { outcome: string }) => c.outcome)).toEqual(Array(6).fill('PASS'));
  expect(read[0].sources[0].name).toContain(`slot ${SLOT} (finalized)`);
  expect((await stage.api.get(`/records/${plain.recorded.recordId}`)).status).toBe(200);

  const frozen = await buy(SOLANA.frozenHolder!);
  expect(frozen.verdict).toBe('FLAGGED');
  expect(frozen.reasons.join()).toContain('frozen its account of USDC');
});
