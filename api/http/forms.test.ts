import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { App } from './app.ts';
import { withForms } from './forms.ts';

async function stage() {
  const app = fastify() as unknown as App;
  app.decorateRequest('rawBody');
  app.post('/interface', async (request) => request.body);
  await withForms(app, (scope) => {
    scope.post('/page', async (request) => request.body);
  });
  const send = (url: string, payload: string) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    });
  return send;
}

describe('a form of a page', () => {
  it('is read field by field, trimmed, and in whatever script', async () => {
    const send = await stage();
    const answer = await send('/page', 'handle=+desk+&mandate=caf%C3%A9%0D%0Aand+more&empty=');
    expect(answer.json()).toEqual({ handle: 'desk', mandate: 'café\r\nand more', empty: '' });
  });

  it('is refused when a field comes twice, and by every route that is no page', async () => {
    const send = await stage();
    expect((await send('/page', 'a=1&a=2')).statusCode).not.toBe(200);
    expect((await send('/interface', 'a=1')).statusCode).toBe(415);
  });
});
