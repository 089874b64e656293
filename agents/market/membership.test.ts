import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MembershipYear, membershipAt } from './membership.ts';

const at = (text: string): Date => new Date(`${text}T00:00:00.000Z`);
const individual = (text: string): MembershipYear => ({ kind: 'individual', paidAt: at(text) });
const institutional = (text: string): MembershipYear => ({ kind: 'institutional', paidAt: at(text) });

describe('a membership', () => {
  it('lasts exactly one year from its payment', () => {
    const years = [individual('2026-11-21')];
    expect(membershipAt(years, at('2026-11-20'))).toBeNull();
    expect(membershipAt(years, at('2027-11-20'))).toEqual({ kind: 'individual', until: at('2027-11-21') });
    expect(membershipAt(years, at('2027-11-21'))).toBeNull();
  });

  it('is extended by a renewal, and begins anew after a gap', () => {
    const early = [individual('2026-11-21'), individual('2027-10-01')];
    expect(membershipAt(early, at('2027-10-02'))?.until).toEqual(at('2028-11-21'));
    const late = [individual('2026-11-21'), individual('2028-03-01')];
    expect(membershipAt(late, at('2028-02-01'))).toBeNull();
    expect(membershipAt(late, at('2028-03-02'))?.until).toEqual(at('2029-03-01'));
  });

  it('is the institutional one when both kinds hold', () => {
    const both = [individual('2027-01-01'), institutional('2026-11-21')];
    expect(membershipAt(both, at('2027-02-01'))?.kind).toBe('institutional');
    expect(membershipAt(both, at('2027-12-01'))?.kind).toBe('individual');
  });

  it('lasts one more year for each year paid, in whatever order the payments are read', () => {
    const days = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(days, fc.nat(), (offsets, seed) => {
        const start = at('2026-01-01');
        const years = offsets.map(
          (d): MembershipYear => ({ kind: 'individual', paidAt: new Date(+start + d * 86_400_000) }),
        );
        const turned = years.map((_, i) => years[(i + seed) % years.length] as MembershipYear);
        const now = at('2026-12-01');
        const first = new Date(Math.min(...years.map((y) => +y.paidAt)));
        first.setUTCFullYear(first.getUTCFullYear() + years.length);
        expect(membershipAt(turned, now)?.until).toEqual(first);
      }),
    );
  });
});
