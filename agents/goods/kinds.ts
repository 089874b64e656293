/** Serial kinds the service knows (ISO 3779 VIN, IMEI, ISBN, ISRC, GTIN, names by ENSIP-15), and the rest. */
export const SERIAL_KINDS = ['vin', 'imei', 'isbn', 'isrc', 'gtin', 'name', 'generic'] as const;
export type SerialKind = (typeof SERIAL_KINDS)[number];
