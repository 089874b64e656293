import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { server } from '../../test/conformance/api/server-fixture.ts';
import { problems } from '../schemas.ts';

const Query = Type.Object({ status: Type.Optional(Type.Enum(['active', 'paused'])) });

it('an empty field of a form is no filter for a person, and a wrong one for a program', async () => {
  const app = await server({
    routes: [
      (a) => {
        a.get(
          '/rows',
          {
            schema: {
              operationId: 'rows',
              querystring: Query,
              response: { 200: Query, ...problems('bad-request') },
            },
          },
          async (request) => request.query,
        );
      },
    ],
  });
  const ask = (accept: string, url: string) => app.inject({ method: 'GET', url, headers: { accept } });
  expect((await ask('text/html', '/rows?status=')).json()).toEqual({});
  expect((await ask('text/html', '/rows?status=paused')).json()).toEqual({ status: 'paused' });
  expect((await ask('application/json', '/rows?status=')).statusCode).toBe(400);
  await app.close();
});
