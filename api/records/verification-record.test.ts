import { expect, it } from 'vitest';
import { RECORD_KINDS } from '../../agents/records/record.ts';
import { verificationRecordDocument, verificationRecordPage } from './verification-record.ts';

it('specifies every kind of record', () => {
  const kind = verificationRecordDocument.members.find(({ name }) => name === 'kind');
  expect(kind?.meaning).toMatch(/\.$/);
  expect(kind?.meaning.slice(0, -1).split(/, | or /)).toEqual([...RECORD_KINDS]);
});

it('says where the answer of a determination stands, what withdraws it, and how a list does not name somebody', () => {
  const { text } = verificationRecordPage();
  const example = JSON.parse(/\{\s*&quot;recordId[\s\S]*?(?=<\/)/.exec(text)![0].replaceAll('&quot;', '"'));
  expect(example.content.record.verdict).toBe('CLEAN');
  for (const said of ['retracted', 'overturned', 'lookedUp', 'after.path', 'rows'])
    expect(text).toContain(`<code>${said}</code>`);
});
