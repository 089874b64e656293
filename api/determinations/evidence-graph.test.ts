import { describe, expect, it } from 'vitest';
import { evidenceGraph } from './evidence-graph.ts';

const at = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const flow = (n: number, usd: string) => ({ address: at(n), usd, native: '0', transfers: 1, last: '' });

const evidence = {
  determinations: [
    {
      id: 'wallet',
      common: {
        address: at(1),
        sanctions: { hits: [{ key: at(3) }] },
        knownScam: { hits: [] },
        transfers: {
          listed: [],
          histories: [
            {
              flows: [
                { of: at(1), way: 'in', parties: [flow(2, '12500000'), flow(3, '1000000')] },
                { of: at(1), way: 'out', parties: [flow(4, '7000000')] },
                { of: at(2), way: 'in', parties: [flow(5, '1')] },
              ],
            },
          ],
        },
      },
      seats: [
        {
          facts: {
            chains: [
              { principals: { owners: [at(6)], unknown: null, edges: [{ who: at(7), role: 'its admin' }] } },
            ],
          },
        },
        { facts: null },
      ],
    },
  ],
};

describe('the picture of what stands behind a wallet', () => {
  const { text } = evidenceGraph(evidence);

  it('names who decides over it, and with whom its own money moved and how much', () => {
    const title = /<title[^>]*>([^<]*)/.exec(text)?.[1];
    expect(title).toBe(
      `Decided over by ${at(6)} (owns it), ${at(7)} (its admin); money came from ${at(2)} ($12.5), ${at(3)} ($1); money went to ${at(4)} ($7)`,
    );
    expect(text).not.toContain(at(5).slice(0, 42));
  });

  it('frames those that a list names, and nobody else', () => {
    expect(text.match(/class="node bad"/g)).toHaveLength(1);
  });

  it.each([
    null,
    {},
    { determinations: [{ id: 'wallet' }] },
    { determinations: [{ id: 'price-intelligence' }] },
  ])('is none where the evidence tells of nobody: %j', (other) => {
    expect(evidenceGraph(other).text).toBe('');
  });
});
