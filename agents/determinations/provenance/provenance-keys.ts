import { SERIAL_KINDS, type SerialKind } from '../../assets.ts';
import type { ProvenanceCommon, RegisterLookup } from './provenance-evidence.ts';
import { type SerialForm, serialForm } from './serial-form.ts';

/** Every key that the thing goes by. */
export function keysOf(common: ProvenanceCommon): string[] {
  return [...new Set([common.assetKey, common.lot ?? common.assetKey, ...(common.lots ?? [])])];
}

/** The form of the serial that it goes by; null for a token that stands for none, and for what earlier releases kept. */
export function serialOf(common: ProvenanceCommon): SerialForm | null {
  const [, kind = '', serial = ''] = /^serial:([a-z]+):(.+)$/.exec(common.lot ?? '') ?? [];
  if (!(SERIAL_KINDS as readonly string[]).includes(kind)) return null;
  return serialForm(kind as SerialKind, serial);
}

/** The look-ups of a register; one that answers for another key answers nothing. */
export function lookupsOf(common: ProvenanceCommon, register: RegisterLookup['register']): RegisterLookup[] {
  return (common.lookups ?? []).filter((l) => l.register === register && keysOf(common).includes(l.key));
}
