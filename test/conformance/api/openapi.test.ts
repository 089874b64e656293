import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../agents/errors.ts';
import type { App } from '../../../api/http/app.ts';
import { plainRoutes, probeRoutes, server } from './server-fixture.ts';

interface Operation {
  operationId?: string;
  parameters?: { in: string; name: string }[];
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}
interface Description {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: Record<string, { enum?: string[] }> }> };
}

let app: App;
let description: Description;
const registered: string[] = [];

beforeAll(async () => {
  app = await server({
    routes: [
      (a) => {
        a.addHook('onRoute', (route) => {
          for (const method of [route.method].flat()) registered.push(`${method} ${route.url}`);
        });
      },
      ...plainRoutes,
      probeRoutes,
    ],
  });
  description = (await app.inject('/openapi.json')).json();
});
afterAll(() => app.close());

describe('/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document of interface version 2', async () => {
    const result = await new Validator().validate(
      structuredClone(description) as unknown as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(description.openapi).toMatch(/^3\.1\./);
    expect(description.info.version).toBe('2');
  });

  it('lists every registered route by a name of its own', () => {
    const described = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, o]) => ({
        route: `${method.toUpperCase()} ${path}`,
        id: o.operationId,
      })),
    );
    const expected = registered.map((r) => r.replace(/:([A-Za-z]+)/g, '{$1}'));
    expect(described.map((d) => d.route).sort()).toEqual(expected.sort());
    expect(described.every((d) => typeof d.id === 'string' && d.id !== '')).toBe(true);
    expect(new Set(described.map((d) => d.id)).size).toBe(described.length);
  });

  it('gives every error as a problem body that knows every code', () => {
    expect(description.components.schemas.Problem?.properties.code?.enum).toEqual(Object.keys(ERRORS));
    const failures = Object.values(description.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap((o) =>
        Object.entries(o.responses).filter(([status]) => Number(status) >= 400 && status !== '503'),
      );
    expect(failures.length).toBeGreaterThan(0);
    for (const [, response] of failures) {
      expect(response.content?.['application/problem+json']?.schema).toEqual({
        $ref: '#/components/schemas/Problem',
      });
    }
  });
});

describe('a write', () => {
  it('tells what holds for all of them: a body that cannot be read, or is too large, and what a repeated key does', () => {
    const writes = Object.values(description.paths).flatMap((operations) =>
      Object.entries(operations).flatMap(([method, o]) => (method === 'post' ? [o] : [])),
    );
    expect(writes.length).toBeGreaterThan(0);
    for (const { responses, parameters } of writes) {
      expect(responses['400']?.description).toContain('`bad-request`');
      expect(responses['413']?.description).toContain('`too-large`');
      for (const status of ['409', '422']) expect(responses[status]?.description).toContain('`conflict`');
      expect(parameters).toContainEqual(expect.objectContaining({ in: 'header', name: 'idempotency-key' }));
    }
  });
});

describe('/errors/{code}', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('documents %s for people and for programs', async (code) => {
    const json = await app.inject(`/errors/${code}`);
    expect(json.json()).toMatchObject({ code, status: ERRORS[code].status, remedy: ERRORS[code].remedy });
    const page = await app.inject({ url: `/errors/${code}`, headers: { accept: 'text/html' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers.vary).toContain('Accept');
    expect(page.body).toContain(`<code>${code}</code>`);
  });

  it('knows no code that does not exist', async () => {
    for (const name of ['nope', 'toString', '__proto__']) {
      expect((await app.inject(`/errors/${name}`)).json()).toMatchObject({ code: 'not-found' });
    }
  });
});
