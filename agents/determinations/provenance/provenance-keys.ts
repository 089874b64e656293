import { SERIAL_KINDS, type SerialKind } from '../../assets.ts';
import type { ProvenanceCommon, RegisterLookup } from './provenance-evidence.ts';
import { type SerialForm, serialForm } from './serial-form.ts';

/** Every key under which the thing is known. */
export function keysOf(common: ProvenanceCommon): string[] {
  return [...new Set([common.assetKey, common.lot ?? common.assetKey, ...(common.lots ?? [])])];
}

/** The form of its serial; null for a token that stands for no serial, and for evidence of earlier releases. */
export function serialOf(common: ProvenanceCommon): SerialForm | null {
  const [, kind = '', serial = ''] = /^serial:([a-z]+):(.+)$/.exec(common.lot ?? '') ?? [];
  if (!(SERIAL_KINDS as readonly string[]).includes(kind)) return null;
  return serialForm(kind as SerialKind, serial, common.serialRules ?? 1);
}

/** The look-ups in a register. A look-up of another key is left out, because it answers nothing about this thing. */
export function lookupsOf(common: ProvenanceCommon, register: RegisterLookup['register']): RegisterLookup[] {
  return (common.lookups ?? []).filter((l) => l.register === register && keysOf(common).includes(l.key));
}
