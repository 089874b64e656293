import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { TEMPLATE } from '../fixtures/global-setup.ts';
import { GENERATED, generateTables } from '../schema/generate.ts';

/** To mend it: `npm run schema`. */
it('makes the very tables that store/schema.ts types, columns, what may be null and what a check allows', async () => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${TEMPLATE}`;
  expect(await generateTables(url.href)).toBe(readFileSync(GENERATED, 'utf8'));
});
