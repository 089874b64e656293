import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, type Hex, keccak } from '../canonical.ts';
import { merkleLeaf, merkleTree, verifyMerkleProof } from './merkle.ts';
import { makeRecord } from './record.ts';
import { verifySteps } from './verify.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => keccak(b));
const hashes = fc.uniqueArray(hash, { minLength: 1, maxLength: 40 });

describe('merkle proofs', () => {
  it('verify for every record of every tree', () => {
    fc.assert(
      fc.property(hashes, (all) => {
        const tree = merkleTree(all);
        return all.every((h, i) => verifyMerkleProof(h, tree.proof(i), tree.root));
      }),
      { numRuns: 60 },
    );
  });

  it('fail when any byte of record hash, proof or root is changed', () => {
    fc.assert(
      fc.property(hashes, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (all, pick, where, flip) => {
        const tree = merkleTree(all);
        const index = pick % all.length;
        const parts = [all[index]!, tree.root, ...tree.proof(index)];
        const bytes = parts.flatMap((p) => [...fromHex(p)]);
        const at = where % bytes.length;
        bytes[at] = bytes[at]! ^ flip;
        const hex = (i: number): Hex =>
          `0x${Buffer.from(bytes.slice(i * 32, i * 32 + 32)).toString('hex')}` as Hex;
        const proof = parts.slice(2).map((_, i) => hex(i + 2));
        return !verifyMerkleProof(hex(0), proof, hex(1));
      }),
      { numRuns: 200 },
    );
  });

  it('never take an inner node for a record', () => {
    const all = ['a', 'b', 'c', 'd'].map((t) => keccak(t));
    const tree = merkleTree(all);
    const [left, right] = [merkleLeaf(all[0]!), merkleLeaf(all[1]!)].sort() as [Hex, Hex];
    const inner = keccak(new Uint8Array([...fromHex(left), ...fromHex(right)]));
    expect(verifyMerkleProof(inner, tree.proof(0).slice(1), tree.root)).toBe(false);
    expect(verifyMerkleProof(left, tree.proof(0), tree.root)).toBe(false);
  });

  it('answer false, not an error, for malformed input', () => {
    expect(verifyMerkleProof('0x12', [], keccak('x'))).toBe(false);
    expect(verifyMerkleProof(keccak('x'), ['0x' as Hex], keccak('x'))).toBe(false);
  });

  it('match a tree computed by hand', () => {
    const [a, b] = [keccak('a'), keccak('b')];
    const leaves = [merkleLeaf(a), merkleLeaf(b)].sort() as [Hex, Hex];
    expect(merkleTree([a, b]).root).toBe(keccak(new Uint8Array(leaves.flatMap((l) => [...fromHex(l)]))));
    expect(merkleTree([a]).root).toBe(merkleLeaf(a));
    expect(() => merkleTree([])).toThrow(RangeError);
  });
});

describe('a record', () => {
  const draft = {
    recordId: 'rec_1',
    kind: 'determination' as const,
    issuedAt: new Date('2026-11-21T07:00:00.900Z'),
    subject: '0xabc',
    summary: 'CLEAN',
    content: { verdict: 'CLEAN', checks: ['a'] },
    evidence: { b: 1, a: [1, 2] },
  };

  it('has the same hash whatever order its members and parties stand in', () => {
    const one = makeRecord({ ...draft, parties: ['b', 'a', 'b'] });
    const two = makeRecord({
      ...draft,
      parties: ['a', 'b'],
      evidence: { a: [1, 2], b: 1 },
      content: { checks: ['a'], verdict: 'CLEAN' },
    });
    expect(two.hash).toBe(one.hash);
    expect(one.record.issuedAt).toBe('2026-11-21T07:00:00Z');
  });

  it('has another hash when its evidence is another', () => {
    expect(makeRecord({ ...draft, evidence: { b: 2, a: [1, 2] } }).hash).not.toBe(makeRecord(draft).hash);
  });

  it('does not hold as a verdict on an address where it is one on a lot', async () => {
    const failed = async (subject: string, content: unknown): Promise<string[]> => {
      const { record, hash } = makeRecord({ ...draft, subject, content });
      const evidence = draft.evidence;
      const signature = { signer: '0x01', value: '0x02' } as const;
      const document = { recordId: 'rec_1', record, hash, signature, evidence, proof: null, ledger: null };
      const steps = await verifySteps(document, async () => true);
      return steps.filter((s) => !s.ok).map((s) => s.step);
    };
    const tier = { record: { tier: 'tier2', verdict: 'FLAGGED' } };
    const misled = 'the address that is its subject was determined on as a wallet';
    const address = `0x${'ab'.repeat(20)}`;
    expect(await failed(address, tier)).toContain(misled);
    expect(await failed('So11111111111111111111111111111111111111112', tier)).toContain(misled);
    expect(await failed('lst_1', tier)).not.toContain(misled);
    expect(await failed(address, { record: { verdict: 'FLAGGED', address } })).not.toContain(misled);
  });

  it('is refused when it carries what JSON cannot', () => {
    expect(() => makeRecord({ ...draft, content: { price: 1n } })).toThrow(TypeError);
  });
});
