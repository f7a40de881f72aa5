/** A BOM line. The component and its substitutes are IPNs. */
export type DemoBomLine = {
  sub_part: string
  quantity: number
  reference?: string
  note?: string
  overage?: string
  optional?: boolean
  consumable?: boolean
  inherited?: boolean
  allow_variants?: boolean
  substitutes?: string[]
}

/** Threading a tape into the machine wastes this quantity, however many instruments are built. */
const tape = { overage: '2' }
const inheritedByVariants = { inherited: true }

/** The BOM of each assembly, by IPN: first the board, then the instruments that contain it. */
export const boms: Record<string, DemoBomLine[]> = {
  'A-WREN': [
    { sub_part: 'R-470', quantity: 4, reference: 'R1-R4', ...tape },
    { sub_part: 'R-10K', quantity: 18, reference: 'R5-R22', ...tape },
    { sub_part: 'R-100K', quantity: 6, reference: 'R23-R28', ...tape },
    { sub_part: 'C-100N', quantity: 22, reference: 'C1-C22', ...tape },
    { sub_part: 'C-10U', quantity: 8, reference: 'C23-C30', ...tape },
    { sub_part: 'U-MCU', quantity: 1, reference: 'U1' },
    { sub_part: 'U-DAC', quantity: 1, reference: 'U2' },
    { sub_part: 'B-WREN', quantity: 1 },
    { sub_part: 'C-220U', quantity: 2, reference: 'C31, C32', substitutes: ['C-10U'] },
    { sub_part: 'J-35', quantity: 2, reference: 'J1, J2', substitutes: ['J-35-OLD'] },
    { sub_part: 'U-AMP', quantity: 1, reference: 'U3' },
    { sub_part: 'U-REG', quantity: 1, reference: 'U4' },
    { sub_part: 'J-USB', quantity: 1, reference: 'J3' },
    { sub_part: 'Z-PASTE', quantity: 1.5, consumable: true },
  ],
  WREN: [
    { sub_part: 'A-WREN', quantity: 1, ...inheritedByVariants },
    { sub_part: 'X-OLED', quantity: 1, reference: 'Display', ...inheritedByVariants },
    { sub_part: 'X-SPK', quantity: 1, ...inheritedByVariants },
    { sub_part: 'P-10K', quantity: 6, ...inheritedByVariants },
    { sub_part: 'S-KEY', quantity: 16, overage: '1', ...inheritedByVariants },
    { sub_part: 'H-PANEL', quantity: 1, ...inheritedByVariants },
    { sub_part: 'M-M3X8', quantity: 8, overage: '10 %', ...inheritedByVariants },
    { sub_part: 'M-FOOT', quantity: 4, ...inheritedByVariants },
    { sub_part: 'W-RED', quantity: 0.3, note: 'Battery holder', substitutes: ['W-BLK'], ...inheritedByVariants },
    { sub_part: 'V-AA', quantity: 3, optional: true, ...inheritedByVariants },
    { sub_part: 'O-BOX', quantity: 1, ...inheritedByVariants },
  ],
  'WREN-W': [
    { sub_part: 'H-WALNUT', quantity: 1 },
    { sub_part: 'K-CREAM', quantity: 6 },
  ],
  'WREN-O': [
    { sub_part: 'H-OAK', quantity: 1 },
    { sub_part: 'K-RUST', quantity: 6, substitutes: ['K-CREAM'] },
  ],
  ROBIN: [
    { sub_part: 'A-ROBIN', quantity: 1 },
    { sub_part: 'X-SPK', quantity: 1 },
  ],
  'A-ROBIN': [
    { sub_part: 'R-10K', quantity: 12, reference: 'R1-R12' },
    { sub_part: 'C-100N', quantity: 14, reference: 'C1-C14' },
    { sub_part: 'U-MCU', quantity: 1, reference: 'U1' },
    { sub_part: 'U-DAC', quantity: 1, reference: 'U2' },
    { sub_part: 'U-REG', quantity: 1, reference: 'U3' },
    { sub_part: 'J-35', quantity: 2, reference: 'J1, J2' },
    { sub_part: 'J-USB', quantity: 1, reference: 'J3' },
  ],
}

/** IPNs of the assemblies whose BOM someone has validated. */
export const validatedAssemblies = ['A-WREN', 'WREN', 'WREN-W']
