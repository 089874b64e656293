import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { recordTypedData } from '../agents/records/eip712.ts';
import { makeRecord } from '../agents/records/record.ts';
import { type Adviser, type GuardPolicy, guard } from './guard.ts';

const SERVICE = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const STRANGER = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR_MS = 3_600_000;
const PAYEE = '0x7e57000000000000000000000000000000bad001';
const REQUIREMENT = {
  ...{ scheme: 'exact', network: 'eip155:84532', amount: '10000', payTo: PAYEE, maxTimeoutSeconds: 60 },
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};

async function documentOn(verdict: string, { hoursAgo = 0, by = SERVICE } = {}): Promise<object> {
  const { record, hash } = makeRecord({
    ...{ recordId: 'rec_1', kind: 'determination', subject: PAYEE, summary: verdict },
    issuedAt: new Date(NOW - hoursAgo * HOUR_MS),
    content: { record: { verdict, chainId: 84532 } },
  });
  const signature = { signer: by.address, value: await by.signTypedData(recordTypedData(record, hash)) };
  return { recordId: 'rec_1', record, hash, signature, evidence: null, proof: null, ledger: null };
}

/** A service that gives a verdict, and what it serves as its record. */
const service = (verdict: 'CLEAN' | 'FLAGGED', record: () => Promise<unknown>): Adviser => ({
  check: async () => ({ verdict, recorded: { filed: true, recordId: 'rec_1' } }),
  record,
});
const unreadable = () => Promise.reject(new Error('it answered 503'));
const away: Adviser = { check: unreadable, record: unreadable };

/** What becomes of a cent for the payee. */
async function outcome(opinion: GuardPolicy['opinion'], policy: GuardPolicy = {}) {
  const careful = guard({ signer: SERVICE.address, now: () => NOW, opinion, ...policy });
  let hook: (context: object) => Promise<unknown> = async () => null;
  careful.attach({ onBeforePaymentCreation: (given) => (hook = given) });
  const resource = { url: 'https://shop.example/data' };
  const paymentRequired = { x402Version: 2, resource, accepts: [REQUIREMENT] };
  await hook({ paymentRequired, selectedRequirements: REQUIREMENT });
  const [refusal] = careful.refusals;
  return refusal === undefined ? 'paid' : `${refusal.reason}: ${refusal.says}`;
}

it.each([
  ['which is too old', () => documentOn('CLEAN', { hoursAgo: 25 }), 'its record is too old'],
  ['which cannot be read', unreadable, 'it answered 503'],
  ['which somebody else signed', () => documentOn('CLEAN', { by: STRANGER }), 'its record does not hold'],
])('pays nobody on an answer by a record %s, even where no answer is enough', async (_, record, why) => {
  for (const unanswered of ['stop', 'pay'] as const) {
    const said = await outcome({ service: service('CLEAN', record), unanswered });
    expect(said).toContain('payee-unjudged');
    expect(said).toContain(why);
  }
});

it('takes a verdict that is as old as the policy lets it be', async () => {
  const opinion = { service: service('CLEAN', () => documentOn('CLEAN', { hoursAgo: 25 })) };
  expect(await outcome(opinion, { verdictHours: 26 })).toBe('paid');
});

it.each([
  ['holds', () => documentOn('FLAGGED', { hoursAgo: 25 })],
  ['cannot be read', unreadable],
  ['somebody else signed', () => documentOn('FLAGGED', { by: STRANGER })],
  ['says another thing', () => documentOn('CLEAN')],
])('pays nobody whom the service flags, where its record %s', async (_, record) => {
  for (const unanswered of ['stop', 'pay'] as const)
    expect(await outcome({ service: service('FLAGGED', record), unanswered })).toContain('payee-flagged');
});

it('takes an answer that is filed under no record as no answer, unless it warns', async () => {
  const check = (verdict: 'CLEAN' | 'FLAGGED') => async () => ({ verdict, recorded: { filed: false } });
  const by = (verdict: 'CLEAN' | 'FLAGGED') => ({ check: check(verdict), record: unreadable });
  expect(await outcome({ service: by('CLEAN'), unanswered: 'pay' })).toBe('paid');
  expect(await outcome({ service: by('CLEAN') })).toContain('payee-unjudged');
  expect(await outcome({ service: by('FLAGGED'), unanswered: 'pay' })).toContain('payee-flagged');
});

it('pays where nobody answers only if the policy says so', async () => {
  expect(await outcome({ service: away, unanswered: 'pay' })).toBe('paid');
  expect(await outcome({ service: away })).toContain('payee-unjudged');
});
