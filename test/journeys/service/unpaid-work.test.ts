import { type Address, createPublicClient, type Hex, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fund } from '../../../runtime/cli/dev.ts';
import { GAS_SETTINGS } from '../../../runtime/payments/gas-guard.ts';
import { ANY_SIGNATURE, type Burners, type Burns, burners } from '../../fixtures/wallets/burner-wallets.ts';
import {
  ask,
  ethersPayment,
  freshAuthorization,
  send,
  type WirePayment,
} from '../../fixtures/wallets/payers.ts';
import { type WireStage, wireStage } from '../wire/wire-stage.ts';

/** The whole service under payments that verify but do not settle. */

let stage: WireStage;
let evil: Burners;
let facilitator: Address;
let payTo: Address;

beforeAll(async () => {
  stage = await wireStage();
  const { body } = await stage.api.get('/health');
  const { signers } = body.checks.chains['1002'];
  facilitator = signers.find((s: { role: string }) => s.role === 'facilitator').address;
  payTo = (await stage.api.get('/.well-known/x402')).body.payTo;
  const deployer = await stage.owner();
  evil = burners({ rpcUrl: stage.rpcUrl, facilitator, deployer: deployer.address });
});
afterAll(() => stage.stop());

/** A key with dollars. */
async function keyOf(): Promise<Hex> {
  const privateKey = generatePrivateKey();
  await fund(stage.env, privateKeyToAccount(privateKey).address, '20');
  return privateKey;
}

let asked = 0;
/** A request about another address each time. */
const fresh = (): string =>
  `/determination?address=0x7${(++asked).toString(16).padStart(39, '0')}&chainId=1002`;

async function contractPayment(path: string, from: Address): Promise<WirePayment> {
  const accepted = (await ask(stage.baseUrl + path)).accepts[0]!;
  const authorization = freshAuthorization(from, accepted);
  return { x402Version: 2, accepted, payload: { signature: ANY_SIGNATURE, authorization } };
}

async function gasSpent(): Promise<() => Promise<bigint>> {
  const client = createPublicClient({ transport: http(stage.rpcUrl) });
  const from = await client.getBlockNumber({ cacheTime: 0 });
  return async () => {
    let gas = 0n;
    const to = await client.getBlockNumber({ cacheTime: 0 });
    for (let n = from + 1n; n <= to; n++) {
      const { transactions } = await client.getBlock({ blockNumber: n, includeTransactions: true });
      for (const { from: sender, hash } of transactions) {
        if (sender.toLowerCase() !== facilitator.toLowerCase()) continue;
        const receipt = await client.getTransactionReceipt({ hash });
        if (receipt.status === 'reverted') gas += receipt.gasUsed;
      }
    }
    return gas;
  };
}

const recordsOf = async () =>
  (await stage.db.selectFrom('records').select(['record_id', 'subject']).execute()).map((r) => r.subject);

