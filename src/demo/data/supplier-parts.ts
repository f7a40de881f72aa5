export type DemoSupplierPart = {
  /** The supplier's number, which order lines reference. */
  SKU: string
  /** IPN of the part. The first supplier part of a part becomes its default. */
  part: string
  MPN?: string
  /** Content of one pack, in the units of the part or in others that convert to them. */
  pack?: string
  packaging?: string
  note?: string
  /** Stock of the supplier, in packs. */
  available?: number
  inactive?: boolean
  /** Price of one pack by minimum number of packs, in the supplier's currency. */
  prices: Record<number, string>
}

export const supplierParts: Record<string, DemoSupplierPart[]> = {
  'Brightwell Components': [
    { SKU: 'BW-1070', part: 'R-470', MPN: 'HP0603-470R', pack: '5000', packaging: 'Reel', prices: { 1: '9.80', 3: '8.90' } },
    { SKU: 'BW-1100', part: 'R-10K', MPN: 'HP0603-10K', pack: '5000', packaging: 'Reel', prices: { 1: '9.80', 3: '8.90' } },
    { SKU: 'BW-1100-S', part: 'R-10K', MPN: 'HP0603-10K', pack: '100', packaging: 'Strip', prices: { 1: '0.62', 10: '0.48' } },
    { SKU: 'BW-1110', part: 'R-100K', MPN: 'HP0603-100K', pack: '5000', packaging: 'Reel', prices: { 1: '9.80', 3: '8.90' } },
    {
      SKU: 'BW-2100',
      part: 'C-100N',
      MPN: 'HC0603-100N-X7R',
      pack: '4000',
      packaging: 'Reel',
      prices: { 1: '14.20', 3: '12.60' },
    },
    { SKU: 'BW-2310', part: 'C-10U', MPN: 'HC0805-10U-X5R', pack: '2000', packaging: 'Reel', prices: { 1: '31.00', 3: '27.50' } },
    { SKU: 'BW-2522', part: 'C-220U', MPN: 'HE16-220', pack: '50', packaging: 'Bag', prices: { 1: '4.10', 5: '3.60' } },
    {
      SKU: 'BW-4101',
      part: 'U-MCU',
      MPN: 'NK32F168-64',
      note: 'On allocation: confirm the delivery date',
      available: 214,
      prices: { 1: '5.90', 25: '5.10', 100: '4.45' },
    },
    { SKU: 'BW-4204', part: 'U-DAC', MPN: 'NK4204', available: 1830, prices: { 1: '3.20', 25: '2.75', 100: '2.50' } },
    { SKU: 'BW-4083', part: 'U-AMP', MPN: 'NK83', available: 5200, prices: { 1: '1.15', 25: '0.92' } },
    { SKU: 'BW-4003', part: 'U-REG', MPN: 'NK1117-33', available: 12000, prices: { 1: '0.48', 50: '0.36' } },
    { SKU: 'BW-6027', part: 'D-WARM', MPN: 'NL0603-27', pack: '2000', packaging: 'Reel', prices: { 1: '22.00' } },
    { SKU: 'BW-6035', part: 'D-RGB', MPN: 'NL3535-A', pack: '50', packaging: 'Strip', prices: { 1: '6.90', 4: '6.10' } },
    { SKU: 'BW-7116', part: 'J-USB', prices: { 1: '0.71', 50: '0.58' } },
    {
      SKU: 'BW-9025',
      part: 'Z-PASTE',
      pack: '250 g',
      packaging: 'Jar',
      note: 'Shipped refrigerated',
      prices: { 1: '18.50', 3: '16.90' },
    },
  ],
  'Elektro Lindner': [
    { SKU: 'EL-220', part: 'J-35', MPN: 'YJ35-S', pack: '10', packaging: 'Bag', prices: { 1: '6.50', 10: '5.80' } },
    { SKU: 'EL-218', part: 'J-BATT', prices: { 1: '0.95', 50: '0.80' } },
    { SKU: 'EL-600', part: 'J-USB', note: 'Higher price, same-day delivery', prices: { 1: '0.95' } },
    { SKU: 'EL-501', part: 'V-AA', pack: '40', packaging: 'Carton', prices: { 1: '13.90', 5: '12.50' } },
    { SKU: 'EL-710', part: 'W-RED', pack: '1 spool', packaging: 'Spool', prices: { 1: '14.90', 3: '13.20' } },
    { SKU: 'EL-711', part: 'W-BLK', pack: '1 spool', packaging: 'Spool', prices: { 1: '14.90', 3: '13.20' } },
    { SKU: 'EL-733', part: 'W-AUDIO', pack: '25 m', packaging: 'Ring', prices: { 1: '29.00', 4: '26.50' } },
    { SKU: 'EL-930', part: 'Z-GLUE', pack: '0.5 l', packaging: 'Bottle', prices: { 1: '8.40' } },
  ],
  'Schraubenhaus Weber': [
    { SKU: 'SW-M3-8-TX', part: 'M-M3X8', pack: '100', packaging: 'Box', prices: { 1: '2.90', 10: '2.40' } },
    { SKU: 'SW-INS-M3', part: 'M-INS', pack: '50', packaging: 'Bag', prices: { 1: '5.60', 10: '4.95' } },
    { SKU: 'SW-FOOT-8', part: 'M-FOOT', pack: '100', packaging: 'Sheet', prices: { 1: '4.20' } },
  ],
  'Morning Star Trading': [
    { SKU: 'MS-P9-10K', part: 'P-10K', MPN: 'YR09-B10K', pack: '50', packaging: 'Tray', prices: { 1: '72.00', 10: '64.00' } },
    { SKU: 'MS-K6-160', part: 'S-KEY', MPN: 'YT66-160', pack: '100', packaging: 'Bag', prices: { 1: '46.00', 10: '39.00' } },
    { SKU: 'MS-SL2', part: 'S-SLIDE', pack: '20', packaging: 'Bag', prices: { 1: '18.00' } },
    { SKU: 'MS-OLED13-W', part: 'X-OLED', prices: { 1: '24.00', 50: '21.50' } },
    { SKU: 'MS-SPK28', part: 'X-SPK', prices: { 1: '6.20', 50: '5.40' } },
    { SKU: 'MS-KN12-CR', part: 'K-CREAM', pack: '50', packaging: 'Bag', prices: { 1: '55.00', 10: '49.00' } },
    { SKU: 'MS-KN12-RU', part: 'K-RUST', pack: '50', packaging: 'Bag', prices: { 1: '55.00', 10: '49.00' } },
    { SKU: 'MS-J35', part: 'J-35', MPN: 'YJ35-S', pack: '50', packaging: 'Bag', prices: { 1: '98.00', 10: '86.00' } },
  ],
  'Cascadia Circuits': [
    { SKU: 'CC-WREN-C', part: 'B-WREN', prices: { 1: '7.90', 25: '4.60', 100: '3.10' } },
    {
      SKU: 'CC-WREN-C-ASM',
      part: 'A-WREN',
      note: 'Microcontrollers supplied by us',
      prices: { 1: '41.00', 10: '33.50', 50: '28.00' },
    },
    { SKU: 'CC-ROBIN-A-ASM', part: 'A-ROBIN', prices: { 1: '88.00', 5: '61.00' } },
    { SKU: 'CC-PANEL-WREN', part: 'H-PANEL', prices: { 1: '6.20', 25: '4.90' } },
  ],
  'Joinery Birkholz': [
    { SKU: 'Wren walnut', part: 'H-WALNUT', prices: { 1: '34.00', 10: '31.00' } },
    { SKU: 'Wren oak', part: 'H-OAK', prices: { 1: '30.00', 10: '27.50' } },
  ],
  'Kartonwerk Nord': [
    { SKU: 'KN-17-WREN', part: 'O-BOX', pack: '25', packaging: 'Bundle', prices: { 1: '41.25', 4: '36.00' } },
    { SKU: 'KN-L-100150', part: 'O-LABEL', pack: '500', packaging: 'Roll', prices: { 1: '12.80', 6: '11.20' } },
  ],
  'Radiohaus Petersen': [{ SKU: 'RP-88', part: 'S-SLIDE', inactive: true, prices: { 1: '1.20' } }],
}
