import { expect, it } from 'vitest';
import { redirected } from './fetch-list.ts';
import { ListError } from './list-content.ts';

it('follows a list to another host, and never from https to plain http', () => {
  const list = new URL('https://publisher.example/sdn.xml');
  expect(redirected(list, 'https://files.example/sdn.xml').href).toBe('https://files.example/sdn.xml');
  expect(redirected(list, '/2026/sdn.xml').href).toBe('https://publisher.example/2026/sdn.xml');
  for (const to of ['http://publisher.example/sdn.xml', 'http://127.0.0.1/', 'file:///etc/hosts', 'https://'])
    expect(() => redirected(list, to)).toThrow(ListError);
  expect(redirected(new URL('http://127.0.0.1/sdn.xml'), 'http://127.0.0.1:8080/').port).toBe('8080');
});
