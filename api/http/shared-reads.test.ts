import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { html } from '../html/html.ts';
import { sharedReads } from './shared-reads.ts';

/** A route whose reads end when the test says so. */
function stage() {
  const readings: { end: (value: object) => void; fail: (error: Error) => void }[] = [];
  const answer = sharedReads();
  const app = fastify();
  app.get('/rows', (request, reply) =>
    answer(
      request,
      reply,
      () => new Promise<object>((end, fail) => readings.push({ end, fail })),
      (value) => html`<p>${JSON.stringify(value)}</p>`,
    ),
  );
  const ask = (query = '', accept = 'application/json') =>
    app.inject({ url: `/rows${query}`, headers: { accept } }).then((response) => response);
  const arrived = () => new Promise((resolve) => setTimeout(resolve, 20));
  return { readings, ask, arrived };
}

describe('reads that are shared', () => {
  it('answers nobody from a reading that began before the request came', async () => {
    const { readings, ask, arrived } = stage();
    const first = ask();
    await arrived();
    const late = [ask(), ask(), ask('', 'text/html')];
    await arrived();
    expect(readings).toHaveLength(1);
    readings[0]!.end({ written: false });
    expect((await first).json()).toEqual({ written: false });
    await arrived();
    expect(readings).toHaveLength(2);
    readings[1]!.end({ written: true });
    const [second, third, page] = await Promise.all(late);
    expect([second!.json(), third!.json()]).toEqual([{ written: true }, { written: true }]);
    expect(second!.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(page!.body).toContain('{&quot;written&quot;:true}');
  });

  it('keeps nothing: once answered, the next request reads anew', async () => {
    const { readings, ask, arrived } = stage();
    for (const n of [1, 2]) {
      const asked = ask();
      await arrived();
      readings[n - 1]!.end({ n });
      expect((await asked).json()).toEqual({ n });
    }
  });

  it('keep requests with different queries apart', async () => {
    const { readings, ask, arrived } = stage();
    const asked = [ask('?offset=1'), ask('?offset=2')];
    await arrived();
    expect(readings).toHaveLength(2);
    readings.forEach((reading, n) => void reading.end({ n }));
    expect((await Promise.all(asked)).map((r) => r.json())).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it('lets a reading that fails fail only for those who shared it', async () => {
    const { readings, ask, arrived } = stage();
    const first = ask();
    await arrived();
    const second = ask();
    await arrived();
    readings[0]!.fail(new Error('the database went away'));
    expect((await first).statusCode).toBe(500);
    await arrived();
    readings[1]!.end({ back: true });
    expect((await second).json()).toEqual({ back: true });
  });
});
