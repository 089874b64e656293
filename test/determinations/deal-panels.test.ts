import { encodeAbiParameters, erc20Abi, toFunctionSelector, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Choices, isChoosable, weighVerdicts } from '../../agents/deal/effect.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { Depth, Determination } from '../../agents/determinations/panel/types.ts';
import type { MintedAgent } from '../../chain/clients/agents.ts';
import { issueCertificate } from '../../chain/clients/certificates.ts';
import { transact } from '../../chain/tx/transact.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import type { DealAnswer } from '../../runtime/determinations/determine-deal.ts';
import { determineTier, type TierFacts } from '../../runtime/determinations/determine-tier.ts';
import { modelSeat } from '../../runtime/determinations/models/model-seat.ts';
import { type Behaviour, modelServer, says, votes } from '../fixtures/servers/model-server.ts';
import { type DealStage, dealStage } from './deal-stage.ts';
import { listOf, signerOf } from './goods-stage.ts';
import { type Alter, SILENCE } from './lying-rpc.ts';

/** Panels whose seats are lied to, by a node or by a language model: nothing comes out CLEAN by it. */

const CLIENTS = ['viem', 'ethers'] as const;
/** For an answer that never comes. */
const HASTE_MS = 800;
let stage: DealStage;
let seller: MintedAgent;
let dealt: Awaited<ReturnType<DealStage['deal']>>;
let ownDealt: typeof dealt;

beforeAll(async () => {
  stage = await dealStage();
  const { alice, bob } = stage.chain.accounts;
  await stage.agent('buyer', alice);
  seller = await stage.agent('seller', bob);
  const twin = await stage.agent('twin', alice);
  await stage.agent('poor', alice, { dayCap: 50_000_000n });
  dealt = await stage.deal('buyer', { handle: 'seller', agent: seller, owner: bob });
  ownDealt = await stage.deal('buyer', { handle: 'twin', agent: twin, owner: alice });
});
afterEach(() => stage.liar.lie((_, result) => result));
afterAll(() => stage?.stop());

/** An owner who would go on without all that may be gone on without, by the settings and by the mandate. */
const GOES_ON: Choices = {
  wallet: '0xowner',
  onFlagged: null,
  onInconclusive: 'proceed',
  mandate: {
    version: 1,
    onInconclusive: { 'shill-collusion': 'proceed', provenance: 'proceed', 'price-intelligence': 'proceed' },
  },
};

type Answer = Pick<DealAnswer, 'record' | 'evidence' | 'hardFlags'>;

/** Of one determination: what it came to, and what its record tells of those who do not agree. */
function shown(answer: Answer, id: string): Determination {
  expect(recompute(JSON.parse(JSON.stringify(answer.evidence))).verdict).toBe(answer.record.verdict);
  return answer.record.determinations.find((d) => d.id === id)!;
}

/** Alters what a call of this function answers. */
const when =
  (signature: string, lie: (data: string) => string | null): Alter =>
  ({ method, params }, result) => {
    if (method !== 'eth_call') return result;
    const { data } = (params as [{ data: string }])[0];
    return data.startsWith(toFunctionSelector(signature)) ? (lie(data) ?? result) : result;
  };
const word = (value: bigint | `0x${string}`) => toHex(BigInt(value), { size: 32 });
const STRANGER = word(0xbadn);
const about =
  (tokenId: () => bigint, says: string) =>
  (data: string): string | null =>
    data.includes(word(tokenId()).slice(2)) ? says : null;

const LEFT = encodeAbiParameters(
  Array.from({ length: 6 }, () => ({ type: 'uint256' })),
  Array.from({ length: 6 }, () => 10n ** 12n),
);
const KEYS = 'function keyIsLive(uint256,address)';

/** One lie for each determination at a time: none of them reads what another one is lied to about. */
const LIES: readonly (readonly [string, Readonly<Record<string, Alter>>])[] = [
  [
    'whose it is',
    {
      wallet: ({ method }, result) => (method === 'eth_getCode' ? '0x' : result),
      'shill-collusion': when(
        'function ownerOf(uint256)',
        about(() => seller.tokenId, STRANGER),
      ),
      provenance: ({ method }, result) => (method === 'eth_getLogs' ? [] : result),
      'mandate-compliance': when('function mandates(uint256)', () => STRANGER),
    },
  ],
  [
    'who acts',
    {
      wallet: ({ method }, result) => (method === 'eth_getTransactionCount' ? '0x63' : result),
      'shill-collusion': when(
        KEYS,
        about(() => seller.tokenId, word(1n)),
      ),
      'mandate-compliance': when(KEYS, (data) =>
        data.includes(word(seller.tokenId).slice(2)) ? null : word(0n),
      ),
    },
  ],
  [
    'what is left of its caps',
    { 'mandate-compliance': when('function remaining(uint256,address)', () => LEFT) },
  ],
  ['what it holds', { 'mandate-compliance': when('function balanceOf(address)', () => word(10n ** 12n)) }],
];
const all =
  (lies: Readonly<Record<string, Alter>>): Alter =>
  (call, result) =>
    Object.values(lies).reduce((told, lie) => lie(call, told), result);

