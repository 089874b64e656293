import { describe, expect, it } from 'vitest';
import { when } from './components.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
/** What somebody reads who opens no tooltip. */
const read = (iso: string) => when(iso, NOW).text.replace(/<[^>]*>/g, '');

describe('a time on a page', () => {
  it('is told with its minute in UTC where it lies ahead', () => {
    expect(read('2026-11-21T08:30:59Z')).toBe('in 1 hour (2026-11-21 08:30 UTC)');
    expect(read('2027-02-01T00:00:00Z')).toBe('2027-02-01 00:00 UTC');
  });

  it('is told by its distance where it is over, with the minute in its tooltip', () => {
    expect(read('2026-11-21T05:00:00Z')).toBe('2 hours ago');
    expect(when('2026-11-21T05:00:00Z', NOW).text).toContain('title="2026-11-21 05:00 UTC"');
  });
});
