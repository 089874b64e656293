import fastify from 'fastify';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import type { App } from './app.ts';
import { registerEmptyFields } from './empty-fields.ts';
import { compileValidator } from './validation.ts';

const Query = Type.Object({ status: Type.Optional(Type.Enum(['active', 'paused'])) });

it('an empty field of a form is no filter for a person, and a wrong one for a program', async () => {
  const app: App = fastify();
  app.setValidatorCompiler(compileValidator);
  registerEmptyFields(app);
  app.get('/rows', { schema: { querystring: Query } }, async (request) => request.query);
  const ask = (accept: string, url: string) => app.inject({ method: 'GET', url, headers: { accept } });
  expect((await ask('text/html', '/rows?status=')).json()).toEqual({});
  expect((await ask('text/html', '/rows?status=paused')).json()).toEqual({ status: 'paused' });
  expect((await ask('application/json', '/rows?status=')).statusCode).not.toBe(200);
  await app.close();
});