describe('a deal that is CLEAN while both nodes are honest', () => {
  it.each(['2-of-2', 'superconsensus'] as const)(
    'is CLEAN at depth %s, in every determination',
    async (depth) => {
      for (const deps of [stage.deps, stage.through('viem')]) {
        const { record } = await dealt(deps, depth);
        expect(record.determinations.filter((d) => d.verdict !== 'CLEAN').map((d) => d.reasons)).toEqual([]);
        expect(record.verdict).toBe('CLEAN');
        expect(record.determinationsRun).toEqual(
          expect.arrayContaining([
            'wallet',
            'shill-collusion',
            'double-pledge',
            'provenance',
            'mandate-compliance',
          ]),
        );
      }
    },
  );

  it.each(LIES)('is not when one of them lies of %s, and each record tells the dissent', async (_, lies) => {
    stage.liar.lie(all(lies));
    for (const client of CLIENTS) {
      const answer = await dealt(stage.through(client));
      expect(answer.record.verdict).toBe('FLAGGED');
      for (const id of Object.keys(lies)) {
        const found = shown(answer, id);
        expect([id, found.verdict]).toEqual([id, expect.not.stringMatching('CLEAN')]);
        expect(found.panel.dissent.join('\n')).toMatch(new RegExp(`/${client}\\b`));
      }
    }
  });

  it('is not CLEAN while one of them is silent, and the record tells who', async () => {
    stage.liar.lie(({ method }, result) => (method === 'eth_call' ? SILENCE : result));
    const { record } = await dealt(stage.through('ethers', HASTE_MS));
    expect(record.verdict).toBe('FLAGGED');
    const mandate = record.determinations.find((d) => d.id === 'mandate-compliance');
    expect(mandate?.verdict).toBe('INCONCLUSIVE');
    expect(mandate?.panel.dissent.join()).toContain('statistics/ethers could not say');
    const { effect, causes, waivedBy } = weighVerdicts(record.determinations, GOES_ON);
    expect(effect).toBe('stop');
    for (const id of ['wallet', 'mandate-compliance'] as const)
      expect(causes).toContainEqual(
        expect.objectContaining({ determination: id, verdict: 'INCONCLUSIVE', effect: 'stop' }),
      );
    expect(waivedBy.filter((w) => !isChoosable(w.determination))).toEqual([]);
  });
});

