export type DemoManufacturerPart = {
  /** Manufacturer's number, which supplier parts reference. */
  MPN: string
  /** IPN of the part. */
  part: string
  manufacturer: string
  description?: string
  parameters?: { name: string; value: string; units?: string }[]
}

export const manufacturerParts: DemoManufacturerPart[] = [
  { MPN: 'HP0603-470R', part: 'R-470', manufacturer: 'Halden Passives' },
  {
    MPN: 'HP0603-10K',
    part: 'R-10K',
    manufacturer: 'Halden Passives',
    parameters: [
      { name: 'Tolerance', value: '1', units: '%' },
      { name: 'Power', value: '100', units: 'mW' },
    ],
  },
  { MPN: 'HP0603-100K', part: 'R-100K', manufacturer: 'Halden Passives' },
  { MPN: 'HC0603-100N-X7R', part: 'C-100N', manufacturer: 'Halden Passives' },
  { MPN: 'HC0805-10U-X5R', part: 'C-10U', manufacturer: 'Halden Passives' },
  { MPN: 'HE16-220', part: 'C-220U', manufacturer: 'Halden Passives' },
  {
    MPN: 'NK32F168-64',
    part: 'U-MCU',
    manufacturer: 'Norrsken Semiconductor',
    description: 'Tray of 160, also sold one by one',
    parameters: [
      { name: 'Clock', value: '168', units: 'MHz' },
      { name: 'Flash', value: '512', units: 'kB' },
      { name: 'Package', value: 'LQFP-64' },
    ],
  },
  { MPN: 'NK4204', part: 'U-DAC', manufacturer: 'Norrsken Semiconductor' },
  { MPN: 'NK83', part: 'U-AMP', manufacturer: 'Norrsken Semiconductor' },
  { MPN: 'NK1117-33', part: 'U-REG', manufacturer: 'Norrsken Semiconductor' },
  { MPN: 'NL0603-27', part: 'D-WARM', manufacturer: 'Norrsken Semiconductor' },
  { MPN: 'NL3535-A', part: 'D-RGB', manufacturer: 'Norrsken Semiconductor' },
  { MPN: 'YJ35-S', part: 'J-35', manufacturer: 'Yamabuki Controls' },
  {
    MPN: 'YR09-B10K',
    part: 'P-10K',
    manufacturer: 'Yamabuki Controls',
    parameters: [{ name: 'Life', value: '15000', units: 'turns' }],
  },
  { MPN: 'YT66-160', part: 'S-KEY', manufacturer: 'Yamabuki Controls' },
]
