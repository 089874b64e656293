/** What a listing's proof is called, on the wire and on pages: by the chain, or by nothing but the seller's word. */
export const CONTROL = ['proven', "seller's claim, unproven"] as const;
export type Control = (typeof CONTROL)[number];

export function controlOf({ proven }: { readonly proven: boolean }): Control {
  return proven ? 'proven' : "seller's claim, unproven";
}
