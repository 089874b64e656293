import { expect, it } from 'vitest';
import { RECORD_KINDS } from '../../agents/records/record.ts';
import { verificationRecordDocument } from './verification-record.ts';

it('specifies every kind of record', () => {
  const kind = verificationRecordDocument.members.find(({ name }) => name === 'kind');
  expect(kind?.meaning).toMatch(/\.$/);
  expect(kind?.meaning.slice(0, -1).split(/, | or /)).toEqual([...RECORD_KINDS]);
});