describe('two hundred payments by contract wallets that do not settle', () => {
  it('leave no record, no page and no event, cost no more than is set aside, and do not keep keys from paying', async () => {
    const kinds: Burns[] = [
      'tx.origin',
      'block.timestamp',
      'block.prevrandao',
      'tx.origin.balance',
      'little gas',
    ];
    const wallets: Address[] = [];
    for (const [n, kind] of kinds.entries()) {
      for (let tag = 0; tag < 4; tag++) {
        const wallet = await evil.wallet(kind, BigInt(n * 10 + tag));
        await fund(stage.env, wallet, '20');
        wallets.push(wallet);
      }
    }
    const before = await recordsOf();
    const spent = await gasSpent();
    const honest = await keyOf();
    const paths: string[] = [];
    const settled = new Set<string>();
    let ended = false;
    const keys = (async () => {
      const statuses: number[] = [];
      while (!ended || statuses.length === 0) {
        const path = fresh();
        const payment = await ethersPayment(honest, await ask(stage.baseUrl + path));
        statuses.push((await send(stage.baseUrl + path, payment)).status);
        settled.add(subjectOf(path));
      }
      return statuses;
    })();
    const codes = new Map<string, number>();
    for (let n = 0; n < 200; n += 10) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, i) => {
          const path = fresh();
          paths.push(path);
          const payment = await contractPayment(path, wallets[(n + i) % wallets.length]!);
          const answer = await send(stage.baseUrl + path, payment);
          const code = answer.code ?? 'paid';
          // By chance a wallet may really pay, which is no attack.
          if (code === 'paid') settled.add(subjectOf(path));
          else expect(answer.text).not.toMatch(/rec_[0-9a-f]{16}/);
          codes.set(code, (codes.get(code) ?? 0) + 1);
        }),
      );
    }
    ended = true;
    const statuses = await keys;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([...codes.keys()].filter((c) => !KNOWN.has(c))).toEqual([]);

    const unpaid = paths.map(subjectOf).filter((subject) => !settled.has(subject));
    expect(unpaid.length).toBeGreaterThan(100);
    const after = (await recordsOf()).slice(before.length);
    expect(after.filter((subject) => !settled.has(subject))).toEqual([]);
    expect(after).toHaveLength(settled.size);
    const events = JSON.stringify(await stage.db.selectFrom('public_events').select('events').execute());
    expect(events).toBe('[]');
    const home = await (await fetch(stage.baseUrl, { headers: { accept: 'text/html' } })).text();
    expect(home).not.toContain('/records/');
    expect(await spent()).toBeLessThanOrEqual(BigInt(GAS_SETTINGS.unprovenGas));
  });

  it('appear in the health and the metrics of the service', async () => {
    const { body } = await stage.api.get('/health');
    const { payments } = body.checks;
    expect(payments.classes.map((c: { kind: string }) => c.kind)).toEqual(['key', 'known', 'unproven']);
    const unproven = payments.classes[2];
    expect(unproven.spentGas + unproven.leftGas).toBeLessThanOrEqual(GAS_SETTINGS.unprovenGas + 1);
    const metrics = await (await fetch(`${stage.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/^handshake_settlement_gas_left\{payer="unproven"\} \d+$/m);
    expect(metrics).toMatch(/^handshake_settlements_failed\{payer="unproven"\} \d+$/m);
    expect(metrics).toMatch(/^handshake_settlement_gas_exhausted\{payer="code"\} \d+$/m);
  });
});

describe('the first page', () => {
  it('links what agents did, and never what a stranger asked', async () => {
    const owner = await stage.owner();
    const { handle } = await stage.agent(owner);
    const buyer = await keyOf();
    const path = fresh();
    const bought = await send(
      stage.baseUrl + path,
      await ethersPayment(buyer, await ask(stage.baseUrl + path)),
    );
    expect(bought.status).toBe(200);
    const { recordId } = JSON.parse(bought.text).recorded;
    expect((await stage.api.get(`/records/${recordId}`)).status).toBe(200);
    const home = await (await fetch(stage.baseUrl, { headers: { accept: 'text/html' } })).text();
    expect(home).not.toContain(recordId);
    const linked = /\/records\/(rec_[0-9a-f]+)/.exec(home)?.[1];
    const { body } = await stage.api.get(`/agent/${handle}/activity`);
    expect(body.items.map((i: { recordId: string }) => i.recordId)).toContain(linked);
  });
});

describe('the facilitator that the service opens to others', () => {
  const post = async (
    act: 'settle' | 'verify',
    payment: WirePayment,
    change: Record<string, unknown> = {},
  ) => {
    const accepted = { ...payment.accepted, ...change };
    const response = await fetch(`${stage.baseUrl}/facilitator/${act}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        x402Version: 2,
        paymentPayload: { ...payment, accepted },
        paymentRequirements: accepted,
      }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('settles what this service asks for, and nothing for strangers', async () => {
    const buyer = await keyOf();
    const mine = await ethersPayment(buyer, await ask(stage.baseUrl + fresh()));
    const changes: Record<string, unknown>[] = [
      { payTo: facilitator },
      { asset: facilitator },
      { amount: '9999' },
      { network: 'eip155:1' },
      { extra: { name: 'Another', version: '2' } },
    ];
    for (const change of changes) {
      for (const act of ['verify', 'settle'] as const) {
        const { status, body } = await post(act, mine, change);
        expect([change, status, body.code]).toEqual([change, 400, 'bad-request']);
      }
    }
    const settled = await post('settle', mine);
    expect([settled.status, settled.body.success]).toEqual([200, true]);
    expect(mine.accepted.payTo).toBe(payTo);
  });

  it('sends nothing that would fail, and pays no burner its gas', async () => {
    const spent = await gasSpent();
    const poor = await ethersPayment(`0x${'9'.repeat(64)}`, await ask(stage.baseUrl + fresh()));
    const refused = await post('settle', poor);
    expect([refused.status, refused.body.success]).toEqual([200, false]);
    const wallet = await evil.wallet('tx.origin', 77n);
    await fund(stage.env, wallet, '5');
    const burning = await post('settle', await contractPayment(fresh(), wallet));
    expect(burning.body.success ?? false).toBe(false);
    expect(await spent()).toBe(0n);
  });
});

const KNOWN = new Set(['paid', 'payment-invalid', 'settlement-failed', 'gas-budget', 'unavailable']);
const subjectOf = (path: string): string => /0x[0-9a-f]{40}/.exec(path)![0];
