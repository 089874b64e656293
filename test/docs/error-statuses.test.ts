import { expect, it } from 'vitest';
import { type ErrorCode, isServiceCode, statusesOf } from '../../agents/errors.ts';
import { describeRoutes } from '../client/describe-routes.ts';

it('describes no answer by a code with a status that the list of errors does not have', async () => {
  const { paths } = await describeRoutes();
  const told = new Set<string>();
  for (const methods of Object.values(paths))
    for (const { responses } of Object.values(methods))
      for (const [status, { description = '' }] of Object.entries(responses))
        for (const [, code = ''] of description.matchAll(/`([a-z-]+)`/g))
          if (isServiceCode(code)) told.add(`${code} ${status}`);
  expect(told.size).toBeGreaterThan(20);
  const listed = (one: string) => {
    const [code, status] = one.split(' ') as [ErrorCode, string];
    return statusesOf(code).includes(Number(status));
  };
  expect([...told].filter((one) => !listed(one))).toEqual([]);
});
