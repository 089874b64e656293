import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../agents/errors.ts';
import {
  type Destinations,
  guardedLookup,
  isAllowedAddress,
  readDestination,
  requireReachable,
} from './destination.ts';
import { postMessage } from './post.ts';

const OUTSIDE = { loopback: false };
const LOCAL = { loopback: true };

describe('an address for webhooks', () => {
  it.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?tenant=7',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('may be %s', (text) => {
    expect(readDestination(text, OUTSIDE).href).toBe(text);
  });

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'example.com/hook',
    'https://user@example.com/',
    'https://:secret@example.com/',
    'https://example.com/#part',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://10.0.0.8/',
    'https://172.31.255.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'https://239.1.2.3/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    'http://127.0.0.1/',
    'http://localhost/',
    '',
  ])('may not be %s', (text) => {
    expect(() => readDestination(text, OUTSIDE)).toThrow(AppError);
  });

  it('may be of this machine where that is allowed, and of no other private network', () => {
    for (const text of [
      'http://127.0.0.1:9000/',
      'http://localhost:9000/',
      'http://[::1]:9000/',
      'https://127.0.0.2/',
    ])
      expect(readDestination(text, LOCAL).href).toBe(text);
    for (const text of [
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'http://example.com/',
    ])
      expect(() => readDestination(text, LOCAL), text).toThrow(AppError);
  });

  it('is judged as the number it is, however it is written', () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const allowed = isAllowedAddress(`${a}.${b}.${c}.${d}`, OUTSIDE);
        for (const text of [`https://${number}/`, `https://0x${number.toString(16)}/`]) {
          if (allowed) expect(readDestination(text, OUTSIDE).hostname).toBe(`${a}.${b}.${c}.${d}`);
          else expect(() => readDestination(text, OUTSIDE)).toThrow(AppError);
        }
      }),
    );
  });
});

describe('a name', () => {
  it('that leads to this machine is refused when it is registered and when it is connected to', async () => {
    await expect(requireReachable(new URL('https://localhost/'), OUTSIDE)).rejects.toThrow('public internet');
    await expect(requireReachable(new URL('https://localhost/'), LOCAL)).resolves.toBeUndefined();
    const look = (allowed: typeof LOCAL) =>
      new Promise((resolve, reject) =>
        guardedLookup(allowed)('localhost', {}, (error, address) =>
          error ? reject(error) : resolve(address),
        ),
      );
    await expect(look(OUTSIDE)).rejects.toThrow('not public');
    expect(['127.0.0.1', '::1']).toContain(await look(LOCAL));
  });

  it('that nobody knows is refused', async () => {
    await expect(requireReachable(new URL('https://no-such-name.invalid/'), OUTSIDE)).rejects.toThrow(
      'nobody knows',
    );
  });

  describe('whose name server never answers', () => {
    let silent: Socket;
    let allowed: Destinations;
    let asked = 0;

    beforeAll(async () => {
      silent = createSocket('udp4').on('message', () => {
        asked += 1;
      });
      await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
      allowed = { loopback: false, nameServers: [`127.0.0.1:${silent.address().port}`] };
    });
    afterAll(() => silent.close());

    /** What ends first comes first. */
    const inOrder = async (of: Readonly<Record<string, Promise<unknown>>>): Promise<string[]> => {
      const ended: string[] = [];
      const all = Object.entries(of).map(([name, one]) => one.then(() => ended.push(name)));
      await Promise.all(all);
      return ended;
    };
    const refusalOf = (one: Promise<unknown>) => one.then(String, (error) => error.code ?? error.message);

    it('holds no look-up of others, and is refused when it is registered', async () => {
      const answers: unknown[] = [];
      const register = async (i: number) =>
        void answers.push(
          await refusalOf(requireReachable(new URL(`https://s${i}.silent.example/`), allowed)),
        );
      const ended = await inOrder({
        strangers: Promise.all([...Array(10).keys()].map(register)),
        localhost: lookup('localhost'),
      });
      expect(ended).toEqual(['localhost', 'strangers']);
      expect(answers.toSorted()).toEqual([...Array(8).fill('bad-request'), 'unavailable', 'unavailable']);
      expect(asked).toBeGreaterThanOrEqual(8);
      // Their places are free again.
      expect(await refusalOf(requireReachable(new URL('https://s.silent.example/'), allowed))).toBe(
        'bad-request',
      );
    });

    it('ends the delivery to it without an answer', async () => {
      const message = { headers: {}, body: '{}' };
      const ended = await inOrder({
        delivery: refusalOf(
          postMessage(new URL('https://hook.silent.example/'), message, { allowed, timeoutMs: 60_000 }),
        ).then((said) => expect(said).toContain('nobody knows')),
        localhost: lookup('localhost'),
      });
      expect(ended).toEqual(['localhost', 'delivery']);
    });
  });
});
