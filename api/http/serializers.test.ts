import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { serializersWhenAsked } from './serializers.ts';

const schema = (properties: object) => ({ response: { 200: { type: 'object', properties } } });

describe('answers whose writing is compiled when they are first given', () => {
  it('are written by their schema each time, and leave out what it does not name', async () => {
    const app = fastify({
      schemaController: { compilersFactory: { buildSerializer: serializersWhenAsked } },
    });
    app.get('/lot', { schema: schema({ price: { type: 'string' } }) }, async () => ({
      price: 102n,
      secret: 's',
    }));
    for (let i = 0; i < 2; i++) expect((await app.inject('/lot')).body).toBe('{"price":"102"}');
    await app.close();
  });

  it('do not need a schema to be right before they are given', async () => {
    const app = fastify({
      schemaController: { compilersFactory: { buildSerializer: serializersWhenAsked } },
    });
    app.get('/wrong', { schema: schema({ price: { type: 'no such type' } }) }, async () => ({ price: 1 }));
    app.get('/right', { schema: schema({ price: { type: 'number' } }) }, async () => ({ price: 1 }));
    await app.ready();
    expect((await app.inject('/right')).json()).toEqual({ price: 1 });
    expect((await app.inject('/wrong')).statusCode).toBe(500);
    await app.close();
  });
});
