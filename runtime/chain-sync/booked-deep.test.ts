import { expect, it } from 'vitest';
import { bookedDeep } from './booked-deep.ts';

const at = (minute: number): Date => new Date(minute * 60_000);

it('tells of what was booked once, when as many blocks as it must have lie on the head of that time', () => {
  const deep = bookedDeep(10n);
  deep.see(100n, at(60));
  expect(deep.due()).toBeNull();
  deep.see(105n, at(61));
  deep.see(109n, at(62));
  expect(deep.due()).toBeNull();
  deep.see(110n, at(63));
  expect(deep.due()).toEqual({ from: at(0), to: at(60) });
  deep.read(deep.due()!);
  expect(deep.due()).toBeNull();
  deep.see(130n, at(64));
  expect(deep.due()).toEqual({ from: at(60), to: at(63) });
});

it('is due until it was read: what failed is due again, with what came to lie deep meanwhile', () => {
  const deep = bookedDeep(10n);
  deep.see(100n, at(60));
  deep.see(110n, at(61));
  const first = deep.due()!;
  expect(deep.due()).toEqual(first);
  deep.see(120n, at(62));
  expect(deep.due()).toEqual({ from: at(0), to: at(61) });
  deep.read(first);
  expect(deep.due()).toEqual({ from: at(60), to: at(61) });
});

it('takes what was booked under a head that stood still for as deep as that head', () => {
  const deep = bookedDeep(10n);
  for (const minute of [60, 61, 62]) deep.see(100n, at(minute));
  deep.see(110n, at(63));
  expect(deep.due()).toEqual({ from: at(0), to: at(62) });
});

it('counts anew what was seen on a branch that went away, or by a node that is behind', () => {
  const deep = bookedDeep(10n);
  deep.see(100n, at(60));
  deep.see(108n, at(61));
  deep.see(104n, at(62));
  deep.see(114n, at(63));
  expect(deep.due()).toEqual({ from: at(0), to: at(62) });
});

it('keeps what is deep for whoever asks later', () => {
  const deep = bookedDeep(10n);
  for (let n = 0; n < 50; n++) deep.see(100n + BigInt(n), at(60 + n));
  expect(deep.due()).toEqual({ from: at(0), to: at(99) });
});