describe('a deal at whose table language models sit', () => {
  let models: Awaited<ReturnType<typeof modelServer>>;
  let deps: EvidenceDeps;
  const RUN = [
    'double-pledge',
    'mandate-compliance',
    'price-intelligence',
    'provenance',
    'shill-collusion',
    'wallet',
  ];

  beforeAll(async () => {
    models = await modelServer();
    const seat = (model: string) =>
      modelSeat({ apiKey: 'sk', baseUrl: models.url, model, timeoutMs: 60_000 });
    deps = { ...stage.deps, reasoners: ['judge-1', 'judge-2'].map(seat) };
  });
  afterEach(() => models.behave(votes('CLEAN')));
  afterAll(() => models?.stop());

  const asked = async (on = deps, question = dealt) => {
    const before = models.asked.length;
    const answer = await question(on, 'superconsensus');
    for (const { id } of answer.record.determinations) shown(answer, id);
    return { ...answer, heard: models.asked.slice(before) };
  };
  const verdicts = ({ record }: Answer) => [...new Set(record.determinations.map((d) => d.verdict))];
  /** One model behaves so, the other is honest and finds nothing. */
  const only = (model: string, how: Behaviour): Behaviour => {
    return (question, response) => (question.model === model ? how : votes('CLEAN'))(question, response);
  };

  it('is put to both, determination by determination, and CLEAN when all five seats are', async () => {
    const answer = await asked();
    expect(answer.record.verdict).toBe('CLEAN');
    expect(answer.record.determinationsRun.toSorted()).toEqual(RUN);
    for (const model of ['judge-1', 'judge-2']) {
      const about = answer.heard.filter((a) => a.model === model).map((a) => a.question.evidence);
      expect(about.map((e) => (e as { determination: string }).determination).toSorted()).toEqual(RUN);
    }
    for (const { panel } of answer.record.determinations) {
      expect(panel).toMatchObject({ depth: 'superconsensus', seats: 5, quorum: 4, dissent: [] });
      const sources = panel.votes.filter((v) => v.method === 'llm').map((v) => v.source);
      expect(sources.map((s) => s.split('; ')[1])).toEqual(
        ['judge-1', 'judge-2'].map((m) => `${m} at ${new URL(models.url).host}`),
      );
    }
  });

  it('is CLEAN without the vote of one, and not without the votes of both, whatever they do instead', async () => {
    models.behave(only('judge-2', says('The deal is CLEAN.')));
    const short = await asked();
    expect(verdicts(short)).toEqual(['CLEAN']);
    for (const { panel } of short.record.determinations)
      expect(panel.dissent.join()).toContain('statistics+llm/ethers could not say: judge-2');
    const hostile: Behaviour[] = [
      says('The deal is CLEAN.'),
      says('{"nonce":"","vote":"CLEAN","grounds":[]}'),
      (_, response) => response.destroy(),
    ];
    for (const how of hostile) {
      models.behave(how);
      const absent = await asked();
      expect([absent.record.verdict, ...verdicts(absent)]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
      expect([absent.hardFlags, absent.record.inconclusive]).toEqual([[], expect.arrayContaining(RUN)]);
    }
  });

  it('shows the one that finds what nobody else does, and stops for two, without a hard flag', async () => {
    const flags = votes('FLAGGED', '/common', 'it looks odd');
    models.behave(only('judge-1', flags));
    const lied = await asked();
    expect(verdicts(lied)).toEqual(['CLEAN']);
    for (const { panel } of lied.record.determinations)
      expect(panel.dissent).toEqual(['rules+llm/ethers voted FLAGGED: /common: it looks odd']);
    models.behave(flags);
    const both = await asked();
    expect([verdicts(both), both.hardFlags]).toEqual([['FLAGGED'], []]);
  });

  it('is never turned CLEAN by two that call everything CLEAN: not what is FLAGGED, nor what is disputed', async () => {
    const own = await asked(deps, ownDealt);
    const collusion = own.record.determinations.find((d) => d.id === 'shill-collusion');
    expect([own.record.verdict, collusion?.verdict]).toEqual(['FLAGGED', 'FLAGGED']);
    expect(own.hardFlags.join()).toContain('shill-collusion/');
    stage.liar.lie(when('function mandates(uint256)', () => STRANGER));
    for (const client of CLIENTS) {
      const { reasoners } = deps;
      const disputed = await asked({ ...stage.through(client), ...(reasoners ? { reasoners } : {}) });
      const mandate = disputed.record.determinations.find((d) => d.id === 'mandate-compliance');
      expect([disputed.record.verdict, mandate?.verdict]).toEqual(['FLAGGED', 'FLAGGED']);
    }
  });

  it('asks none at another depth', async () => {
    const before = models.asked.length;
    expect((await dealt(deps, '2-of-2')).record.verdict).toBe('CLEAN');
    expect(models.asked.length).toBe(before);
  });
});

describe('what is wrong on chain', () => {
  it('is a hard flag when both sides have one owner, though one node names another', async () => {
    stage.liar.lie(when('function ownerOf(uint256)', () => STRANGER));
    for (const client of CLIENTS) {
      for (const depth of ['2-of-2', 'superconsensus'] as const) {
        const answer = await ownDealt(stage.through(client), depth);
        const found = shown(answer, 'shill-collusion');
        expect([found.verdict, answer.hardFlags.some((f) => f.startsWith('shill-collusion/'))]).toEqual([
          'FLAGGED',
          true,
        ]);
        expect(found.panel.dissent.join('\n')).toContain('read different facts at the same block');
      }
    }
  });

  it('is a hard flag when the chain has less left for it than the price, though one node says otherwise', async () => {
    const facts: TierFacts = {
      handle: 'poor',
      proposal: { side: 'buy', category: 'digital-products', priceUsd: 60 },
    };
    stage.liar.lie(when('function remaining(uint256,address)', () => LEFT));
    for (const client of CLIENTS) {
      for (const depth of ['2-of-2', 'superconsensus'] as const) {
        const answer = await tier('tier2', facts, stage.through(client), depth);
        const found = shown(answer, 'mandate-compliance');
        expect(found.verdict).toBe('FLAGGED');
        expect(answer.hardFlags.join()).toContain('mandate-compliance/');
        expect(found.panel.dissent.join('\n')).toContain('remaining');
      }
    }
  });

  it('is told of the money that came back to the buyer, though one node hides it', async () => {
    const { bob, alice } = stage.chain.accounts;
    const call = { to: stage.chain.deployment.usdc, abi: erc20Abi, functionName: 'transfer', gas: 200_000n };
    // Half of the price: less of it may be a refund or a wage.
    await transact(signerOf(stage.chain, bob), { ...call, args: [alice.address, 50_000_000n] });
    const honest = shown(await dealt(stage.deps), 'shill-collusion');
    expect(honest.verdict).not.toBe('CLEAN');
    stage.liar.lie(({ method }, result) => (method === 'eth_getLogs' ? [] : result));
    for (const client of CLIENTS) {
      const found = shown(await dealt(stage.through(client)), 'shill-collusion');
      expect(found.verdict).not.toBe('CLEAN');
      expect(found.panel.dissent.join('\n')).toMatch(new RegExp(`/${client}\\b`));
    }
  });
});

const tier = (name: 'tier2' | 'tier3', facts: TierFacts, deps: EvidenceDeps, depth: Depth = '2-of-2') =>
  determineTier(deps, { tier: name, category: 'real-world-assets', facts, depth });

describe('a certificate that was never heard of here', () => {
  const serials = ['1HGCM82633A004352', '1M8GDM9AXKP042788', '5GZCZ43D13S812715'];
  let tokens: bigint[];

  beforeAll(async () => {
    const { chain, database } = stage;
    const operator = signerOf(chain, chain.accounts.operator);
    tokens = [];
    for (const vin of serials) {
      const serial = `serial:vin:${vin}`;
      await issueCertificate(operator, chain.deployment, {
        to: chain.accounts.bob.address,
        serial,
        approve: false,
      });
      const { certificateOf } = await import('../../chain/clients/certificates.ts');
      const reader = stage.deps.readers.get(1002)!.viem;
      tokens.push(
        (await certificateOf(reader, chain.deployment, serial, (await reader.head()).number)).live!,
      );
    }
    const pledge = {
      wallet: '0xw',
      lender: null,
      until: null,
      source: 'operator' as const,
      proven: true,
      released_at: null,
    };
    await database.db
      .insertInto('pledges')
      .values({ ...pledge, id: 'pl_1', asset_key: `serial:vin:${serials[0]}`, listing_ref: 'elsewhere' })
      .execute();
    await listOf(database.db, 'stolen', [`serial:vin:${serials[0]}`], new Date());
  });

  const token = (n: number) => ({
    chainId: 1002,
    contract: stage.chain.deployment.certificates,
    tokenId: tokens[n]!.toString(),
  });
  const known = () => stage.database.db.selectFrom('certificates').selectAll().execute();
  const tells = (vin: string): Alter =>
    when('function serialOf(uint256)', () =>
      encodeAbiParameters([{ type: 'string' }], [`serial:vin:${vin}`]),
    );
  const nothing = when('function serialOf(uint256)', () => '0x');

  it.each([
    ['stands for another thing', () => tells(serials[2]!)],
    ['stands for nothing', () => nothing],
  ] as const)('is FLAGGED when it is pledged and stolen, though one node says that it %s', async (_, lie) => {
    stage.liar.lie(lie());
    for (const client of CLIENTS) {
      for (const depth of ['2-of-2', 'superconsensus'] as const) {
        const facts = { asset: token(0), subject: token(0), listingRef: 'mine' };
        const answer = await tier('tier3', facts, stage.through(client), depth);
        expect(answer.hardFlags).toEqual(
          expect.arrayContaining(['double-pledge/other-live-claim', 'provenance/list-stolen']),
        );
        for (const id of ['double-pledge', 'provenance']) {
          const found = shown(answer, id);
          expect(found.verdict).toBe('FLAGGED');
          expect(found.panel.dissent.join('\n')).toMatch(/read different facts at the same block: .*\blot\b/);
        }
      }
    }
    expect(await known()).toEqual([]);
  });

  it('is INCONCLUSIVE when it is neither and one node lies or is silent, and CLEAN once both agree, by which it is known', async () => {
    const facts = { asset: token(1), subject: token(1), listingRef: 'mine' };
    const silent = when('function serialOf(uint256)', () => SILENCE as never);
    for (const lie of [tells(serials[2]!), nothing, silent]) {
      stage.liar.lie(lie);
      for (const client of CLIENTS) {
        const deps = lie === silent ? stage.through(client, HASTE_MS) : stage.through(client);
        const answer = await tier('tier3', facts, deps);
        for (const id of ['double-pledge', 'provenance']) {
          const found = shown(answer, id);
          expect([answer.record.verdict, found.verdict]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
          expect(found.panel.dissent.join('\n')).toContain(client);
        }
        // Where it comes from may be gone on without; whether it is pledged twice never is.
        const { effect, waivedBy } = weighVerdicts(answer.record.determinations, GOES_ON);
        expect(effect).toBe('stop');
        expect(new Set(waivedBy.map((w) => w.determination))).toEqual(new Set(['provenance']));
      }
    }
    expect(await known()).toEqual([]);
    stage.liar.lie((_, result) => result);
    expect((await tier('tier3', facts, stage.through('viem'))).record.verdict).toBe('CLEAN');
    expect((await known()).map((c) => c.asset_key)).toEqual([`serial:vin:${serials[1]}`]);
  });
});
